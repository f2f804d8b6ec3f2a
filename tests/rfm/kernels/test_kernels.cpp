#include <Eigen/Eigenvalues>

#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "rfm/kernels/arc_cosine.h"
#include "rfm/pairs/kernel_matrix.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

/// K between (1, 0) and the unit vector at cosine rho.
double on_circle(KernelFamily family, Index depth, double rho) {
  Matrix<double> x(1, 2), z(1, 2);
  x << 1, 0;
  z << rho, std::sqrt(1 - rho * rho);
  return kernel_matrix<double>(Kernel::make(spec_of(family, 1, 1, depth)), FeatureMatrix<double>::identity(2), x, z)(0,
                                                                                                                     0);
}

}  // namespace

TEST_CASE("kernel matrices equal the formulas, for every kernel and form of M") {
  const Index d = 6;
  const Matrix<double> x = normal(12, d, 1), z = normal(530, d, 2);
  for (const NamedMetric& m : all_metrics(d)) {
    const Matrix<double> dense = m.metric.to_dense();
    for (const KernelSpec& spec : all_kernels()) {
      INFO(name_of(spec.family) << " depth " << spec.depth << " exponent " << spec.exponent << ", M " << m.name);
      const Matrix<double> k = kernel_matrix<double>(Kernel::make(spec), m.metric, x, z);
      Matrix<double> want(x.rows(), z.rows());
      for (Index i = 0; i < x.rows(); ++i)
        for (Index j = 0; j < z.rows(); ++j) want(i, j) = slow_kernel(spec, dense, x.row(i), z.row(j));
      CHECK(relative_error(k, want) < 1e-12);
    }
  }
}

TEST_CASE(
    "K(X, X) is exactly symmetric, has the exact diagonal, agrees with the rectangular form and is semi-definite") {
  const ThreadScope one_thread(1);  // many short loops: on a busy machine threads would only wait
  const Index d = 5, n = 270;       // more than a panel
  const Matrix<double> x = normal(n, d, 3);
  for (const NamedMetric& m : all_metrics(d)) {
    for (const KernelSpec& spec : all_kernels()) {
      INFO(name_of(spec.family) << " depth " << spec.depth << ", M " << m.name);
      const Kernel kernel = Kernel::make(spec);
      const Matrix<double> k = kernel_matrix<double>(kernel, m.metric, x);
      CHECK((k - k.transpose()).cwiseAbs().maxCoeff() == 0);
      CHECK(relative_error(k, kernel_matrix<double>(kernel, m.metric, x, x)) < 1e-13);
      if (kernel.radial()) CHECK((k.diagonal().array() == 1).all());
      const Matrix<double> part = k.topLeftCorner(60, 60);
      const Eigen::SelfAdjointEigenSolver<Matrix<double>> eigen(part, Eigen::EigenvaluesOnly);
      CHECK(eigen.eigenvalues().minCoeff() > -1e-13 * eigen.eigenvalues().maxCoeff());
    }
  }
}

TEST_CASE("arc-cosine kernels take the tabulated values") {
  const double rho[] = {1, .9, .5, .25, 0, -.5, -.9, -1};
  const double kappa1[] = {
      1, .909538398844672, .608997781044229, .453309877844542, .318309886183791, .108997781044229, .009538398844672, 0};
  const double kappa0[] = {1,  .856433706871294, .666666666666667, .580430623255166,
                           .5, .333333333333333, .143566293128706, 0};
  for (int i = 0; i < 8; ++i) {
    CHECK(on_circle(KernelFamily::nngp, 1, rho[i]) == Approx(kappa1[i]).margin(2e-15));
    CHECK(on_circle(KernelFamily::ntk, 1, rho[i]) == Approx(kappa1[i] + rho[i] * kappa0[i]).margin(4e-15));
  }
}

TEST_CASE("NTK and NNGP of depths 1 to 5 take the tabulated values") {
  const double ntk_half[] = {.942331114378, 1.351479561123, 1.737844679215, 2.107112538397, 2.462893132458};
  const double ntk_zero[] = {.318309886184, .685708636283, 1.060388106803, 1.430390497210, 1.792195966845};
  const double ntk_minus_half[] = {-.057668885622, .343862246273, .742249322561, 1.130622130858, 1.507106801986};
  const double nngp_half[] = {.608997781044, .683905650899, .738128192301, .778895137394, .810454201005};
  const double nngp_zero[] = {.318309886184, .493731090200, .604825720113, .680953533356, .735946350628};
  for (Index depth = 1; depth <= 5; ++depth) {
    CHECK(on_circle(KernelFamily::ntk, depth, 1) == double(depth + 1));  // exactly
    CHECK(on_circle(KernelFamily::nngp, depth, 1) == 1);
    CHECK(on_circle(KernelFamily::ntk, depth, .5) == Approx(ntk_half[depth - 1]).epsilon(1e-12));
    CHECK(on_circle(KernelFamily::ntk, depth, 0) == Approx(ntk_zero[depth - 1]).epsilon(1e-11));
    CHECK(on_circle(KernelFamily::ntk, depth, -.5) == Approx(ntk_minus_half[depth - 1]).epsilon(1e-11));
    CHECK(on_circle(KernelFamily::nngp, depth, .5) == Approx(nngp_half[depth - 1]).epsilon(1e-11));
    CHECK(on_circle(KernelFamily::nngp, depth, 0) == Approx(nngp_zero[depth - 1]).epsilon(1e-11));
    const double before = depth == 1 ? 0 : on_circle(KernelFamily::ntk, depth - 1, 0);
    CHECK(on_circle(KernelFamily::ntk, depth, -1) == Approx(before).margin(1e-14));
  }
}

TEST_CASE("NTK and NNGP of x = (1,2,3), z = (1,0,-1)") {
  Matrix<double> x(1, 3), z(1, 3);
  x << 1, 2, 3;
  z << 1, 0, -1;
  const double nngp[] = {.806145316896, 2.106994772577, 2.873216314323};
  const double ntk[] = {.052897031325, 2.136018483710, 4.219676178559};
  const FeatureMatrix<double> identity = FeatureMatrix<double>::identity(3);
  for (Index depth = 1; depth <= 3; ++depth) {
    const Kernel theta = Kernel::make(spec_of(KernelFamily::ntk, 1, 1, depth));
    const Kernel sigma = Kernel::make(spec_of(KernelFamily::nngp, 1, 1, depth));
    CHECK(kernel_matrix<double>(sigma, identity, x, z)(0, 0) == Approx(nngp[depth - 1]).epsilon(1e-11));
    CHECK(kernel_matrix<double>(theta, identity, x, z)(0, 0) == Approx(ntk[depth - 1]).epsilon(1e-10));
    CHECK(kernel_matrix<double>(theta, identity, x)(0, 0) == Approx(14.0 * double(depth + 1)).epsilon(1e-15));
  }
}

TEST_CASE("the recursion keeps its digits next to cosine 1, in both precisions") {
  // In float32, acos of a rounded cosine has none left below an angle of 3e-4.
  for (const double angle : {1e-6, 1e-4, 1e-2, 0.3, 1.0}) {
    const long double half_sine = std::sin((long double)(angle) / 2), pi = std::acos(-1.0L);
    ArcCosineState<float> s{};
    const float cosine = float(std::cos(angle)), start = float(half_sine * half_sine);
    start_recursion(&cosine, &start, 1, s);
    advance_layer(s, 1, true);
    const long double kappa1 = (std::cos((long double)(angle)) * (pi - angle) + std::sin((long double)(angle))) / pi;
    const long double complement =
        half_sine * half_sine - (std::sin((long double)(angle)) - angle * std::cos((long double)(angle))) / (2 * pi);
    INFO("angle " << angle);
    CHECK(s.sigma[0] == Approx(double(kappa1)).epsilon(3e-7));
    CHECK(s.complement[0] ==
          Approx(double(complement)).epsilon(2e-4));  // rounding of the subtracted term, eps / angle^2 * angle^3
    CHECK(s.sigma_slope[0] == Approx(double((pi - angle) / pi)).epsilon(3e-7));
    const long double slope =
        2 * (pi - angle) / pi + std::cos((long double)(angle)) / (pi * std::sin((long double)(angle)));
    CHECK(s.theta_slope[0] == Approx(double(slope)).epsilon(1e-6));
  }
}

TEST_CASE("float32 kernels far from the origin and with duplicates agree with float64") {
  const Index n = 200, d = 50;
  Matrix<double> x = normal(n, d, 5);
  for (Index i = 0; i < 20; ++i) x.row(n - 1 - i) = x.row(i);
  for (const double offset : {0.0, 100.0}) {
    Matrix<float> single = (x.array() + offset).cast<float>();
    const Matrix<double> rounded = single.cast<double>();  // the same points for both
    Matrix<float> copies = single.topRows(30);
    for (const KernelSpec& spec : all_kernels()) {
      const Kernel kernel = Kernel::make(spec);
      INFO(name_of(spec.family) << " depth " << spec.depth << " exponent " << spec.exponent << ", offset " << offset);
      const Matrix<float> k = kernel_matrix<float>(kernel, FeatureMatrix<float>::identity(d), single);
      const Matrix<double> want = kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(d), rounded);
      CHECK((k - k.transpose()).cwiseAbs().maxCoeff() == 0);
      // Some 20 roundings of float32. Far from the origin all cosines are near 1, and the slopes there of the NTK, and
      // of erf, for which such inputs are nearly steps, magnify them.
      const bool steps = offset > 0 && spec.activation == Activation::erf;
      const bool steep = offset > 0 && spec.family == KernelFamily::ntk;
      CHECK(relative_error(k.cast<double>(), want) < (steps ? 3e-4 : steep ? 3e-5 : 3e-6));
      for (Index i = 0; i < 20; ++i) CHECK(double(k(i, n - 1 - i)) == Approx(want(i, n - 1 - i)).epsilon(1e-6));
      const Matrix<float> rectangular = kernel_matrix<float>(kernel, FeatureMatrix<float>::identity(d), copies, single);
      if (kernel.radial())
        for (Index i = 0; i < 30; ++i) CHECK(rectangular(i, i) == 1.0f);
    }
  }
}

TEST_CASE("points of norm zero have kernel zero") {
  Matrix<double> x = normal(4, 3, 6);
  x.row(2).setZero();
  for (const KernelFamily family : {KernelFamily::nngp, KernelFamily::ntk}) {
    const Matrix<double> k =
        kernel_matrix<double>(Kernel::make(spec_of(family, 1, 1, 2)), FeatureMatrix<double>::identity(3), x);
    CHECK(k.row(2).cwiseAbs().maxCoeff() == 0);
    CHECK(k.allFinite());
    CHECK(k(1, 1) > 0);
  }
}

TEST_CASE("values of a dot-product kernel beyond float32 are refused in words") {
  const Matrix<float> x =
      Matrix<float>::Constant(2, 1, 8e18f);  // |x|^2 = 6.4e37, and the NTK's is depth + 1 times that
  const FeatureMatrix<float> identity = FeatureMatrix<float>::identity(1);
  const auto ntk = [](Index depth) { return Kernel::make(spec_of(KernelFamily::ntk, 1, 1, depth)); };
  CHECK(kernel_matrix<float>(ntk(1), identity, x).allFinite());
  CHECK(contains(message_of<NumericalError>([&] { kernel_matrix<float>(ntk(9), identity, x); }), "beyond float32"));
  CHECK(kernel_matrix<double>(ntk(9), FeatureMatrix<double>::identity(1), x.cast<double>()).allFinite());
  const Kernel steep = Kernel::make(textbook::polynomial(3, 1, 1));
  CHECK(contains(message_of<NumericalError>([&] { kernel_matrix<float>(steep, identity, x); }), "kernel polynomial"));
}

TEST_CASE("scaling M by s^2 is scaling the bandwidth by 1/s") {
  const Matrix<double> x = normal(20, 4, 7);
  const FeatureMatrix<double> m = FeatureMatrix<double>::dense(positive_definite(4, 8));
  for (const KernelSpec& spec : all_kernels()) {
    if (!Kernel::make(spec).radial()) continue;
    KernelSpec wide = spec;
    wide.bandwidth = spec.bandwidth / 3;
    CHECK(relative_error(kernel_matrix<double>(Kernel::make(spec), m.scaled(9), x),
                         kernel_matrix<double>(Kernel::make(wide), m, x)) < 1e-13);
  }
}

TEST_CASE("adaptive bandwidth is L times the median off-diagonal distance") {
  Matrix<double> x(4, 1);
  x << 0, 1, 3, 7;  // distances 1 2 3 4 6 7
  KernelSpec spec = spec_of(KernelFamily::laplace, 2);
  spec.bandwidth_mode = BandwidthMode::adaptive;
  const FeatureMatrix<double> identity = FeatureMatrix<double>::identity(1);
  CHECK(make_kernel<double>(spec, identity, x, RandomStream(1)).bandwidth() == Approx(7.0));
  CHECK(make_kernel<double>(spec, identity.scaled(4), x, RandomStream(1)).bandwidth() == Approx(14.0));
  const Matrix<double> constant = Matrix<double>::Ones(4, 1);
  CHECK_THROWS_AS(make_kernel<double>(spec, identity, constant, RandomStream(1)), NumericalError);
  spec.bandwidth_mode = BandwidthMode::constant;
  CHECK(make_kernel<double>(spec, identity, constant, RandomStream(1)).bandwidth() == 2);
}

TEST_CASE("adaptive bandwidth draws its rows by seed, not the first ones") {
  const Index n = kBandwidthRows + 500;
  Matrix<double> x = normal(n, 2, 9);
  x.topRows(3500) *= 1e-3;  // the first rows are not typical
  KernelSpec spec = spec_of(KernelFamily::gaussian, 1);
  spec.bandwidth_mode = BandwidthMode::adaptive;
  const FeatureMatrix<double> identity = FeatureMatrix<double>::identity(2);
  const double a = make_kernel<double>(spec, identity, x, RandomStream(1)).bandwidth();
  const Matrix<double> first = x.topRows(kBandwidthRows);
  CHECK(a > 1.05 * make_kernel<double>(spec, identity, first, RandomStream(1)).bandwidth());
}

TEST_CASE("bad kernel parameters and inputs are refused in words") {
  CHECK_THROWS_AS(Kernel::make(spec_of(KernelFamily::laplace, 0)), ConfigError);
  CHECK_THROWS_AS(Kernel::make(spec_of(KernelFamily::generalized_laplace, 1, 2.1)), ConfigError);
  CHECK_THROWS_AS(Kernel::make(spec_of(KernelFamily::ntk, 1, 1, 0)), ConfigError);
  Matrix<double> x = normal(3, 2, 10);
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 1));
  CHECK_THROWS_AS(kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(3), x), DataError);
  x(1, 1) = std::nan("");
  CHECK_THROWS_AS(kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(2), x), NumericalError);
}

TEST_CASE("the kernel table names every family, and descriptions state the bandwidth") {
  for (const KernelSpec& spec : all_kernels()) CHECK_FALSE(name_of(spec.family).empty());
  CHECK(Kernel::make(spec_of(KernelFamily::laplace, 10)).describe() == "laplace, L = 10: exp(-|x-z|_M / L)");
}
