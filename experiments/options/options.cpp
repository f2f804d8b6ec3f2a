#include "experiments/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <variant>

#include "core/base/error.h"
#include "core/base/printable_text.h"
#include "experiments/options/table_words.h"
#include "experiments/options/unused_keys.h"
#include "rfm/gradients/gradient_form.h"

namespace ansatz::experiments {
namespace {

constexpr Index kMostThreads = 1024;

/// Keys that other families have and this one has not: they would change nothing.
void refuse_foreign_keys(const Config& section, const rfm::KernelInfo& kernel) {
  for (const rfm::KernelInfo& other : rfm::kernel_table()) {
    for (const rfm::KernelParameter& parameter : other.parameters) {
      // A key of its own is not asked for: the resolved config would leave it out.
      if (kernel.find(parameter.key) != nullptr || !section.has(parameter.key)) continue;
      // config.yaml of earlier versions says it of every kernel of a distance.
      const bool said_of_all = parameter.key == std::string("exponent") && kernel.find("bandwidth") != nullptr;
      if (said_of_all && section.get("exponent", 1.0) == 1) continue;
      std::string users;
      for (const rfm::KernelInfo& row : rfm::kernel_table())
        if (row.find(parameter.key) != nullptr) users += (users.empty() ? "" : ", ") + row.name;
      refuse_unused(section, parameter.key, "kernel", "kernel: " + kernel.name, users);
    }
  }
}

void read_parameter(const Config& section, const rfm::KernelParameter& parameter, rfm::KernelSpec& kernel) {
  if (const auto* field = std::get_if<Index rfm::KernelSpec::*>(&parameter.field)) {
    const double high = std::min(parameter.high, static_cast<double>(Config::kLargestCount));
    kernel.** field = section.get_at_least(parameter.key, kernel.**field, static_cast<Index>(parameter.low),
                                           static_cast<Index>(high));
    return;
  }
  if (const auto* field = std::get_if<rfm::Activation rfm::KernelSpec::*>(&parameter.field)) {
    const std::string& word = rfm::info_of(kernel.**field).name;
    kernel.** field =
        section.get_choice(parameter.key, word, words(rfm::activation_table(), &rfm::ActivationInfo::activation));
    return;
  }
  double& value = kernel.*std::get<double rfm::KernelSpec::*>(parameter.field);
  if (parameter.fallback != nullptr) value = parameter.fallback(kernel);
  const double high = std::min(parameter.high, Config::kLargestNumber);
  value = parameter.above_low ? section.get_positive(parameter.key, value, high)
                              : section.get_at_least(parameter.key, value, parameter.low, high);
}

rfm::KernelSpec parse_kernel(const Config& section) {
  rfm::KernelSpec kernel;
  kernel.family =
      section.get_choice("kernel", name_of(kernel.family), words(rfm::kernel_table(), &rfm::KernelInfo::family));
  const rfm::KernelInfo& info = rfm::info_of(kernel.family);
  refuse_foreign_keys(section, info);
  for (const rfm::KernelParameter& parameter : info.parameters) read_parameter(section, parameter, kernel);
  for (const rfm::KernelParameter& parameter : info.parameters) {
    const rfm::KernelParameter* bound = parameter.at_most == nullptr ? nullptr : info.find(parameter.at_most);
    if (bound != nullptr && value_of(kernel, parameter) > value_of(kernel, *bound))
      section.fail(parameter.key,
                   fmt::format("must be at most {}, which is {:g}", bound->key, value_of(kernel, *bound)));
  }
  if (info.find("bandwidth") != nullptr)
    kernel.bandwidth_mode = section.get_choice<rfm::BandwidthMode>(
        "bandwidth_mode", "constant",
        {{"constant", rfm::BandwidthMode::constant}, {"adaptive", rfm::BandwidthMode::adaptive}});
  else
    refuse_unused(section, "bandwidth_mode", "kernel", "kernel: " + info.name, "those that have a bandwidth");
  return kernel;
}

rfm::SolverOptions parse_solver(const Config& section) {
  rfm::SolverOptions solver;
  solver.kind = section.get_choice("solver", "auto", words(rfm::solver_table(), &rfm::SolverInfo::kind));
  solver.ridge = section.get_at_least("ridge", 1e-3, 0.0);
  solver.tolerance = section.get_at_least("solver_tolerance", 1e-5, 1e-15);
  if (solver.tolerance >= 1) section.fail("solver_tolerance", "must be below 1, the residual of no solution at all");
  solver.max_iterations = section.get_at_least("solver_iterations", Index{500}, Index{1});
  solver.max_epochs = section.get_at_least("solver_epochs", Index{30}, Index{1});
  solver.preconditioner_rank = section.get_or_word("preconditioner_rank", 0, "auto", 0, 1);
  return solver;
}

}  // namespace

CommonOptions parse_common(const Config& root, const std::string& default_name) {
  CommonOptions common;
  common.experiment = root.get("experiment", "feature_comparison");
  common.name = root.get("name", default_name);
  if (common.name.find('/') != std::string::npos || common.name.empty() || common.name == "." || common.name == ".." ||
      printable(common.name) != common.name)
    root.fail("name", "must be a plain folder name");
  constexpr Index kLast = std::numeric_limits<Index>::max();
  common.seed = static_cast<std::uint64_t>(root.get_at_least("seed", Index{0}, Index{0}, kLast));
  common.repeats = root.get_at_least("repeats", Index{1}, Index{1}, Index{100'000});
  if (common.repeats - 1 > kLast - static_cast<Index>(common.seed))
    root.fail("repeats", fmt::format("the last of {} seeds from {} on would be beyond {}; use a smaller seed",
                                     common.repeats, common.seed, kLast));
  common.precision = root.get_choice<Precision>("precision", "float32",
                                                {{"float32", Precision::float32}, {"float64", Precision::float64}});
  common.device =
      root.get_choice<nets::Device>("device", "cpu", {{"cpu", nets::Device::cpu}, {"cuda", nets::Device::cuda}});
  if (common.device == nets::Device::cuda && !nets::cuda_available()) {
    root.fail("device", "this LibTorch (" + nets::torch_description() + ") sees no CUDA device; use device: cpu");
  }
  common.threads = static_cast<int>(root.get_at_least("threads", Index{0}, Index{0}, kMostThreads));
  common.report = root.get("report", true);
  return common;
}

rfm::RfmOptions parse_fixed_kernel(const Config& section) {
  rfm::RfmOptions rfm;
  rfm.kernel = parse_kernel(section);
  rfm.solver = parse_solver(section);
  rfm.iterations = 0;
  return rfm;
}

rfm::RfmOptions parse_rfm(const Config& section) {
  rfm::RfmOptions rfm = parse_fixed_kernel(section);
  rfm.iterations = section.get_at_least("iterations", Index{5}, Index{0}, Index{1'000'000});
  const std::string shape = section.get_choice("feature_matrix", "full", {"full", "diagonal", "blocks"});
  rfm.gradients.diagonal = shape == "diagonal";
  rfm.blocks = shape == "blocks";
  rfm.feature_matrix_power = section.get_positive("feature_matrix_power", 1);
  if (rfm.feature_matrix_power > 2) section.fail("feature_matrix_power", "must be at most 2");
  rfm.gradients.center = section.get("center_gradients", false);
  rfm.gradients.samples = section.get_or_word("gradient_samples", 20000, "all", 0, 1);
  rfm.gradients.form =
      section.get_choice("gradient_form", "auto", words(rfm::gradient_form_table(), &rfm::GradientFormInfo::form));
  const bool direct =
      rfm.gradients.form == rfm::GradientForm::automatic || rfm.gradients.form == rfm::GradientForm::direct;
  if (rfm::Kernel::make(rfm.kernel).p_norm() && !direct)
    section.fail("gradient_form", "must be direct or auto: kernels of a p-norm have no other form");
  rfm.normalize_feature_matrix =
      section.get_choice<rfm::MetricNormalization>("normalize_feature_matrix", "none",
                                                   {{"none", rfm::MetricNormalization::none},
                                                    {"max", rfm::MetricNormalization::max},
                                                    {"trace", rfm::MetricNormalization::trace}});
  rfm.report_iteration = section.get_choice<rfm::ReportIteration>(
      "report_iteration", "best", {{"best", rfm::ReportIteration::best}, {"last", rfm::ReportIteration::last}});
  return rfm;
}

namespace {

Metric parse_metric(const Config& section, const FeatureComparisonOptions& beside) {
  const Metric metric = section.get_choice<Metric>(
      "metric", "identity", {{"identity", Metric::identity}, {"network", Metric::network}, {"rfm", Metric::rfm}});
  if (metric == Metric::network && !beside.network)
    section.fail("metric", "network needs a section network: its W₁ᵀW₁ is meant");
  if (metric == Metric::rfm && (!beside.rfm || beside.rfm->iterations < 1))
    section.fail("metric", "rfm needs a section rfm with iterations: 1 or more: the M it learns is meant");
  return metric;
}

std::vector<KernelMachineOptions> parse_kernel_machines(const Config& root, const FeatureComparisonOptions& beside) {
  std::vector<KernelMachineOptions> machines;
  std::set<std::string> taken = {"network", "network.initial", "network.data", "rfm"};  // files in models/
  for (const Config& section : root.list("kernel_machines")) {
    KernelMachineOptions machine;
    machine.kernel = parse_kernel(section);
    machine.solver = parse_solver(section);
    machine.metric = parse_metric(section, beside);
    machine.label = section.get("label", section.get("kernel", "laplace"));
    if (machine.label.size() > kLongestName)
      section.fail("label", fmt::format("must be of at most {} bytes, as it becomes part of file names", kLongestName));
    if (machine.label.empty() || machine.label.front() == '.' ||
        machine.label.find_first_of("/,\"") != std::string::npos || printable(machine.label) != machine.label)
      section.fail(
          "label",
          "must be usable as a file name and in a table: no slash, comma, quote or control character, no dot in front");
    if (!taken.insert(machine.label).second)
      section.fail("label", "\"" + machine.label + "\" is taken; give each machine its own");
    machines.push_back(machine);
  }
  return machines;
}

/// Cross-entropy is of one-hot classes.
void require_classes_for_loss(const Config& network, Loss loss, const DatasetOptions& dataset) {
  if (loss != Loss::cross_entropy) return;
  if (dataset.task != Task::classification) network.fail("loss", "cross_entropy is for classification; use mse");
  if (dataset.class_coding != ClassCoding::one_hot)
    network.fail("loss", "cross_entropy needs dataset.class_coding: one_hot; use that, or mse");
}

}  // namespace

SaveOptions parse_save(const Config& section) {
  SaveOptions save;
  save.feature_matrices = section.get_choice<SavedMatrices>(
      "feature_matrices", "reported",
      {{"none", SavedMatrices::none}, {"reported", SavedMatrices::reported}, {"all", SavedMatrices::all}});
  save.matrix_files = section.get("dense", false) ? MatrixFiles::dense : MatrixFiles::smaller;
  save.predictions = section.get("predictions", true);
  save.weights = section.get_choice<SavedWeights>(
      "weights", "safetensors",
      {{"none", SavedWeights::none}, {"safetensors", SavedWeights::safetensors}, {"npy", SavedWeights::npy}});
  save.models = section.get("models", true);
  save.images = section.get("images", true);
  return save;
}

FeatureComparisonOptions parse_feature_comparison(const Config& root, const Config& part, const CommonOptions& common,
                                                  const std::string& attribute) {
  const auto section = [&](const char* key) { return (part.has(key) ? part : root).section(key); };
  FeatureComparisonOptions options;
  options.common = common;
  // Nothing is chosen on validation rows for a network trained elsewhere, and it may have been trained on all rows.
  const double validation_fraction = is_imported(section("network")) ? 0 : 0.2;
  options.dataset = parse_dataset(section("dataset"), attribute, validation_fraction);
  options.dataset_yaml = section("dataset").resolved_yaml();
  if (!attribute.empty()) options.dataset_yaml += "attribute: \"" + attribute + "\"\n";  // a name of CelebA's
  if (section("rfm").present()) options.rfm = parse_rfm(section("rfm"));
  if (options.rfm && options.rfm->blocks && options.dataset.name != "csv")
    section("rfm").fail("feature_matrix", "blocks needs categorical columns, which only a csv data set has");
  const Index gradient_samples = options.rfm ? options.rfm->gradients.samples : 20000;
  if (section("network").present()) {
    options.network = parse_network(section("network"), common.device, gradient_samples);
    require_classes_for_loss(section("network"), options.network->training.loss, options.dataset);
  }
  if (options.network && !options.network->train) keep_unit_of_network(section("dataset"), options.dataset);
  options.kernel_machines = parse_kernel_machines(part.has("kernel_machines") ? part : root, options);
  options.comparison.top_eigenvectors =
      section("comparison").get_at_least("top_eigenvectors", Index{3}, Index{1}, kMostEigenvectors);
  const bool imported = options.network && !options.network->train;
  const ComparedLayers layers =
      section("comparison")
          .get_choice<ComparedLayers>("layers", imported ? "all" : "first",
                                      {{"first", ComparedLayers::first}, {"all", ComparedLayers::all}});
  if (options.network) options.network->layers = layers;
  options.save = parse_save(root.section("save"));
  if (!options.network && !options.rfm && options.kernel_machines.empty())
    part.fail("", "nothing to do: give at least one of network, rfm and kernel_machines");
  return options;
}

FeatureComparisonOptions parse_feature_comparison(const Config& root, const CommonOptions& common) {
  return parse_feature_comparison(root, root, common, "");
}

}  // namespace ansatz::experiments
