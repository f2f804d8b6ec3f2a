#include "rfm/trees/fitting/fit_rfm_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/machine/memory.h"
#include "core/machine/parallel.h"
#include "rfm/trees/fitting/choose_temperature.h"
#include "rfm/trees/fitting/leaf_fit.h"
#include "rfm/trees/fitting/tree_cost.h"
#include "rfm/trees/fitting/tree_growth.h"
#include "rfm/trees/within_memory.h"

namespace ansatz::rfm {
namespace {

constexpr Index kRoutedRows = 1024;

template <class Scalar>
void require_rows(const StoredSplit<Scalar>& split) {
  const Index n = split.train.size();
  if (n < 2) throw DataError(fmt::format("rfm tree: {} training rows; at least 2 are needed", n));
  for (const StoredDataset<Scalar>* part : {&split.train, &split.validation})
    if (part->rest.targets.rows() != part->size())
      throw DataError(
          fmt::format("rfm tree: {} rows of inputs, {} of targets", part->size(), part->rest.targets.rows()));
  if (!split.validation.empty() && split.validation.inputs.cols() != split.train.inputs.cols())
    throw DataError(fmt::format("rfm tree: validation rows have {} inputs, training rows {}",
                                split.validation.inputs.cols(), split.train.inputs.cols()));
}

/// The leaf that each row leads to.
template <class Scalar>
std::vector<Index> leaves_of(const StoredRows<Scalar>& inputs, const TreeRouting& routing) {
  std::vector<Index> leaves(static_cast<std::size_t>(inputs.rows()));
  parallel_tiles(inputs.rows(), kRoutedRows, [&](Index begin, Index end) {
    const Matrix<Scalar> tile = inputs.middle_rows(begin, end - begin);
    for (Index i = begin; i < end; ++i)
      leaves[static_cast<std::size_t>(i)] = routing.leaf_of(tile.row(i - begin).template cast<double>());
  });
  return leaves;
}

template <class Scalar>
std::vector<LeafRows> rows_of_leaves(const StoredSplit<Scalar>& split, GrownTree& grown, const TreeRouting& routing,
                                     const RfmTreeOptions& options, const RandomStream& stream) {
  std::vector<LeafRows> leaves(grown.leaf_rows.size());
  for (std::size_t l = 0; l < leaves.size(); ++l) leaves[l].train = std::move(grown.leaf_rows[l]);
  if (split.validation.empty()) return leaves;
  const std::vector<Index> places = leaves_of(split.validation.inputs, routing);
  for (std::size_t i = 0; i < places.size(); ++i)
    leaves[static_cast<std::size_t>(places[i])].validation.push_back(static_cast<Index>(i));
  const bool chosen = options.rfm.iterations > 0 && options.rfm.report_iteration == ReportIteration::best;
  if (leaves.size() > 1 && chosen)
    for (std::size_t l = 0; l < leaves.size(); ++l)
      hold_out(leaves[l], options.leaf_validation, stream.named("held_out/" + grown.leaf_paths[l]));
  return leaves;
}

template <class Scalar>
std::vector<LeafFit<Scalar>> fit_leaves(const StoredSplit<Scalar>& split, std::vector<LeafRows> rows,
                                        const std::vector<std::string>& paths, const RfmOptions& options,
                                        const RandomStream& stream, const LeafCallback& on_leaf) {
  const Index count = static_cast<Index>(rows.size());
  std::size_t most = 0;
  for (const LeafRows& leaf : rows) most = std::max(most, leaf.train.size());
  std::vector<std::optional<LeafFit<Scalar>>> fits(rows.size());
  std::mutex guard;
  Index done = 0;
  const SystemSize size{static_cast<Index>(most), split.train.inputs.cols(), split.train.rest.outputs()};
  const Cost cost = leaf_cost(options, size, sizeof(Scalar), available_memory());
  parallel_within_memory(count, cost.working_bytes, [&](Index leaf) {
    const auto l = static_cast<std::size_t>(leaf);
    const RandomStream own = count == 1 ? stream : stream.named("leaf/" + paths[l]);
    fits[l] = fit_leaf(split, std::move(rows[l]), options, own);
    fits[l]->record.leaf = leaf;
    const std::lock_guard<std::mutex> lock(guard);
    ++done;
    if (on_leaf) on_leaf(fits[l]->record, done, count);
  });
  std::vector<LeafFit<Scalar>> result;
  for (std::optional<LeafFit<Scalar>>& fit : fits) result.push_back(std::move(*fit));
  return result;
}

}  // namespace

Index usual_iteration(const std::vector<LeafRecord>& leaves) {
  std::vector<Index> rows;
  for (const LeafRecord& leaf : leaves) {
    rows.resize(std::max(rows.size(), static_cast<std::size_t>(leaf.iteration) + 1));
    rows[static_cast<std::size_t>(leaf.iteration)] += leaf.rows;
  }
  return std::max_element(rows.begin(), rows.end()) - rows.begin();
}

template <class Scalar>
RfmTreeFit<Scalar> fit_rfm_tree(const StoredSplit<Scalar>& split, const RfmTreeOptions& options,
                                const RandomStream& stream, const LeafCallback& on_leaf) {
  validate(options);
  require_rows(split);
  const Stopwatch growing;
  GrownTree grown = grow_tree(split.train, options, stream);
  RoutingOptions routing_options = options.routing;
  routing_options.temperature = options.temperatures.front();
  TreeRouting routing(std::move(grown.splits), routing_options);
  const double split_seconds = growing.seconds();

  const Stopwatch fitting;
  std::vector<LeafRows> rows = rows_of_leaves(split, grown, routing, options, stream);
  std::vector<LeafFit<Scalar>> fits =
      fit_leaves(split, std::move(rows), grown.leaf_paths, options.rfm, stream, on_leaf);
  std::vector<TreeLeaf<Scalar>> leaves;
  std::vector<LeafRecord> records;
  for (LeafFit<Scalar>& fit : fits) {
    leaves.push_back(std::move(fit.leaf));
    records.push_back(std::move(fit.record));
  }
  RfmTreeFit<Scalar> result{RfmTree<Scalar>(std::move(routing), std::move(leaves)), std::move(records), {}};
  result.split_seconds = split_seconds;
  result.leaf_seconds = fitting.seconds();

  const Stopwatch choosing;
  result.temperatures = try_temperatures(result.tree, split.validation, options, stream.named("temperature"));
  result.tree = result.tree.with(best_of(result.temperatures, result.tree.routing().options()));
  result.temperature_seconds = choosing.seconds();
  return result;
}

template RfmTreeFit<float> fit_rfm_tree(const StoredSplit<float>&, const RfmTreeOptions&, const RandomStream&,
                                        const LeafCallback&);
template RfmTreeFit<double> fit_rfm_tree(const StoredSplit<double>&, const RfmTreeOptions&, const RandomStream&,
                                         const LeafCallback&);

}  // namespace ansatz::rfm
