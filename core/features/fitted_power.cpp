#include "core/features/fitted_power.h"

#include <cmath>
#include <limits>

#include "core/base/epsilon.h"
#include "core/base/error.h"

namespace ansatz {
namespace {

/// r(p) up to the factor that does not depend on p.
class Likeness {
 public:
  template <class Scalar>
  Likeness(const FeatureMatrix<Scalar>& left, const EigenPairs<Scalar>& g)
      : entries_(std::pow(static_cast<double>(left.dimension()), 2)), left_mean_(left.sum() / entries_) {
    const Vector<double> values = g.values.template cast<double>();
    const double largest = values.size() > 0 ? values(0) : 0;
    const double rounding = 32 * epsilon<Scalar>();  // as FeatureMatrix::power
    Index rank = 0;
    while (rank < values.size() && values(rank) > rounding * largest) ++rank;
    if (rank == 0) return;
    const Matrix<Scalar> u = g.vectors.topRows(rank);
    const Matrix<double> in_double = u.template cast<double>();
    log_values_ = (values.head(rank) / largest).array().log();
    products_ = left.apply(u).template cast<double>().cwiseProduct(in_double).rowwise().sum();
    sums_ = in_double.rowwise().sum().array().square();
  }

  double operator()(double p) const {
    const Vector<double> powers = (p * log_values_.array()).exp();
    const double mean = powers.dot(sums_) / entries_;
    const double variance = powers.squaredNorm() / entries_ - mean * mean;
    return (powers.dot(products_) / entries_ - left_mean_ * mean) / std::sqrt(variance);
  }

 private:
  double entries_, left_mean_;
  Vector<double> log_values_, products_, sums_;
};

/// The place of the only maximum of `f` within [low, high].
double golden_section(const Likeness& f, double low, double high) {
  constexpr double kRatio = 0.6180339887498949, kTolerance = 1e-4;
  double a = high - kRatio * (high - low), b = low + kRatio * (high - low);
  double at_a = f(a), at_b = f(b);
  while (high - low > kTolerance) {
    if (at_a > at_b) {
      high = b, b = a, at_b = at_a;
      a = high - kRatio * (high - low);
      at_a = f(a);
    } else {
      low = a, a = b, at_a = at_b;
      b = low + kRatio * (high - low);
      at_b = f(b);
    }
  }
  return (low + high) / 2;
}

}  // namespace

template <class Scalar>
double fitted_power(const FeatureMatrix<Scalar>& left, const EigenPairs<Scalar>& g) {
  if (g.vectors.cols() != left.dimension()) throw DataError("fitted power: the matrices differ in dimension");
  constexpr double kStep = 0.05;  // r(p) is smooth: there is one maximum between the best step's neighbours
  if (left.trace() == 0) return std::numeric_limits<double>::quiet_NaN();
  const Likeness likeness(left, g);
  double best = std::numeric_limits<double>::quiet_NaN(), most = -std::numeric_limits<double>::infinity();
  for (double p = kLeastPower; p < kLargestPower + kStep / 2; p += kStep) {
    const double r = likeness(p);
    if (r > most) best = p, most = r;
  }
  if (std::isnan(best)) return best;
  const double refined =
      golden_section(likeness, std::max(kLeastPower, best - kStep), std::min(kLargestPower, best + kStep));
  return likeness(refined) >= most ? refined : best;  // best: if it lies at an end of the range
}

template double fitted_power(const FeatureMatrix<float>&, const EigenPairs<float>&);
template double fitted_power(const FeatureMatrix<double>&, const EigenPairs<double>&);

}  // namespace ansatz
