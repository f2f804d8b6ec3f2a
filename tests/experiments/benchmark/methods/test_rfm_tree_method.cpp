// The method rfm_tree: an RFM where one leaf holds all rows, otherwise a tree.
#include <cmath>

#include "core/base/error.h"
#include "experiments/benchmark/methods/method_table.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

/// f jumps where x_0 changes its sign, and then looks at one column or another.
Dataset<double> rows_of(Index n, std::uint64_t seed) {
  Dataset<double> data;
  data.inputs = RandomStream(seed).normal_matrix<double>(n, 5);
  data.targets.resize(n, 1);
  for (Index i = 0; i < n; ++i)
    data.targets(i, 0) = 100 + (data.inputs(i, 0) > 0 ? 20 + 3 * data.inputs(i, 1) : -20 + 3 * data.inputs(i, 2));
  return data;
}

std::shared_ptr<const Method> method_of(const std::string& section) {
  return parse_methods(Config::from_string("benchmark: {methods: [" + section + "]}\n", "c.yaml"), Precision::float64)
      .front()
      .method;
}

const std::string kOptions = "scaling: standardize, bandwidth: 5, iterations: 2, tune: {ridge: [1, 0.001]}}";

}  // namespace

TEST_CASE("a tree whose leaf holds all rows predicts as the method rfm", "[benchmark]") {
  const Dataset<double> fit = rows_of(90, 1), selection = rows_of(60, 2), train = rows_of(100, 3),
                        test = rows_of(40, 4);
  const auto rfm = method_of("{kind: rfm, " + kOptions),
             tree = method_of("{kind: rfm_tree, leaf_size: 100, " + kOptions);
  const MethodChoice plain = rfm->search(fit, selection, RandomStream(5));
  const MethodChoice choice = tree->search(fit, selection, RandomStream(5));
  CHECK(choice.tuning.chosen == plain.tuning.chosen);
  CHECK(choice.iteration == plain.iteration);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(choice.tuning.cells[i].validation->mse == Approx(plain.tuning.cells[i].validation->mse).epsilon(1e-9));
  CHECK_FALSE(choice.features);
  const Matrix<double> expected = rfm->fit_predict(plain, train, test.inputs, false, RandomStream(6)).predictions;
  const Matrix<double> got = tree->fit_predict(choice, train, test.inputs, false, RandomStream(6)).predictions;
  CHECK((got - expected).cwiseAbs().maxCoeff() < 1e-8);
}

TEST_CASE("a tree of several leaves predicts in the unit of the targets, and names what it looks at", "[benchmark]") {
  const Dataset<double> fit = rows_of(400, 1), selection = rows_of(200, 2), train = rows_of(500, 3),
                        test = rows_of(200, 4);
  const auto tree = method_of("{kind: rfm_tree, leaf_size: 150, split_rows: 150, " + kOptions);
  CHECK(tree->cells() == 2);
  const MethodChoice choice = tree->search(fit, selection, RandomStream(5));
  const MethodFit result = tree->fit_predict(choice, train, test.inputs, false, RandomStream(6));
  CHECK(evaluate(result.predictions, test).r2 > 0.8);
  REQUIRE(result.features);
  const Vector<double> diagonal = result.features->diagonal();
  CHECK(diagonal.head(3).minCoeff() > 2 * diagonal.tail(2).maxCoeff());
  CHECK(tree->fit_cost({500, 5, 1}).flops < tree->search_cost({500, 5, 1}).flops);
  CHECK(tree->search_cost({500000, 5, 1}).working_bytes < 1e9);  // leaves, not all rows
}

TEST_CASE("the keys of rfm_tree are checked", "[benchmark]") {
  const auto error = [](const std::string& keys) {
    const Config config = Config::from_string("benchmark: {methods: [{kind: rfm_tree, " + keys + "}]}\n", "c.yaml");
    return message_of<ConfigError>([&] {
      parse_methods(config, Precision::float64);
      config.finish();
    });
  };
  CHECK(error("leaf_size: 5000, split_rows: 500, split_iterations: 0, temperature: 0.1, validation_fraction: 0.2")
            .empty());
  CHECK(error("temperature: auto").empty());
  CHECK(contains(error("leaf_size: 1"), "leaf_size"));
  CHECK(contains(error("temperature: warm"), "temperature"));
  CHECK(contains(error("temperature: -1"), "temperature"));
  CHECK(contains(error("leaves: 5"), "leaves"));
}
