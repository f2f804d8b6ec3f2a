#include "experiments/trees/tree_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/features/comparison.h"
#include "core/record/feature_ranking.h"
#include "core/record/fit_quality.h"
#include "experiments/prediction/model_files.h"
#include "experiments/results/begun_record.h"
#include "experiments/results/constant_baseline.h"

namespace ansatz::experiments {
namespace {

constexpr double kBlockBytes = 512e6;
constexpr Index kScoredTrainingRows = 10000;

/// A whole block is asked about at once: leaves that gather their centres do so once for all of it.
template <class Scalar>
Matrix<Scalar> predictions_of(const rfm::RfmTree<Scalar>& tree, const StoredRows<Scalar>& inputs) {
  const double bytes = static_cast<double>(inputs.cols()) * sizeof(Scalar);
  const Index step = std::max(Index{4096}, static_cast<Index>(kBlockBytes / std::max(1.0, bytes)));
  Matrix<Scalar> predictions(inputs.rows(), tree.output_dimension());
  for (Index first = 0; first < inputs.rows(); first += step) {
    const Index rows = std::min(step, inputs.rows() - first);
    predictions.middleRows(first, rows) = tree.predict(inputs.middle_rows(first, rows));
  }
  return predictions;
}

template <class Scalar>
DataRecord data_record(const TreeRunOptions& options, const TreeData<Scalar>& data) {
  const Dataset<Scalar>& train = data.split.train.rest;
  DataRecord record;
  record.name = options.dataset.name;
  record.train_size = data.split.train.size();
  record.validation_size = data.split.validation.size();
  record.test_size = data.test.size();
  record.dimension = data.split.train.inputs.cols();
  record.outputs = train.outputs();
  record.task = train.task;
  record.class_names = train.class_names;
  record.class_codes = train.class_codes.template cast<double>();
  Split<Scalar> targets;
  targets.train = train;
  targets.validation = data.split.validation.rest;
  targets.test = data.test.rest;
  record.constant = constant_prediction(targets);
  record.target_scaling = train.target_scaling;
  record.image_shape = train.image_shape;
  record.feature_names = train.feature_names;
  record.column_groups = train.column_groups;
  record.notes = data.notes;
  if (record.train_size > kScoredTrainingRows)
    record.notes.push_back(fmt::format("scores on the training rows are those of {} drawn ones", kScoredTrainingRows));
  return record;
}

/// The system of the leaf that was solved least exactly; seconds are those of all.
SolveSummary solve_of(const std::vector<rfm::LeafRecord>& leaves, double seconds) {
  const auto worst = std::max_element(leaves.begin(), leaves.end(), [](const auto& a, const auto& b) {
    return a.solve.relative_residual < b.solve.relative_residual;
  });
  SolveSummary solve = worst->solve;
  solve.note = fmt::format("of {} leaves the one with the largest residual{}{}", leaves.size(),
                           solve.note.empty() ? "" : "; ", solve.note);
  solve.history.clear();
  solve.seconds = seconds;
  return solve;
}

template <class Scalar>
std::string description_of(const rfm::RfmTreeFit<Scalar>& fit) {
  const auto [least, most] = std::minmax_element(fit.leaves.begin(), fit.leaves.end(),
                                                 [](const auto& a, const auto& b) { return a.rows < b.rows; });
  const std::string kernel = fit.tree.leaves().front().machine().kernel().describe();
  if (fit.leaves.size() == 1) return fmt::format("one leaf of {} rows; {}", most->rows, kernel);
  return fmt::format("{} leaves of {} to {} rows, temperature {:.3g}; {}", fit.leaves.size(), least->rows, most->rows,
                     fit.tree.routing().options().temperature, kernel);
}

template <class Scalar>
KernelMachineRecord tree_record(const TreeData<Scalar>& data, const rfm::RfmTreeFit<Scalar>& fit,
                                const Matrix<Scalar>& test_predictions, const RunContext& run) {
  KernelMachineRecord record;
  record.label = kTreeLabel;
  record.description = description_of(fit);
  record.solve = solve_of(fit.leaves, fit.split_seconds + fit.leaf_seconds + fit.temperature_seconds);
  const StoredDataset<Scalar>& train = data.split.train;
  const Dataset<Scalar> scored = train.rows(run.stream.named("train_score").sample(train.size(), kScoredTrainingRows));
  record.metrics.train = evaluate(fit.tree, scored);
  const StoredDataset<Scalar>& validation = data.split.validation;
  if (!validation.empty())
    record.metrics.validation = evaluate(predictions_of(fit.tree, validation.inputs), validation.rest);
  if (!data.test.empty()) record.metrics.test = evaluate(test_predictions, data.test.rest);
  return record;
}

std::string leaves_csv(const std::vector<rfm::LeafRecord>& leaves) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "leaf,rows,validation_rows,held_out_rows,iteration,train_mse,relative_residual,seconds\n");
  for (const rfm::LeafRecord& leaf : leaves)
    fmt::format_to(out, "{},{},{},{},{},{:.9g},{:.3g},{:.3f}\n", leaf.leaf, leaf.rows, leaf.validation, leaf.held_out,
                   leaf.iteration, leaf.train.mse, leaf.solve.relative_residual, leaf.seconds);
  return fmt::to_string(text);
}

/// What the leaves look at on the whole; nothing where none has learned features.
template <class Scalar>
void add_features(const TreeRunOptions& options, const rfm::RfmTreeFit<Scalar>& fit, const RunDirectory& directory,
                  RunRecord& record) {
  const auto learned = [](const rfm::LeafRecord& leaf) { return leaf.iteration > 0; };
  if (std::none_of(fit.leaves.begin(), fit.leaves.end(), learned)) return;
  const Index top = options.top_eigenvectors;
  const MatrixSummary<Scalar> summary(fit.tree.mean_feature_matrix(), std::max(kSpectrumLength, top + 1));
  const FeatureId id = FeatureId::rfm(std::max<Index>(1, rfm::usual_iteration(fit.leaves)));
  const FeatureMatrix<Scalar>& m = summary.matrix();
  FeatureRecord features{id,
                         summary.diagonal(),
                         m.trace(),
                         summary.top().values.template cast<double>(),
                         summary.top().first(top).vectors.template cast<double>(),
                         {}};
  const Index d = m.dimension();
  features.corner = m.top_left_block(d <= kWholeMatrix ? d : kMatrixCorner).template cast<double>();
  record.features.push_back(std::move(features));
  if (options.save.feature_matrices != SavedMatrices::none)
    directory.write_feature_matrix(id.name(), m, summary.top().first(top), options.save.matrix_files);
}

}  // namespace

template <class Scalar>
RunRecord write_tree_results(const TreeRunOptions& options, const TreeData<Scalar>& data,
                             const rfm::RfmTreeFit<Scalar>& fit, const RunContext& run) {
  RunRecord record = begun_record(options.common, run);
  record.data = data_record(options, data);
  Matrix<Scalar> predictions;
  if (!data.test.empty()) predictions = predictions_of(fit.tree, data.test.inputs);
  record.kernel_machines = {tree_record(data, fit, predictions, run)};
  add_features(options, fit, run.directory, record);
  record.top_features = rank_features(record);
  record.warnings = poor_fits(record);
  run.directory.write_table("leaves.csv", leaves_csv(fit.leaves));
  if (options.save.predictions && predictions.size() > 0)
    run.directory.write_array(fmt::format("predictions/{}.test.npy", kTreeLabel),
                              data.test.rest.target_scaling.to_original(predictions));
  if (options.save.models)
    save_tree(kTreeLabel, fit.tree, data.split.train, data.transform, {options.dataset_yaml, options.common.seed},
              run.directory);
  return record;
}

template RunRecord write_tree_results(const TreeRunOptions&, const TreeData<float>&, const rfm::RfmTreeFit<float>&,
                                      const RunContext&);
template RunRecord write_tree_results(const TreeRunOptions&, const TreeData<double>&, const rfm::RfmTreeFit<double>&,
                                      const RunContext&);

}  // namespace ansatz::experiments
