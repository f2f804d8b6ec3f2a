#include <rapidcheck.h>

#include "core/base/error.h"
#include "core/features/agop.h"
#include "rfm/gradient_outer_product.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/pairs/pair_matrices.h"
#include "rfm/rfm.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

/// The gradient of sum_j alpha_j K(x, z_j) by the formula, pair by pair and coordinate by coordinate.
Vector<double> slow_gradient(const KernelSpec& spec, const Matrix<double>& m, const Vector<double>& x,
                             const Matrix<double>& z, const Vector<double>& alpha) {
  const Matrix<double>& root = symmetric_root(m);
  const Kernel kernel = Kernel::make(spec);
  const double p = kernel.spec().norm, q = kernel.spec().exponent;
  Vector<double> sum = Vector<double>::Zero(x.size());
  for (Index j = 0; j < z.rows(); ++j) {
    if (x.transpose() == z.row(j)) continue;
    const Vector<double> u = root * (x - z.row(j).transpose());
    double s = 0;
    for (Index k = 0; k < u.size(); ++k) s += std::pow(std::abs(u[k]), p);
    const double factor = -alpha[j] * std::exp(-std::pow(s, q / p) / std::pow(spec.bandwidth, q)) * q *
                          std::pow(s, q / p - 1) / std::pow(spec.bandwidth, q);
    for (Index k = 0; k < u.size(); ++k)
      if (u[k] != 0) sum[k] += factor * std::pow(std::abs(u[k]), p - 1) * (u[k] > 0 ? 1 : -1);
  }
  return root * sum;
}

Split<double> small_task(Index n, Index d) {
  Split<double> split;
  for (Dataset<double>* part : {&split.train, &split.validation, &split.test}) {
    part->inputs = normal(n, d, part == &split.train ? 1 : 2);
    part->targets = (part->inputs.col(0).array() * part->inputs.col(1).array()).matrix();
  }
  return split;
}

}  // namespace

TEST_CASE("p = 2 is the Laplace kernel for q = 1 and the generalized one for any q, gradients too") {
  const Index d = 6;
  const Matrix<double> x = normal(40, d, 1), z = normal(300, d, 2);
  for (const NamedMetric& m : all_metrics(d)) {
    for (const double q : {1.0, 0.6, 1.7}) {
      INFO("M " << m.name << ", q " << q);
      const KernelSpec same =
          q == 1 ? spec_of(KernelFamily::laplace, 3) : spec_of(KernelFamily::generalized_laplace, 3, q);
      const Kernel p_norm = Kernel::make(lpq(2, q, 3)), radial = Kernel::make(same);
      CHECK(relative_error(kernel_matrix<double>(p_norm, m.metric, x, z),
                           kernel_matrix<double>(radial, m.metric, x, z)) < 1e-13);
      const Matrix<double> alpha = normal(z.rows(), 2, 3);
      const KernelMachine<double> f(p_norm, m.metric, share(z), alpha), g(radial, m.metric, share(z), alpha);
      CHECK(relative_error(f.predict(x), g.predict(x)) < 1e-12);
      CHECK(relative_error(f.input_jacobian(x), g.input_jacobian(x)) < 1e-12);
    }
  }
}

TEST_CASE("the product Laplace kernel is the lpq kernel with p = q = 1, and a product over coordinates") {
  const Matrix<double> x = normal(7, 3, 4), z = normal(5, 3, 5);
  const FeatureMatrix<double> m = FeatureMatrix<double>::diagonal_form((Vector<double>(3) << 4, 1, 0.25).finished());
  const Matrix<double> k = kernel_matrix<double>(Kernel::make(spec_of(KernelFamily::product_laplace, 2)), m, x, z);
  CHECK(relative_error(k, kernel_matrix<double>(Kernel::make(lpq(1, 1, 2)), m, x, z)) == 0);
  Matrix<double> product = Matrix<double>::Ones(7, 5);
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 5; ++j)
      for (Index c = 0; c < 3; ++c)
        product(i, j) *= std::exp(-std::sqrt(m.diagonal()[c]) * std::abs(x(i, c) - z(j, c)) / 2);
  CHECK(relative_error(k, product) < 1e-14);
}

TEST_CASE("property: kernels and gradients of a p-norm equal a naive loop, on problems of every shape") {
  const std::vector<KernelSpec> kernels = p_norm_kernels();
  const bool passed = rc::check([&] {
    const Index n = *rc::gen::inRange<Index>(1, 300), d = *rc::gen::inRange<Index>(1, 20);
    const Index b = *rc::gen::inRange<Index>(1, 12), c = *rc::gen::inRange<Index>(1, 4);
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000000);
    const KernelSpec spec = *rc::gen::elementOf(kernels);
    const std::vector<NamedMetric> metrics = all_metrics(d);
    const NamedMetric& metric = metrics[*rc::gen::inRange<std::size_t>(0, metrics.size())];
    const Matrix<double> z = normal(n, d, seed), dense = metric.metric.to_dense();
    Matrix<double> x = normal(b, d, seed + 1);
    x.row(0) = z.row(n - 1);  // coincides
    const bool rotated = metric.metric.form() != FeatureMatrix<double>::Form::diagonal;
    if (b > 1 && !rotated) x(1, 0) = z(0, 0);  // one coordinate does
    const Matrix<double> alpha = normal(n, c, seed + 2);
    const KernelMachine<double> f(Kernel::make(spec), metric.metric, share(z), alpha);
    const Matrix<double> k = kernel_matrix<double>(f.kernel(), metric.metric, x, z), jacobian = f.input_jacobian(x);
    RC_ASSERT(k(0, n - 1) == 1);
    double worst_value = 0, worst_gradient = 0, size = 1e-300;
    for (Index i = 0; i < b; ++i) {
      for (Index j = 0; j < n; ++j)
        worst_value = std::max(worst_value, std::abs(k(i, j) - slow_kernel(spec, dense, x.row(i), z.row(j))));
      for (Index o = 0; o < c; ++o) {
        const Vector<double> want = slow_gradient(spec, dense, x.row(i), z, alpha.col(o));
        size = std::max(size, want.cwiseAbs().maxCoeff());
        worst_gradient = std::max(worst_gradient, (jacobian.row(i * c + o).transpose() - want).cwiseAbs().maxCoeff());
      }
    }
    RC_LOG() << name_of(spec.family) << " p " << spec.norm << " q " << spec.exponent << ", M " << metric.name
             << ": values " << worst_value << ", gradients " << worst_gradient << " of " << size << std::endl;
    RC_ASSERT(worst_value < 1e-12);
    RC_ASSERT(worst_gradient < 1e-9 * (size + 1e-3));  // |u|^(p-1) magnifies the rounding of a small u
  });
  CHECK(passed);
}

TEST_CASE("float32 far from the origin, and a singular M: coincident points stay at distance 0") {
  const Index n = 300, d = 12;
  Matrix<float> z = (normal(n, d, 6).array() + 100).cast<float>();
  const auto factor = share(normal<float>(4, d, 7));
  const Matrix<float> x = z.topRows(37);
  for (const FeatureMatrix<float>& m : {FeatureMatrix<float>::identity(d), FeatureMatrix<float>::sandwich(*factor)}) {
    for (const KernelSpec& spec : p_norm_kernels()) {
      const Kernel kernel = Kernel::make(spec);
      const Matrix<float> k = kernel_matrix<float>(kernel, m, x, z);
      for (Index i = 0; i < x.rows(); ++i) CHECK(k(i, i) == 1);
      const KernelMachine<float> f(kernel, m, share(Matrix<float>(z.topRows(1))), Matrix<float>::Ones(1, 1));
      CHECK(f.input_jacobian(x).row(0).cwiseAbs().maxCoeff() == 0);
    }
  }
}

TEST_CASE("every solver fits a p-norm kernel, and pcg without storing K") {
  const Index n = 300, d = 5;
  const auto x = share(normal(n, d, 8));
  const Matrix<double> y = normal(n, 2, 9);
  for (const KernelSpec& spec : p_norm_kernels()) {
    const Kernel kernel = Kernel::make(spec);
    const FeatureMatrix<double> m = FeatureMatrix<double>::dense(positive_definite(d, 10));
    const auto fit = [&](SolverKind kind, double tolerance) {
      return fit_kernel_machine<double>(spec, m, x, y, solver(kind, 0.1, tolerance), RandomStream(1));
    };
    const Matrix<double> direct = fit(SolverKind::cholesky, 1e-5).machine.alpha();
    const Matrix<double> k = kernel_matrix<double>(kernel, m, *x);
    CHECK(relative_error(k * direct + 0.1 * direct, y) < 1e-10);
    CHECK(relative_error(fit(SolverKind::pcg, 1e-10).machine.alpha(), direct) < 1e-7);
    SolverOptions slow = solver(SolverKind::eigenpro, 0.1, 1e-4);
    slow.max_epochs = 300;
    CHECK(fit_kernel_machine<double>(spec, m, x, y, slow, RandomStream(1)).summary.relative_residual < 1e-3);
    const MetricCoordinates<double> coordinates(kernel, m, *x);
    CHECK(relative_error(multiply_kernel(kernel, coordinates.prepare(*x), direct), k * direct) < 1e-12);
  }
}

TEST_CASE("the adaptive bandwidth of a p-norm kernel is L times the median p-norm distance") {
  Matrix<double> x(3, 2);
  x << 0, 0, 1, 1, 3, 1;  // 1-norm distances 2, 2, 4; of p = 1.5: 2^(2/3), 2, (3^1.5 + 1)^(2/3)
  const FeatureMatrix<double> identity = FeatureMatrix<double>::identity(2);
  KernelSpec spec = spec_of(KernelFamily::product_laplace, 3);
  spec.bandwidth_mode = BandwidthMode::adaptive;
  CHECK(make_kernel<double>(spec, identity, x, RandomStream(1)).bandwidth() == Approx(6.0));
  CHECK(make_kernel<double>(spec, identity.scaled(4), x, RandomStream(1)).bandwidth() == Approx(12.0));
  spec = lpq(1.5, 1, 3);
  spec.bandwidth_mode = BandwidthMode::adaptive;
  CHECK(make_kernel<double>(spec, identity, x, RandomStream(1)).bandwidth() == Approx(6.0));
}

TEST_CASE("a p-norm RFM: streamed over points it equals the definition, other forms are refused in words") {
  const Index n = 60, d = 4;
  const KernelMachine<double> f =
      random_machine(lpq(1.3, 1, 4), FeatureMatrix<double>::dense(positive_definite(d, 11)), normal(n, d, 12), 2, 13);
  const Matrix<double> got = gradient_outer_product(f, {}, RandomStream(1)).matrix.to_dense();
  CHECK(relative_error(got, agop<double>(f, f.centers()).to_dense()) < 1e-12);
  for (const GradientForm form : {GradientForm::gram, GradientForm::sample_space}) {
    GradientOptions options;
    options.form = form;
    const std::string message = message_of<ConfigError>([&] { gradient_outer_product(f, options, RandomStream(1)); });
    CHECK(contains(message, "p-norm"));
  }
}

TEST_CASE("an RFM with d > n and a p-norm kernel keeps M dense") {
  RfmOptions options;
  options.kernel = spec_of(KernelFamily::product_laplace, 30);
  options.iterations = 2;
  options.normalize_feature_matrix = MetricNormalization::trace;
  const RfmTrace<double> trace = fit_rfm<double>(small_task(20, 30), options, RandomStream(1));
  CHECK(trace.feature_matrices[2].form() == FeatureMatrix<double>::Form::dense);
  CHECK(trace.machines[2].alpha().allFinite());
}

TEST_CASE("above the dense limit a p-norm takes a diagonal M and refuses a full one") {
  const Index d = kDenseLimit + 1;
  const auto x = share(normal<float>(3, d, 34));
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::product_laplace, 1e4));
  const KernelMachine<float> f(kernel, FeatureMatrix<float>::identity(d), x, Matrix<float>(Matrix<float>::Ones(3, 1)));
  CHECK_THROWS_AS(gradient_outer_product(f, {}, RandomStream(1)), MemoryError);
  CHECK_THROWS_AS(kernel_matrix<float>(kernel, FeatureMatrix<float>::sandwich(x), *x), MemoryError);
  GradientOptions options;
  options.diagonal = true;
  CHECK(gradient_outer_product(f, options, RandomStream(1)).matrix.dimension() == d);
}

TEST_CASE("bad parameters of a p-norm kernel are refused") {
  CHECK_THROWS_AS(Kernel::make(lpq(0.9, 0.5, 1)), ConfigError);
  CHECK_THROWS_AS(Kernel::make(lpq(2.1, 1, 1)), ConfigError);
  CHECK_THROWS_AS(Kernel::make(lpq(1.2, 1.3, 1)), ConfigError);
  CHECK_THROWS_AS(Kernel::make(lpq(1.2, 0, 1)), ConfigError);
  CHECK(Kernel::make(lpq(1.5, 1, 2)).describe().find("p = 1.5, q = 1") != std::string::npos);
}
