// Feature matrices as read_feature_matrix reads them.
#include "core/files/files.h"
#include "core/files/npy.h"
#include "core/run/run_directory.h"

namespace ansatz {

namespace fs = std::filesystem;

namespace {

template <class Scalar>
bool goes_as_factors(const FeatureMatrix<Scalar>& m, MatrixFiles files) {
  if (m.dimension() > kDenseLimit) return true;
  if (files == MatrixFiles::dense) return false;
  const auto d = static_cast<double>(m.dimension()), r = static_cast<double>(m.factor().rows());
  const double factors = r * d + (m.core_is_identity() ? 0 : r * r);
  return d * d * sizeof(Scalar) > kSmallMatrixFile && factors < d * d;
}

}  // namespace

template <class Scalar>
void RunDirectory::write_feature_matrix(const std::string& name, const FeatureMatrix<Scalar>& m,
                                        const EigenPairs<Scalar>& top, MatrixFiles files) const {
  using Form = typename FeatureMatrix<Scalar>::Form;
  const fs::path file = path_ / "matrices" / name;
  make_folder(file.parent_path());
  const std::string base = file.string();
  if (m.form() == Form::diagonal) {
    write_npy<Scalar>(base + ".npy", m.diagonal_part());
  } else if (m.form() == Form::dense) {
    write_npy<Scalar>(base + ".npy", m.dense_part());
  } else if (goes_as_factors(m, files)) {
    if (!m.core_is_identity()) write_npy<Scalar>(base + ".C.npy", m.core());
    write_npy<Scalar>(base + ".F.npy", m.factor());
  } else {
    write_npy<Scalar>(base + ".npy", m.to_dense());
  }
  write_npy<Scalar>(base + ".diagonal.npy", m.diagonal());
  if (top.values.size() == 0) return;
  write_npy<Scalar>(base + ".eigenvectors.npy", top.vectors);
  write_npy<Scalar>(base + ".eigenvalues.npy", top.values);
}

template void RunDirectory::write_feature_matrix<float>(const std::string&, const FeatureMatrix<float>&,
                                                        const EigenPairs<float>&, MatrixFiles) const;
template void RunDirectory::write_feature_matrix<double>(const std::string&, const FeatureMatrix<double>&,
                                                         const EigenPairs<double>&, MatrixFiles) const;

}  // namespace ansatz
