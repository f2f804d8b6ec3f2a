// The pairs of rows that several kernels look at.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "rfm/kernel_machine.h"

namespace ansatz::rfm {

/// Training rows x (n x d) and validation rows under one M, made ready for the kernels of one shape. Kernels that
/// differ in bandwidth, exponent or (of one shape) family start from the same numbers: inner products of rows, or, for
/// those of a p-norm, sums of powers. These are kept once a second kernel is seen (n^2 and n_validation n numbers),
/// where that is cheaper than computing them anew, and so is the median that adaptive bandwidths are a multiple of. All
/// values are, to the bit, those without it.
template <class Scalar>
class KernelPairs {
 public:
  /// Made for the first of the kernels. `validation` is borrowed; null or empty: there are none. An adaptive bandwidth
  /// draws from stream.named("bandwidth"). Throws as MetricCoordinates and make_kernel().
  KernelPairs(const KernelSpec& first, FeatureMatrix<Scalar> metric, std::shared_ptr<const Matrix<Scalar>> x,
              const Dataset<Scalar>* validation, const RandomStream& stream,
              std::shared_ptr<const SampleSpace<Scalar>> sample_space = nullptr);

  /// Whether such a kernel starts from the same numbers.
  bool serve(const KernelSpec& spec) const;
  /// The kernel of a spec that these pairs serve, its bandwidth resolved.
  Kernel kernel(const KernelSpec& spec);

  const FeatureMatrix<Scalar>& metric() const { return metric_; }
  const std::shared_ptr<const Matrix<Scalar>>& x() const { return x_; }
  const std::shared_ptr<const PreparedCenters<Scalar>>& centers() const { return centers_; }
  const Dataset<Scalar>* validation() const { return validation_; }  ///< null if there are no rows

  /// Whether the numbers are kept, so that values() costs less than computing K from the rows.
  bool kept() const { return kernels_ > 1 && worth_keeping_; }
  Matrix<Scalar> values(const Kernel& kernel);  ///< K(x, x), n x n
  std::vector<Matrix<Scalar>> validation_values(
      const Kernel& kernel);  ///< K(validation, x), some rows each; DataError without any

 private:
  FeatureMatrix<Scalar> metric_;
  std::shared_ptr<const Matrix<Scalar>> x_;
  const Dataset<Scalar>* validation_;
  RandomStream stream_;
  KernelSpec first_;
  std::shared_ptr<const PreparedCenters<Scalar>> centers_;
  bool worth_keeping_;
  int kernels_ = 0;                                        // seen so far
  std::optional<double> median_;                           // of the distances
  std::optional<PreparedPoints<Scalar>> points_;           // x, with its sums
  std::vector<PreparedPoints<Scalar>> validation_points_;  // with their sums, if these are kept
};

}  // namespace ansatz::rfm
