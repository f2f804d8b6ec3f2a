#include "experiments/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/text_table.h"
#include "core/files/files.h"
#include "core/linalg/flops.h"
#include "core/machine/memory.h"
#include "core/machine/memory_room.h"
#include "experiments/options/option_names.h"
#include "experiments/prediction/model_files.h"
#include "experiments/stages/imported_network.h"
#include "experiments/stages/network_observer.h"
#include "experiments/stages/run_context.h"
#include "nets/network_cost.h"
#include "nets/training/training_cost.h"
#include "rfm/cost.h"

namespace ansatz::experiments {
namespace {

constexpr double kShareOfRate = 0.6;     // of a large product's rate that whole stages reach (docs/performance.md)
constexpr double kProgramBytes = 180e6;  // code, libraries and their buffers: resident size of a tiny run
// What the allocator keeps of small freed blocks; large ones go back at once.
constexpr double kAllocatorShare = 0.1, kAllocatorBytes = 150e6;

double number(Index value) { return static_cast<double>(value); }

PlannedStage data_stage(const DatasetSize& size, double scalar) {
  const double rows = number(size.train + size.validation + size.test);
  PlannedStage stage{"data", {"read, draw, split, normalise", ""}};
  stage.cost.kept_bytes = rows * number(size.dimension + size.outputs) * scalar;
  stage.cost.working_bytes = stage.cost.kept_bytes + size.reading_bytes;  // drawing rows copies them once
  return stage;
}

/// Training, with the snapshots that are taken of W_1.
Cost training_cost(const NetworkOptions& network, const DatasetSize& size, std::size_t scalar) {
  const auto snapshots = Index(snapshot_epochs(network.training.epochs, network.snapshots).size());
  Cost cost = nets::training_cost(network.architecture, network.training,
                                  {size.train, size.validation, size.dimension, size.outputs}, snapshots, scalar);
  const double d = number(size.dimension), k = number(nets::first_width(network.architecture, size.outputs));
  cost.kept_bytes += number(snapshots) * d * static_cast<double>(scalar) * (network.snapshot_eigenvectors ? 2 : 1);
  if (network.snapshot_eigenvectors) cost.flops += number(snapshots) * top_eigenpair_flops(k, d);
  return cost;
}

/// Of a deeper layer it is that of the network above its input.
Cost agop_cost(const NetworkOptions& network, Index points, const DatasetSize& size, std::size_t scalar) {
  nets::MlpOptions above = network.architecture;
  Cost cost = nets::agop_cost(above, points, size.dimension, size.outputs, scalar);
  if (network.layers == ComparedLayers::first) return cost;
  while (!above.hidden_layers.empty()) {
    const Index inputs = above.hidden_layers.front();
    above.hidden_layers.erase(above.hidden_layers.begin());
    const Cost deeper = nets::agop_cost(above, points, inputs, size.outputs, scalar);
    cost.flops += deeper.flops;
    cost.working_bytes = std::max(cost.working_bytes, deeper.kept_bytes);
  }
  return cost;
}

/// Looks into the files of a network trained elsewhere: a later part reads them in hours.
void plan_import(NetworkOptions& network, Plan& plan) {
  const nets::CheckpointOutline outline = outline_import(network, plan.size.dimension, plan.size.outputs);
  network.architecture.hidden_layers.assign(outline.widths.begin() + 1, outline.widths.end() - 1);
  plan.notes.push_back("network: read as " + outline.reading);
  for (const std::filesystem::path& file : {network.reference_outputs, network.reference_inputs})
    if (!file.empty()) require_regular_file(file);
}

void add_network(NetworkOptions network, std::size_t scalar, Plan& plan) {
  const DatasetSize& size = plan.size;
  std::vector<PlannedStage>& stages = plan.stages;
  if (network.train) {
    stages.push_back({"network training", training_cost(network, size, scalar)});
  } else {
    plan_import(network, plan);
  }
  const Index points = network.gradient_samples > 0 ? std::min(size.train, network.gradient_samples) : size.train;
  stages.push_back({"network AGOP", agop_cost(network, points, size, scalar)});
}

void add_rfm(const rfm::RfmOptions& options, const rfm::SystemSize& size, std::size_t scalar,
             std::vector<PlannedStage>& stages) {
  rfm::RfmCost cost = rfm::rfm_cost(options, size, scalar, available_memory());
  const Index rounds = options.iterations;
  stages.push_back({fmt::format("rfm: {} solves", rounds + 1), std::move(cost.solves)});
  if (rounds > 0)
    stages.push_back(
        {fmt::format("rfm: {} feature update{}", rounds, rounds == 1 ? "" : "s"), std::move(cost.updates)});
}

/// What save.models writes of kernel machines, at most.
double model_bytes(const FeatureComparisonOptions& options, const DatasetSize& size) {
  if (!options.save.models) return 0;
  const double n = number(size.train), d = number(size.dimension);
  const auto numbers_of_rfm = [&] {
    if (!options.rfm || options.rfm->iterations == 0) return 0.0;
    return options.rfm->gradients.diagonal ? d : std::min(n * n, d * d);
  };
  const auto numbers_of = [&](Metric metric) {
    if (metric == Metric::rfm) return numbers_of_rfm();
    return metric == Metric::identity ? 0 : d * number(nets::first_width(options.network->architecture, size.outputs));
  };
  const Precision precision = options.common.precision;
  double bytes = options.rfm ? machine_file_bytes(size, numbers_of_rfm(), precision) : 0;
  for (const KernelMachineOptions& machine : options.kernel_machines)
    bytes += machine_file_bytes(size, numbers_of(machine.metric), precision);
  return bytes;
}

/// What is reported where no row says what is best.
std::vector<std::string> without_validation(const FeatureComparisonOptions& options) {
  std::vector<std::string> reported;
  if (options.network && options.network->train) reported.push_back("the network after its last epoch");
  if (options.rfm) reported.push_back(fmt::format("the RFM after its last iteration, {}", options.rfm->iterations));
  if (reported.empty()) return {};
  return {fmt::format("no validation rows: reported are {}", fmt::join(reported, " and "))};
}

/// Flops a second of a float32 product of a thousand rows, the best of a few.
double product_rate() {
  constexpr Index size = 1024;
  const Matrix<float> a = Matrix<float>::Constant(size, size, 0.5f), b = a;
  Matrix<float> c(size, size);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 4; ++i) {
    const Stopwatch watch;
    c.noalias() = a * b;
    best = std::min(best, watch.seconds());
  }
  return 2 * std::pow(number(size), 3) / best;
}

}  // namespace

double Plan::flops() const {
  double total = 0;
  for (const PlannedStage& stage : stages) total += stage.cost.flops;
  return total;
}

double Plan::peak_bytes() const {
  double kept = 0, peak = 0;
  Index part = 0;
  for (const PlannedStage& stage : stages) {
    if (std::exchange(part, stage.part) != stage.part) kept = 0;
    kept += stage.cost.kept_bytes;
    peak = std::max(peak, kept + stage.cost.working_bytes);
  }
  return peak + std::min(kAllocatorShare * peak, kAllocatorBytes) + kProgramBytes;
}

std::string Plan::largest_stage() const {
  const auto own = [](const PlannedStage& stage) { return stage.cost.kept_bytes + stage.cost.working_bytes; };
  return std::max_element(stages.begin(), stages.end(),
                          [&](const PlannedStage& a, const PlannedStage& b) { return own(a) < own(b); })
      ->name;
}

Plan plan_feature_comparison(const FeatureComparisonOptions& options) {
  return plan_feature_comparison(
      options, in_section("dataset", [&] { return dataset_size(options.dataset, RandomStream(options.common.seed)); }));
}

Plan plan_feature_comparison(const FeatureComparisonOptions& options, const DatasetSize& size) {
  const std::size_t scalar = options.common.precision == Precision::float32 ? sizeof(float) : sizeof(double);
  Plan plan;
  plan.size = size;
  const rfm::SystemSize system{plan.size.train, plan.size.dimension, plan.size.outputs};
  plan.stages.push_back(data_stage(plan.size, static_cast<double>(scalar)));
  in_section("network", [&] {
    if (options.network) add_network(*options.network, scalar, plan);
  });
  if (options.rfm) add_rfm(*options.rfm, system, scalar, plan.stages);
  for (const KernelMachineOptions& machine : options.kernel_machines)
    plan.stages.push_back({"kernel machine " + machine.label,
                           rfm::fit_cost(machine.kernel, machine.solver, system, scalar, available_memory())});
  plan.model_bytes = model_bytes(options, plan.size);
  if (plan.size.validation == 0)
    for (const std::string& note : without_validation(options)) plan.notes.push_back(note);
  return plan;
}

void require_fits(const Plan& plan) {
  const MemoryRoom room = memory_room();
  if (plan.peak_bytes() <= room.bytes) return;
  const std::string stage = plan.largest_stage();
  throw MemoryError(
      fmt::format("this run needs about {} of memory (most of it: {}), and {} are free (limit: {}): use {}precision: "
                  "float32, or run on a larger machine (`ansatz plan` shows every stage)",
                  format_bytes(plan.peak_bytes()), stage, format_bytes(room.bytes), room.limited_by,
                  stage.rfind("network", 0) == 0 ? "narrower network.hidden_layers, "
                                                 : "a smaller dataset.train_size, feature_matrix: diagonal, "));
}

double stage_rate() { return kShareOfRate * product_rate(); }

std::string describe(const Plan& plan, std::size_t width) {
  const DatasetSize& s = plan.size;
  std::string text;
  if (s.train > 0)
    text = fmt::format("data: {} training, {} validation, {} test samples, d = {}, c = {}\n", s.train, s.validation,
                       s.test, s.dimension, s.outputs);
  if (s.target_scaling.scales()) text += s.target_scaling.in_words() + "\n";
  for (const std::vector<std::string>& notes : {s.notes, plan.notes})
    for (const std::string& note : notes) text += note + '\n';
  text += '\n';
  const double rate = product_rate();
  const MemoryRoom room = memory_room();
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, cost, part] : plan.stages)
    rows.push_back({name, cost.algorithm, fmt::format("{:.1f}", cost.flops / 1e9),
                    format_seconds(cost.flops / (kShareOfRate * rate)), format_bytes(cost.working_bytes),
                    format_bytes(cost.kept_bytes), cost.reason});
  text += text_table({{"stage", true},
                      {"algorithm", true},
                      {"Gflop", false, 2},
                      {"about", false, 1},
                      {"working", false, 3},
                      {"kept", false, 4},
                      {"because", true, 5}},
                     std::move(rows), width);
  text += fmt::format(
      "\ntotal {:.1f} Gflop, about {} at {:.0f} % of the {:.0f} Gflop/s that a matrix product reaches here now\n"
      "peak memory about {} (at: {}); {} free (limit: {})\n",
      plan.flops() / 1e9, format_seconds(plan.flops() / (kShareOfRate * rate)), 100 * kShareOfRate, rate / 1e9,
      format_bytes(plan.peak_bytes()), plan.largest_stage(), format_bytes(room.bytes), room.limited_by);
  if (plan.model_bytes > 0)
    text +=
        fmt::format("kernel machines in models/: at most {} on disk (save.models)\n", format_bytes(plan.model_bytes));
  return text;
}

}  // namespace ansatz::experiments
