// Kernel ridge regression with a kernel that is fixed, or whose feature matrix is learned (RFM).
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/features/feature_matrix_cast.h"
#include "core/machine/interrupt.h"
#include "core/machine/memory.h"
#include "experiments/benchmark/methods/method_cells.h"
#include "experiments/benchmark/methods/scaled_rows.h"
#include "rfm/cost.h"
#include "rfm/rfm_family.h"

namespace ansatz::experiments {
namespace {

struct KernelMethodOptions {
  rfm::RfmOptions rfm;
  ScalingKind scaling = ScalingKind::none;
  TargetTransform targets = TargetTransform::none;
};

/// The best cell and iteration so far. Cells come in any order; of equals the first of the grid stays.
template <class Scalar>
struct Best {
  std::optional<Metrics> metrics;
  std::size_t cell = 0;
  Index iteration = 0;
  FeatureMatrix<Scalar> features;

  bool loses_to(const Metrics& other, std::size_t other_cell) const {
    if (!metrics || better_on_selection(other, *metrics)) return true;
    return other_cell < cell && !better_on_selection(*metrics, other);
  }
};

template <class Scalar>
class KernelMethod final : public Method {
 public:
  explicit KernelMethod(MethodCells<KernelMethodOptions> cells) : cells_(std::move(cells)) {}

  MethodChoice search(const Dataset<double>& fit, const Dataset<double>& selection,
                      const RandomStream& stream) const override;
  MethodFit fit_predict(const MethodChoice& choice, const Dataset<double>& train, const Matrix<double>& inputs,
                        bool keep_features, const RandomStream& stream) const override;
  Index cells() const override { return static_cast<Index>(cells_.options.size()); }
  bool learns_features() const override {
    return std::any_of(cells_.options.begin(), cells_.options.end(),
                       [](const auto& o) { return o.rfm.iterations > 0; });
  }
  Cost search_cost(const FitSize& size) const override;
  Cost fit_cost(const FitSize& size) const override;

 private:
  /// Fits the cells among `cells`, of one scaling.
  void score_cells(const std::vector<std::size_t>& cells, const Dataset<double>& fit, const Dataset<double>& selection,
                   const RandomStream& stream, TuningRecord& record, Best<Scalar>& best) const;

  MethodCells<KernelMethodOptions> cells_;
};

/// Selection rows, as they came and scaled like the training rows of `split`.
template <class Scalar>
struct Selection {
  const Dataset<double>& rows;
  const TargetForm& form;
  const std::shared_ptr<const Split<Scalar>> split;

  /// In the unit of the targets.
  Metrics metrics(const KernelMethodOptions& options, const RfmIteration& iteration,
                  const rfm::KernelMachine<Scalar>& machine) const {
    if (options.targets == TargetTransform::none) return *iteration.validation;
    return evaluate(form.undo(machine.predict(split->validation.inputs).template cast<double>()), rows);
  }
};

/// The best iteration of one cell.
template <class Scalar>
Best<Scalar> fit_cell(const KernelMethodOptions& options, std::size_t cell, const Selection<Scalar>& selection,
                      rfm::RfmFamily<Scalar>& family) {
  Best<Scalar> best;
  family.fit(options.rfm, [&](const RfmIteration& row, const rfm::KernelMachine<Scalar>& machine) {
    const Metrics metrics = selection.metrics(options, row, machine);
    if (best.loses_to(metrics, cell)) best = {metrics, cell, row.iteration, machine.metric()};
    throw_if_interrupted();
    return true;
  });
  return best;
}

template <class Scalar>
void KernelMethod<Scalar>::score_cells(const std::vector<std::size_t>& cells, const Dataset<double>& fit,
                                       const Dataset<double>& selection, const RandomStream& stream,
                                       TuningRecord& record, Best<Scalar>& best) const {
  const ScaledRows<Scalar> rows(cells_.options[cells.front()].scaling, cells_.options[cells.front()].targets, fit);
  auto split = std::make_shared<Split<Scalar>>();
  split->train = rows.train;
  split->validation = rows.scaled(selection);
  const Selection<Scalar> scored{selection, rows.targets, split};
  rfm::RfmFamily<Scalar> family(split, stream.named("rfm"));
  for (const std::size_t cell : cells) {
    const Stopwatch watch;
    TuningCell& tried = record.cells[cell];
    try {
      Best<Scalar> own = fit_cell(cells_.options[cell], cell, scored, family);
      tried.validation = own.metrics;
      if (best.loses_to(*own.metrics, cell)) best = std::move(own);
    } catch (const NumericalError& error) {
      tried.failure = error.what();
    }
    tried.seconds = watch.seconds();
  }
}

template <class Scalar>
MethodChoice KernelMethod<Scalar>::search(const Dataset<double>& fit, const Dataset<double>& selection,
                                          const RandomStream& stream) const {
  std::map<std::pair<ScalingKind, TargetTransform>, std::vector<std::size_t>> groups;
  for (std::size_t cell = 0; cell < cells_.options.size(); ++cell)
    groups[{cells_.options[cell].scaling, cells_.options[cell].targets}].push_back(cell);
  MethodChoice choice;
  choice.tuning = begin_tuning(cells_.name, cells_.grid);
  Best<Scalar> best;
  for (const auto& [scaling, group] : groups) score_cells(group, fit, selection, stream, choice.tuning, best);
  if (!best.metrics) throw NumericalError("every cell fails, the first with: " + choice.tuning.cells.front().failure);
  choice.tuning.chosen = static_cast<Index>(best.cell);
  choice.iteration = best.iteration;
  if (best.iteration > 0) choice.features = feature_matrix_cast<double>(best.features);
  return choice;
}

/// The fit of what was chosen, and its predictions, computed in Scalar.
template <class Scalar>
MethodFit fit_chosen(const KernelMethodOptions& options, const MethodChoice& choice, const Dataset<double>& train,
                     const Matrix<double>& inputs, bool keep_features, const RandomStream& stream) {
  ScaledRows<Scalar> rows(options.scaling, options.targets, train);
  const Matrix<Scalar> asked = rows.inputs.apply(inputs).template cast<Scalar>();
  const auto predicted = [&](const rfm::KernelMachine<Scalar>& machine) {
    MethodFit fit;
    fit.predictions = rows.targets.undo(machine.predict(asked).template cast<double>());
    if (choice.iteration > 0) fit.features = feature_matrix_cast<double>(machine.metric());
    return fit;
  };
  if (keep_features) {
    const std::shared_ptr<const Matrix<Scalar>> x(std::shared_ptr<void>(), &rows.train.inputs);
    return predicted(rfm::fit_kernel_machine<Scalar>(options.rfm.kernel, feature_matrix_cast<Scalar>(*choice.features),
                                                     x, rows.train.targets, options.rfm.solver, stream.named("rfm"))
                         .machine);
  }
  rfm::RfmOptions chosen = options.rfm;
  chosen.iterations = choice.iteration;
  auto split = std::make_shared<Split<Scalar>>();
  split->train = std::move(rows.train);
  const auto trace = rfm::fit_rfm<Scalar>(split, chosen, stream.named("rfm"), [](const RfmIteration&, const auto&) {
    throw_if_interrupted();
    return true;
  });
  return predicted(trace.machine());
}

/// A fold is not given up because float32 cannot hold its coefficients: it is fitted in float64, and that is said.
template <class Scalar>
MethodFit KernelMethod<Scalar>::fit_predict(const MethodChoice& choice, const Dataset<double>& train,
                                            const Matrix<double>& inputs, bool keep_features,
                                            const RandomStream& stream) const {
  const KernelMethodOptions& options = cells_.chosen(choice);
  try {
    return fit_chosen<Scalar>(options, choice, train, inputs, keep_features, stream);
  } catch (const NumericalError& error) {
    if (std::is_same_v<Scalar, double>) throw;
    spdlog::warn("{}: a fit in float64 in place of float32: {}", cells_.name, error.what());
    return fit_chosen<double>(options, choice, train, inputs, keep_features, stream);
  }
}

template <class Scalar>
Cost KernelMethod<Scalar>::search_cost(const FitSize& size) const {
  const rfm::SystemSize system{size.rows, size.features, size.outputs};
  Cost all;
  for (const KernelMethodOptions& options : cells_.options) {
    const rfm::RfmCost cost = rfm::rfm_cost(options.rfm, system, sizeof(Scalar), available_memory());
    all.flops += cost.solves.flops + cost.updates.flops;
    const double bytes = cost.solves.kept_bytes + cost.updates.kept_bytes +
                         std::max(cost.solves.working_bytes, cost.updates.working_bytes);
    all.working_bytes = std::max(all.working_bytes, bytes);
  }
  return all;
}

template <class Scalar>
Cost KernelMethod<Scalar>::fit_cost(const FitSize& size) const {
  Cost one = search_cost(size);
  one.flops /= static_cast<double>(cells_.options.size());
  return one;
}

std::unique_ptr<Method> make(const MethodSection& section, rfm::RfmOptions (*parse)(const Config&)) {
  auto cells = parse_cells<KernelMethodOptions>(section, [&](const Config& cell) {
    KernelMethodOptions options;
    options.rfm = parse(cell);
    options.scaling = parse_scaling(cell, "none");
    options.targets = parse_target_transform(cell);
    return options;
  });
  if (section.precision == Precision::float32) return std::make_unique<KernelMethod<float>>(std::move(cells));
  return std::make_unique<KernelMethod<double>>(std::move(cells));
}

}  // namespace

std::unique_ptr<Method> make_rfm_method(const MethodSection& section) { return make(section, parse_rfm); }

std::unique_ptr<Method> make_kernel_method(const MethodSection& section) { return make(section, parse_fixed_kernel); }

}  // namespace ansatz::experiments
