#include "rfm/kernel_pairs.h"

#include <algorithm>

#include "core/base/error.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/pairs/pair_matrices.h"
#include "rfm/pairs/pair_tiles.h"
#include "rfm/pairs/power_sums.h"

namespace ansatz::rfm {
namespace {

template <class Scalar>
PreparedPoints<Scalar> with_sums(PreparedPoints<Scalar> points, Matrix<Scalar> sums) {
  points.products = std::make_shared<const Matrix<Scalar>>(std::move(sums));
  return points;
}

}  // namespace

template <class Scalar>
KernelPairs<Scalar>::KernelPairs(const KernelSpec& first, FeatureMatrix<Scalar> metric,
                                 std::shared_ptr<const Matrix<Scalar>> x, const Dataset<Scalar>* validation,
                                 const RandomStream& stream, std::shared_ptr<const SampleSpace<Scalar>> sample_space)
    : metric_(std::move(metric)),
      x_(std::move(x)),
      validation_(validation != nullptr && !validation->empty() ? validation : nullptr),
      stream_(stream),
      first_(first),
      centers_(prepare_centers<Scalar>(Kernel::make(first), metric_, *x_, std::move(sample_space))),
      worth_keeping_(!centers_->points.products &&
                     distance_flops(first, centers_->coordinates.latent_dimension()) > kPassFlops) {}

template <class Scalar>
bool KernelPairs<Scalar>::serve(const KernelSpec& spec) const {
  const Kernel ours = Kernel::make(first_), theirs = Kernel::make(spec);
  return ours.shape() == theirs.shape() && (!ours.p_norm() || ours.spec().norm == theirs.spec().norm);
}

template <class Scalar>
Kernel KernelPairs<Scalar>::kernel(const KernelSpec& spec) {
  ++kernels_;
  const Kernel kernel = Kernel::make(spec);
  if (spec.bandwidth_mode == BandwidthMode::constant || !kernel.radial()) return kernel;
  if (!median_) {
    KernelSpec unit = spec;
    unit.bandwidth = 1;
    median_ = make_kernel<Scalar>(unit, metric_, *x_, stream_.named("bandwidth")).bandwidth();
  }
  return kernel.with_bandwidth(spec.bandwidth * *median_);
}

template <class Scalar>
Matrix<Scalar> KernelPairs<Scalar>::values(const Kernel& kernel) {
  if (!kept()) return kernel_values(kernel, centers_->points);
  if (!points_) points_ = with_sums(centers_->points, coordinate_sums(kernel, centers_->points));
  return kernel_values(kernel, *points_);
}

template <class Scalar>
std::vector<Matrix<Scalar>> KernelPairs<Scalar>::validation_values(const Kernel& kernel) {
  if (validation_ == nullptr) throw DataError("kernel machine: there are no validation rows to predict");
  if (validation_points_.empty()) {
    const MatrixView<Scalar> inputs = validation_->inputs;
    for (Index begin = 0; begin < inputs.rows(); begin += kPredictedRows)
      validation_points_.push_back(
          centers_->coordinates.prepare(inputs.middleRows(begin, std::min(kPredictedRows, inputs.rows() - begin))));
  }
  std::vector<Matrix<Scalar>> values;
  for (PreparedPoints<Scalar>& points : validation_points_) {
    if (kept() && !points.products) points = with_sums(points, coordinate_sums(kernel, points, centers_->points));
    values.push_back(kernel_values(kernel, points, centers_->points));
  }
  return values;
}

template class KernelPairs<float>;
template class KernelPairs<double>;

}  // namespace ansatz::rfm
