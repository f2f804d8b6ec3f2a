#include "rfm/trees/fitting/tree_cost.h"

#include <fmt/format.h>

#include <algorithm>

namespace ansatz::rfm {
namespace {

double number(Index value) { return static_cast<double>(value); }

}  // namespace

TreeSize tree_size(Index rows, Index leaf_size) {
  TreeSize size{1, rows};
  while (size.leaf_rows > leaf_size) {
    size.leaves *= 2;
    size.leaf_rows = (rows + size.leaves - 1) / size.leaves;
  }
  return size;
}

Cost leaf_cost(const RfmOptions& options, const SystemSize& size, std::size_t scalar_bytes, double free_bytes) {
  constexpr double kCopiesOfRows = 4;  // as gathered, as the machines share them, as prepared for this M and the last
  const RfmCost rfm = rfm_cost(options, size, scalar_bytes, free_bytes);
  Cost cost;
  cost.algorithm = rfm.solves.algorithm;
  cost.flops = rfm.solves.flops + rfm.updates.flops;
  cost.kept_bytes = rfm.solves.kept_bytes + rfm.updates.kept_bytes;
  cost.working_bytes = std::max(rfm.solves.working_bytes, rfm.updates.working_bytes) + cost.kept_bytes +
                       kCopiesOfRows * number(size.points) * number(size.width) * static_cast<double>(scalar_bytes);
  return cost;
}

Cost tree_cost(const RfmTreeOptions& options, const SystemSize& size, std::size_t scalar_bytes, double free_bytes,
               int threads) {
  const TreeSize tree = tree_size(size.points, options.leaf_size);
  const double leaves = number(tree.leaves);
  const Cost leaf = leaf_cost(options.rfm, {tree.leaf_rows, size.width, size.outputs}, scalar_bytes, free_bytes);
  RfmOptions splitter = options.rfm;
  splitter.iterations = options.split_iterations + 1;  // whose last update is the AGOP of the split
  const Cost split = leaf_cost(splitter, {std::min(size.points, options.split_rows), size.width, size.outputs},
                               scalar_bytes, free_bytes);
  Cost cost;
  cost.algorithm = fmt::format("{} leaves of {} rows, {}", tree.leaves, tree.leaf_rows, leaf.algorithm);
  cost.flops = leaves * leaf.flops + (leaves - 1) * split.flops;
  cost.kept_bytes = leaves * leaf.kept_bytes / number(options.rfm.iterations + 1);
  const double room = std::max(1.0, free_bytes / std::max(1.0, leaf.working_bytes));
  cost.working_bytes = std::min({static_cast<double>(threads), leaves, room}) * leaf.working_bytes;
  return cost;
}

}  // namespace ansatz::rfm
