// Feature matrices as RunDirectory::write_feature_matrix leaves them, or from elsewhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/files/npy.h"
#include "core/run/run_directory.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

/// What rounding of the file's type may leave of a product or a root of n rows, relative to its largest entry.
double tolerance_of(double rounding, Index n) {
  constexpr double kAnotherMatrix = 0.05;  // no rounding does that
  return std::min(kAnotherMatrix, std::max(std::sqrt(rounding), static_cast<double>(n) * rounding));
}

/// Symmetric up to rounding, then made so exactly; its diagonal not below 0.
template <class Scalar>
void require_symmetric(Matrix<Scalar>& m, double rounding, const fs::path& file) {
  if (!m.allFinite()) throw DataError(file.string() + ": has entries that are not finite");
  const double tolerance = tolerance_of(rounding, m.rows());
  const double asymmetry = make_symmetric(m);
  if (asymmetry > tolerance) {
    throw DataError(fmt::format(
        "{}: is not symmetric: it differs from its transpose by {:.2g} of its largest entry, where rounding "
        "of its type leaves at most {:.2g}; a feature matrix is, such as W^T W",
        file.string(), asymmetry, tolerance));
  }
  if (m.rows() > 0 && m.diagonal().minCoeff() < -tolerance * m.cwiseAbs().maxCoeff()) {
    throw DataError(
        fmt::format("{}: has {:.4g} on its diagonal; a feature matrix is positive semi-definite, such as W^T W",
                    file.string(), static_cast<double>(m.diagonal().minCoeff())));
  }
}

template <class Scalar>
FeatureMatrix<Scalar> read_one_array(const fs::path& file) {
  const NpyHeader header = read_npy_header(file);
  if (header.shape.size() != 1 && header.rows() != header.cols())
    throw DataError(file.string() + ": is " + std::to_string(header.rows()) + " x " + std::to_string(header.cols()) +
                    "; a feature matrix is d x d, or its diagonal of length d");
  Matrix<Scalar> a = read_npy<Scalar>(file);
  if (header.shape.size() == 1) {
    const double largest = a.size() > 0 ? static_cast<double>(a.cwiseAbs().maxCoeff()) : 0;
    const auto floor = static_cast<Scalar>(-tolerance_of(header.rounding(), 1) * largest);
    return FeatureMatrix<Scalar>::diagonal_form(
        a.col(0).unaryExpr([floor](Scalar value) { return value < 0 && value >= floor ? Scalar(0) : value; }));
  }
  require_symmetric(a, header.rounding(), file);
  return FeatureMatrix<Scalar>::dense(std::move(a));
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// What is asked for, without the end of a file's name that a matrix in factors has not, or has not alone.
fs::path without_ending(const fs::path& path) {
  const std::string name = path.string();
  std::error_code error;
  if (ends_with(name, ".F.npy")) return name.substr(0, name.size() - 6);
  return ends_with(name, ".npy") && !fs::exists(path, error) ? fs::path(name.substr(0, name.size() - 4)) : path;
}

/// The file that says what the matrix is: the array itself, or the factor F.
fs::path main_file(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error)) return path;
  const std::string base = path.string();
  if (fs::is_regular_file(base + ".npy", error)) return base + ".npy";
  if (!fs::is_regular_file(base + ".F.npy", error))
    throw DataError("no feature matrix " + base + ": there is neither " + base + ".npy nor " + base + ".F.npy");
  return base + ".F.npy";
}

template <class Scalar>
FeatureMatrix<Scalar> read_any_form(const fs::path& path) {
  const fs::path file = main_file(path);
  const std::string base = path.string();
  if (file != base + ".F.npy") return read_one_array<Scalar>(file);
  auto factor = std::make_shared<const Matrix<Scalar>>(read_npy<Scalar>(file));
  std::error_code error;
  const fs::path core_file = base + ".C.npy";
  if (!fs::is_regular_file(core_file, error)) return FeatureMatrix<Scalar>::sandwich(std::move(factor));
  Matrix<Scalar> core = read_npy<Scalar>(core_file);
  if (core.rows() != factor->rows() || core.cols() != factor->rows())
    throw DataError(core_file.string() + ": is " + std::to_string(core.rows()) + " x " + std::to_string(core.cols()) +
                    ", but " + base + ".F.npy has " + std::to_string(factor->rows()) + " rows");
  require_symmetric(core, read_npy_header(core_file).rounding(), core_file);
  return FeatureMatrix<Scalar>::sandwich(std::move(factor), std::move(core));
}

}  // namespace

template <class Scalar>
FeatureMatrix<Scalar> read_feature_matrix(const fs::path& path) {
  try {
    return read_any_form<Scalar>(without_ending(path));
  } catch (const NumericalError& e) {  // for a file that is damaged data
    throw DataError(path.string() + ": " + e.what());
  }
}

double feature_matrix_rounding(const fs::path& path) {
  return read_npy_header(main_file(without_ending(path))).rounding();
}

template FeatureMatrix<float> read_feature_matrix<float>(const fs::path&);
template FeatureMatrix<double> read_feature_matrix<double>(const fs::path&);

}  // namespace ansatz
