// Feature matrices as RunDirectory::write_feature_matrix leaves them, or from elsewhere.
#include "core/error.h"
#include "core/npy.h"
#include "core/run_directory.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

template <class Scalar>
FeatureMatrix<Scalar> read_one_array(const fs::path& file) {
  Matrix<Scalar> a = read_npy<Scalar>(file);
  if (read_npy_header(file).shape.size() == 1) return FeatureMatrix<Scalar>::diagonal_form(a.col(0));
  if (a.rows() != a.cols())
    throw DataError(file.string() + ": is " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                    "; a feature matrix is d x d, or its diagonal of length d");
  return FeatureMatrix<Scalar>::dense(std::move(a));
}

template <class Scalar>
FeatureMatrix<Scalar> read_any_form(const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return read_one_array<Scalar>(path);
  const std::string base = path.string();
  if (fs::is_regular_file(base + ".npy", error)) return read_one_array<Scalar>(base + ".npy");
  if (!fs::is_regular_file(base + ".F.npy", error))
    throw DataError("no feature matrix " + base + ": there is neither " + base + ".npy nor " + base + ".F.npy");
  auto factor = std::make_shared<const Matrix<Scalar>>(read_npy<Scalar>(base + ".F.npy"));
  if (!fs::is_regular_file(base + ".C.npy", error)) return FeatureMatrix<Scalar>::sandwich(std::move(factor));
  Matrix<Scalar> core = read_npy<Scalar>(base + ".C.npy");
  if (core.rows() != factor->rows() || core.cols() != factor->rows())
    throw DataError(base + ".C.npy: is " + std::to_string(core.rows()) + " x " + std::to_string(core.cols()) +
                    ", but " + base + ".F.npy has " + std::to_string(factor->rows()) + " rows");
  return FeatureMatrix<Scalar>::sandwich(std::move(factor), std::move(core));
}

}  // namespace

template <class Scalar>
FeatureMatrix<Scalar> read_feature_matrix(const fs::path& path) {
  try {
    return read_any_form<Scalar>(path);
  } catch (const NumericalError& e) {  // for a file that is damaged data
    throw DataError(path.string() + ": " + e.what());
  }
}

template FeatureMatrix<float> read_feature_matrix<float>(const fs::path&);
template FeatureMatrix<double> read_feature_matrix<double>(const fs::path&);

}  // namespace ansatz
