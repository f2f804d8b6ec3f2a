#include "rfm/solvers/probes.h"

#include <algorithm>

namespace ansatz::rfm {
namespace {

constexpr Index kProbes = 256;

}  // namespace

template <class Scalar>
PreparedPoints<Scalar> probes(const Kernel& kernel, const PreparedPoints<Scalar>& points, const RandomStream& stream) {
  const Index n = points.size(), count = std::min(n, kProbes);
  PreparedPoints<Scalar> result = points.rows(RandomStream(stream.named("probes")).sample(n, count));
  result.products = nullptr;                     // these belong to the rows, which are moved below
  if (result.points.cols() == 0) return result;  // a metric of rank 0: all points coincide
  const Matrix<Scalar> first = result.points;
  const Matrix<Scalar> directions =
      RandomStream(stream.named("directions")).template normal_matrix<Scalar>(count, first.cols());
  for (Index i = 0; i < count; ++i) {
    const auto other = first.row((i + 1) % count);
    if (i % 2 == 0)
      result.points.row(i) += Scalar(0.5) * (first.row(i) - other);
    else
      result.points.row(i) += (first.row(i) - other).norm() * directions.row(i).stableNormalized();
    if (!kernel.radial()) result.points.row(i).stableNormalize();
    if (kernel.radial()) result.norms[i] = result.points.row(i).squaredNorm();
  }
  return result;
}

template PreparedPoints<float> probes(const Kernel&, const PreparedPoints<float>&, const RandomStream&);
template PreparedPoints<double> probes(const Kernel&, const PreparedPoints<double>&, const RandomStream&);

}  // namespace ansatz::rfm
