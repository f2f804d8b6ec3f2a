// Whether predicted variances are of the right size.
#pragma once

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// How many observations lie within the central intervals that should hold a share `level` of them.
struct Coverage {
  double level;
  double share;
  double standard_error;  ///< binomial, of the share of independent observations if `level` is true
};

/// targets and mean: b x c; variance: b, of an observation. Throws DataError if sizes do not fit or there is nothing,
/// ConfigError unless 0 < level < 1.
Coverage coverage_of(const Matrix<double>& targets, const Matrix<double>& mean, const Vector<double>& variance,
                     double level);

}  // namespace ansatz::rfm
