// The RFM engine against the textbook version, on the same data, BLAS and threads in one process.
//   bench_engine [N D C]         without arguments: the first three rows of docs/performance.md
//   bench_engine --wide N D [alone]          d > n: a whole RFM of one iteration; alone: without the textbook version
//   bench_engine --large N D C pcg|eigenpro  fit and AGOP where the textbook version does not fit
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/machine/parallel.h"
#include "rfm/rfm.h"
#include "tests/bench/measure.h"
#include "tests/textbook/textbook.h"

namespace {

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::bench;

double difference(const Matrix<float>& a, const Matrix<float>& b) {
  return double((a - b).norm()) / std::max(1e-30, double(b.norm()));
}

void print_header() {
  std::printf("%-28s %10s %10s %7s %12s %9s %10s\n", "stage", "textbook s", "ours s", "ratio", "Gflop/s", "of rate",
              "");
}
void print(const char* stage, double theirs, double ours, double flops, double rate) {
  std::printf("%-28s %10.2f %10.2f %6.1fx %12.1f %8.0f%%\n", stage, theirs, ours, theirs / ours, flops / ours / 1e9,
              100 * flops / ours / rate);
}

/// One iteration with a full M: fit, then AGOP.
void iteration(Index n, Index d, Index c) {
  const double rate = product_rate();
  const Problem p = make_problem(n, d, c);
  const Matrix<float> w = RandomStream(2).normal_matrix<float>(d + 10, d);
  const Matrix<float> metric = (w.transpose() * w / float(d)).eval();
  std::printf("\nn %ld, d %ld, c %ld, float32, full M; a plain product runs at %.0f Gflop/s on %d threads\n", long(n),
              long(d), long(c), rate / 1e9, threads());

  textbook::Textbook<float> textbook(1, 1e-3);
  reset_peak();
  const Matrix<float> alpha = textbook.fit(*p.x, p.y, metric);
  const Matrix<float> slow = textbook.agop(*p.x, alpha, metric);
  const double their_peak = peak_megabytes();
  const Matrix<float> expected = textbook.predict(p.test, *p.x, alpha, metric);

  reset_peak();
  KernelSpec spec;
  spec.bandwidth = 1;
  const double start = now();
  const auto fit =
      fit_kernel_machine<float>(spec, FeatureMatrix<float>::dense(metric), p.x, p.y, SolverOptions{}, RandomStream(3));
  const double fitted = now();
  const auto agop = gradient_outer_product(fit.machine, GradientOptions{}, RandomStream(3));
  const double done = now();
  const double our_peak = peak_megabytes();

  print_header();
  print("fit", textbook.seconds().fit, fitted - start, fit.summary.flops + double(n) * double(n) * double(d), rate);
  print("AGOP", textbook.seconds().agop, done - fitted, agop.summary.flops, rate);
  print("both", textbook.seconds().fit + textbook.seconds().agop, done - start,
        fit.summary.flops + double(n) * double(n) * double(d) + agop.summary.flops, rate);
  std::printf("  %s, %ld iterations, rank %ld, residual %.1e (kernel %.2f s, solve %.2f s); AGOP: %s\n",
              fit.summary.method.c_str(), long(fit.summary.iterations), long(fit.summary.preconditioner_rank),
              fit.summary.relative_residual, fit.summary.kernel_seconds, fit.summary.seconds,
              agop.summary.form.c_str());
  std::printf("  predictions differ by %.1e, M by %.1e; peak memory %.0f MB, textbook %.0f MB\n",
              difference(fit.machine.predict(p.test), expected), difference(agop.matrix.to_dense(), slow), our_peak,
              their_peak);
}

/// d > n: a whole RFM with one feature update, test predictions included.
void wide(Index n, Index d, bool with_textbook) {
  const double rate = product_rate();
  const Index c = 2;
  Problem p = make_problem(n, d, c);
  std::printf("\nn %ld, d %ld, c %ld, float32: a whole RFM of one iteration; a plain product runs at %.0f Gflop/s\n",
              long(n), long(d), long(c), rate / 1e9);
  Split<float> split;
  split.train.inputs = std::move(*p.x);  // one copy of the data for both
  split.train.targets = std::move(p.y);
  split.test.inputs = std::move(p.test);
  split.test.targets = Matrix<float>::Zero(split.test.inputs.rows(), c);
  split.train.task = split.test.task = Task::regression;
  const auto shared = std::make_shared<const Split<float>>(std::move(split));
  const Matrix<float>&x = shared->train.inputs, &y = shared->train.targets, &test = shared->test.inputs;
  RfmOptions options;
  options.iterations = 1;
  options.kernel.bandwidth = 1;
  reset_peak();
  double start = now();
  const RfmTrace<float> trace = fit_rfm<float>(shared, options, RandomStream(3));
  const double ours = now() - start, our_peak = peak_megabytes();
  const Matrix<float> got = trace.machines.back().predict(test);
  std::printf("  ours: %.2f s, %.0f MB at peak; AGOP %s in %.2f s, solve %.2f s\n", ours, our_peak,
              trace.iterations.back().gradients->form.c_str(), trace.iterations.back().gradients->seconds,
              trace.iterations.back().solve.seconds);
  if (!with_textbook) return;
  textbook::Textbook<float> textbook(1, 1e-3);
  reset_peak();
  start = now();
  const Matrix<float> alpha0 = textbook.fit(x, y, {});
  textbook.predict(test, x, alpha0, {});
  const Matrix<float> m = textbook.agop(x, alpha0, {});
  const Matrix<float> alpha1 = textbook.fit(x, y, m);
  const Matrix<float> expected = textbook.predict(test, x, alpha1, m);
  const double theirs = now() - start, their_peak = peak_megabytes();
  std::printf("  textbook: %.2f s (fits %.2f, AGOP %.2f, predictions %.2f), %.0f MB at peak\n", theirs,
              textbook.seconds().fit, textbook.seconds().agop, textbook.seconds().predict, their_peak);
  std::printf("  ratio %.1fx, memory 1/%.1f; predictions differ by %.1e\n", theirs / ours, their_peak / our_peak,
              difference(got, expected));
}

/// Fit by an iterative solver, then the AGOP over 20,000 points; the residual or validation error against time.
void large(Index n, Index d, Index c, SolverKind kind) {
  const Problem p = make_problem(n, d, c);
  std::printf("\nn %ld, d %ld, c %ld, float32\n", long(n), long(d), long(c));
  KernelSpec spec;
  spec.bandwidth = 1;
  SolverOptions solver;
  solver.kind = kind;
  solver.tolerance = 1e-4;
  solver.max_epochs = 10;
  reset_peak();
  const double start = now();
  const auto fit =
      fit_kernel_machine<float>(spec, FeatureMatrix<float>::identity(d), p.x, p.y, solver, RandomStream(3));
  const double fitted = now();
  GradientOptions gradients;
  gradients.samples = 20000;
  const auto agop = gradient_outer_product(fit.machine, gradients, RandomStream(3));
  std::printf("  %s: %.1f s (kernel %.1f s), %ld iterations or epochs, rank %ld, residual %.1e; %s\n",
              fit.summary.method.c_str(), fitted - start, fit.summary.kernel_seconds, long(fit.summary.iterations),
              long(fit.summary.preconditioner_rank), fit.summary.relative_residual, fit.summary.stopped.c_str());
  std::printf("  AGOP: %s, %.1f s; %.0f MB at peak\n", agop.summary.form.c_str(), now() - fitted, peak_megabytes());
  for (const SolveProgress& point : fit.summary.history)
    std::printf("    %8.1f s  residual %.2e\n", point.seconds, point.relative_residual);
}

}  // namespace

int main(int argc, char** argv) {
  set_threads(0);
  if (argc >= 4 && std::strcmp(argv[1], "--wide") == 0) {
    wide(std::atol(argv[2]), std::atol(argv[3]), argc == 4);
  } else if (argc == 6 && std::strcmp(argv[1], "--large") == 0) {
    large(std::atol(argv[2]), std::atol(argv[3]), std::atol(argv[4]),
          std::strcmp(argv[5], "eigenpro") == 0 ? SolverKind::eigenpro : SolverKind::pcg);
  } else if (argc == 4) {
    iteration(std::atol(argv[1]), std::atol(argv[2]), std::atol(argv[3]));
  } else if (argc == 1) {
    iteration(5000, 784, 10);
    iteration(8000, 50, 1);
    iteration(20000, 100, 2);
  } else {
    std::fprintf(stderr, "usage: bench_engine [N D C | --wide N D [alone] | --large N D C pcg|eigenpro]\n");
    return 2;
  }
}
