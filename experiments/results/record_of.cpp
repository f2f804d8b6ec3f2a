// A comparison's results as its record.
#include <algorithm>

#include "core/record/feature_ranking.h"
#include "experiments/results/constant_baseline.h"
#include "experiments/results/conventions.h"
#include "experiments/results/results.h"

namespace ansatz::experiments {
namespace {

template <class Scalar>
DataRecord data_record(const FeatureComparisonOptions& options, const Split<Scalar>& split) {
  DataRecord data;
  data.name = options.dataset.name;
  data.train_size = split.train.size();
  data.validation_size = split.validation.size();
  data.test_size = split.test.size();
  data.dimension = split.train.dimension();
  data.outputs = split.train.outputs();
  data.task = split.train.task;
  data.class_names = split.train.class_names;
  data.class_codes = split.train.class_codes.template cast<double>();
  data.constant = constant_prediction(split);
  data.target_scaling = split.train.target_scaling;
  data.image_shape = split.train.image_shape;
  data.feature_names = split.train.feature_names;
  data.column_groups = split.train.column_groups;
  data.notes = split.notes;
  if (split.truth) data.truth = DataRecord::Truth{split.truth->description, split.truth->target_variance};
  return data;
}

template <class Scalar>
NetworkRecord network_record(const NetworkResult<Scalar>& network) {
  NetworkRecord record;
  record.description = describe_network(network.network);
  record.reading = network.reading;
  record.reported_epoch = network.reported_epoch;
  record.metrics = {network.train, network.validation, network.test};
  record.epochs = network.history;
  record.observations = network.observations;
  record.train_seconds = network.train_seconds;
  record.agop_seconds = network.agop_seconds;
  record.snapshot_epochs = network.snapshot_epochs;
  record.snapshot_diagonals = network.snapshot_diagonals.template cast<double>();
  record.learned_diagonal = network.learned_diagonal();
  return record;
}

template <class Scalar>
RfmRecord rfm_record(const RfmResult<Scalar>& rfm) {
  return {rfm.trace.machine().kernel().describe(), rfm.trace.iterations, rfm.trace.reported, rfm.feature_iteration()};
}

/// Whether tables and pictures show the matrix itself.
bool is_shown(const FeatureId& id, const std::optional<RfmRecord>& rfm) {
  switch (id.kind) {
    case FeatureId::Kind::nfm:
    case FeatureId::Kind::initial_nfm:
    case FeatureId::Kind::truth:
      return true;
    case FeatureId::Kind::rfm:
      return id == rfm->feature_id();
    case FeatureId::Kind::agop:
    case FeatureId::Kind::centered_agop:
      break;
  }
  return false;
}

template <class Scalar>
FeatureRecord feature_record(const IdentifiedFeatures<Scalar>& features, Index top, bool with_corner) {
  FeatureRecord record;
  record.id = features.id;
  record.diagonal = features.summary.diagonal();
  record.trace = static_cast<double>(features.matrix().trace());
  record.eigenvalues = features.summary.top().values.template cast<double>();
  record.eigenvectors = features.summary.top().first(top).vectors.template cast<double>();
  const Index d = features.matrix().dimension();
  if (with_corner)
    record.corner = features.matrix().top_left_block(d <= kWholeMatrix ? d : kMatrixCorner).template cast<double>();
  return record;
}

}  // namespace

template <class Scalar>
RunRecord record_of(const FeatureComparisonOptions& options, const Results<Scalar>& results) {
  RunRecord record;
  record.experiment = options.common.experiment;
  record.name = options.common.name;
  record.seed = options.common.seed;
  record.conventions = conventions();
  record.data = data_record(options, *results.split);
  if (results.network) record.network = network_record(*results.network);
  if (results.rfm) record.rfm = rfm_record(*results.rfm);
  record.kernel_machines = results.kernels;
  for (const IdentifiedFeatures<Scalar>& features : results.comparison.features)
    record.features.push_back(
        feature_record(features, options.comparison.top_eigenvectors, is_shown(features.id, record.rfm)));
  if (results.split->truth)
    for (const IdentifiedFeatures<Scalar>& features : results.comparison.features)
      record.subspace_shares.emplace_back(features.id,
                                          share_in_subspace(features.matrix(), results.split->truth->subspace));
  record.pairs = results.comparison.pairs;
  record.has_headline = results.comparison.has_headline;
  record.top_features = rank_features(record);
  record.variants = results.comparison.variants;
  record.variants_by_layer = results.comparison.by_layer;
  record.evolution = results.comparison.evolution;
  record.tuning = results.tuning;
  record.comparison_seconds = results.comparison_seconds;
  return record;
}

template RunRecord record_of(const FeatureComparisonOptions&, const Results<float>&);
template RunRecord record_of(const FeatureComparisonOptions&, const Results<double>&);

}  // namespace ansatz::experiments
