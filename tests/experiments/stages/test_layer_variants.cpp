// The ansatz in deeper layers, against the network above each layer.
#include <algorithm>

#include "core/features/agop.h"
#include "core/features/comparison.h"
#include "experiments/stages/comparison_stage.h"
#include "experiments/stages/layer_variants.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

nets::Mlp<double> network(int seed) {
  nets::MlpOptions options;
  options.hidden_layers = {9, 7};
  options.activation = nets::Activation::gelu;
  return {6, 3, options, RandomStream(static_cast<std::uint64_t>(seed))};
}

Matrix<double> points() { return RandomStream(5).normal_matrix<double>(40, 6); }

const AnsatzVariant& named(const std::vector<AnsatzVariant>& variants, const std::string& name) {
  return *std::find_if(variants.begin(), variants.end(), [&](const AnsatzVariant& v) { return v.name == name; });
}

/// The network as a function of layer 2's input, and that input at the points.
struct Above {
  nets::Mlp<double> network;
  Matrix<double> inputs;
};

Above above_first_layer(const nets::Mlp<double>& net) {
  const Matrix<double> z = points() * net.weight(1).transpose();
  return {nets::Mlp<double>({net.weight(2), net.weight(3)}, nets::Activation::gelu),
          z.unaryExpr([](double v) { return v * std::erfc(-v / std::sqrt(2.0)) / 2; })};
}

}  // namespace

TEST_CASE("the ansatz in a deeper layer is that of the network above it, on what comes into it") {
  const nets::Mlp<double> net = network(1);
  const LayerVariants layers = layer_variants<double>(net, nullptr, points());
  REQUIRE(layers.size() == 3);
  for (const std::vector<AnsatzVariant>& layer : layers) CHECK(layer.size() == 6);  // none with weights before training
  const Above above = above_first_layer(net);
  for (const bool center : {false, true}) {
    AgopOptions definition;
    definition.center = center;
    const FeatureMatrix<double> gradients = agop<double>(above.network, above.inputs, definition);
    const double expected = compare(FeatureMatrix<double>::sandwich(net.weight(2)), gradients).matrix_pearson;
    CHECK(named(layers[1], center ? "w_centered_agop" : "w_agop").similarity.matrix_pearson ==
          Approx(expected).epsilon(1e-10));
  }
  // The outputs are linear in the last layer's input: the gradients are its rows.
  CHECK(named(layers[2], "w_agop").similarity.matrix_pearson == Approx(1));
}

TEST_CASE("with the weights before training every variant is there, and counting may begin at any layer") {
  const nets::Mlp<double> net = network(1), initial = network(2);
  const LayerVariants all = layer_variants<double>(net, &initial, points()),
                      deeper = layer_variants<double>(net, &initial, points(), 2);
  REQUIRE(deeper.size() == 2);
  for (std::size_t l = 0; l < 2; ++l) {
    REQUIRE(deeper[l].size() == 13);
    CHECK(deeper[l].back().baseline);
    for (std::size_t v = 0; v < 12; ++v)
      if (!deeper[l][v].centered)
        CHECK(deeper[l][v].similarity.matrix_pearson == all[l + 1][v].similarity.matrix_pearson);
  }
  const double expected = compare(FeatureMatrix<double>::sandwich(Matrix<double>(net.weight(2) - initial.weight(2))),
                                  net.agop(points(), false, 2))
                              .matrix_pearson;
  CHECK(named(deeper[0], "dw_agop").similarity.matrix_pearson == Approx(expected).epsilon(1e-10));
}

TEST_CASE("the first layer leads the list of layers, which is empty where no deeper one was asked for") {
  const nets::Mlp<double> net = network(1);
  NetworkResult<double> result(net);
  result.nfm = net.feature_matrix(1);
  result.agop = net.agop(points(), false);
  result.agop_centered = net.agop(points(), true);
  CHECK(compare_features<double>(result, std::nullopt, std::nullopt, {}).by_layer.empty());
  result.deeper_layers = layer_variants<double>(net, nullptr, points(), 2);
  const ComparisonResult<double> compared = compare_features<double>(result, std::nullopt, std::nullopt, {});
  REQUIRE(compared.by_layer.size() == 3);
  const LayerVariants all = layer_variants<double>(net, nullptr, points());
  for (std::size_t l = 0; l < 3; ++l)
    CHECK(compared.by_layer[l].front().similarity.matrix_pearson ==
          Approx(all[l].front().similarity.matrix_pearson).epsilon(1e-12));
}
