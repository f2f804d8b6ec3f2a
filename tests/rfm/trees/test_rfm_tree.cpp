#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "tests/rfm/trees/tree_data.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

double test_r2(const Predictor<double>& f, const Split<double>& split) { return evaluate(f, split.test).r2; }

/// Inputs that are whole numbers from -128 to 127, and what they are as bytes.
struct ByteData {
  std::shared_ptr<Matrix<std::int8_t>> bytes;
  Dataset<float> data;
};
ByteData byte_data(Index n, Index d, std::uint64_t seed) {
  const Dataset<double> source = two_regimes<double>(n, d, seed);
  ByteData result;
  result.bytes = std::make_shared<Matrix<std::int8_t>>(
      (30 * source.inputs.array()).max(-128).min(127).cast<int>().cast<std::int8_t>());
  result.data = dataset_of<float>(result.bytes->cast<float>(), source.targets.cast<float>());
  return result;
}

}  // namespace

TEST_CASE("a tree of one leaf is the plain RFM, bit by bit") {
  const Split<double> split = regimes_split<double>(150, 8);
  const RfmTreeOptions options = tree_options(150);
  const RfmTreeFit<double> fit = fit_rfm_tree(stored(split), options, RandomStream(4));
  const RfmTrace<double> plain = fit_rfm(split, options.rfm, RandomStream(4));
  REQUIRE(fit.tree.leaves().size() == 1);
  CHECK(fit.leaves[0].iteration == plain.reported);
  CHECK(fit.leaves[0].held_out == 0);
  CHECK(fit.temperatures.empty());
  CHECK(fit.tree.predict(split.test.inputs) == plain.machine().predict(split.test.inputs));
  CHECK(fit.tree.input_jacobian(split.test.inputs) == plain.machine().input_jacobian(split.test.inputs));
}

TEST_CASE("a tree learns what one RFM has to look at everything for") {
  const Split<double> split = regimes_split<double>(600, 20);
  const RfmTreeOptions options = tree_options(300, 4);
  const RfmTreeFit<double> fit = fit_rfm_tree(stored(split), options, RandomStream(4));
  const RfmTrace<double> plain = fit_rfm(split, options.rfm, RandomStream(4));
  REQUIRE(fit.tree.leaves().size() == 2);
  const double tree = test_r2(fit.tree, split), one = test_r2(plain.machine(), split);
  CAPTURE(tree, one);
  CHECK(1 - tree < 0.5 * (1 - one));
  // Each leaf looks at the two inputs of its own regime.
  const Eigen::RowVectorXd positive = Eigen::RowVectorXd::Unit(20, 0);
  const auto leaf_of = [&](double side) {
    return static_cast<std::size_t>(fit.tree.routing().leaf_of(side * positive));
  };
  const Vector<double> above = fit.tree.leaves()[leaf_of(1)].feature_matrix().diagonal();
  const Vector<double> below = fit.tree.leaves()[leaf_of(-1)].feature_matrix().diagonal();
  CHECK(std::min(above[1], above[2]) > 10 * std::max(above[3], above[4]));
  CHECK(std::min(below[3], below[4]) > 10 * std::max(below[1], below[2]));
  const FeatureMatrix<double> mean = fit.tree.mean_feature_matrix();
  CHECK(mean.trace() == Approx(20));
  CHECK(mean.diagonal().segment(1, 4).minCoeff() > 5 * mean.diagonal().tail(15).maxCoeff());
}

TEST_CASE("the tree's jacobian agrees with finite differences") {
  const Split<double> split = regimes_split<double>(200, 5);
  RfmTreeOptions options = tree_options(30, 1);
  options.temperatures = {0.5};
  options.routing.negligible = 0;  // leaving out a leaf is a step
  options.routing.most_leaves = 8;
  const RfmTreeFit<double> fit = fit_rfm_tree(stored(split), options, RandomStream(4));
  REQUIRE(fit.tree.leaves().size() == 8);
  const Matrix<double> x = split.test.inputs.topRows(6), jacobian = fit.tree.input_jacobian(x);
  Matrix<double> differences(6, 5);
  const double h = 1e-5;
  for (Index k = 0; k < 5; ++k) {
    Matrix<double> up = x, down = x;
    up.col(k).array() += h;
    down.col(k).array() -= h;
    differences.col(k) = (fit.tree.predict(up) - fit.tree.predict(down)).col(0) / (2 * h);
  }
  CHECK(relative_error(jacobian, differences) < 1e-6);
}

TEST_CASE("byte rows give what the same rows in float give, to the bit, and stay bytes") {
  const ByteData train = byte_data(300, 6, 1), validation = byte_data(100, 6, 2);
  StoredSplit<float> floats, bytes;
  floats.train = StoredDataset<float>::of(std::make_shared<const Dataset<float>>(train.data));
  floats.validation = StoredDataset<float>::of(std::make_shared<const Dataset<float>>(validation.data));
  bytes = floats;
  bytes.train.inputs = StoredRows<float>(std::shared_ptr<const Matrix<std::int8_t>>(train.bytes));
  bytes.validation.inputs = StoredRows<float>(std::shared_ptr<const Matrix<std::int8_t>>(validation.bytes));
  RfmTreeOptions options = tree_options(80);
  options.rfm.kernel = spec_of(KernelFamily::laplace, 100);
  const RfmTreeFit<float> a = fit_rfm_tree(floats, options, RandomStream(4));
  const RfmTreeFit<float> b = fit_rfm_tree(bytes, options, RandomStream(4));
  const Matrix<float> x = byte_data(50, 6, 3).data.inputs;
  CHECK(a.tree.predict(x) == b.tree.predict(x));
  CHECK(a.tree.input_jacobian(x) == b.tree.input_jacobian(x));
  for (const TreeLeaf<float>& leaf : a.tree.leaves()) CHECK(leaf.keeps_centers());
  for (const TreeLeaf<float>& leaf : b.tree.leaves()) CHECK_FALSE(leaf.keeps_centers());
}

TEST_CASE("wide byte rows, whose features lie over the centres, stay bytes as well") {
  const ByteData train = byte_data(60, 40, 1);
  StoredSplit<float> bytes;
  bytes.train = StoredDataset<float>::of(std::make_shared<const Dataset<float>>(train.data));
  const StoredSplit<float> floats = bytes;
  bytes.train.inputs = StoredRows<float>(std::shared_ptr<const Matrix<std::int8_t>>(train.bytes));
  RfmTreeOptions options = tree_options(20);
  options.rfm.kernel = spec_of(KernelFamily::laplace, 300);
  options.rfm.gradients.form = GradientForm::sample_space;
  const RfmTreeFit<float> a = fit_rfm_tree(floats, options, RandomStream(4));
  const RfmTreeFit<float> b = fit_rfm_tree(bytes, options, RandomStream(4));
  CHECK(a.tree.leaves()[0].feature_matrix().form() == FeatureMatrix<float>::Form::sandwich);
  CHECK(a.tree.predict(train.data.inputs) == b.tree.predict(train.data.inputs));
}

TEST_CASE("a tree does not depend on the number of threads, and follows the seed") {
  const Split<float> split = regimes_split<float>(800, 6);
  const auto predictions = [&](int threads, std::uint64_t seed) {
    const ThreadScope scope(threads);
    return fit_rfm_tree(stored(split), tree_options(200), RandomStream(seed)).tree.predict(split.test.inputs);
  };
  const Matrix<float> one = predictions(1, 4);
  CHECK(one == predictions(3, 4));
  CHECK(one != predictions(1, 5));
}

TEST_CASE("the temperature is the one that predicts the validation rows best") {
  const Split<double> split = regimes_split<double>(400, 6);
  RfmTreeOptions options = tree_options(60);
  const RfmTreeFit<double> fit = fit_rfm_tree(stored(split), options, RandomStream(4));
  REQUIRE(fit.temperatures.size() == options.temperatures.size());
  double least = 1e300, best = -1;
  for (const TemperatureRecord& record : fit.temperatures) {
    RoutingOptions routing = fit.tree.routing().options();
    routing.temperature = record.temperature;
    CHECK(record.validation.mse ==
          Approx(evaluate<double>(fit.tree.with(routing), split.validation).mse).epsilon(1e-9));
    if (record.validation.mse < least) {
      least = record.validation.mse;
      best = record.temperature;
    }
  }
  CHECK(fit.tree.routing().options().temperature == best);
}

TEST_CASE("leaves with few validation rows hold some of their own out") {
  Split<double> split = regimes_split<double>(400, 6);
  split.validation = split.validation.rows({0, 1, 2, 3});
  RfmTreeOptions options = tree_options(100);
  options.leaf_validation = 15;
  const RfmTreeFit<double> fit = fit_rfm_tree(stored(split), options, RandomStream(4));
  for (const LeafRecord& leaf : fit.leaves) {
    CHECK(leaf.validation == 15);
    CHECK(leaf.rows + leaf.held_out == 100);
  }
  options.rfm.report_iteration = ReportIteration::last;  // nothing is chosen
  for (const LeafRecord& leaf : fit_rfm_tree(stored(split), options, RandomStream(4)).leaves) CHECK(leaf.rows == 100);
  split.validation = {};
  for (const LeafRecord& leaf : fit_rfm_tree(stored(split), options, RandomStream(4)).leaves) {
    CHECK(leaf.held_out == 0);
    CHECK(leaf.iteration == 2);
  }
}

TEST_CASE("a leaf whose targets are all equal predicts them") {
  Split<double> split;
  split.train = two_regimes<double>(200, 5, 1);
  split.train.task = Task::classification;
  split.train.targets = (split.train.inputs.col(0).array() > 0).cast<double>();
  split.train.targets.conservativeResize(200, 2);
  split.train.targets.col(1) = 1 - split.train.targets.col(0).array();
  split.test = split.train;
  const RfmTreeFit<double> fit = fit_rfm_tree(stored(split), tree_options(100), RandomStream(4));
  REQUIRE(fit.leaves.size() == 2);
  for (const LeafRecord& leaf : fit.leaves) CHECK(leaf.iteration == 0);
  CHECK(*evaluate<double>(fit.tree, split.test).accuracy == 1);
}

TEST_CASE("every leaf is told of once, and mistakes are refused") {
  const Split<double> split = regimes_split<double>(200, 5);
  Index calls = 0;
  fit_rfm_tree<double>(stored(split), tree_options(60), RandomStream(4),
                       [&](const LeafRecord& leaf, Index done, Index leaves) {
                         ++calls;
                         CHECK(done == calls);
                         CHECK(leaves == 4);
                         CHECK(leaf.rows == 50);
                       });
  CHECK(calls == 4);
  const auto error = [&](const std::function<void(RfmTreeOptions&)>& change) {
    RfmTreeOptions options = tree_options(60);
    change(options);
    return message_of<ConfigError>([&] { fit_rfm_tree(stored(split), options, RandomStream(4)); });
  };
  CHECK(contains(error([](auto& o) { o.leaf_size = 1; }), "`leaf_size`"));
  CHECK(contains(error([](auto& o) { o.split_rows = 1; }), "`split_rows`"));
  CHECK(contains(error([](auto& o) { o.temperatures = {}; }), "`temperatures`"));
  CHECK(contains(error([](auto& o) { o.temperatures = {-1}; }), "`temperature`"));
  StoredSplit<double> damaged = stored(split);
  damaged.train.rest.targets.conservativeResize(199, 1);
  CHECK(contains(message_of<DataError>([&] { fit_rfm_tree(damaged, tree_options(60), RandomStream(4)); }), "199"));
  const RfmTreeFit<double> fit = fit_rfm_tree(stored(split), tree_options(60), RandomStream(4));
  CHECK(contains(message_of<DataError>([&] { fit.tree.predict(Matrix<double>::Zero(2, 4)); }), "4 columns"));
}
