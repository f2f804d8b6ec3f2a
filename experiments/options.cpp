#include "experiments/options.h"

#include <algorithm>
#include <set>

#include "core/error.h"

namespace ansatz::experiments {
namespace {

template <class Enum>
Enum choice(const Config& section, const char* key, const char* fallback,
            const std::vector<std::pair<std::string, Enum>>& table) {
  std::vector<std::string> words;
  for (const auto& row : table) words.push_back(row.first);
  const std::string word = section.get_choice(key, fallback, words);
  return std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == word; })->second;
}

constexpr Index kLargest = Index{1} << 40;

rfm::KernelSpec parse_kernel(const Config& section) {
  using rfm::KernelFamily;
  rfm::KernelSpec kernel;
  kernel.family = choice<KernelFamily>(section, "kernel", "laplace",
                                       {{"laplace", KernelFamily::laplace},
                                        {"gaussian", KernelFamily::gaussian},
                                        {"generalized_laplace", KernelFamily::generalized_laplace},
                                        {"lpq_laplace", KernelFamily::lpq_laplace},
                                        {"product_laplace", KernelFamily::product_laplace},
                                        {"nngp", KernelFamily::nngp},
                                        {"ntk", KernelFamily::ntk}});
  const bool arc_cosine = kernel.family == KernelFamily::nngp || kernel.family == KernelFamily::ntk;
  for (const char* key : {"bandwidth", "bandwidth_mode", "exponent", "norm"}) {
    if (arc_cosine && section.has(key)) section.fail(key, "is not used by kernel: nngp and ntk");
  }
  if (!arc_cosine && section.has("depth")) section.fail("depth", "is used by kernel: nngp and ntk only");
  if (arc_cosine) {
    kernel.depth = section.get_at_least("depth", Index{1}, Index{1});
    return kernel;
  }
  kernel.bandwidth = section.get_positive("bandwidth", 10);
  kernel.bandwidth_mode = choice<rfm::BandwidthMode>(
      section, "bandwidth_mode", "constant",
      {{"constant", rfm::BandwidthMode::constant}, {"adaptive", rfm::BandwidthMode::adaptive}});
  kernel.exponent = section.get_positive("exponent", 1);
  if (kernel.exponent > 2) section.fail("exponent", "must be at most 2 for a positive definite kernel");
  const bool lpq = kernel.family == KernelFamily::lpq_laplace;
  if (kernel.family != KernelFamily::generalized_laplace && !lpq && kernel.exponent != 1) {
    section.fail("exponent", "is used by kernel: generalized_laplace and lpq_laplace only");
  }
  if (!lpq && section.has("norm")) section.fail("norm", "is used by kernel: lpq_laplace only");
  if (!lpq) return kernel;
  kernel.norm = section.get_at_least("norm", 2.0, 1.0);
  if (kernel.norm > 2) section.fail("norm", "must be at most 2 for a positive definite kernel");
  if (kernel.exponent > kernel.norm) section.fail("exponent", "must be at most norm for a positive definite kernel");
  return kernel;
}

rfm::SolverOptions parse_solver(const Config& section) {
  rfm::SolverOptions solver;
  solver.kind = choice<rfm::SolverKind>(section, "solver", "auto",
                                        {{"auto", rfm::SolverKind::automatic},
                                         {"cholesky", rfm::SolverKind::cholesky},
                                         {"pcg", rfm::SolverKind::pcg},
                                         {"eigenpro", rfm::SolverKind::eigenpro}});
  solver.ridge = section.get_at_least("ridge", 1e-3, 0.0);
  solver.tolerance = section.get_at_least("solver_tolerance", 1e-5, 1e-15);
  if (solver.tolerance >= 1) section.fail("solver_tolerance", "must be below 1, the residual of no solution at all");
  solver.max_iterations = section.get_at_least("solver_iterations", Index{500}, Index{1});
  solver.max_epochs = section.get_at_least("solver_epochs", Index{30}, Index{1});
  solver.preconditioner_rank = section.get_or_word("preconditioner_rank", 0, "auto", 0, 1);
  return solver;
}

nets::OptimizerOptions parse_optimizer(const Config& section) {
  using Kind = nets::OptimizerOptions::Kind;
  nets::OptimizerOptions optimizer;
  optimizer.kind = choice<Kind>(section, "name", "sgd", {{"sgd", Kind::sgd}, {"adam", Kind::adam}});
  optimizer.learning_rate = section.get_positive("learning_rate", optimizer.kind == Kind::sgd ? 0.1 : 1e-3);
  optimizer.weight_decay = section.get_at_least("weight_decay", 0.0, 0.0);
  if (optimizer.kind == Kind::sgd) {
    optimizer.momentum = section.get_fraction("momentum", 0);
  } else {
    optimizer.beta1 = section.get_fraction("beta1", 0.9);
    optimizer.beta2 = section.get_fraction("beta2", 0.999);
    optimizer.epsilon = section.get_positive("epsilon", 1e-8);
  }
  return optimizer;
}

LowRankOptions parse_low_rank(const Config& section) {
  LowRankOptions low_rank;
  low_rank.target = section.get_choice("target", "x1x2", {"x1x2", "he2_he4", "piecewise", "custom"});
  low_rank.dimension = section.get_at_least("dimension", Index{30}, Index{1});
  low_rank.input_distribution = section.get_choice("input_distribution", "gaussian", {"gaussian", "rademacher"});
  low_rank.input_variance = section.get_positive("input_variance", 1);
  low_rank.input_noise_variance = section.get_at_least("input_noise_variance", 0.0, 0.0);
  low_rank.label_noise_variance = section.get_at_least("label_noise_variance", 0.0, 0.0);
  if (low_rank.target != "custom") return low_rank;
  for (const Config& term : section.list("terms")) {
    const std::vector<Index> variables = term.get("variables", std::vector<Index>{});
    const std::vector<Index> powers = term.get("powers", std::vector<Index>(variables.size(), 1));
    if (variables.size() != powers.size()) term.fail("powers", "must be as many as variables");
    PolynomialTerm monomial{term.get("coefficient", 1.0), {}};
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (variables[i] < 1 || variables[i] > low_rank.dimension) {
        term.fail("variables",
                  "must lie in 1.." + std::to_string(low_rank.dimension) + " (x1 is the first coordinate)");
      }
      if (powers[i] < 1) term.fail("powers", "must be at least 1");
      monomial.powers[variables[i] - 1] += powers[i];
    }
    low_rank.terms.push_back(monomial);
  }
  if (low_rank.terms.empty())
    section.fail("terms", "target: custom needs a list such as [{coefficient: 1, variables: [1, 2]}]");
  return low_rank;
}

void parse_arrays(const Config& section, DatasetOptions& dataset) {
  dataset.train_inputs = section.get_path("train_inputs");
  dataset.train_targets = section.get_path("train_targets");
  dataset.validation_inputs = section.get_path("validation_inputs");
  dataset.validation_targets = section.get_path("validation_targets");
  dataset.test_inputs = section.get_path("test_inputs");
  dataset.test_targets = section.get_path("test_targets");
  for (const auto& [key, path] :
       {std::pair("train_inputs", dataset.train_inputs), std::pair("train_targets", dataset.train_targets),
        std::pair("test_inputs", dataset.test_inputs), std::pair("test_targets", dataset.test_targets)}) {
    if (path.empty()) section.fail(key, "is needed by dataset arrays: the path of a .npy file");
  }
  if (dataset.validation_inputs.empty() != dataset.validation_targets.empty()) {
    section.fail("validation_inputs", "validation_inputs and validation_targets go together");
  }
  const std::vector<Index> shape = section.get("image_shape", std::vector<Index>{});
  if (shape.empty()) return;
  if (shape.size() != 3 || *std::min_element(shape.begin(), shape.end()) < 1) {
    section.fail("image_shape", "must be [channels, height, width]");
  }
  dataset.image_shape = ImageShape{shape[0], shape[1], shape[2]};
}

void parse_csv(const Config& section, DatasetOptions& dataset) {
  dataset.target_column = section.require("target");
  dataset.categorical = section.get("categorical", std::vector<std::string>{});
  dataset.ignore_columns = section.get("ignore_columns", std::vector<std::string>{});
  dataset.delimiter = section.get("delimiter", ",");
  dataset.missing = choice<MissingValues>(
      section, "missing", "error",
      {{"error", MissingValues::error}, {"drop", MissingValues::drop}, {"mean", MissingValues::mean}});
  dataset.test_path = section.get_path("test_path");
}

void parse_sizes(const Config& section, DatasetOptions& dataset) {
  const bool synthetic = dataset.name == "low_rank";
  dataset.train_size = section.get_or_word("train_size", synthetic ? 1000 : 0, "all", 0, synthetic ? 2 : 0);
  dataset.test_size = section.get_or_word("test_size", synthetic ? 10000 : 0, "all", 0, synthetic ? 1 : 0);
  dataset.validation_size = section.get_at_least("validation_size", Index{0}, Index{0});
  if (synthetic) return;
  if (section.has("train_limit")) {
    if (dataset.train_size > 0) section.fail("train_limit", "is for a set of unknown size; leave out train_size");
    dataset.train_limit = section.get_at_least("train_limit", Index{0}, Index{2});
  }
  dataset.validation_fraction = section.get_fraction("validation_fraction", 0.2);
  if (dataset.name == "csv" || dataset.name == "image_folder" || dataset.name == "celeba")
    dataset.test_fraction = section.get_fraction("test_fraction", 0.2);
}

void parse_classes(const Config& section, DatasetOptions& dataset) {
  dataset.classes = section.get("classes", std::vector<std::string>{});
  dataset.balanced = section.get("balanced", false);
  dataset.class_coding = choice<ClassCoding>(
      section, "class_coding", "one_hot", {{"one_hot", ClassCoding::one_hot}, {"prevalence", ClassCoding::prevalence}});
  const bool starred = dataset.name == "starred_planes_trucks";
  if (starred && dataset.classes.empty() && dataset.train_size == 0 && !dataset.balanced)
    dataset.class_sizes = {500, 53};  // airplanes, trucks: appendix D
  dataset.class_sizes = section.get("class_sizes", dataset.class_sizes);
  if (dataset.class_sizes.empty()) return;
  if (*std::min_element(dataset.class_sizes.begin(), dataset.class_sizes.end()) < 1)
    section.fail("class_sizes", "must be the number of training rows of each class, each at least 1");
  if (dataset.train_size > 0 || dataset.train_limit > 0 || dataset.balanced)
    section.fail("class_sizes", "says which training rows are drawn; leave out train_size, train_limit and balanced");
}

/// Image sets; those of image files need a size, the others have one.
void parse_images(const Config& section, DatasetOptions& dataset) {
  const bool files = dataset.name == "image_folder" || dataset.name == "celeba";
  const Index side = dataset.name == "celeba" ? 96 : files ? 32 : 0;
  for (const auto& [key, size] :
       {std::pair("image_height", &dataset.image_height), std::pair("image_width", &dataset.image_width)}) {
    if (files || section.has(key)) *size = section.get_at_least(key, side, Index{1});
  }
  if (files) {
    dataset.crop =
        choice<ImageCrop>(section, "crop", "whole", {{"whole", ImageCrop::whole}, {"center", ImageCrop::center}});
  }
  if (dataset.name == "celeba" && dataset.attribute.empty()) dataset.attribute = section.require("attribute");
  if (dataset.name == "starred_planes_trucks") {
    dataset.marker =
        choice<StarMarker>(section, "marker", "star", {{"star", StarMarker::star}, {"square", StarMarker::square}});
    dataset.source = section.get_choice("source", "cifar10", {"cifar10", "stl10"});
  }
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
  network.snapshots = 0;
  return network;
}

nets::Activation parse_activation(const Config& section) {
  return choice<nets::Activation>(section, "activation", "relu",
                                  {{"relu", nets::Activation::relu},
                                   {"tanh", nets::Activation::tanh},
                                   {"quadratic", nets::Activation::quadratic},
                                   {"linear", nets::Activation::linear}});
}

}  // namespace

CommonOptions parse_common(const Config& root, const std::string& default_name) {
  CommonOptions common;
  common.experiment = root.get("experiment", "feature_comparison");
  common.name = root.get("name", default_name);
  if (common.name.find('/') != std::string::npos || common.name.empty() || common.name == "." || common.name == "..")
    root.fail("name", "must be a plain folder name");
  common.seed = static_cast<std::uint64_t>(root.get_at_least("seed", Index{0}, Index{0}));
  common.repeats = root.get_at_least("repeats", Index{1}, Index{1});
  common.precision = choice<Precision>(root, "precision", "float32",
                                       {{"float32", Precision::float32}, {"float64", Precision::float64}});
  common.device =
      choice<nets::Device>(root, "device", "cpu", {{"cpu", nets::Device::cpu}, {"cuda", nets::Device::cuda}});
  if (common.device == nets::Device::cuda && !nets::cuda_available()) {
    root.fail("device", "this LibTorch (" + nets::torch_description() + ") sees no CUDA device; use device: cpu");
  }
  common.threads = static_cast<int>(root.get_at_least("threads", Index{0}, Index{0}));
  common.report = root.get("report", true);
  return common;
}

DatasetOptions parse_dataset(const Config& section, const std::string& attribute) {
  DatasetOptions dataset;
  dataset.attribute = attribute;
  std::vector<std::string> names;
  for (const DatasetInfo& info : dataset_table()) names.push_back(info.name);
  if (!section.has("name")) section.fail("name", "is needed: one of those that `ansatz list datasets` prints");
  dataset.name = section.get_choice("name", "", names);
  parse_sizes(section, dataset);
  dataset.normalize = choice<Normalization>(section, "normalize", "none",
                                            {{"none", Normalization::none},
                                             {"unit_norm", Normalization::unit_norm},
                                             {"standardize", Normalization::standardize},
                                             {"min_max", Normalization::min_max}});
  if (dataset.name == "low_rank") {
    dataset.low_rank = parse_low_rank(section);
    return dataset;
  }
  dataset.task = Task::classification;
  if (dataset.name == "arrays" || dataset.name == "csv") {
    dataset.task = choice<Task>(section, "task", "regression",
                                {{"regression", Task::regression}, {"classification", Task::classification}});
  }
  if (dataset.task == Task::classification) parse_classes(section, dataset);
  if (dataset.name == "arrays") {
    parse_arrays(section, dataset);
    return dataset;
  }
  dataset.path = section.get_path("path");
  if (dataset.name == "csv") {
    parse_csv(section, dataset);
  } else {
    parse_images(section, dataset);
  }
  return dataset;
}

NetworkOptions parse_network(const Config& section, nets::Device device, Index gradient_samples) {
  NetworkOptions network;
  network.gradient_samples = section.get_or_word("gradient_samples", gradient_samples, "all", 0, 1);
  network.architecture.activation = parse_activation(section);
  if (section.has("weights") || section.has("checkpoint")) return parse_imported(section, network);
  if (!section.get("train", true))
    section.fail("train", "false needs weights or checkpoint: there is no network to compare");
  nets::MlpOptions& mlp = network.architecture;
  mlp.hidden_layers = section.get("hidden_layers", std::vector<Index>{1024, 1024});
  for (const Index width : mlp.hidden_layers) {
    if (width < 1) section.fail("hidden_layers", "widths must be at least 1");
  }
  mlp.bias = section.get("bias", false);
  mlp.initialization = choice<nets::Initialization>(
      section, "initialization", "pytorch_default",
      {{"pytorch_default", nets::Initialization::pytorch_default}, {"ntk", nets::Initialization::ntk}});
  if (section.has("first_layer_std")) mlp.first_layer_std = section.get_positive("first_layer_std", 1);
  nets::TrainOptions& training = network.training;
  training.optimizer = parse_optimizer(section.section("optimizer"));
  training.batch_size = section.get_or_word("batch_size", 128, "full", 0, 1);
  training.epochs = section.get_at_least("epochs", Index{100}, Index{1});
  training.evaluate_every = section.get_at_least("evaluate_every", Index{1}, Index{1});
  training.keep_best = section.get_choice("report_epoch", "best", {"best", "last"}) == "best";
  training.device = device;
  network.snapshots = section.get_at_least("snapshots", Index{40}, Index{0});
  return network;
}

rfm::RfmOptions parse_rfm(const Config& section) {
  rfm::RfmOptions rfm;
  rfm.kernel = parse_kernel(section);
  rfm.solver = parse_solver(section);
  rfm.iterations = section.get_at_least("iterations", Index{5}, Index{0});
  const std::string shape = section.get_choice("feature_matrix", "full", {"full", "diagonal", "blocks"});
  rfm.gradients.diagonal = shape == "diagonal";
  rfm.blocks = shape == "blocks";
  rfm.feature_matrix_power = section.get_positive("feature_matrix_power", 1);
  if (rfm.feature_matrix_power > 2) section.fail("feature_matrix_power", "must be at most 2");
  rfm.gradients.center = section.get("center_gradients", false);
  rfm.gradients.samples = section.get_or_word("gradient_samples", 20000, "all", 0, 1);
  rfm.gradients.form = choice<rfm::GradientForm>(section, "gradient_form", "auto",
                                                 {{"auto", rfm::GradientForm::automatic},
                                                  {"direct", rfm::GradientForm::direct},
                                                  {"gram", rfm::GradientForm::gram},
                                                  {"sample_space", rfm::GradientForm::sample_space}});
  const bool direct =
      rfm.gradients.form == rfm::GradientForm::automatic || rfm.gradients.form == rfm::GradientForm::direct;
  if (rfm::Kernel::make(rfm.kernel).lp() && !direct)
    section.fail("gradient_form", "must be direct or auto: kernels of a p-norm have no other form");
  rfm.normalize_feature_matrix = choice<rfm::MetricNormalization>(section, "normalize_feature_matrix", "none",
                                                                  {{"none", rfm::MetricNormalization::none},
                                                                   {"max", rfm::MetricNormalization::max},
                                                                   {"trace", rfm::MetricNormalization::trace}});
  rfm.report_iteration =
      choice<rfm::ReportIteration>(section, "report_iteration", "best",
                                   {{"best", rfm::ReportIteration::best}, {"last", rfm::ReportIteration::last}});
  return rfm;
}

std::vector<KernelMachineOptions> parse_kernel_machines(const Config& root) {
  std::vector<KernelMachineOptions> machines;
  std::set<std::string> taken = {"network", "rfm"};
  for (const Config& section : root.list("kernel_machines")) {
    KernelMachineOptions machine;
    machine.kernel = parse_kernel(section);
    machine.solver = parse_solver(section);
    machine.label = section.get("label", section.get("kernel", "laplace"));
    if (machine.label.empty() || machine.label.find('/') != std::string::npos)
      section.fail("label", "must be usable as a file name");
    if (!taken.insert(machine.label).second)
      section.fail("label", "\"" + machine.label + "\" is taken; give each machine its own");
    machines.push_back(machine);
  }
  return machines;
}

SaveOptions parse_save(const Config& section) {
  SaveOptions save;
  save.feature_matrices = choice<SavedMatrices>(
      section, "feature_matrices", "reported",
      {{"none", SavedMatrices::none}, {"reported", SavedMatrices::reported}, {"all", SavedMatrices::all}});
  save.predictions = section.get("predictions", true);
  save.weights = choice<SavedWeights>(
      section, "weights", "safetensors",
      {{"none", SavedWeights::none}, {"safetensors", SavedWeights::safetensors}, {"npy", SavedWeights::npy}});
  save.images = section.get("images", true);
  return save;
}

FeatureComparisonOptions parse_feature_comparison(const Config& root, const CommonOptions& common) {
  FeatureComparisonOptions options;
  options.common = common;
  options.dataset = parse_dataset(root.section("dataset"));
  if (root.has("rfm")) options.rfm = parse_rfm(root.section("rfm"));
  if (options.rfm && options.rfm->blocks && options.dataset.name != "csv")
    root.section("rfm").fail("feature_matrix", "blocks needs categorical columns, which only a csv data set has");
  const Index gradient_samples = options.rfm ? options.rfm->gradients.samples : 20000;
  if (root.has("network")) options.network = parse_network(root.section("network"), common.device, gradient_samples);
  options.kernel_machines = parse_kernel_machines(root);
  options.comparison.top_eigenvectors = root.section("comparison").get_at_least("top_eigenvectors", Index{3}, Index{1});
  options.save = parse_save(root.section("save"));
  if (!options.network && !options.rfm && options.kernel_machines.empty()) {
    root.fail("", "nothing to do: give at least one of network, rfm and kernel_machines");
  }
  return options;
}

}  // namespace ansatz::experiments
