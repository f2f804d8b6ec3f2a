// What the tests of rfm/ share: the kernels under test, small data, slow and obvious versions.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/features/feature_matrix.h"
#include "rfm/kernel_fit.h"
#include "tests/textbook/slow_kernels.h"

namespace ansatz::rfm::test {

inline constexpr double kPi = 3.14159265358979323846;

using textbook::lpq;
using textbook::network;
using textbook::polynomial;
using textbook::slow_kernel;
using textbook::spec_of;
using textbook::symmetric_root;

inline std::vector<KernelSpec> kernels_of(const std::vector<KernelFamily>& families) {
  std::vector<KernelSpec> kernels;
  for (const KernelFamily family : families)
    for (const KernelSpec& spec : textbook::samples_of(family)) kernels.push_back(spec);
  return kernels;
}

/// Kernels of a p-norm.
inline std::vector<KernelSpec> p_norm_kernels() {
  return kernels_of({KernelFamily::product_laplace, KernelFamily::lpq_laplace});
}

/// Every family.
inline std::vector<KernelSpec> all_kernels() {
  std::vector<KernelFamily> families;
  for (const KernelInfo& info : kernel_table()) families.push_back(info.family);
  return kernels_of(families);
}

inline SolverOptions solver(SolverKind kind, double ridge, double tolerance = 1e-5) {
  SolverOptions options;
  options.kind = kind;
  options.ridge = ridge;
  options.tolerance = tolerance;
  return options;
}

template <class Scalar = double>
Matrix<Scalar> normal(Index rows, Index cols, std::uint64_t seed) {
  return RandomStream(seed).normal_matrix<Scalar>(rows, cols);
}

/// A well-conditioned positive definite d x d matrix.
inline Matrix<double> positive_definite(Index d, std::uint64_t seed) {
  const Matrix<double> a = normal(d, d, seed);
  return (a.transpose() * a / double(d) + 0.3 * Matrix<double>::Identity(d, d)).eval();
}

/// M in each form that the library has, all of dimension d; "sandwich" has rank 3.
struct NamedMetric {
  std::string name;
  FeatureMatrix<double> metric;
};
inline std::vector<NamedMetric> all_metrics(Index d) {
  const Vector<double> m = normal(d, 1, 71).array().square() + 0.1;
  const auto factor = std::make_shared<const Matrix<double>>(normal(3, d, 72));
  const auto tall = std::make_shared<const Matrix<double>>(normal(d + 2, d, 74));
  return {{"identity", FeatureMatrix<double>::identity(d)},
          {"diagonal", FeatureMatrix<double>::diagonal_form(m)},
          {"dense", FeatureMatrix<double>::dense(positive_definite(d, 73))},
          {"sandwich", FeatureMatrix<double>::sandwich(factor, positive_definite(3, 75))},
          {"sandwich W^T W", FeatureMatrix<double>::sandwich(*factor)},
          {"sandwich of more rows than d",
           FeatureMatrix<double>::sandwich(tall, positive_definite(d + 2, 76) / double(d))}};
}

inline double relative_error(const Matrix<double>& got, const Matrix<double>& want) {
  return (got - want).cwiseAbs().maxCoeff() / std::max(1e-300, want.cwiseAbs().maxCoeff());
}

template <class Scalar>
std::shared_ptr<const Matrix<Scalar>> share(Matrix<Scalar> m) {
  return std::make_shared<const Matrix<Scalar>>(std::move(m));
}

/// A machine with random coefficients over `centers`.
inline KernelMachine<double> random_machine(const KernelSpec& spec, const FeatureMatrix<double>& metric,
                                            const Matrix<double>& centers, Index outputs, std::uint64_t seed) {
  return KernelMachine<double>(Kernel::make(spec), metric, share(centers), normal(centers.rows(), outputs, seed));
}

}  // namespace ansatz::rfm::test
