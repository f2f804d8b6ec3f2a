// Seconds and flop rates of the stages of one RFM iteration, beside the rate of a plain matrix product in this process.
//   bench_rfm [N D C [KERNEL]]     without arguments: the sizes of the paper's image and tabular experiments
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/machine/parallel.h"
#include "rfm/gradient_outer_product.h"
#include "rfm/kernel_fit.h"
#include "rfm/pairs/pair_matrices.h"
#include "rfm/solvers/direct_solve.h"
#include "rfm/solvers/solve.h"
#include "tests/bench/measure.h"

namespace {

using namespace ansatz;
using namespace ansatz::rfm;

/// Shortest of a few runs: the one that others disturbed least.
double seconds(const std::function<void()>& work, int runs = 3) {
  double best = 1e300;
  for (int i = 0; i < runs; ++i) {
    const double start = bench::now();
    work();
    best = std::min(best, bench::now() - start);
  }
  return best;
}

void print(const char* stage, double seconds, double flops, double rate) {
  std::printf("  %-34s %9.3f s %9.1f Gflop %8.1f Gflop/s %6.0f %%\n", stage, seconds, flops / 1e9,
              flops / seconds / 1e9, 100 * flops / seconds / rate);
}

template <class Scalar>
void time_stages(Index n, Index d, Index c, KernelFamily family, bool full_metric) {
  const RandomStream stream(1);
  const auto x = std::make_shared<const Matrix<Scalar>>(stream.named("x").normal_matrix<Scalar>(n, d));
  const Matrix<Scalar> y = stream.named("y").normal_matrix<Scalar>(n, c);
  const Index tests = 2000;
  const Matrix<Scalar> test = stream.named("test").normal_matrix<Scalar>(tests, d);
  KernelSpec spec;
  spec.family = family;
  spec.depth = 2;
  const Kernel kernel = Kernel::make(spec);
  FeatureMatrix<Scalar> metric = FeatureMatrix<Scalar>::identity(d);
  if (full_metric) {
    const Matrix<Scalar> w = stream.named("w").normal_matrix<Scalar>(d + 10, d);
    metric = FeatureMatrix<Scalar>::dense((w.transpose() * w / Scalar(d)).eval());
  }

  const double rate = bench::product_rate<Scalar>(2048, 2048, 2048), dn = double(n), dd = double(d), dc = double(c);
  std::printf("n %ld, d %ld, c %ld, %s, float%zu, M %s: a plain product runs at %.1f Gflop/s on %d threads\n", long(n),
              long(d), long(c), name_of(family).c_str(), 8 * sizeof(Scalar), full_metric ? "full" : "identity",
              rate / 1e9, threads());
  std::shared_ptr<const PreparedCenters<Scalar>> centers;
  const double prepare = seconds([&] { centers = prepare_centers<Scalar>(kernel, metric, *x); });
  print("centres into M's coordinates", prepare, full_metric ? 2 * dn * dd * dd + dd * dd * dd / 3 : 0, rate);
  Matrix<Scalar> k;
  const double forming = seconds([&] { k = kernel_values(kernel, centers->points); });
  print("kernel matrix (half of it, mirrored)", forming, dn * dn * dd, rate);
  Solution<Scalar> solution;
  const double solving = seconds([&] { solution = solve_formed<Scalar>(k, y, SolverOptions{}); }, 2);
  print("solve, residual and refinement", solving, solution.summary.flops, rate);
  std::printf("    %s, residual %.2e after %d refinements\n", solution.summary.method.c_str(),
              solution.summary.relative_residual, solution.summary.refinements);
  k.resize(0, 0);
  const KernelMachine<Scalar> machine(kernel, metric, x, solution.alpha, centers);
  const double predicting = seconds([&] { machine.predict(test); });
  print("predictions for 2000 points", predicting, 2.0 * double(tests) * dn * (dd + dc), rate);
  GradientOuterProduct<Scalar> agop;
  const double gradients = seconds([&] { agop = gradient_outer_product(machine, GradientOptions{}, stream); }, 2);
  print("gradient outer product", gradients, agop.summary.flops, rate);
  GradientOptions sampled;
  sampled.samples = n / 4;
  const double fewer = seconds([&] { agop = gradient_outer_product(machine, sampled, stream); }, 2);
  print("gradient outer product, n/4 points", fewer, agop.summary.flops, rate);
}

KernelFamily family_named(const std::string& name) {
  for (const KernelInfo& row : kernel_table())
    if (row.name == name) return row.family;
  std::fprintf(stderr, "bench_rfm: no kernel %s\n", name.c_str());
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  set_threads(0);
  if (argc == 1) {
    time_stages<float>(4000, 784, 10, KernelFamily::laplace, true);
    time_stages<float>(5000, 100, 1, KernelFamily::laplace, true);
    time_stages<float>(4000, 784, 10, KernelFamily::ntk, false);
  } else if (argc == 4 || argc == 5) {
    const KernelFamily family = family_named(argc == 5 ? argv[4] : "laplace");
    time_stages<float>(std::atol(argv[1]), std::atol(argv[2]), std::atol(argv[3]), family, true);
  } else {
    std::fprintf(stderr, "usage: bench_rfm [N D C [KERNEL]]\n");
    return 2;
  }
}
