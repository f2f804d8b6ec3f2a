// What is seen of a network while it trains, against the same counted anew.
#include "core/run/run_directory.h"
#include "experiments/stages/network_observer.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;
using namespace ansatz::testing;

namespace {

const ImageShape kShape{1, 3, 4};

/// Twelve rows of class 0 and three of class 1, all of noise.
Dataset<double> images(std::uint64_t seed) {
  Dataset<double> data;
  data.inputs = RandomStream(seed).normal_matrix<double>(15, kShape.size());
  data.targets = Matrix<double>::Zero(15, 2);
  for (Index i = 0; i < 15; ++i) data.targets(i, i >= 12) = 1;
  data.task = Task::classification;
  data.class_names = {"many", "few"};
  data.image_shape = kShape;
  return data;
}

nets::Mlp<double> network(std::uint64_t seed) {
  nets::MlpOptions options;
  options.hidden_layers = {20};  // so many that no row leaves them all at 0
  return {kShape.size(), 2, options, RandomStream(seed)};
}

NetworkOptions watching(const std::vector<Index>& region) {
  NetworkOptions options;
  options.observed = Observed::generalization;
  options.watched = [region](const ImageShape& shape) {
    REQUIRE(shape == kShape);
    return region;
  };
  return options;
}

/// Of rows first, ..., end - 1, whose class is `label`.
double share_called(const Matrix<double>& outputs, Index first, Index end, Index label) {
  double hits = 0;
  for (Index i = first; i < end; ++i) hits += outputs(i, label) > outputs(i, 1 - label);
  return hits / static_cast<double>(end - first);
}

/// Of a pair of pixels: columns j and j + 1 of w.
double pair_share(const Matrix<double>& w, Index j) { return w.middleCols(j, 2).squaredNorm() / w.squaredNorm(); }

}  // namespace

TEST_CASE("observer: balanced train accuracy, test metrics, and the shares of the first layer") {
  const Workspace work;
  const RunDirectory directory = RunDirectory::open(work.path() / "run", "seed: 1\n", nlohmann::json::object(), false);
  Split<double> split;
  split.train = images(1);
  split.test = images(2);
  const NetworkObserver<double> observer(watching({5, 6}), split, {directory, RandomStream(0), true});
  const nets::Mlp<double> initial = network(3), now = network(4);
  const auto seen = std::get<Generalization>(observer.observe(now, initial));

  const Matrix<double> outputs = now.predict(split.train.inputs);
  CHECK(seen.train_balanced_accuracy ==
        Approx((share_called(outputs, 0, 12, 0) + share_called(outputs, 12, 15, 1)) / 2));
  CHECK(seen.test.accuracy == evaluate(now, split.test).accuracy);
  const Matrix<double> w = now.weight(1), learned = w - initial.weight(1);
  CHECK(seen.weights.region == Approx(pair_share(w, 5)));
  CHECK(seen.learned.region == Approx(pair_share(learned, 5)));
  double largest = 0;
  for (const Index other : {0, 1, 2, 8, 9, 10}) largest = std::max(largest, pair_share(learned, other));
  CHECK(seen.learned.largest_other == Approx(largest));  // the other rows' pairs; in row 1 all meet the region
}

TEST_CASE("observer: it looks where the network is evaluated") {
  const Workspace work;
  const RunDirectory directory = RunDirectory::open(work.path() / "run", "seed: 1\n", nlohmann::json::object(), false);
  Split<double> split;
  split.train = split.test = images(1);
  const NetworkObserver<double> observer(watching({0}), split, {directory, RandomStream(0), true});
  EpochRecord record;
  CHECK_FALSE(observer.due(record));
  record.train = Metrics{};
  CHECK(observer.due(record));
}
