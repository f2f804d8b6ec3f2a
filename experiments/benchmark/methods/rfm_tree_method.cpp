// A tree of RFMs, for tables of many rows.
#include <algorithm>
#include <memory>
#include <utility>

#include "core/features/feature_matrix_cast.h"
#include "core/machine/interrupt.h"
#include "core/machine/memory.h"
#include "core/machine/parallel.h"
#include "experiments/benchmark/methods/method_cells.h"
#include "experiments/benchmark/methods/scaled_rows.h"
#include "experiments/options/rfm_tree_options.h"
#include "rfm/trees/fitting/fit_rfm_tree.h"
#include "rfm/trees/fitting/tree_cost.h"

namespace ansatz::experiments {
namespace {

struct TreeMethodOptions {
  rfm::RfmTreeOptions tree;
  double validation_fraction = 0.1;  ///< of the rows that are fitted: they choose iterations and temperature
  ScalingKind scaling = ScalingKind::none;
  TargetTransform targets = TargetTransform::none;
};

TreeMethodOptions parse_tree(const Config& section) {
  TreeMethodOptions options;
  options.tree = parse_rfm_tree(section);
  options.validation_fraction = section.get_fraction("validation_fraction", options.validation_fraction);
  options.scaling = parse_scaling(section, "none");
  options.targets = parse_target_transform(section);
  return options;
}

template <class Scalar>
rfm::StoredSplit<Scalar> stored(Dataset<Scalar> train, Dataset<Scalar> validation) {
  return {StoredDataset<Scalar>::of(std::make_shared<const Dataset<Scalar>>(std::move(train))),
          StoredDataset<Scalar>::of(std::make_shared<const Dataset<Scalar>>(std::move(validation)))};
}

/// A share of the rows, drawn, becomes the validation rows.
template <class Scalar>
rfm::StoredSplit<Scalar> held_out(const Dataset<Scalar>& rows, double fraction, const RandomStream& stream) {
  const Index n = rows.size();
  std::vector<Index> order = RandomStream(stream).permutation(n);
  const auto cut = order.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(n));
  std::sort(order.begin(), cut);
  std::sort(cut, order.end());
  return stored<Scalar>(rows.rows({cut, order.end()}), rows.rows({order.begin(), cut}));
}

template <class Scalar>
class TreeMethod final : public Method {
 public:
  explicit TreeMethod(MethodCells<TreeMethodOptions> cells) : cells_(std::move(cells)) {}

  MethodChoice search(const Dataset<double>& fit, const Dataset<double>& selection,
                      const RandomStream& stream) const override;
  MethodFit fit_predict(const MethodChoice& choice, const Dataset<double>& train, const Matrix<double>& inputs,
                        bool keep_features, const RandomStream& stream) const override;
  Index cells() const override { return static_cast<Index>(cells_.options.size()); }
  Cost search_cost(const FitSize& size) const override;
  Cost fit_cost(const FitSize& size) const override;

 private:
  MethodCells<TreeMethodOptions> cells_;
};

template <class Scalar>
MethodChoice TreeMethod<Scalar>::search(const Dataset<double>& fit, const Dataset<double>& selection,
                                        const RandomStream& stream) const {
  std::vector<Index> iterations(cells_.options.size());
  MethodChoice choice;
  choice.tuning = search_cells(cells_.name, cells_.grid, [&](std::size_t cell) {
    const TreeMethodOptions& options = cells_.options[cell];
    const ScaledRows<Scalar> rows(options.scaling, options.targets, fit);
    const auto tree =
        rfm::fit_rfm_tree(stored<Scalar>(rows.train, rows.scaled(selection)), options.tree, stream.named("rfm"));
    iterations[cell] = rfm::usual_iteration(tree.leaves);
    return evaluate(rows.predicted(tree.tree, selection.inputs), selection);
  });
  choice.iteration = iterations[static_cast<std::size_t>(choice.tuning.chosen)];
  return choice;
}

/// Rows that fit one leaf are an RFM's, with the iteration chosen. The leaves of a larger tree are others than those of
/// the search, so that rows are held out for them to choose by.
template <class Scalar>
MethodFit TreeMethod<Scalar>::fit_predict(const MethodChoice& choice, const Dataset<double>& train,
                                          const Matrix<double>& inputs, bool /*keep_features*/,
                                          const RandomStream& stream) const {
  const TreeMethodOptions& options = cells_.chosen(choice);
  const ScaledRows<Scalar> rows(options.scaling, options.targets, train);
  rfm::RfmTreeOptions tree_options = options.tree;
  const bool one_leaf = train.size() <= tree_options.leaf_size;
  if (one_leaf) tree_options.rfm.iterations = choice.iteration;
  const rfm::StoredSplit<Scalar> split =
      held_out<Scalar>(rows.train, one_leaf ? 0 : options.validation_fraction, stream.named("held_out"));
  const auto fitted = rfm::fit_rfm_tree(split, tree_options, stream.named("rfm"));
  MethodFit fit;
  fit.predictions = rows.predicted(fitted.tree, inputs);
  const bool learned =
      std::any_of(fitted.leaves.begin(), fitted.leaves.end(), [](const auto& leaf) { return leaf.iteration > 0; });
  if (learned) fit.features = feature_matrix_cast<double>(fitted.tree.mean_feature_matrix());
  return fit;
}

template <class Scalar>
Cost TreeMethod<Scalar>::search_cost(const FitSize& size) const {
  Cost all;
  for (const TreeMethodOptions& options : cells_.options) {
    const Cost cost = rfm::tree_cost(options.tree, {size.rows, size.features, size.outputs}, sizeof(Scalar),
                                     available_memory(), threads());
    all.algorithm = cost.algorithm;
    all.flops += cost.flops;
    const double rows = static_cast<double>(size.rows) * static_cast<double>(size.features) * sizeof(Scalar);
    all.working_bytes = std::max(all.working_bytes, cost.working_bytes + cost.kept_bytes + rows);
  }
  return all;
}

template <class Scalar>
Cost TreeMethod<Scalar>::fit_cost(const FitSize& size) const {
  Cost one = search_cost(size);
  one.flops /= static_cast<double>(cells_.options.size());
  return one;
}

}  // namespace

std::unique_ptr<Method> make_rfm_tree_method(const MethodSection& section) {
  auto cells = parse_cells<TreeMethodOptions>(section, parse_tree);
  if (section.precision == Precision::float32) return std::make_unique<TreeMethod<float>>(std::move(cells));
  return std::make_unique<TreeMethod<double>>(std::move(cells));
}

}  // namespace ansatz::experiments
