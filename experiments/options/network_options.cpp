// The section `network` of a config file.
#include <string>
#include <vector>

#include "experiments/options/options.h"
#include "experiments/options/table_words.h"
#include "experiments/options/unused_keys.h"

namespace ansatz::experiments {
namespace {

constexpr Index kDeepest = 1000;  // layers

// What float32 still tells from 0 and from 1: beyond, a network would silently be trained by other numbers.
constexpr double kSmallest = 1e-30, kNearlyOne = 0.999999;

nets::OptimizerOptions parse_optimizer(const Config& section) {
  nets::OptimizerOptions optimizer;
  optimizer.kind = section.get_choice("name", "sgd", words(nets::optimizer_table(), &nets::OptimizerInfo::kind));
  const nets::OptimizerInfo& info = nets::info_of(optimizer.kind);
  optimizer.learning_rate = section.get_at_least("learning_rate", info.learning_rate, kSmallest);
  optimizer.weight_decay = section.get_at_least("weight_decay", info.weight_decay, 0.0);
  for (const char* key :
       info.moments ? std::vector<const char*>{"momentum"} : std::vector<const char*>{"beta1", "beta2", "epsilon"})
    refuse_unused(section, key, "name", "optimizer " + info.name,
                  info.moments ? "optimizer sgd" : "optimizers adam and adamw");
  if (!info.moments) {
    optimizer.momentum = section.get_at_least("momentum", 0.0, 0.0, kNearlyOne);
  } else {
    optimizer.beta1 = section.get_at_least("beta1", 0.9, 0.0, kNearlyOne);
    optimizer.beta2 = section.get_at_least("beta2", 0.999, 0.0, kNearlyOne);
    optimizer.epsilon = section.get_at_least("epsilon", 1e-8, kSmallest);
  }
  return optimizer;
}

/// Keys that say something of one file with all layers.
constexpr const char* kOfOneFile[] = {"layer_names", "checkpoint_key", "batch_norm", "batch_norm_epsilon"};

nets::KnownLayers parse_known_layers(const Config& section, nets::Activation activation) {
  using Place = nets::BatchNormPlace;
  nets::KnownLayers known;
  known.names = section.get("layer_names", std::vector<std::string>());
  known.part = section.get("checkpoint_key", "");
  if (section.has("activation")) known.activation = activation;
  if (section.has("batch_norm"))
    known.batch_norm = section.get_choice<Place>(
        "batch_norm", "before_activation",
        {{"before_activation", Place::before_activation}, {"after_activation", Place::after_activation}});
  if (section.has("batch_norm_epsilon"))
    known.batch_norm_epsilon = section.get_at_least("batch_norm_epsilon", 1e-5, 0.0);
  return known;
}

NetworkOptions parse_imported(const Config& section, NetworkOptions network) {
  network.train = section.get("train", false);
  if (network.train)
    section.fail("train", "an imported network is compared, not trained: set train: false or drop weights/checkpoint");
  network.weights = section.get_paths("weights");
  if (const std::filesystem::path checkpoint = section.get_path("checkpoint"); !checkpoint.empty()) {
    if (!network.weights.empty()) section.fail("checkpoint", "give weights or checkpoint, not both");
    network.weights = {checkpoint};
  }
  network.initial_weights = section.get_paths("initial_weights");
  network.known = parse_known_layers(section, network.architecture.activation);
  network.layer_names_key = section.where("layer_names");
  const bool one_file = network.weights.size() == 1 && network.weights.front().extension() != ".npy";
  for (const char* key : kOfOneFile)
    if (section.has(key) && !one_file)
      section.fail(key, "is for one file that holds all layers: .npy files are listed in their order already");
  network.reference_outputs = section.get_path("reference_outputs");
  network.reference_inputs = section.get_path("reference_inputs");
  if (network.reference_outputs.empty() && !network.reference_inputs.empty())
    section.fail("reference_inputs", "needs reference_outputs, what the network gives at them");
  network.snapshots = 0;
  return network;
}

}  // namespace

bool is_imported(const Config& network) { return network.has("weights") || network.has("checkpoint"); }

NetworkOptions parse_network(const Config& section, nets::Device device, Index gradient_samples) {
  NetworkOptions network;
  network.gradient_samples = section.get_or_word("gradient_samples", gradient_samples, "all", 0, 1);
  network.architecture.activation =
      section.get_choice("activation", "relu", words(nets::activation_table(), &nets::ActivationInfo::activation));
  network.training.loss =
      section.get_choice<Loss>("loss", "mse", {{"mse", Loss::mse}, {"cross_entropy", Loss::cross_entropy}});
  if (is_imported(section)) return parse_imported(section, network);
  if (!section.get("train", true))
    section.fail("train", "false needs weights or checkpoint: there is no network to compare");
  for (const char* key : kOfOneFile)
    if (section.has(key)) section.fail(key, "says something of a checkpoint, and none is given");
  nets::MlpOptions& mlp = network.architecture;
  mlp.hidden_layers = section.get_list("hidden_layers", std::vector<Index>{1024, 1024}, 1);
  if (static_cast<Index>(mlp.hidden_layers.size()) > kDeepest)
    section.fail("hidden_layers", "must name at most " + std::to_string(kDeepest) + " layers");
  mlp.bias = section.get("bias", false);
  mlp.initialization =
      section.get_choice<nets::Initialization>("initialization", "pytorch_default",
                                               {{"pytorch_default", nets::Initialization::pytorch_default},
                                                {"ntk", nets::Initialization::ntk},
                                                {"mup", nets::Initialization::mup}});
  if (section.has("first_layer_std"))
    mlp.first_layer_std = section.get_at_least("first_layer_std", 1.0, 1e-15, 1e15);  // its square too
  mlp.output_scale = section.get_at_least("output_scale", 1.0, 1e-15, 1e15);
  nets::TrainOptions& training = network.training;
  training.optimizer = parse_optimizer(section.section("optimizer"));
  if (mlp.initialization == nets::Initialization::mup && nets::info_of(training.optimizer.kind).moments)
    section.fail("initialization",
                 "mup scales the steps of optimizer sgd; for adam and adamw take pytorch_default or ntk");
  training.batch_size = section.get_or_word("batch_size", 128, "full", 0, 1);
  training.epochs = section.get_at_least("epochs", Index{100}, Index{1});
  training.evaluate_every = section.get_at_least("evaluate_every", Index{1}, Index{1});
  training.stop_at_train_loss = section.get_at_least("stop_at_train_loss", 0.0, 0.0, 1e30);
  training.keep_best = section.get_choice("report_epoch", "best", {"best", "last"}) == "best";
  using FirstLayer = nets::TrainOptions::FirstLayer;
  training.first_layer = section.get_choice<FirstLayer>(
      "first_layer", "auto",
      {{"auto", FirstLayer::automatic}, {"direct", FirstLayer::direct}, {"in_span", FirstLayer::in_span}});
  if (training.first_layer == FirstLayer::in_span && !nets::stays_in_span(training.optimizer))
    section.fail("first_layer", nets::kInSpanNeeds);
  training.device = device;
  network.snapshots = section.get_at_least("snapshots", Index{40}, Index{0}, Index{100'000});
  network.snapshot_eigenvectors = section.get("snapshot_eigenvectors", false);
  return network;
}

}  // namespace ansatz::experiments
