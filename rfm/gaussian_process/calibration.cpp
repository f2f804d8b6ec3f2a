#include "rfm/gaussian_process/calibration.h"

#include <cmath>

#include "core/base/error.h"
#include "core/statistics/normal_quantile.h"

namespace ansatz::rfm {

Coverage coverage_of(const Matrix<double>& targets, const Matrix<double>& mean, const Vector<double>& variance,
                     double level) {
  if (!(level > 0 && level < 1)) throw ConfigError("coverage: `level` must be between 0 and 1");
  if (targets.size() == 0 || targets.rows() != mean.rows() || targets.cols() != mean.cols() ||
      targets.rows() != variance.size())
    throw DataError("coverage: targets, means and variances are of different sizes, or there are none");
  const Vector<double> reach = normal_quantile((1 + level) / 2) * variance.array().sqrt();
  const auto distance = (targets - mean).cwiseAbs().eval();
  Index inside = 0;
  for (Index j = 0; j < targets.cols(); ++j) inside += (distance.col(j).array() <= reach.array()).count();
  const double count = static_cast<double>(targets.size());
  return {level, static_cast<double>(inside) / count, std::sqrt(level * (1 - level) / count)};
}

}  // namespace ansatz::rfm
