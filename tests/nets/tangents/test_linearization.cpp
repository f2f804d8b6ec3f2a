#include "core/base/error.h"
#include "nets/tangents/linearization.h"
#include "nets/tangents/tangent_kernel.h"
#include "tests/nets/detail/torch_reference.h"
#include "tests/nets/tangents/networks.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::nets;
using namespace ansatz::testing;

namespace {

Parameters<double> random_direction(const Mlp<double>& network) {
  Parameters<double> direction = parameters(network);
  for (std::size_t l = 0; l < direction.size(); ++l) {
    LinearLayer<double>& layer = direction[l];
    layer.weight = normal_rows(layer.weight.rows(), layer.weight.cols(), "W" + std::to_string(l));
    layer.bias = normal_rows(layer.bias.size(), 1, "b" + std::to_string(l));
  }
  return direction;
}

/// All entries as autograd's Jacobians order them, layer by layer.
Vector<double> entries(const LinearLayer<double>& layer) {
  Vector<double> all(layer.weight.size() + layer.bias.size());
  all << Eigen::Map<const Vector<double>>(layer.weight.data(), layer.weight.size()), layer.bias;
  return all;
}

}  // namespace

TEST_CASE("products with the Jacobian and its transpose are those with autograd's, for every network") {
  const Matrix<double> x = normal_rows(5, 4, "x"), a = normal_rows(5, 3, "a");
  for_each_network([&](const Mlp<double>& network) {
    const auto jacobians = tests::parameter_jacobians_with_autograd(tests::reference_of(network), x);
    const Parameters<double> direction = random_direction(network), pulled = pulled_back<double>(network, x, a);
    Vector<double> moved = Vector<double>::Zero(15);
    for (std::size_t l = 0; l < jacobians.size(); ++l) {
      moved += jacobians[l] * entries(direction[l]);
      const Vector<double> expected = jacobians[l].transpose() * Eigen::Map<const Vector<double>>(a.data(), 15);
      CHECK(relative_error(entries(pulled[l]), expected) < 1e-12);
    }
    const Matrix<double> expected = Eigen::Map<const Matrix<double>>(moved.data(), 5, 3);
    CHECK(relative_error(derivative_along(network, x, direction), expected) < 1e-12);
  });
}

TEST_CASE("a smooth network leaves its linearization as the square of the step") {
  const Mlp<double> start = made(4, 3, kind({6, 5}, Activation::tanh, true, Initialization::ntk));
  const Matrix<double> x = normal_rows(8, 4);
  const Parameters<double> direction = random_direction(start), none = plus(direction, direction, -1);
  const auto gap = [&](double step) {
    const Parameters<double> moved = plus(none, direction, step);
    const Mlp<double> there = with_parameters(start, plus(parameters(start), moved));
    return (there.predict(x) - linearized_outputs(start, x, moved)).norm();
  };
  CHECK(gap(1e-4) / gap(1e-5) == Approx(100).epsilon(0.02));
  CHECK(gap(1e-4) < 1e-5);
  CHECK(length(none) == 0);
  CHECK(linearized_outputs(start, x, none) == start.predict(x));
}

TEST_CASE("moving along a gradient moves the outputs by the tangent kernel, in several tiles too") {
  const Mlp<double> network = made(4, 2, kind({600}, Activation::relu, false, Initialization::ntk));
  const Matrix<double> x = normal_rows(2000, 4, "x"), z = normal_rows(7, 4, "z"), a = normal_rows(2000, 2, "a");
  TangentOptions pairs;
  pairs.outputs = TangentOptions::Outputs::pairs;
  const Vector<double> flat = tangent_kernel(network, z, x, pairs) * Eigen::Map<const Vector<double>>(a.data(), 4000);
  const Matrix<double> expected = Eigen::Map<const Matrix<double>>(flat.data(), 7, 2);
  CHECK(relative_error(derivative_along(network, z, pulled_back<double>(network, x, a)), expected) < 1e-12);
}

TEST_CASE("parameters are those the optimiser steps on, and those of another architecture are refused") {
  MlpOptions options = kind({8}, Activation::relu, true, Initialization::ntk);
  options.output_scale = 3;
  const Mlp<double> network = made(4, 2, options);
  const Parameters<double> p = parameters(network);
  CHECK((p[1].weight * 3 * std::sqrt(2.0 / 8) - network.weight(2)).norm() < 1e-12);
  CHECK((p[1].bias * 3 * 0.1 - network.bias(2)).norm() < 1e-12);
  CHECK(with_parameters(network, p).predict(normal_rows(3, 4)) == network.predict(normal_rows(3, 4)));
  double squares = 0;
  for (const auto& layer : p) squares += layer.weight.squaredNorm() + layer.bias.squaredNorm();
  CHECK(length(p) == Approx(std::sqrt(squares)));
  const Parameters<double> other = parameters(made(4, 2, kind({8})));
  CHECK_THAT(message_of<DataError>([&] { with_parameters(network, other); }), Catch::Contains("architectures"));
  CHECK_THAT(message_of<DataError>([&] { plus(p, other); }), Catch::Contains("architectures"));
  CHECK_THAT(message_of<DataError>([&] { pulled_back<double>(network, normal_rows(3, 4), normal_rows(2, 2)); }),
             Catch::Contains("3 rows of inputs, but 2 of outputs"));
}
