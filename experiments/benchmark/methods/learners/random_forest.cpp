// Random forests: OpenCV's RTrees.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "core/machine/interrupt.h"
#include "core/machine/parallel.h"
#include "experiments/benchmark/methods/learners/column_ranks.h"
#include "experiments/benchmark/methods/learners/learner_method.h"
#include "experiments/benchmark/methods/learners/opencv_rows.h"

namespace ansatz::experiments {
namespace {

constexpr Index kDeepest = 25;  // OpenCV silently grows no tree deeper than that

// Of a node and its split: OpenCV sets address space for 2^max_depth of them aside, though it touches few.
constexpr double kBytesOfNode = 250;

// Trees that one thread grows in one go. The same for any number of threads: each such lot has a random stream.
constexpr Index kTreesTogether = 10;

/// How many of the columns a split chooses from.
struct SplitColumns {
  enum class Rule { automatic, sqrt, log2, all, fraction } rule = Rule::automatic;
  double fraction = 1;

  /// automatic: of Breiman, the root of d for classes and a third for numbers.
  Index of(Index d, Task task) const {
    const auto columns = static_cast<double>(d);
    const auto rounded = [&](double count) { return std::clamp(static_cast<Index>(count), Index{1}, d); };
    switch (rule) {
      case Rule::automatic:
        return rounded(task == Task::classification ? std::sqrt(columns) : columns / 3);
      case Rule::sqrt:
        return rounded(std::sqrt(columns));
      case Rule::log2:
        return rounded(std::log2(columns));
      case Rule::fraction:
        return rounded(fraction * columns);
      case Rule::all:
        break;
    }
    return d;
  }
};

struct ForestOptions {
  Index trees = 250;
  Index max_depth = 20;
  Index min_samples_split = 2;  ///< a node of fewer rows is a leaf
  SplitColumns max_features;
};

SplitColumns parse_split_columns(const Config& section) {
  using Rule = SplitColumns::Rule;
  const std::string text = section.get("max_features", "auto");
  for (const auto& [word, rule] :
       {std::pair{"auto", Rule::automatic}, {"sqrt", Rule::sqrt}, {"log2", Rule::log2}, {"all", Rule::all}})
    if (text == word) return {rule, 1};
  SplitColumns columns{Rule::fraction, 0};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, columns.fraction);
  if (error != std::errc() || rest != end || !(columns.fraction > 0) || columns.fraction > 1)
    section.fail("max_features", "must be auto, sqrt, log2, all or a number above 0 and at most 1, is " + text);
  return columns;
}

ForestOptions parse_forest(const Config& section) {
  ForestOptions options;
  options.trees = section.get_at_least("trees", options.trees, Index{1}, Index{100'000});
  options.max_depth = section.get_at_least("max_depth", options.max_depth, Index{1}, kDeepest);
  options.min_samples_split = section.get_at_least("min_samples_split", options.min_samples_split, Index{2});
  options.max_features = parse_split_columns(section);
  return options;
}

/// What trees are grown on: inputs of n rows, and a class or a number for each.
struct Grown {
  const Matrix<float>& inputs;
  cv::Mat responses;
  Task task;
};

cv::Ptr<cv::ml::RTrees> grow(const ForestOptions& options, const Grown& rows, Index trees, std::uint64_t seed) {
  const Index n = rows.inputs.rows();
  const cv::Ptr<cv::ml::RTrees> forest = cv::ml::RTrees::create();
  // No tree is deeper than n - 1, and each level doubles the room that OpenCV sets aside.
  forest->setMaxDepth(static_cast<int>(std::min(options.max_depth, n - 1)));
  forest->setMinSampleCount(static_cast<int>(options.min_samples_split - 1));  // nodes of so many rows are leaves
  forest->setActiveVarCount(static_cast<int>(options.max_features.of(rows.inputs.cols(), rows.task)));
  forest->setTermCriteria({cv::TermCriteria::MAX_ITER, static_cast<int>(trees), 0});
  forest->setRegressionAccuracy(0);
  // RTrees draws from the generator of the thread that it runs on.
  const std::uint64_t before = cv::theRNG().state;
  cv::theRNG().state = seed == 0 ? 1 : seed;
  const bool grown =
      forest->train(cv::ml::TrainData::create(opencv_rows(rows.inputs), cv::ml::ROW_SAMPLE, rows.responses));
  cv::theRNG().state = before;
  if (!grown) throw NumericalError("random forest: OpenCV grew no tree");
  return forest;
}

/// b x classes: the number of trees that vote for each; or b x 1: the sum of what the trees say.
Matrix<double> sum_of_trees(const cv::ml::RTrees& forest, const Grown& rows, Index trees, const Matrix<float>& inputs) {
  cv::Mat said;
  if (rows.task == Task::regression) {
    forest.predict(opencv_rows(inputs), said);
    Matrix<double> sums(inputs.rows(), 1);
    for (int i = 0; i < said.rows; ++i) sums(i, 0) = static_cast<double>(trees) * said.at<float>(i);
    return sums;
  }
  forest.getVotes(opencv_rows(inputs), said, 0);  // its first row holds the labels
  Matrix<double> votes(inputs.rows(), said.cols);
  for (int i = 1; i < said.rows; ++i)
    for (int c = 0; c < said.cols; ++c) votes(i - 1, c) = said.at<int>(i, c);
  return votes;
}

/// b x classes: the share of the trees' votes; or b x 1: the mean of what they say.
Matrix<double> mean_of_trees(const ForestOptions& options, const Grown& rows, const Matrix<float>& inputs,
                             const RandomStream& stream) {
  const Index lots = (options.trees + kTreesTogether - 1) / kTreesTogether;
  std::vector<Matrix<double>> sums(static_cast<std::size_t>(lots));
  parallel_for(lots, [&](Index lot) {
    throw_if_interrupted();
    const Index trees = std::min(kTreesTogether, options.trees - lot * kTreesTogether);
    with_opencv_errors("random forest", [&] {
      const auto forest = grow(options, rows, trees, stream.named("trees/" + std::to_string(lot)).seed());
      sums[static_cast<std::size_t>(lot)] = sum_of_trees(*forest, rows, trees, inputs);
    });
  });
  Matrix<double> total = std::move(sums.front());
  for (std::size_t lot = 1; lot < sums.size(); ++lot) total += sums[lot];
  return total / static_cast<double>(options.trees);
}

class RandomForest final : public Learner {
 public:
  explicit RandomForest(const ForestOptions& options) : options_(options) {}

  Matrix<double> fit_predict(const Dataset<double>& train, const Matrix<double>& inputs, Index /*steps*/,
                             const RandomStream& stream) const override {
    const ColumnRanks ranks(train.inputs);
    const Matrix<float> fitted = ranks.apply(train.inputs), asked = ranks.apply(inputs);
    if (train.task == Task::classification)
      return mean_of_trees(options_, {fitted, opencv_classes(train.targets), train.task}, asked, stream);
    Matrix<double> predictions = Matrix<double>::Zero(inputs.rows(), train.outputs());
    for (Index k = 0; k < train.outputs(); ++k) {
      const Vector<double> target = train.targets.col(k);
      if (target.isZero(0)) continue;  // one that is constant, which OpenCV refuses
      predictions.col(k) = mean_of_trees(options_, {fitted, opencv_numbers(target), train.task}, asked,
                                         stream.named("output/" + std::to_string(k)));
    }
    return predictions;
  }

  /// Each level of a tree sorts all rows by the columns that its splits choose from.
  Cost fit_cost(const FitSize& size) const override {
    const auto n = static_cast<double>(size.rows), d = static_cast<double>(size.features);
    const double levels = std::min(static_cast<double>(options_.max_depth), 2 * std::log2(n + 1));
    constexpr double kOfSort = 10;  // operations of a comparison, in memory that is not in order
    Cost cost{"random forest", ""};
    cost.flops = static_cast<double>(options_.trees) * levels * std::sqrt(d) * n * std::log2(n + 1) * kOfSort;
    cost.working_bytes = 3 * n * d * sizeof(float) + kTreesTogether * 2 * n * kBytesOfNode * threads();
    return cost;
  }

 private:
  ForestOptions options_;
};

}  // namespace

std::unique_ptr<Method> make_random_forest_method(const MethodSection& section) {
  return make_learner_method(section, "none",
                             [](const Config& cell) { return std::make_unique<RandomForest>(parse_forest(cell)); });
}

}  // namespace ansatz::experiments
