// Gradient-boosted trees: XGBoost.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/machine/interrupt.h"
#include "experiments/benchmark/methods/learners/column_ranks.h"
#include "experiments/benchmark/methods/learners/learner_method.h"
#include "experiments/benchmark/xgboost/xgboost_library.h"

namespace ansatz::experiments {
namespace {

/// The names are the library's; so are the defaults of all but rounds and early_stopping, which are those of Grinsztajn
/// et al. 2022, and of tree_method, which is that of later versions.
struct BoostingOptions {
  Index rounds = 1000;
  Index early_stopping = 20;  ///< rounds without a lower loss on the selection rows after which the fit ends; 0: never
  double learning_rate = 0.3;
  Index max_depth = 6;
  double min_child_weight = 1;
  double gamma = 0;
  double reg_lambda = 1, reg_alpha = 0;
  double subsample = 1, colsample_bytree = 1, colsample_bylevel = 1;
  std::string tree_method = "hist";
  Index max_bin = 256;
};

BoostingOptions parse_boosting(const Config& section) {
  if (!has_xgboost()) section.fail("kind", "xgboost is " + xgboost_description());
  BoostingOptions options;
  const auto share = [&](const char* key) { return section.get_at_least(key, 1.0, 1e-3, 1.0); };
  options.rounds = section.get_at_least("rounds", options.rounds, Index{1}, Index{1'000'000});
  options.early_stopping = section.get_at_least("early_stopping", options.early_stopping, Index{0});
  options.learning_rate = section.get_at_least("learning_rate", options.learning_rate, 1e-8, 10.0);
  options.max_depth = section.get_at_least("max_depth", options.max_depth, Index{1}, Index{30});
  options.min_child_weight = section.get_at_least("min_child_weight", options.min_child_weight, 0.0);
  options.gamma = section.get_at_least("gamma", options.gamma, 0.0);
  options.reg_lambda = section.get_at_least("reg_lambda", options.reg_lambda, 0.0);
  options.reg_alpha = section.get_at_least("reg_alpha", options.reg_alpha, 0.0);
  options.subsample = share("subsample");
  options.colsample_bytree = share("colsample_bytree");
  options.colsample_bylevel = share("colsample_bylevel");
  options.tree_method = section.get_choice("tree_method", "hist", {"hist", "approx", "exact"});
  if (options.tree_method != "exact")
    options.max_bin = section.get_at_least("max_bin", options.max_bin, Index{2}, Index{65536});
  return options;
}

BoostedTrees::Parameters parameters_of(const BoostingOptions& options, const std::string& objective, Index classes,
                                       std::uint64_t seed) {
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  BoostedTrees::Parameters parameters = {{"objective", objective},
                                         {"learning_rate", number(options.learning_rate)},
                                         {"max_depth", std::to_string(options.max_depth)},
                                         {"min_child_weight", number(options.min_child_weight)},
                                         {"gamma", number(options.gamma)},
                                         {"reg_lambda", number(options.reg_lambda)},
                                         {"reg_alpha", number(options.reg_alpha)},
                                         {"subsample", number(options.subsample)},
                                         {"colsample_bytree", number(options.colsample_bytree)},
                                         {"colsample_bylevel", number(options.colsample_bylevel)},
                                         {"tree_method", options.tree_method},
                                         {"seed", std::to_string(seed & 0x7fffffff)}};
  if (options.tree_method != "exact") parameters.emplace_back("max_bin", std::to_string(options.max_bin));
  if (classes > 2) parameters.emplace_back("num_class", std::to_string(classes));
  // Versions differ in where they start: from 1/2, or from a mean that they work out. Targets of a regression have mean
  // 0; what all classes start from does not matter, and 1/2 is the even chance of two.
  parameters.emplace_back("base_score", classes > 0 ? "0.5" : "0");
  return parameters;
}

/// One model of all classes, or one an output of a regression.
class Boosting {
 public:
  Boosting(const BoostingOptions& options, const Dataset<double>& train, const Matrix<double>& others,
           const RandomStream& stream)
      : ranks_(train.inputs), others_(ranks_.apply(others)), classes_(train.task == Task::classification) {
    const Matrix<float> inputs = ranks_.apply(train.inputs);
    const Index k = train.outputs();
    for (Index output = 0; output < (classes_ ? 1 : k); ++output) {
      train_.push_back(std::make_unique<BoostingRows>(inputs, labels_of(train, output)));
      const char* objective = !classes_ ? "reg:squarederror" : k == 2 ? "binary:logistic" : "multi:softprob";
      models_.push_back(std::make_unique<BoostedTrees>(
          *train_.back(), others_,
          parameters_of(options, objective, classes_ ? k : 0, stream.named("trees/" + std::to_string(output)).seed())));
    }
  }

  void add_round() {
    throw_if_interrupted();
    for (const auto& model : models_) model->add_round();
  }

  Matrix<double> predict_others() const {
    const Matrix<double> first = models_.front()->predict_others();
    if (classes_ && first.cols() > 1) return first;
    Matrix<double> all(first.rows(), classes_ ? 2 : static_cast<Index>(models_.size()));
    all.rightCols(1) = models_.back()->predict_others();
    if (classes_)
      all.col(0) = 1.0 - all.col(1).array();
    else
      for (std::size_t k = 0; k + 1 < models_.size(); ++k)
        all.col(static_cast<Index>(k)) = models_[k]->predict_others();
    return all;
  }

 private:
  std::vector<float> labels_of(const Dataset<double>& train, Index output) const {
    std::vector<float> labels(static_cast<std::size_t>(train.size()));
    for (Index i = 0; i < train.size(); ++i) {
      Index label = 0;
      if (classes_) train.targets.row(i).maxCoeff(&label);
      labels[static_cast<std::size_t>(i)] =
          classes_ ? static_cast<float>(label) : static_cast<float>(train.targets(i, output));
    }
    return labels;
  }

  ColumnRanks ranks_;
  BoostingRows others_;
  bool classes_;
  std::vector<std::unique_ptr<BoostingRows>> train_;
  std::vector<std::unique_ptr<BoostedTrees>> models_;
};

/// What the library minimises, on other rows: mean cross entropy, or mean squared error.
double loss_of(const Matrix<double>& predictions, const Dataset<double>& data) {
  if (data.task == Task::regression) return (predictions - data.targets).squaredNorm();
  constexpr double kLeast = 1e-16;  // of a probability, as in the library's own measure
  return -(data.targets.array() * predictions.array().max(kLeast).log()).sum();
}

class GradientBoosting final : public Learner {
 public:
  explicit GradientBoosting(BoostingOptions options) : options_(std::move(options)) {}

  LearnerFit select(const Dataset<double>& fit, const Dataset<double>& selection,
                    const RandomStream& stream) const override {
    Boosting boosting(options_, fit, selection.inputs, stream);
    LearnerFit best;
    double least = 0;
    for (Index round = 1; round <= options_.rounds; ++round) {
      boosting.add_round();
      Matrix<double> predictions = boosting.predict_others();
      const double loss = loss_of(predictions, selection);
      if (best.steps == 0 || loss < least) {
        best = {std::move(predictions), round};
        least = loss;
      }
      if (options_.early_stopping > 0 && round - best.steps >= options_.early_stopping) break;
    }
    return best;
  }

  Matrix<double> fit_predict(const Dataset<double>& train, const Matrix<double>& inputs, Index steps,
                             const RandomStream& stream) const override {
    Boosting boosting(options_, train, inputs, stream);
    for (Index round = 0; round < (steps > 0 ? steps : options_.rounds); ++round) boosting.add_round();
    return boosting.predict_others();
  }

  /// Each level of a tree adds all rows to the histograms of all columns.
  Cost fit_cost(const FitSize& size) const override {
    const auto n = static_cast<double>(size.rows), d = static_cast<double>(size.features);
    const auto bins = static_cast<double>(options_.max_bin),
               trees = static_cast<double>(std::max(size.outputs, Index{1}));
    constexpr double kOfEntry = 6;  // operations, in memory that is not in order
    Cost cost{"gradient-boosted trees", xgboost_description()};
    cost.flops = static_cast<double>(options_.rounds) * trees * static_cast<double>(options_.max_depth) * kOfEntry *
                 (n * d + bins * d * std::min(n, std::exp2(static_cast<double>(options_.max_depth)) / 8));
    constexpr double kOfHistogramEntry = 16;
    cost.working_bytes =
        4 * n * d * sizeof(float) + 16 * n * trees +
        kOfHistogramEntry * bins * d * std::exp2(static_cast<double>(std::min(options_.max_depth, Index{12})));
    return cost;
  }

 private:
  BoostingOptions options_;
};

}  // namespace

std::unique_ptr<Method> make_xgboost_method(const MethodSection& section) {
  return make_learner_method(
      section, "none", [](const Config& cell) { return std::make_unique<GradientBoosting>(parse_boosting(cell)); });
}

}  // namespace ansatz::experiments
