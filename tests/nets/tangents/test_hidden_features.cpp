#include "core/base/error.h"
#include "core/linalg/alignment.h"
#include "nets/tangents/hidden_features.h"
#include "nets/tangents/parameters.h"
#include "tests/nets/tangents/networks.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::nets;
using namespace ansatz::testing;

TEST_CASE("hidden features are what the layers below compute") {
  const Mlp<double> network = made(4, 2, kind({6, 5}, Activation::tanh, true, Initialization::ntk));
  const Matrix<double> x = normal_rows(9, 4);
  Matrix<double> h = x;
  for (const Index layer : {1, 2}) {
    Matrix<double> z = h * network.weight(layer).transpose();
    z.rowwise() += network.bias(layer).transpose();
    h = z.array().tanh();
    CHECK(relative_error(hidden_features(network, x, layer), h) < 1e-13);
  }
  CHECK_THAT(message_of<ConfigError>([&] { hidden_features(network, x, 3); }), Catch::Contains("the network has 2"));
}

TEST_CASE("feature change: none, a rotation of hidden units, and a new network") {
  const Mlp<double> before = made(4, 2, kind({6, 5}, Activation::linear));
  const Matrix<double> x = normal_rows(200, 4);
  const FeatureChange none = feature_change(before, before, x);
  for (const double cosine : {none.hidden_cosine[0], none.hidden_alignment[1], none.weight_cosine})
    CHECK(cosine == Approx(1));
  CHECK(none.moved == 0);

  // A rotation of the first hidden layer changes neither Gram matrix nor W_1^T W_1, and the cosine alone sees it.
  Parameters<double> turned = parameters(before);
  turned[0].weight = random_orthogonal(6) * turned[0].weight;
  const FeatureChange rotated = feature_change(before, with_parameters(before, turned), x);
  CHECK(rotated.hidden_alignment[0] == Approx(1));
  CHECK(rotated.weight_cosine == Approx(1));
  CHECK(rotated.hidden_cosine[0] < 0.9);
  CHECK(rotated.hidden_alignment[1] < 0.999);
  CHECK(rotated.moved > 0.1);
}

TEST_CASE("the alignment of hidden features is that of their centred Gram matrices, with few rows or many") {
  const MlpOptions options = kind({12});
  const Mlp<double> a = made(4, 2, options), b(4, 2, options, RandomStream(77));
  for (const Index rows : {5, 40}) {
    const Matrix<double> x = normal_rows(rows, 4);
    const auto centered_gram = [&](const Mlp<double>& network) {
      const Matrix<double> h = hidden_features(network, x, 1);
      const Matrix<double> center =
          Matrix<double>::Identity(rows, rows) - Matrix<double>::Constant(rows, rows, 1.0 / static_cast<double>(rows));
      return Matrix<double>(center * h * h.transpose() * center);
    };
    const double expected = alignment(centered_gram(a), centered_gram(b));
    CHECK(feature_change(a, b, x).hidden_alignment[0] == Approx(expected).epsilon(1e-12));
    CHECK(expected < 0.99);
  }
}
