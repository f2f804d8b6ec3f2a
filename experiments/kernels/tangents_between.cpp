#include "experiments/kernels/tangents_between.h"

#include "core/base/error.h"
#include "core/linalg/alignment.h"
#include "nets/tangents/tangent_kernel.h"
#include "rfm/solvers/symmetric_system.h"

namespace ansatz::experiments {
namespace {

/// The kernel of one network, and how ridge regression with it does on test.
struct KernelOfNetwork {
  Matrix<double> train;  // n x n
  Metrics test;
};

template <class Scalar>
KernelOfNetwork kernel_of(const nets::Mlp<Scalar>& network, const Split<Scalar>& split, double ridge,
                          Index first_layer = 1) {
  nets::TangentOptions layers;
  layers.first_layer = first_layer;
  const Matrix<Scalar>& x = split.train.inputs;
  KernelOfNetwork kernel;
  kernel.train = nets::tangent_kernel_matrix(network, x, layers).template cast<double>();
  const Matrix<double> to_test = nets::tangent_kernel(network, split.test.inputs, x, layers).template cast<double>();
  const Matrix<double> predictions =
      ridge_predictions(kernel.train, to_test, split.train.targets.template cast<double>(), ridge);
  kernel.test = evaluate<Scalar>(Matrix<Scalar>(predictions.template cast<Scalar>()), split.test);
  return kernel;
}

}  // namespace

Matrix<double> ridge_predictions(Matrix<double> kernel, const Matrix<double>& to_test, const Matrix<double>& targets,
                                 double ridge) {
  const double shift = ridge * kernel.diagonal().mean();
  rfm::SymmetricSystem<double> system(std::move(kernel));
  if (!system.factor_cholesky(shift) && !system.factor_eigen(shift))
    throw NumericalError("`ridge`: the matrix of a tangent kernel could not be factored; raise `ridge`");
  return to_test * system.solve(targets);
}

template <class Scalar>
TangentsBetween tangents_between(const nets::Mlp<Scalar>& start, const nets::Mlp<Scalar>& end,
                                 const Split<Scalar>& split, double ridge) {
  const KernelOfNetwork before = kernel_of(start, split, ridge), after = kernel_of(end, split, ridge);
  const Matrix<double> targets = split.train.targets.template cast<double>();
  TangentsBetween result;
  result.drift = relative_distance(after.train, before.train);
  result.alignment_before = target_alignment(before.train, targets);
  result.alignment_after = target_alignment(after.train, targets);
  result.change = nets::feature_change(start, end, split.train.inputs);
  result.before = before.test;
  result.after = after.test;
  result.last_layer = kernel_of(end, split, ridge, end.layers()).test;
  return result;
}

template TangentsBetween tangents_between(const nets::Mlp<float>&, const nets::Mlp<float>&, const Split<float>&,
                                          double);
template TangentsBetween tangents_between(const nets::Mlp<double>&, const nets::Mlp<double>&, const Split<double>&,
                                          double);

}  // namespace ansatz::experiments
