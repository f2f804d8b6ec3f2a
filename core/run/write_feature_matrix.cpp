// Feature matrices as read_feature_matrix reads them.
#include "core/files/files.h"
#include "core/files/npy.h"
#include "core/run/run_directory.h"

namespace ansatz {

namespace fs = std::filesystem;

template <class Scalar>
void RunDirectory::write_feature_matrix(const std::string& name, const FeatureMatrix<Scalar>& m,
                                        const EigenPairs<Scalar>& top) const {
  using Form = typename FeatureMatrix<Scalar>::Form;
  const fs::path file = path_ / "matrices" / name;
  make_folder(file.parent_path());
  const std::string base = file.string();
  if (m.form() == Form::diagonal) {
    write_npy<Scalar>(base + ".npy", m.diagonal_part());
  } else if (m.form() == Form::dense) {
    write_npy<Scalar>(base + ".npy", m.dense_part());
  } else if (m.dimension() <= kDenseLimit) {
    write_npy<Scalar>(base + ".npy", m.to_dense());
  } else {
    if (!m.core_is_identity()) write_npy<Scalar>(base + ".C.npy", m.core());
    write_npy<Scalar>(base + ".F.npy", m.factor());
  }
  write_npy<Scalar>(base + ".diagonal.npy", m.diagonal());
  if (top.values.size() == 0) return;
  write_npy<Scalar>(base + ".eigenvectors.npy", top.vectors);
  write_npy<Scalar>(base + ".eigenvalues.npy", top.values);
}

template void RunDirectory::write_feature_matrix<float>(const std::string&, const FeatureMatrix<float>&,
                                                        const EigenPairs<float>&) const;
template void RunDirectory::write_feature_matrix<double>(const std::string&, const FeatureMatrix<double>&,
                                                         const EigenPairs<double>&) const;

}  // namespace ansatz
