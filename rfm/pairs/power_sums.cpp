#include "rfm/pairs/power_sums.h"

namespace ansatz::rfm {
namespace {

constexpr Index kCoordinates = 256;  // added in one go: longer float32 sums lose digits

/// Adds `count` coordinates to the sums of one row: x (count), z (count x columns, one coordinate a row). `power` takes
/// |u| to |u|^p.
template <class Scalar, class Power>
void add_powers(const Scalar* x, const Scalar* z, Index count, Index columns, const Scalar* noise, Scalar* sum,
                const Power& power) {
  const auto term = [&power, noise](Scalar difference, Index j) {
    const Scalar u = std::abs(difference);
    return power(u > noise[j] ? u : Scalar(0));
  };
  Index k = 0;
  for (; k + 4 <= count; k += 4) {
    const Scalar x0 = x[k], x1 = x[k + 1], x2 = x[k + 2], x3 = x[k + 3];
    const Scalar *z0 = z + k * columns, *z1 = z0 + columns, *z2 = z1 + columns, *z3 = z2 + columns;
    for (Index j = 0; j < columns; ++j)
      sum[j] += (term(x0 - z0[j], j) + term(x1 - z1[j], j)) + (term(x2 - z2[j], j) + term(x3 - z3[j], j));
  }
  for (; k < count; ++k)
    for (Index j = 0; j < columns; ++j) sum[j] += term(x[k] - z[k * columns + j], j);
}

/// The same for any p, through exp(p log |u|).
template <class Scalar>
void add_general_powers(const Scalar* x, const Scalar* z, Index count, Index columns, const Scalar* noise, Scalar* sum,
                        Scalar p) {
  Eigen::Array<Scalar, kTile, 1> differences, powers;
  auto u = differences.head(columns), raised = powers.head(columns);
  using Row = Eigen::Map<const Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
  for (Index k = 0; k < count; ++k) {
    u = (x[k] - Row(z + k * columns, columns)).abs();
    raised = (p * u.log()).exp();
    for (Index j = 0; j < columns; ++j) sum[j] += u[j] > noise[j] ? raised[j] : Scalar(0);
  }
}

}  // namespace

template <class Scalar>
void power_sums(double norm, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z, const Tile& t,
                Matrix<Scalar>& values) {
  thread_local Matrix<Scalar> coordinates;  // of z, one a row
  coordinates = z.points.middleRows(t.column, t.columns).transpose();
  Eigen::Array<Scalar, kTile, 1> noise, part;
  const Index width = coordinates.rows();
  values.setZero();
  for (Index i = 0; i < t.rows; ++i) {
    for (Index j = 0; j < t.columns; ++j) noise[j] = coordinate_noise(x, x.norms[t.row + i] + z.norms[t.column + j]);
    for (Index k = 0; k < width; k += kCoordinates) {
      const Index count = std::min(kCoordinates, width - k);
      const Scalar* from = &x.points(t.row + i, k);
      const Scalar* to = &coordinates(k, 0);
      part.setZero();
      const auto add = [&](const auto& power) {
        add_powers(from, to, count, t.columns, noise.data(), part.data(), power);
      };
      if (norm == 1)
        add([](Scalar u) { return u; });
      else if (norm == 2)
        add([](Scalar u) { return u * u; });
      else if (norm == 1.5)
        add([](Scalar u) { return u * std::sqrt(u); });
      else
        add_general_powers(from, to, count, t.columns, noise.data(), part.data(), static_cast<Scalar>(norm));
      values.row(i).array() += part.head(t.columns).transpose();
    }
  }
}

double distance_flops(const KernelSpec& spec, Index width) {
  constexpr double kSimplePower = 16, kGeneralPower = 100;  // as measured, float32, AVX2
  const double q = static_cast<double>(width);
  if (!Kernel::make(spec).p_norm()) return 2 * q;
  const double p = Kernel::make(spec).spec().norm;
  return q * (p == 1 || p == 1.5 || p == 2 ? kSimplePower : kGeneralPower);
}

double elementwise_flops(const KernelSpec& spec, Index width) {
  return Kernel::make(spec).p_norm() ? 2 * distance_flops(spec, width) : 0;
}

template void power_sums(double, const PreparedPoints<float>&, const PreparedPoints<float>&, const Tile&,
                         Matrix<float>&);
template void power_sums(double, const PreparedPoints<double>&, const PreparedPoints<double>&, const Tile&,
                         Matrix<double>&);

}  // namespace ansatz::rfm
