#include "rfm/trees/fitting/leaf_fit.h"

#include <algorithm>

#include "core/base/stopwatch.h"
#include "core/machine/interrupt.h"

namespace ansatz::rfm {
namespace {

/// The rows that a leaf's iteration is chosen by: those of the validation set, then those held out.
template <class Scalar>
Dataset<Scalar> chosen_by(const StoredSplit<Scalar>& split, const LeafRows& rows) {
  if (rows.held_out.empty())
    return split.validation.empty() ? Dataset<Scalar>{} : split.validation.rows(rows.validation);
  Dataset<Scalar> own = split.train.rows(rows.held_out);
  if (rows.validation.empty()) return own;
  const Dataset<Scalar> given = split.validation.rows(rows.validation);
  Dataset<Scalar> both = given;
  both.source_rows.clear();
  both.inputs.resize(given.size() + own.size(), own.dimension());
  both.targets.resize(given.size() + own.size(), own.outputs());
  both.inputs << given.inputs, own.inputs;
  both.targets << given.targets, own.targets;
  return both;
}

/// Targets that are all equal teach no features: their AGOP is but noise around 0.
template <class Scalar>
bool nothing_to_learn(const Matrix<Scalar>& targets) {
  return ((targets.rowwise() - targets.row(0)).array() == Scalar(0)).all();
}

}  // namespace

void hold_out(LeafRows& rows, Index wanted, const RandomStream& stream) {
  const Index n = static_cast<Index>(rows.train.size());
  const Index missing = std::min(wanted - static_cast<Index>(rows.validation.size()), n / 5);
  if (missing <= 0) return;
  std::vector<Index> kept;
  std::size_t next = 0;
  const std::vector<Index> drawn = RandomStream(stream).sample(n, missing);
  for (Index i = 0; i < n; ++i) {
    const bool out = next < drawn.size() && drawn[next] == i;
    (out ? rows.held_out : kept).push_back(rows.train[static_cast<std::size_t>(i)]);
    next += out;
  }
  rows.train = std::move(kept);
}

template <class Scalar>
LeafFit<Scalar> fit_leaf(const StoredSplit<Scalar>& split, LeafRows rows, RfmOptions options,
                         const RandomStream& stream) {
  throw_if_interrupted();
  const Stopwatch begin;
  Split<Scalar> data;
  data.train = split.train.rows(rows.train);
  data.validation = chosen_by(split, rows);
  if (nothing_to_learn(data.train.targets)) options.iterations = 0;
  const RfmTrace<Scalar> trace = fit_rfm(data, options, stream);
  LeafRecord record;
  record.rows = data.train.size();
  record.validation = data.validation.size();
  record.held_out = static_cast<Index>(rows.held_out.size());
  record.iteration = trace.reported;
  record.train = trace.iteration().train;
  record.chosen_by = trace.iteration().validation;
  record.solve = trace.iteration().solve;
  record.seconds = begin.seconds();
  return {TreeLeaf<Scalar>(trace.machine(), std::move(rows.train), split.train.inputs), record};
}

template LeafFit<float> fit_leaf(const StoredSplit<float>&, LeafRows, RfmOptions, const RandomStream&);
template LeafFit<double> fit_leaf(const StoredSplit<double>&, LeafRows, RfmOptions, const RandomStream&);

}  // namespace ansatz::rfm
