// Fully connected networks.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/machine/interrupt.h"
#include "experiments/benchmark/methods/learners/learner_method.h"
#include "experiments/options/table_words.h"
#include "nets/training/trainer.h"
#include "nets/training/training_cost.h"

namespace ansatz::experiments {
namespace {

/// The defaults are those of Grinsztajn et al. 2022, but for the embedding of categories, which are one-hot here, and
/// the schedule of rates, which there is none of.
struct NetworkCellOptions {
  nets::MlpOptions architecture;
  nets::TrainOptions training;
  Index patience = 40;  ///< epochs without a better score on the selection rows after which training ends; 0: never
  std::optional<Loss> loss;  ///< none: cross entropy of classes, mse of numbers
};

NetworkCellOptions parse_network_cell(const Config& section) {
  NetworkCellOptions options;
  const Index layers = section.get_at_least("layers", Index{4}, Index{0}, Index{100});
  const Index width = section.get_at_least("width", Index{256}, Index{1}, Index{100'000});
  options.architecture.hidden_layers.assign(static_cast<std::size_t>(layers), width);
  options.architecture.activation =
      section.get_choice("activation", "relu", words(nets::activation_table(), &nets::ActivationInfo::activation));
  options.architecture.bias = section.get("bias", true);
  nets::OptimizerOptions& optimizer = options.training.optimizer;
  optimizer.kind = section.get_choice("optimizer", "adamw", words(nets::optimizer_table(), &nets::OptimizerInfo::kind));
  const nets::OptimizerInfo& info = nets::info_of(optimizer.kind);
  optimizer.learning_rate = section.get_at_least("learning_rate", info.learning_rate, 1e-12, 1e6);
  optimizer.weight_decay = section.get_at_least("weight_decay", info.weight_decay, 0.0);
  if (!info.moments) optimizer.momentum = section.get_at_least("momentum", 0.0, 0.0, 0.999999);
  options.training.batch_size = section.get_or_word("batch_size", 512, "full", 0, 1);
  options.training.epochs = section.get_at_least("epochs", Index{300}, Index{1}, Index{1'000'000});
  options.patience = section.get_at_least("patience", options.patience, Index{0});
  const std::string loss = section.get_choice("loss", "auto", {"auto", "mse", "cross_entropy"});
  if (loss != "auto") options.loss = loss == "mse" ? Loss::mse : Loss::cross_entropy;
  return options;
}

template <class Scalar>
Dataset<Scalar> in_precision(const Dataset<double>& data) {
  Dataset<Scalar> cast;
  cast.inputs = data.inputs.cast<Scalar>();
  cast.targets = data.targets.cast<Scalar>();
  cast.task = data.task;
  return cast;
}

/// Probabilities of classes, from logits.
Matrix<double> softmax(const Matrix<double>& logits) {
  Matrix<double> shares = (logits.colwise() - logits.rowwise().maxCoeff()).array().exp();
  shares.array().colwise() /= shares.rowwise().sum().array().eval();
  return shares;
}

template <class Scalar>
class Network final : public Learner {
 public:
  explicit Network(NetworkCellOptions options) : options_(std::move(options)) {}

  LearnerFit select(const Dataset<double>& fit, const Dataset<double>& selection,
                    const RandomStream& stream) const override {
    nets::TrainOptions training = training_of(fit.task);
    const Dataset<Scalar> watched = in_precision<Scalar>(selection);
    const nets::TrainState<Scalar> state = train(training, fit, watched, stream);
    // A network that no epoch improves stays at its start; in the folds it then takes one epoch.
    return {predictions(state.best(), watched.inputs, training.loss), std::max(state.best_epoch(), Index{1})};
  }

  Matrix<double> fit_predict(const Dataset<double>& train_set, const Matrix<double>& inputs, Index steps,
                             const RandomStream& stream) const override {
    nets::TrainOptions training = training_of(train_set.task);
    if (steps > 0) training.epochs = steps;
    training.evaluate_every = training.epochs;
    const nets::TrainState<Scalar> state = train(training, train_set, Dataset<Scalar>(), stream);
    return predictions(state.current(), inputs.cast<Scalar>(), training.loss);
  }

  Cost fit_cost(const FitSize& size) const override {
    Cost cost = nets::training_cost(options_.architecture, options_.training,
                                    {size.rows, 0, size.features, std::max(size.outputs, Index{1})}, 0, sizeof(Scalar));
    cost.algorithm = "network, " + cost.algorithm;
    return cost;
  }

 private:
  nets::TrainOptions training_of(Task task) const {
    nets::TrainOptions training = options_.training;
    const Loss automatic = task == Task::classification ? Loss::cross_entropy : Loss::mse;
    training.loss = options_.loss && task == Task::classification ? *options_.loss : automatic;
    return training;
  }

  nets::TrainState<Scalar> train(const nets::TrainOptions& training, const Dataset<double>& train_set,
                                 const Dataset<Scalar>& watched, const RandomStream& stream) const {
    const Dataset<Scalar> rows = in_precision<Scalar>(train_set);
    const nets::Mlp<Scalar> initial(rows.dimension(), rows.outputs(), options_.architecture,
                                    stream.named("network/initial"));
    const auto go_on = [&](const EpochRecord& epoch, const nets::TrainState<Scalar>& state) {
      throw_if_interrupted();
      return watched.empty() || options_.patience == 0 || epoch.epoch - state.best_epoch() < options_.patience;
    };
    try {
      return nets::train<Scalar>(nets::TrainState<Scalar>(initial), rows, watched, training,
                                 stream.named("network/batches"), go_on);
    } catch (Error& error) {
      error.rename_options([](std::string_view option) { return std::string(option.substr(option.rfind('.') + 1)); });
      throw;
    }
  }

  static Matrix<double> predictions(const nets::Mlp<Scalar>& network, const Matrix<Scalar>& inputs, Loss loss) {
    const Matrix<double> outputs = network.predict(inputs).template cast<double>();
    return loss == Loss::cross_entropy ? softmax(outputs) : outputs;
  }

  NetworkCellOptions options_;
};

}  // namespace

std::unique_ptr<Method> make_mlp_method(const MethodSection& section) {
  return make_learner_method(section, "standardize", [&](const Config& cell) -> std::unique_ptr<Learner> {
    if (section.precision == Precision::float64) return std::make_unique<Network<double>>(parse_network_cell(cell));
    return std::make_unique<Network<float>>(parse_network_cell(cell));
  });
}

}  // namespace ansatz::experiments
