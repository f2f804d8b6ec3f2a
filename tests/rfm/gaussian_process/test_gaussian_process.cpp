#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "core/base/error.h"
#include "rfm/gaussian_process/calibration.h"
#include "rfm/gaussian_process/gaussian_process.h"
#include "rfm/pairs/kernel_matrix.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

/// The textbook's formulas, with an inverse.
struct SlowProcess {
  Matrix<double> mean, covariance;
  Vector<double> likelihood;
};

Matrix<double> slow_matrix(const KernelSpec& spec, const Matrix<double>& m, const Matrix<double>& x,
                           const Matrix<double>& z) {
  Matrix<double> k(x.rows(), z.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < z.rows(); ++j) k(i, j) = slow_kernel(spec, m, x.row(i), z.row(j));
  return k;
}

SlowProcess slow_process(const KernelSpec& spec, const Matrix<double>& m, const Matrix<double>& x,
                         const Matrix<double>& y, double noise, const Matrix<double>& at) {
  const Index n = x.rows();
  Eigen::MatrixXd k = slow_matrix(spec, m, x, x);
  k.diagonal().array() += noise;
  const Eigen::MatrixXd inverse = k.inverse(), between = slow_matrix(spec, m, at, x);
  SlowProcess slow;
  slow.mean = between * inverse * y;
  slow.covariance = slow_matrix(spec, m, at, at) - between * inverse * between.transpose();
  slow.likelihood.resize(y.cols());
  // The density itself: exp(-y' K^-1 y / 2) / sqrt((2 pi)^n det K).
  for (Index c = 0; c < y.cols(); ++c)
    slow.likelihood[c] = std::log(std::exp(-0.5 * y.col(c).dot(inverse * y.col(c))) /
                                  std::sqrt(std::pow(2 * kPi, double(n)) * k.determinant()));
  return slow;
}

/// Draws of f at the rows of x, one a column.
Matrix<double> draws(const Kernel& kernel, const Matrix<double>& x, Index count, std::uint64_t seed) {
  Eigen::MatrixXd k = kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(x.cols()), x);
  k.diagonal().array() += 1e-10 * k.diagonal().maxCoeff();
  const Eigen::MatrixXd factor = k.llt().matrixL();
  return factor * normal(x.rows(), count, seed);
}

}  // namespace

TEST_CASE("Gaussian process: posterior and marginal likelihood are those of the formulas, for every kernel and M") {
  const Index n = 15, d = 4;
  const Matrix<double> x = normal(n, d, 401), y = normal(n, 2, 402), at = normal(6, d, 403);
  for (const NamedMetric& m : all_metrics(d))
    for (const KernelSpec& spec : all_kernels()) {
      CAPTURE(m.name, name_of(spec.family), spec.depth);
      const GaussianProcess process(Kernel::make(spec), m.metric, x, y, 0.3);
      const SlowProcess slow = slow_process(spec, m.metric.to_dense(), x, y, 0.3, at);
      const GaussianPosterior posterior = process.posterior(at);
      const double scale = slow.covariance.diagonal().maxCoeff();
      CHECK(relative_error(posterior.mean, slow.mean) < 1e-9);
      CHECK((posterior.variance - slow.covariance.diagonal()).cwiseAbs().maxCoeff() < 1e-10 * scale);
      CHECK(((posterior.target_variance - posterior.variance).array() - 0.3).abs().maxCoeff() < 1e-12 * (1 + scale));
      CHECK(relative_error(process.covariance(at), slow.covariance) < 1e-9);
      CHECK((process.log_marginal_likelihood() - slow.likelihood).cwiseAbs().maxCoeff() < 1e-8);
    }
}

TEST_CASE("Gaussian process: the mean is that of kernel ridge regression with the noise variance as ridge") {
  const Matrix<double> x = normal(40, 3, 404), y = normal(40, 2, 405), at = normal(700, 3, 406);  // more than one tile
  const KernelSpec spec = spec_of(KernelFamily::laplace, 2);
  const auto identity = FeatureMatrix<double>::identity(3);
  const KernelFit<double> fit =
      fit_kernel_machine<double>(spec, identity, share(x), y, solver(SolverKind::cholesky, 0.1), RandomStream(1));
  const GaussianProcess process(Kernel::make(spec), identity, x, y, 0.1);
  CHECK(process.size() == 40);
  CHECK(process.outputs() == 2);
  const GaussianPosterior posterior = process.posterior(at);
  CHECK(relative_error(posterior.mean, fit.machine.predict(at)) < 1e-11);
  CHECK(relative_error(posterior.variance, process.covariance(at).diagonal()) < 1e-11);
}

TEST_CASE("Gaussian process: without noise it interpolates, far away it knows the prior alone") {
  const Matrix<double> x = normal(12, 3, 407), y = normal(12, 1, 408);
  const GaussianProcess process(Kernel::make(spec_of(KernelFamily::laplace, 1.5)), FeatureMatrix<double>::identity(3),
                                x, y, 0);
  const GaussianPosterior here = process.posterior(x);
  CHECK(relative_error(here.mean, y) < 1e-12);
  CHECK(here.variance.maxCoeff() < 1e-12);
  const GaussianPosterior away = process.posterior(Matrix<double>(normal(5, 3, 409).array() + 200));
  CHECK(away.mean.cwiseAbs().maxCoeff() < 1e-12);
  CHECK((away.variance.array() - 1).abs().maxCoeff() < 1e-12);
  // Between observations it is in between.
  const Matrix<double> near = x.array() + 0.01;
  const Vector<double> unsure = process.posterior(near).variance;
  CHECK(unsure.minCoeff() > 1e-4);
  CHECK(unsure.maxCoeff() < 0.1);
}

TEST_CASE("Gaussian process: one observation, by hand") {
  Matrix<double> x(1, 1), y(1, 1), at(1, 1);
  x << 0;
  y << 2;
  at << 1;
  const GaussianProcess process(Kernel::make(spec_of(KernelFamily::gaussian, 1)), FeatureMatrix<double>::identity(1), x,
                                y, 0.5);
  const double k = std::exp(-0.5);
  const GaussianPosterior posterior = process.posterior(at);
  CHECK(posterior.mean(0, 0) == Approx(k * 2 / 1.5));
  CHECK(posterior.variance[0] == Approx(1 - k * k / 1.5));
  CHECK(posterior.target_variance[0] == Approx(1.5 - k * k / 1.5));
  CHECK(process.log_marginal_likelihood()[0] == Approx(-0.5 * (4 / 1.5 + std::log(1.5) + std::log(2 * kPi))));
}

TEST_CASE("Gaussian process: intervals hold the share they promise of draws from the prior") {
  const Index n = 40, tests = 25, count = 80;
  const Matrix<double> x = normal(n + tests, 2, 410);
  for (const KernelSpec& spec :
       {spec_of(KernelFamily::gaussian, 1), network(KernelFamily::nngp, Activation::erf, 1.5, 0.5, 2)}) {
    const Kernel kernel = Kernel::make(spec);
    const Matrix<double> y = draws(kernel, x, count, 411) + 0.2 * normal(n + tests, count, 412);
    const auto posterior = [&](double noise) {
      return GaussianProcess(kernel, FeatureMatrix<double>::identity(2), x.topRows(n), y.topRows(n), noise)
          .posterior(x.bottomRows(tests));
    };
    const GaussianPosterior right = posterior(0.04), unaware = posterior(0.001);
    for (const double level : {0.5, 0.9}) {
      CAPTURE(name_of(spec.family), level);
      const Coverage c = coverage_of(y.bottomRows(tests), right.mean, right.target_variance, level);
      CHECK(c.standard_error == Approx(std::sqrt(level * (1 - level) / double(tests * count))));
      // Observations of one draw hang together a little: four of independent ones' standard errors.
      CHECK(std::abs(c.share - level) < 4 * c.standard_error);
      const Coverage low = coverage_of(y.bottomRows(tests), unaware.mean, unaware.target_variance, level);
      CHECK(low.share < level - 5 * low.standard_error);  // of a noise variance too small
    }
  }
}

TEST_CASE("Gaussian process: the marginal likelihood prefers the noise that made the data") {
  const Matrix<double> x = normal(120, 2, 413);
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::gaussian, 1));
  const Matrix<double> y = draws(kernel, x, 1, 414) + 0.3 * normal(120, 1, 415);
  const auto likelihood = [&](double noise) {
    return GaussianProcess(kernel, FeatureMatrix<double>::identity(2), x, y, noise).log_marginal_likelihood()[0];
  };
  CHECK(likelihood(0.09) > likelihood(0.009));
  CHECK(likelihood(0.09) > likelihood(0.9));
}

TEST_CASE("coverage counts what lies within the intervals") {
  Matrix<double> targets(2, 2), mean = Matrix<double>::Zero(2, 2);
  targets << 0.5, -1.9, 2.0, 9;
  Vector<double> variance(2);
  variance << 1, 4;
  const Coverage c = coverage_of(targets, mean, variance, 0.9);  // reach: 1.645 and 3.29
  CHECK(c.share == 0.5);
  CHECK(c.standard_error == Approx(0.15));
  CHECK_THROWS_AS(coverage_of(targets, mean, variance, 1), ConfigError);
  CHECK_THROWS_AS(coverage_of(targets, mean.topRows(1), variance, 0.9), DataError);
}

TEST_CASE("Gaussian process: what cannot be answered is refused in words") {
  Matrix<double> x = normal(6, 2, 416);
  const Matrix<double> y = normal(6, 1, 417);
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::gaussian, 1));
  const auto identity = FeatureMatrix<double>::identity(2);
  CHECK_THROWS_AS(GaussianProcess(kernel, identity, x, y, -1), ConfigError);
  CHECK_THROWS_AS(GaussianProcess(kernel, identity, x, y.topRows(5), 1), DataError);
  CHECK_THROWS_AS(GaussianProcess(kernel, identity, x, Matrix<double>(y.array() / 0.0), 1), NumericalError);
  x.row(3) = x.row(0);
  const std::string message = message_of<NumericalError>([&] { GaussianProcess(kernel, identity, x, y, 0); });
  CHECK_THAT(message, Catch::Contains("singular") && Catch::Contains("`ridge`"));
  CHECK(GaussianProcess(kernel, identity, x, y, 1e-3).posterior(x).mean.allFinite());
  // A kernel of few degrees of freedom, for which rows need not repeat.
  const Matrix<double> many = normal(40, 2, 418);
  const Kernel plane = Kernel::make(network(KernelFamily::nngp, Activation::linear, 1, 0.5, 1));
  CHECK_THROWS_AS(GaussianProcess(plane, identity, many, normal(40, 1, 419), 0), NumericalError);
}
