// The closed forms beside steps taken one by one, of a linear network in its parameters and of its kernel.
#include "core/base/error.h"
#include "nets/tangents/kernel_descent.h"
#include "nets/tangents/linearization.h"
#include "nets/tangents/tangent_kernel.h"
#include "nets/training/trainer.h"
#include "tests/nets/tangents/networks.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::nets;
using namespace ansatz::testing;

namespace {

TangentOptions all_pairs() {
  TangentOptions options;
  options.outputs = TangentOptions::Outputs::pairs;
  return options;
}

/// K a for coefficients a (n x c).
Matrix<double> product(const Matrix<double>& kernel, const Matrix<double>& a) {
  const Vector<double> flat = kernel * Eigen::Map<const Vector<double>>(a.data(), a.size());
  return Eigen::Map<const Matrix<double>>(flat.data(), kernel.rows() / a.cols(), a.cols());
}

}  // namespace

TEST_CASE("steps in closed form are gradient steps of the linearized network taken one by one") {
  const Mlp<double> start = made(4, 2, kind({9, 8}, Activation::tanh, true, Initialization::ntk));
  const Matrix<double> x = normal_rows(6, 4, "x"), y = normal_rows(6, 2, "y"), z = normal_rows(3, 4, "z");
  const Matrix<double> kernel = tangent_kernel_matrix(start, x, all_pairs());
  const KernelDescent descent(kernel, start.predict(x) - y);
  const double rate = 0.4 * descent.largest_stable_rate();
  Parameters<double> step = plus(parameters(start), parameters(start), -1);
  for (Index count = 0; count <= 12; ++count) {
    const Matrix<double> a = descent.steps(count, rate);
    CHECK(length(plus(pulled_back<double>(start, x, a), step, -1)) < 1e-11);
    const Matrix<double> at_z = start.predict(z) + product(tangent_kernel(start, z, x, all_pairs()), a);
    CHECK((at_z - linearized_outputs(start, z, step)).norm() < 1e-11);
    const Matrix<double> residual = linearized_outputs(start, x, step) - y;
    step = plus(step, pulled_back<double>(start, x, residual), -rate * 2 / 12);
  }
}

TEST_CASE("a network without hidden layers trains exactly as its kernel says") {
  Dataset<double> data;
  data.inputs = normal_rows(7, 3, "x");
  data.targets = normal_rows(7, 2, "y");
  for (const bool bias : {false, true}) {
    const Mlp<double> start = made(3, 2, kind({}, Activation::relu, bias, Initialization::ntk));
    TrainOptions options;
    options.optimizer.learning_rate = 0.3;
    options.batch_size = 0;
    options.epochs = 25;
    options.keep_best = false;
    const auto trained = train<double>(TrainState<double>(start), data, {}, options, RandomStream(1));
    const Matrix<double> kernel = tangent_kernel_matrix(start, data.inputs, all_pairs());
    const Matrix<double> a = KernelDescent(kernel, start.predict(data.inputs) - data.targets).steps(25, 0.3);
    const Matrix<double> expected = start.predict(data.inputs) + product(kernel, a);
    CHECK((trained.current().predict(data.inputs) - expected).norm() < 1e-11);
    CHECK((expected - start.predict(data.inputs)).norm() > 0.1);
  }
}

TEST_CASE("the flow is the limit of many small steps, solves its equation, and ends in the minimum-norm solution") {
  const Matrix<double> kernel = random_psd<double>(8, 8, 5), residual = normal_rows(8, 3);
  const KernelDescent descent(kernel, residual);
  const double time = 3 * descent.largest_stable_rate();
  CHECK(relative_error(descent.steps(200000, time / 200000), descent.flow(time)) < 1e-4);
  CHECK(relative_error(descent.steps(100, time / 100), descent.flow(time)) > 1e-4);
  // da/dt = -(2 / (n c)) (residual + K a)
  const double h = 1e-5;
  const Matrix<double> rate = (descent.flow(time + h) - descent.flow(time - h)) / (2 * h);
  CHECK(relative_error(rate, -2.0 / 24 * (residual + kernel * descent.flow(time))) < 1e-7);
  CHECK(descent.flow(0).norm() == 0);
  CHECK(relative_error(kernel * descent.limit(), -residual) < 1e-8);
  CHECK(relative_error(descent.flow(1e12), descent.limit()) < 1e-8);
}

TEST_CASE("directions that the kernel does not see are left alone, and steps above the stable rate grow") {
  const Matrix<double> kernel = random_psd<double>(6, 2, 5), residual = normal_rows(6, 1);
  const KernelDescent descent(kernel, residual);
  const Matrix<double> reached = residual + kernel * descent.limit();
  CHECK((kernel * reached).norm() < 1e-9);
  CHECK(reached.norm() > 0.1);
  const auto left = [&](double share) {
    return (kernel * (residual + kernel * descent.steps(101, share * descent.largest_stable_rate()))).norm();
  };
  CHECK(left(0.9) < 0.2 * left(0));
  CHECK(left(1.1) > 1e3 * left(0));
}

TEST_CASE("residuals that do not fit the kernel are refused") {
  CHECK_THAT(message_of<DataError>([] { KernelDescent(Matrix<double>::Identity(4, 4), normal_rows(3, 2)); }),
             Catch::Contains("need a kernel of 3 or 6 rows"));
  CHECK_THROWS_AS(KernelDescent(Matrix<double>::Identity(3, 3), Matrix<double>::Constant(3, 1, std::nan(""))),
                  NumericalError);
}
