// Kernels of networks of finite width beside the recursion for infinite width.
#include <cmath>

#include "core/statistics/spread.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/random_networks/random_network.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

constexpr Activation kActivations[] = {Activation::relu, Activation::erf, Activation::linear};

Matrix<double> limit(KernelSpec spec, KernelFamily family, const Matrix<double>& x) {
  spec.family = family;
  return kernel_matrix<double>(Kernel::make(spec), FeatureMatrix<double>::identity(x.cols()), x);
}

KernelSpec scaled(Activation activation, Index depth) {
  return network(KernelFamily::nngp, activation, activation == Activation::relu ? 1.5 : 1.2, 0.4, depth);
}

}  // namespace

TEST_CASE("random networks: with one hidden layer the mean over networks is the kernel itself") {
  const Matrix<double> x = normal(4, 3, 501);
  const Index draws = 1500, width = 4;  // at any width
  for (const Activation activation : kActivations) {
    const KernelSpec spec = scaled(activation, 1);
    std::vector<std::vector<double>> nngp(16), ntk(16);
    for (Index draw = 0; draw < draws; ++draw) {
      const NetworkKernels k = random_network_kernels(spec, x, width, RandomStream(std::uint64_t(502 + draw)));
      for (Index i = 0; i < 16; ++i) {
        nngp[std::size_t(i)].push_back(k.nngp.data()[i]);
        ntk[std::size_t(i)].push_back(k.ntk.data()[i]);
      }
    }
    const Matrix<double> sigma = limit(spec, KernelFamily::nngp, x), theta = limit(spec, KernelFamily::ntk, x);
    for (Index i = 0; i < 16; ++i) {
      const Spread a = spread_of(nngp[std::size_t(i)]), b = spread_of(ntk[std::size_t(i)]);
      CAPTURE(info_of(activation).name, i);
      CHECK(std::abs(a.mean - sigma.data()[i]) < 4.5 * a.sd / std::sqrt(double(draws)));
      CHECK(std::abs(b.mean - theta.data()[i]) < 4.5 * b.sd / std::sqrt(double(draws)));
    }
  }
}

TEST_CASE("random networks: the distance from the kernel falls as the root of the width, biases included") {
  const Matrix<double> x = normal(5, 4, 503);
  const Index widths[] = {16, 64, 256}, trials = 24;
  for (const Activation activation : kActivations)
    for (const KernelFamily family : {KernelFamily::nngp, KernelFamily::ntk}) {
      const KernelSpec spec = scaled(activation, 2);
      const Matrix<double> want = limit(spec, family, x);
      double squares[3] = {};
      for (int w = 0; w < 3; ++w)
        for (Index t = 0; t < trials; ++t) {
          const NetworkKernels k =
              random_network_kernels(spec, x, widths[w], RandomStream(std::uint64_t(504 + 10 * t + w)));
          squares[w] += ((family == KernelFamily::nngp ? k.nngp : k.ntk) - want).squaredNorm() / double(trials);
        }
      CAPTURE(info_of(activation).name, name_of(family), squares[0], squares[1], squares[2]);
      // Each square is of relative error sqrt(2 / trials) at most: the slope of the error, of 0.13.
      CHECK(std::log(squares[2] / squares[0]) / std::log(16.0) / 2 == Approx(-0.5).margin(0.2));
      CHECK(squares[2] < 0.3 * want.squaredNorm());
    }
}
