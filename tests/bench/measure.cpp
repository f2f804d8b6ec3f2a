#include "tests/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "core/base/random.h"

namespace ansatz::bench {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Peak resident megabytes of the process since the last call of reset_peak().
double peak_megabytes() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::atof(line.c_str() + 6) / 1024;
  return 0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

template <class Scalar>
double product_rate(Index m, Index k, Index n) {
  const Matrix<Scalar> a = Matrix<Scalar>::Random(m, k), b = Matrix<Scalar>::Random(k, n);
  Matrix<Scalar> c(m, n);
  double best = 1e300;
  for (int i = 0; i < 20; ++i) {
    const double start = now();
    c.noalias() = a * b;
    best = std::min(best, now() - start);
  }
  return 2.0 * double(m) * double(k) * double(n) / best;
}

double product_rate() { return product_rate<float>(2048, 2048, 2048); }

Problem make_problem(Index n, Index d, Index c) {
  const RandomStream stream(1);
  Matrix<float> x = stream.named("x").normal_matrix<float>(n, d),
                test = stream.named("test").normal_matrix<float>(1000, d);
  const Matrix<float> w = stream.named("w").normal_matrix<float>(d, c);
  x.rowwise().normalize();
  test.rowwise().normalize();
  Matrix<float> y = (x * w).cwiseMax(0.f) + 0.1f * stream.named("noise").normal_matrix<float>(n, c);
  return {std::make_shared<Matrix<float>>(std::move(x)), std::move(y), std::move(test)};
}

template double product_rate<float>(Index, Index, Index);
template double product_rate<double>(Index, Index, Index);

}  // namespace ansatz::bench
