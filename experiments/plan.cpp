#include "experiments/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/machine/memory.h"
#include "core/machine/memory_room.h"
#include "experiments/stages/network_stage.h"
#include "experiments/stages/run_context.h"
#include "rfm/gradients/gradient_form.h"
#include "rfm/pairs/power_sums.h"

namespace ansatz::experiments {
namespace {

constexpr double kShareOfRate = 0.6;     // of a large product's rate that whole stages reach (docs/performance.md)
constexpr double kProgramBytes = 180e6;  // code, libraries and their buffers: resident size of a tiny run
// What the allocator keeps of small freed blocks; large ones go back at once.
constexpr double kAllocatorShare = 0.1, kAllocatorBytes = 150e6;

double number(Index value) { return static_cast<double>(value); }

PlannedStage data_stage(const DatasetSize& size, double scalar) {
  const double rows = number(size.train + size.validation + size.test);
  PlannedStage stage{"data", "read, draw, split, normalise", "", 0, 0, 0};
  stage.kept_bytes = rows * number(size.dimension + size.outputs) * scalar;
  stage.working_bytes = stage.kept_bytes + size.reading_bytes;  // drawing rows copies them once
  return stage;
}

double parameters(const NetworkOptions& network, const DatasetSize& size) {
  double count = 0;
  Index inputs = size.dimension;
  for (const Index width : network.architecture.hidden_layers) {
    count += number(inputs) * number(width);
    inputs = width;
  }
  return count + number(inputs) * number(size.outputs);
}

/// As LAPACK's ?syevd takes for all eigenpairs of a matrix of that many rows.
double eigenpairs_flops(double rows) { return 9 * std::pow(rows, 3); }

/// The first of W^T W, W k x d: through the smaller of both Gram matrices.
double top_eigenpair_flops(double k, double d) { return k * d * std::min(k, d) + eigenpairs_flops(std::min(k, d)); }

void add_network(const NetworkOptions& network, const DatasetSize& size, double scalar,
                 std::vector<PlannedStage>& stages) {
  for (const auto* files : {&network.weights, &network.initial_weights})
    for (const std::filesystem::path& file : *files) require_regular_file(file);  // a later part reads them in hours
  const double p = parameters(network, size);
  const double n = number(size.train);
  const Index k =
      network.architecture.hidden_layers.empty() ? size.outputs : network.architecture.hidden_layers.front();
  if (network.train) {
    const bool adam = network.training.optimizer.kind == nets::OptimizerOptions::Kind::adam;
    PlannedStage train{"network training", adam ? "adam" : "sgd", "", 0, 0, 0};
    const double evaluations = number(network.training.epochs) / number(network.training.evaluate_every);
    const double rows = number(size.train + size.validation), d = number(size.dimension);
    const bool in_span = nets::trains_in_span(network.training, size.train, size.validation, size.dimension, k);
    const double first = number(k) * (in_span ? rows : d), later = p - number(k) * d;
    // No signal goes back through the first layer.
    train.flops =
        (4 * first + 6 * later) * n * number(network.training.epochs) + 2 * (first + later) * rows * evaluations;
    train.working_bytes = (adam ? 3 : 2) * p * scalar + number(size.train) * d * scalar;
    const double snapshots = number(Index(snapshot_epochs(network.training.epochs, network.snapshots).size()));
    train.kept_bytes = 3 * p * scalar;  // initial, current, best
    train.kept_bytes += snapshots * d * scalar * (network.snapshot_eigenvectors ? 2 : 1);
    train.kept_bytes += number(network.training.epochs) * sizeof(nets::EpochRecord);
    if (network.snapshot_eigenvectors) train.flops += snapshots * top_eigenpair_flops(number(k), d);
    if (in_span) {
      train.algorithm += ", W1 in the span of the inputs";
      train.reason = "fewer rows than inputs";
      train.flops += 4 * d * rows * rows + snapshots * 2 * number(k) * rows * d;  // in and out again
      train.working_bytes += 2 * rows * d * scalar;
    }
    stages.push_back(train);
  }
  const double points = network.gradient_samples > 0 ? std::min(n, number(network.gradient_samples)) : n;
  PlannedStage agop{"network AGOP", "sandwich (W1, H), streamed", "", 0, 0, 0};
  agop.flops =
      2 * (2 * points * number(size.outputs) * (p - number(k) * number(size.dimension) + number(k) * number(k)));
  agop.kept_bytes = 2 * (number(k) * number(k) + number(k) * number(size.dimension)) * scalar;
  stages.push_back(agop);
}

PlannedStage solve_stage(const std::string& name, const rfm::KernelSpec& kernel, const rfm::SolverOptions& solver,
                         const DatasetSize& size, double scalar) {
  const double n = number(size.train), d = number(size.dimension);
  const rfm::SolverChoice choice = rfm::choose_solver({size.train, size.dimension, size.outputs}, solver,
                                                      static_cast<std::size_t>(scalar), available_memory());
  PlannedStage stage{name, choice.describe(), choice.reason, choice.flops, 0, 0};
  stage.flops += n * n / 2 * (rfm::distance_flops(kernel, size.dimension) - 2 * d);  // of a p-norm: no product
  stage.working_bytes = choice.bytes + n * d * scalar;                               // the points, prepared
  return stage;
}

void add_rfm(const rfm::RfmOptions& rfm, const DatasetSize& size, double scalar, std::vector<PlannedStage>& stages) {
  const double n = number(size.train), d = number(size.dimension), c = number(size.outputs);
  const double rounds = number(rfm.iterations);
  PlannedStage solve =
      solve_stage(fmt::format("rfm: {} solves", rfm.iterations + 1), rfm.kernel, rfm.solver, size, scalar);
  solve.flops = (rounds + 1) * (solve.flops + 2 * n * d * std::min(n, d));
  solve.kept_bytes = n * c * scalar * (rounds + 1);
  const bool restricted = rfm.gradients.diagonal || rfm.blocks;
  const rfm::GradientCost cost = rfm::choose_gradient_form(
      rfm::gradient_problem(rfm.kernel, rfm.gradients, restricted, size.train, size.dimension, size.outputs),
      rfm.gradients.form, static_cast<std::size_t>(scalar));
  PlannedStage agop{fmt::format("rfm: {} feature update{}", rfm.iterations, rfm.iterations == 1 ? "" : "s"),
                    name_of(cost.form),
                    cost.reason,
                    0,
                    0,
                    0};
  const bool in_sample_space = cost.form == rfm::GradientForm::sample_space;  // no copy of the points is scaled
  const double matrix = rfm.gradients.diagonal ? d : in_sample_space ? n * n : d * d;
  const bool power = rfm.feature_matrix_power != 1, root = rfm::Kernel::make(rfm.kernel).p_norm();
  const double side = in_sample_space ? n : root ? d : std::min(d, n);
  const double eigenpairs = eigenpairs_flops(side);
  agop.flops = rounds * cost.flops;
  if (!restricted) agop.flops += rounds * ((power ? eigenpairs : 0) + (root ? eigenpairs : std::pow(side, 3) / 3));
  agop.working_bytes = cost.bytes + (in_sample_space ? 1 : 2) * n * d * scalar;
  agop.kept_bytes = rounds * matrix * scalar;
  stages.push_back(solve);
  if (rfm.iterations > 0) stages.push_back(agop);
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
  for (const PlannedStage& stage : stages) total += stage.flops;
  return total;
}

double Plan::peak_bytes() const {
  double kept = 0, peak = 0;
  Index part = 0;
  for (const PlannedStage& stage : stages) {
    if (std::exchange(part, stage.part) != stage.part) kept = 0;
    kept += stage.kept_bytes;
    peak = std::max(peak, kept + stage.working_bytes);
  }
  return peak + std::min(kAllocatorShare * peak, kAllocatorBytes) + kProgramBytes;
}

std::string Plan::largest_stage() const {
  const auto own = [](const PlannedStage& stage) { return stage.kept_bytes + stage.working_bytes; };
  return std::max_element(stages.begin(), stages.end(),
                          [&](const PlannedStage& a, const PlannedStage& b) { return own(a) < own(b); })
      ->name;
}

Plan plan_feature_comparison(const FeatureComparisonOptions& options) {
  const double scalar = options.common.precision == Precision::float32 ? 4 : 8;
  Plan plan;
  plan.size = dataset_size(options.dataset);
  plan.stages.push_back(data_stage(plan.size, scalar));
  if (options.network) add_network(*options.network, plan.size, scalar, plan.stages);
  if (options.rfm) add_rfm(*options.rfm, plan.size, scalar, plan.stages);
  for (const KernelMachineOptions& machine : options.kernel_machines) {
    plan.stages.push_back(
        solve_stage("kernel machine " + machine.label, machine.kernel, machine.solver, plan.size, scalar));
  }
  return plan;
}

void require_fits(const Plan& plan) {
  const MemoryRoom room = memory_room();
  if (plan.peak_bytes() <= room.bytes) return;
  const std::string stage = plan.largest_stage();
  throw MemoryError(
      fmt::format("this run needs about {} of memory (most of it: {}), and {} are free (limit: {}): use {}precision: "
                  "float32, or run on a larger machine (`ansatz plan` shows every stage)",
                  format_bytes(plan.peak_bytes()), stage, format_bytes(room.bytes), room.said_by,
                  stage.rfind("network", 0) == 0 ? "narrower network.hidden_layers, "
                                                 : "a smaller dataset.train_size, feature_matrix: diagonal, "));
}

std::string describe(const Plan& plan) {
  const DatasetSize& s = plan.size;
  std::string text = fmt::format("data: {} training, {} validation, {} test samples, d = {}, c = {}\n\n", s.train,
                                 s.validation, s.test, s.dimension, s.outputs);
  const double rate = product_rate();
  const MemoryRoom room = memory_room();
  text += fmt::format("{:<28} {:<26} {:>10} {:>9} {:>9} {:>9}   {}\n", "stage", "algorithm", "Gflop", "about",
                      "working", "kept", "because");
  for (const PlannedStage& stage : plan.stages) {
    text += fmt::format("{:<28} {:<26} {:>10.1f} {:>9} {:>9} {:>9}   {}\n", stage.name, stage.algorithm,
                        stage.flops / 1e9, format_seconds(stage.flops / (kShareOfRate * rate)),
                        format_bytes(stage.working_bytes), format_bytes(stage.kept_bytes), stage.reason);
  }
  text += fmt::format(
      "\ntotal {:.1f} Gflop, about {} at {:.0f} % of the {:.0f} Gflop/s that a matrix product reaches here now\n"
      "peak memory about {} (at: {}); {} free (limit: {})\n",
      plan.flops() / 1e9, format_seconds(plan.flops() / (kShareOfRate * rate)), 100 * kShareOfRate, rate / 1e9,
      format_bytes(plan.peak_bytes()), plan.largest_stage(), format_bytes(room.bytes), room.said_by);
  return text;
}

}  // namespace ansatz::experiments
