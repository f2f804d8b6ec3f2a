#include "experiments/live_models.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/data/class_coding.h"
#include "core/features/predictor_in_double.h"

namespace ansatz::experiments {
namespace {

template <class Scalar>
Dataset<Scalar> with_columns(const Dataset<Scalar>& data, const std::vector<Index>& columns) {
  Dataset<Scalar> reduced;
  reduced.inputs = data.inputs(Eigen::all, columns);
  reduced.targets = data.targets;
  reduced.task = data.task;
  reduced.class_names = data.class_names;
  reduced.class_codes = data.class_codes;
  reduced.target_scaling = data.target_scaling;
  if (!data.feature_names.empty())
    for (const Index column : columns)
      reduced.feature_names.push_back(data.feature_names[static_cast<std::size_t>(column)]);
  return reduced;
}

template <class Scalar>
Split<Scalar> with_columns(const Split<Scalar>& split, const std::vector<Index>& columns, Normalization normalization) {
  Split<Scalar> reduced;
  reduced.train = with_columns(split.train, columns);
  if (!split.validation.empty()) reduced.validation = with_columns(split.validation, columns);
  if (!split.test.empty()) reduced.test = with_columns(split.test, columns);
  if (normalization == Normalization::unit_norm) normalize(reduced, normalization);
  return reduced;
}

/// Which test rows are given their class.
template <class Scalar>
std::vector<bool> right_rows(const Matrix<Scalar>& predictions, const Dataset<Scalar>& test) {
  const std::vector<Index> called = decode_classes(predictions, test.class_codes),
                           classes = decode_classes(test.targets, test.class_codes);
  std::vector<bool> right(called.size());
  for (std::size_t i = 0; i < called.size(); ++i) right[i] = called[i] == classes[i];
  return right;
}

/// Where a resumed run finds what a machine said of the test rows; written before the machine's own state.
std::string predictions_stage(const KernelMachineOptions& options) { return kernel_stage(options) + ".test"; }

template <class Scalar>
class LiveModels final : public Models {
 public:
  LiveModels(std::shared_ptr<const Split<Scalar>> split, std::optional<NetworkResult<Scalar>> network,
             std::optional<RfmResult<Scalar>> rfm)
      : split_(std::move(split)) {
    if (network) network_predictions_ = std::move(network->test_predictions), last_test_ = network->last_test;
    if (rfm) machine_predictions_ = std::move(rfm->test_predictions);
    if (network) network_.emplace(std::move(network->network));
    if (rfm) machine_.emplace(std::move(rfm->trace.machines[static_cast<std::size_t>(rfm->trace.reported)]));
    if (network_) network_in_double_.emplace(*network_);
    if (machine_) machine_in_double_.emplace(*machine_);
  }

  const Predictor<double>& network() const override { return network_in_double_.value(); }
  const Predictor<double>& rfm() const override { return machine_in_double_.value(); }
  Matrix<double> inputs(Rows set, const std::vector<Index>& rows) const override {
    return data(set).inputs(rows, Eigen::all).template cast<double>();
  }
  std::vector<Index> classes(Rows set) const override {
    return decode_classes(data(set).targets, data(set).class_codes);
  }
  std::vector<Index> source_rows(Rows set) const override { return data(set).source_rows; }
  std::optional<Metrics> last_network_test() const override { return last_test_; }
  std::vector<bool> network_right() const override { return right_rows(network_predictions_, split_->test); }
  std::vector<bool> rfm_right() const override { return right_rows(machine_predictions_, split_->test); }
  ColumnsFit fit_on_columns(const KernelMachineOptions& options, const std::vector<Index>& columns,
                            Normalization normalization, const RunContext& run) const override {
    const Split<Scalar> reduced = with_columns(*split_, columns, normalization);
    const std::string stage = predictions_stage(options);
    const auto keep = [&](const rfm::KernelMachine<Scalar>&, const Matrix<Scalar>& predictions) {
      StateWriter state = run.directory.write_state(stage);
      state.add<Scalar>("predictions", predictions);
      state.commit({{"rows", predictions.rows()}});
    };
    const auto identity = FeatureMatrix<Scalar>::identity(reduced.train.dimension());
    ColumnsFit fit{run_kernel_machine<Scalar>(options, identity, keep, reduced, run), {}};
    const Dataset<Scalar>& test = reduced.test;
    if (!test.empty())
      fit.right = right_rows<Scalar>(
          run.directory.load_state(stage).array<Scalar>("predictions", test.size(), test.targets.cols()), test);
    return fit;
  }

 private:
  const Dataset<Scalar>& data(Rows set) const { return set == Rows::train ? split_->train : split_->test; }

  std::shared_ptr<const Split<Scalar>> split_;
  std::optional<nets::Mlp<Scalar>> network_;
  std::optional<rfm::KernelMachine<Scalar>> machine_;
  std::optional<Metrics> last_test_;
  Matrix<Scalar> network_predictions_, machine_predictions_;                        // on the test rows
  std::optional<PredictorInDouble<Scalar>> network_in_double_, machine_in_double_;  // they borrow these
};

}  // namespace

template <class Scalar>
std::shared_ptr<const Models> live_models(std::shared_ptr<const Split<Scalar>> split,
                                          std::optional<NetworkResult<Scalar>> network,
                                          std::optional<RfmResult<Scalar>> rfm) {
  return std::make_shared<LiveModels<Scalar>>(std::move(split), std::move(network), std::move(rfm));
}

template std::shared_ptr<const Models> live_models(std::shared_ptr<const Split<float>>,
                                                   std::optional<NetworkResult<float>>,
                                                   std::optional<RfmResult<float>>);
template std::shared_ptr<const Models> live_models(std::shared_ptr<const Split<double>>,
                                                   std::optional<NetworkResult<double>>,
                                                   std::optional<RfmResult<double>>);

}  // namespace ansatz::experiments
