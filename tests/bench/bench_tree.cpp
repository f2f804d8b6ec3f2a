// A tree of RFMs against one kernel machine on all rows, on data of covertype's shape.
// - bench_tree ROWS tree LEAF_SIZE ITERATIONS [RIDGE [BANDWIDTH [POWER]]]: a tree; other options as in
//   docs/benchmarks.md.
// - bench_tree ROWS pcg [RIDGE [BANDWIDTH [TOLERANCE]]]: the fixed Laplace kernel of configs/large_kernel.yaml, solved
// to a
//   relative residual of TOLERANCE (0.001).
// - bench_tree ROWS bytes LEAF_SIZE COLUMNS: a tree over that many columns of one byte each.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "core/machine/parallel.h"
#include "rfm/trees/fitting/fit_rfm_tree.h"
#include "tests/bench/measure.h"

namespace {

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::bench;

constexpr Index kColumns = 54, kNumbers = 10, kClasses = 7, kHidden = 64;
constexpr Index kValidation = 10000, kTest = 10000;

/// 10 normal columns and one-hot blocks of 4 and 40; the class is the largest output of a random network, with noise.
Dataset<float> covertype_like(Index rows, const RandomStream& stream) {
  const Matrix<float> first = RandomStream(7).normal_matrix<float>(kColumns, kHidden);
  const Matrix<float> second = RandomStream(8).normal_matrix<float>(kHidden, kClasses);
  RandomStream draws = stream.named("columns");
  Dataset<float> data;
  data.task = Task::classification;
  data.inputs = Matrix<float>::Zero(rows, kColumns);
  data.targets = Matrix<float>::Zero(rows, kClasses);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < kNumbers; ++j) data.inputs(i, j) = static_cast<float>(draws.normal());
    data.inputs(i, kNumbers + draws.below(4)) = 1;
    data.inputs(i, kNumbers + 4 + draws.below(40)) = 1;
    Eigen::RowVectorXf logits = (data.inputs.row(i) * first).cwiseMax(0.F) * second / std::sqrt(float(kHidden));
    for (Index c = 0; c < kClasses; ++c) logits[c] += 0.5F * static_cast<float>(draws.normal());
    Index label = 0;
    logits.maxCoeff(&label);
    data.targets(i, label) = 1;
  }
  return data;
}

struct Parts {
  std::shared_ptr<const Dataset<float>> train, validation, test;
};
Parts parts(Index rows) {
  const RandomStream stream(1);
  const auto part = [&](Index count, const char* name) {
    return std::make_shared<const Dataset<float>>(covertype_like(count, stream.named(name)));
  };
  return {part(rows, "train"), part(kValidation, "validation"), part(kTest, "test")};
}

/// What a fit took so far.
struct Effort {
  double seconds, cpu_seconds, megabytes;
};
class Meter {
 public:
  Meter() { reset_peak(); }
  Effort read() const { return {now() - start_, cpu_seconds() - cpu_start_, peak_megabytes()}; }

 private:
  double start_ = now(), cpu_start_ = cpu_seconds();
};

void print_effort(const Effort& effort) {
  std::printf("fitted in %.1f s, %.1f s of CPU, %.0f MB at peak", effort.seconds, effort.cpu_seconds, effort.megabytes);
}

void print_result(const Predictor<float>& f, const Parts& data, const Effort& effort) {
  const Meter predicting;
  const Metrics metrics = evaluate(f, *data.test);
  print_effort(effort);
  std::printf("; test accuracy %.2f %%, squared error %.5f; predicts %.0f rows a second of CPU\n",
              100 * *metrics.accuracy, metrics.mse, double(kTest) / predicting.read().cpu_seconds);
}

void pcg(Index rows, double ridge, double bandwidth, double tolerance) {
  const Parts data = parts(rows);
  KernelSpec kernel;
  kernel.bandwidth = bandwidth;
  SolverOptions solver;
  solver.kind = SolverKind::pcg;
  solver.ridge = ridge;
  solver.tolerance = tolerance;
  const Meter meter;
  const std::shared_ptr<const Matrix<float>> x(data.train, &data.train->inputs);
  const auto fit = fit_kernel_machine<float>(kernel, FeatureMatrix<float>::identity(kColumns), x, data.train->targets,
                                             solver, RandomStream(3));
  std::printf("%s, %ld iterations, rank %ld, residual %.1e\n", fit.summary.method.c_str(), long(fit.summary.iterations),
              long(fit.summary.preconditioner_rank), fit.summary.relative_residual);
  print_result(fit.machine, data, meter.read());
}

RfmTreeOptions options_of(Index leaf_size, Index iterations, double ridge, double bandwidth, double power) {
  RfmTreeOptions options;
  options.leaf_size = leaf_size;
  options.rfm.kernel.bandwidth = bandwidth;
  options.rfm.iterations = iterations;
  options.rfm.solver.ridge = ridge;
  options.rfm.solver.tolerance = 1e-3;
  options.rfm.normalize_feature_matrix = MetricNormalization::trace;
  options.rfm.feature_matrix_power = power;
  return options;
}

void print_fit(const RfmTreeFit<float>& fit) {
  std::map<Index, int> iterations;
  double solving = 0;
  for (const LeafRecord& leaf : fit.leaves) {
    ++iterations[leaf.iteration];
    solving += leaf.seconds;
  }
  std::printf("%zu leaves of some %ld rows; splits %.1f s, leaves %.1f s (%.1f on one thread), temperature %.1f s\n",
              fit.leaves.size(), long(fit.leaves.front().rows), fit.split_seconds, fit.leaf_seconds, solving,
              fit.temperature_seconds);
  for (const auto& [iteration, leaves] : iterations)
    std::printf("  %d leaves report iteration %ld\n", leaves, long(iteration));
  for (const TemperatureRecord& tried : fit.temperatures)
    std::printf("  temperature %.3g: squared error %.5f%s\n", tried.temperature, tried.validation.mse,
                tried.temperature == fit.tree.routing().options().temperature ? " (chosen)" : "");
}

void tree(Index rows, const RfmTreeOptions& options) {
  const Parts data = parts(rows);
  StoredSplit<float> split{StoredDataset<float>::of(data.train), StoredDataset<float>::of(data.validation)};
  const Meter meter;
  const auto fit = fit_rfm_tree(split, options, RandomStream(3));
  const Effort effort = meter.read();
  print_fit(fit);
  print_result(fit.tree, data, effort);
}

/// One column in ten matters.
void bytes(Index rows, Index leaf_size, Index columns) {
  auto values = std::make_shared<Matrix<std::uint8_t>>(rows, columns);
  RandomStream draws(1);
  StoredSplit<float> split;
  Dataset<float>& rest = split.train.rest;
  rest.targets.resize(rows, 1);
  for (Index i = 0; i < rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < columns; ++j) {
      const auto value = static_cast<std::uint8_t>(draws.bits() >> 56);
      (*values)(i, j) = value;
      if (j % 10 == 0) sum += value / 128.0 - 1;
    }
    rest.targets(i, 0) = static_cast<float>(std::tanh(sum / std::sqrt(0.1 * double(columns))));
  }
  rest.inputs.resize(rows, 0);
  split.train.inputs = StoredRows<float>(std::shared_ptr<const Matrix<std::uint8_t>>(values));
  RfmTreeOptions options = options_of(leaf_size, 1, 1e-2, 128 * std::sqrt(double(columns)), 1);
  std::printf("%.0f MB as bytes, %.0f MB as floats\n", split.train.inputs.bytes() / 1e6,
              4 * split.train.inputs.bytes() / 1e6);
  const Meter meter;
  const auto fit = fit_rfm_tree(split, options, RandomStream(3));
  const Effort effort = meter.read();
  print_fit(fit);
  print_effort(effort);
  std::printf(", the bytes included\n");
}

double number(int argc, char** argv, int place, double fallback) {
  return argc > place ? std::atof(argv[place]) : fallback;
}

}  // namespace

int main(int argc, char** argv) {
  set_threads(0);
  const std::string what = argc > 2 ? argv[2] : "";
  const Index rows = argc > 1 ? std::atol(argv[1]) : 0;
  std::printf("%s, %d threads, products at %.0f Gflop/s\n", blas_description().c_str(), threads(),
              product_rate<float>(1024, 1024, 1024) / 1e9);
  if (what == "pcg") {
    pcg(rows, number(argc, argv, 3, 1), number(argc, argv, 4, 5), number(argc, argv, 5, 1e-3));
  } else if (what == "tree" && argc >= 5) {
    tree(rows, options_of(std::atol(argv[3]), std::atol(argv[4]), number(argc, argv, 5, 1), number(argc, argv, 6, 5),
                          number(argc, argv, 7, 1)));
  } else if (what == "bytes" && argc == 5) {
    bytes(rows, std::atol(argv[3]), std::atol(argv[4]));
  } else {
    std::fprintf(stderr,
                 "usage: bench_tree ROWS tree LEAF_SIZE ITERATIONS [RIDGE [BANDWIDTH [POWER]]] | "
                 "ROWS pcg [RIDGE [BANDWIDTH [TOLERANCE]]] | ROWS bytes LEAF_SIZE COLUMNS\n");
    return 2;
  }
}
