#include "experiments/benchmark/methods/learners/learner_method.h"

#include <algorithm>
#include <utility>

#include "experiments/benchmark/methods/input_scaling.h"
#include "experiments/benchmark/methods/learners/learner_targets.h"

namespace ansatz::experiments {
namespace {

struct LearnerCell {
  ScalingKind scaling = ScalingKind::none;
  TargetTransform transform = TargetTransform::none;
  std::shared_ptr<const Learner> learner;
};

bool all_alike(const Matrix<double>& rows) { return rows == rows.row(0).replicate(rows.rows(), 1); }

/// Training rows as a learner sees them, and others in the same form.
class LearnerRows {
 public:
  LearnerRows(const LearnerCell& cell, const Dataset<double>& train)
      : scaling_(cell.scaling, train.inputs), targets_(cell.transform, train), rows_(seen(train)) {}

  const Dataset<double>& rows() const { return rows_; }
  const LearnerTargets& targets() const { return targets_; }
  bool nothing_to_learn() const { return all_alike(rows_.inputs) || all_alike(rows_.targets); }
  Matrix<double> inputs(const Matrix<double>& x) const { return scaling_.apply(x); }

  Dataset<double> seen(const Dataset<double>& others) const {
    Dataset<double> data;
    data.inputs = scaling_.apply(others.inputs);
    data.targets = targets_.apply(others.targets);
    data.task = others.task;
    return data;
  }

 private:
  InputScaling scaling_;
  LearnerTargets targets_;
  Dataset<double> rows_;
};

/// Selection rows of a class that `fit` lacks are no guide to how many steps to take; they count as wrong.
LearnerFit select(const LearnerCell& cell, const Dataset<double>& fit, const Dataset<double>& selection,
                  const RandomStream& stream) {
  const LearnerRows prepared(cell, fit);
  LearnerFit result{prepared.targets().mean(selection.size()), 0};
  const std::vector<Index> known = prepared.targets().known(selection.targets);
  if (prepared.nothing_to_learn() || known.empty()) return result;
  const LearnerFit found = cell.learner->select(prepared.rows(), prepared.seen(selection.rows(known)), stream);
  const Matrix<double> predictions = prepared.targets().undo(found.predictions);
  for (std::size_t i = 0; i < known.size(); ++i)
    result.predictions.row(known[i]) = predictions.row(static_cast<Index>(i));
  result.steps = found.steps;
  return result;
}

class LearnerMethod final : public Method {
 public:
  explicit LearnerMethod(MethodCells<LearnerCell> cells) : cells_(std::move(cells)) {}

  MethodChoice search(const Dataset<double>& fit, const Dataset<double>& selection,
                      const RandomStream& stream) const override {
    std::vector<Index> steps(cells_.options.size());
    MethodChoice choice;
    choice.tuning = search_cells(cells_.name, cells_.grid, [&](std::size_t cell) {
      const LearnerFit result = select(cells_.options[cell], fit, selection, stream);
      steps[cell] = result.steps;
      return evaluate(result.predictions, selection);
    });
    choice.iteration = steps[static_cast<std::size_t>(choice.tuning.chosen)];
    return choice;
  }

  MethodFit fit_predict(const MethodChoice& choice, const Dataset<double>& train, const Matrix<double>& inputs,
                        bool /*keep_features*/, const RandomStream& stream) const override {
    const LearnerCell& cell = cells_.chosen(choice);
    const LearnerRows prepared(cell, train);
    if (prepared.nothing_to_learn() || inputs.rows() == 0) return {prepared.targets().mean(inputs.rows()), {}};
    const Matrix<double> predicted =
        cell.learner->fit_predict(prepared.rows(), prepared.inputs(inputs), choice.iteration, stream);
    return {prepared.targets().undo(predicted), {}};
  }

  Index cells() const override { return static_cast<Index>(cells_.options.size()); }

  Cost search_cost(const FitSize& size) const override {
    Cost cost;
    for (const LearnerCell& cell : cells_.options) add(cell.learner->fit_cost(size), cost.flops, cost);
    return cost;
  }

  Cost fit_cost(const FitSize& size) const override {
    Cost cost;
    for (const LearnerCell& cell : cells_.options) {
      double flops = 0;
      add(cell.learner->fit_cost(size), flops, cost);
      cost.flops = std::max(cost.flops, flops);
    }
    return cost;
  }

 private:
  /// One cell is fitted at a time.
  static void add(const Cost& fit, double& flops, Cost& cost) {
    cost.algorithm = fit.algorithm;
    flops += fit.flops;
    cost.working_bytes = std::max(cost.working_bytes, fit.working_bytes + fit.kept_bytes);
  }

  MethodCells<LearnerCell> cells_;
};

}  // namespace

std::unique_ptr<Method> make_learner_method(const MethodSection& section, const char* scaling,
                                            const ParseLearner& parse) {
  return std::make_unique<LearnerMethod>(parse_cells<LearnerCell>(section, [&](const Config& cell) {
    LearnerCell options;
    options.scaling = parse_scaling(cell, scaling);
    options.transform = parse_target_transform(cell);
    options.learner = parse(cell);
    return options;
  }));
}

}  // namespace ansatz::experiments
