// The layer-wise products beside the Jacobians of autograd.
#include "core/base/error.h"
#include "core/linalg/linalg.h"
#include "nets/tangents/tangent_kernel.h"
#include "tests/nets/detail/torch_reference.h"
#include "tests/nets/tangents/networks.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::nets;
using namespace ansatz::testing;
using Outputs = TangentOptions::Outputs;

namespace {

constexpr Index kOutputs = 3;

/// J J'^T of those layers (counted from 1), (b c) x (b' c).
Matrix<double> pairs_of(const std::vector<Matrix<double>>& a, const std::vector<Matrix<double>>& b, std::size_t first,
                        std::size_t last) {
  Matrix<double> sum = Matrix<double>::Zero(a[0].rows(), b[0].rows());
  for (std::size_t l = first - 1; l < last; ++l) sum += a[l] * b[l].transpose();
  return sum;
}

/// Theta_cc' out of the kernel of all pairs.
Matrix<double> block(const Matrix<double>& pairs, Index c, Index other) {
  Matrix<double> part(pairs.rows() / kOutputs, pairs.cols() / kOutputs);
  for (Index i = 0; i < part.rows(); ++i)
    for (Index j = 0; j < part.cols(); ++j) part(i, j) = pairs(i * kOutputs + c, j * kOutputs + other);
  return part;
}

TangentOptions with(Outputs outputs, Index output = 0) {
  TangentOptions options;
  options.outputs = outputs;
  options.output = output;
  return options;
}

}  // namespace

TEST_CASE("tangent kernels equal the products of autograd's Jacobians, in every form, for every network") {
  const Matrix<double> x = normal_rows(5, 4, "x"), z = normal_rows(6, 4, "z");
  for_each_network([&](const Mlp<double>& network) {
    const auto reference = tests::reference_of(network);
    const auto at_x = tests::parameter_jacobians_with_autograd(reference, x);
    const auto at_z = tests::parameter_jacobians_with_autograd(reference, z);
    const Matrix<double> pairs = pairs_of(at_x, at_z, 1, at_x.size());
    CHECK(relative_error(tangent_kernel(network, x, z, with(Outputs::pairs)), pairs) < 1e-12);
    Matrix<double> summed = Matrix<double>::Zero(5, 6);
    for (Index c = 0; c < kOutputs; ++c) {
      CHECK(relative_error(tangent_kernel(network, x, z, with(Outputs::one, c)), block(pairs, c, c)) < 1e-12);
      summed += block(pairs, c, c);
    }
    CHECK(relative_error(tangent_kernel(network, x, z), summed) < 1e-12);
    for (std::size_t l = 1; l <= at_x.size(); ++l) {
      TangentOptions layer = with(Outputs::pairs);
      layer.first_layer = layer.last_layer = static_cast<Index>(l);
      CHECK(relative_error(tangent_kernel(network, x, z, layer), pairs_of(at_x, at_z, l, l)) < 1e-12);
    }
  });
}

TEST_CASE("the last layer's kernel of one output is the product of the features below it") {
  const Matrix<double> x = normal_rows(5, 4);
  for (const Index output : {0, 2}) {
    const Mlp<double> network = made(4, kOutputs, kind({6}, Activation::tanh, true, Initialization::ntk));
    TangentOptions last = with(Outputs::one, output);
    last.first_layer = 2;
    Matrix<double> z = x * network.weight(1).transpose();
    z.rowwise() += network.bias(1).transpose();
    const Matrix<double> h = z.array().tanh();
    const Matrix<double> expected = (2.0 / 6 * h * h.transpose()).array() + 0.01;
    CHECK(relative_error(tangent_kernel(network, x, x, last), expected) < 1e-13);
  }
}

TEST_CASE(
    "in tiles, kernel matrices are symmetric to the bit, positive semi-definite, and the cross kernel's numbers") {
  // With so wide signals a tile holds about 100 rows, and 4 pass at once.
  const Mlp<double> network = made(3, 256, kind({1024}, Activation::relu, true, Initialization::ntk));
  const Matrix<double> x = normal_rows(150, 3);
  const Matrix<double> matrix = tangent_kernel_matrix(network, x);
  CHECK(matrix == matrix.transpose());
  CHECK(relative_error(tangent_kernel(network, x, x), matrix) < 1e-13);
  CHECK(relative_error(tangent_kernel(network, x.middleRows(140, 10), x.topRows(120)), matrix.block(140, 0, 10, 120)) <
        1e-13);
  const Vector<double> values = symmetric_eigenpairs(matrix).values;
  CHECK(values.minCoeff() > -1e-12 * values.maxCoeff());
}

TEST_CASE("tangent kernels in float32 are those of float64 up to rounding") {
  const MlpOptions options = kind({20, 20}, Activation::gelu, true);
  const Matrix<double> x = normal_rows(9, 4);
  const Matrix<double> expected = tangent_kernel_matrix(made(4, 2, options), x);
  const Mlp<float> single(4, 2, options, RandomStream(32));
  CHECK(relative_error(tangent_kernel_matrix<float>(single, x.cast<float>()), expected) < 1e-6);
}

TEST_CASE("layers with biases in some layers only: a bias adds the product of the signals") {
  const LinearLayer<double> first{normal_rows(5, 4, "W1"), {}}, last{normal_rows(2, 5, "W2"), normal_rows(2, 1, "b2")};
  const Mlp<double> with_bias(std::vector<LinearLayer<double>>{first, last}, Activation::tanh);
  const Mlp<double> without(std::vector<Matrix<double>>{first.weight, last.weight}, Activation::tanh);
  const Matrix<double> x = normal_rows(6, 4);
  const Matrix<double> difference = tangent_kernel_matrix(with_bias, x) - tangent_kernel_matrix(without, x);
  CHECK((difference.array() - 2).abs().maxCoeff() < 1e-12);  // 1 for each output
}

TEST_CASE("tangent kernels of outputs, layers or inputs that are not there are refused") {
  const Mlp<double> network = made(4, kOutputs, kind({5}));
  const Matrix<double> x = normal_rows(2, 4);
  const auto error = [&](const TangentOptions& options) {
    return message_of<ConfigError>([&] { tangent_kernel(network, x, x, options); });
  };
  CHECK_THAT(error(with(Outputs::one, 3)), Catch::Contains("outputs count from 0 to 2"));
  TangentOptions above;
  above.last_layer = 3;
  CHECK_THAT(error(above), Catch::Contains("layers count from 1 to 2"));
  CHECK_THAT(message_of<DataError>([&] { tangent_kernel(network, x, normal_rows(2, 3)); }),
             Catch::Contains("expects inputs of 4 columns, found 3"));
}
