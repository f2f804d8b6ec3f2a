#include <Eigen/Dense>
#include <set>

#include "core/base/error.h"
#include "rfm/kernel_fit.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/pairs/pair_matrices.h"
#include "rfm/solvers/direct_solve.h"
#include "rfm/solvers/solve.h"
#include "rfm/solvers/symmetric_system.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

const Kernel kLaplace = Kernel::make(spec_of(KernelFamily::laplace, 5));

const RandomStream kStream(40);

SolverOptions ridge(double value) { return solver(SolverKind::automatic, value); }

double residual(const Matrix<double>& k, const Matrix<double>& alpha, const Matrix<double>& y, double ridge) {
  return (y - k * alpha - ridge * alpha).norm() / y.norm();
}

}  // namespace

TEST_CASE("Cholesky solves the system, measures the residual and gives the fitted values") {
  for (const Index n : {1, 2, 3, 64, 300, 600})
    for (const Index c : {1, 3}) {
      const Matrix<double> x = normal(n, 4, 41), y = normal(n, c, 42);
      const Matrix<double> k = kernel_matrix<double>(kLaplace, FeatureMatrix<double>::identity(4), x);
      const Solution<double> s =
          solve<double>(kLaplace, FeatureMatrix<double>::identity(4), x, y, ridge(1e-3), kStream);
      INFO("n " << n << " c " << c);
      CHECK(s.summary.method == "cholesky");
      CHECK(s.summary.note.empty());
      // Rounding alpha and the sums of K alpha leaves some epsilon |K| |alpha| / |y|, more or less by processor; the
      // norm of K is its largest row sum at most.
      const double rounding = 2.2e-16 * k.rowwise().sum().maxCoeff() * s.alpha.norm() / y.norm();
      CAPTURE(rounding, residual(k, s.alpha, y, 1e-3) / rounding);
      CHECK(residual(k, s.alpha, y, 1e-3) <= rounding);
      CHECK(rounding < 1e-11);
      CHECK(s.summary.relative_residual == Approx(residual(k, s.alpha, y, 1e-3)).margin(1e-12));
      CHECK(relative_error(s.fitted, k * s.alpha) < 1e-12);
    }
}

TEST_CASE("float32 reaches the residual that float32 coefficients allow") {
  const Index n = 500;
  const Matrix<double> x = normal(n, 10, 43), y = normal(n, 2, 44);
  const Matrix<float> single = x.cast<float>(), targets = y.cast<float>();
  const Matrix<float> k = kernel_matrix<float>(kLaplace, FeatureMatrix<float>::identity(10), single);
  const Solution<float> s =
      solve<float>(kLaplace, FeatureMatrix<float>::identity(10), single, targets, ridge(1e-3), kStream);
  const double measured = residual(k.cast<double>(), s.alpha.cast<double>(), targets.cast<double>(), 1e-3);
  CHECK(s.summary.relative_residual == Approx(measured).epsilon(1e-3));
  // Rounding alpha to float32 alone leaves epsilon/sqrt(12) |K| |alpha| / |y|; the norm of K is its largest row sum at
  // most.
  const double attainable =
      6e-8 * k.cast<double>().rowwise().sum().maxCoeff() * s.alpha.cast<double>().norm() / y.norm();
  CHECK(s.summary.relative_residual < attainable);
  CHECK(relative_error(s.fitted.cast<double>(), k.cast<double>() * s.alpha.cast<double>()) < 1e-6);
  const Solution<double> exact =
      solve<double>(kLaplace, FeatureMatrix<double>::identity(10), x, y, ridge(1e-3), kStream);
  CHECK(relative_error(s.alpha.cast<double>(), exact.alpha) < 1e-3);
}

TEST_CASE("duplicates without a ridge go down the ladder, with the reason given") {
  Matrix<double> x = normal(40, 3, 45), y = normal(40, 1, 46);
  x.row(39) = x.row(0);
  y.row(39) = y.row(0);
  const Solution<double> s = solve<double>(kLaplace, FeatureMatrix<double>::identity(3), x, y, ridge(0), kStream);
  INFO(s.summary.method << " / " << s.summary.note);
  CHECK(s.summary.jitter > 0);
  CHECK(s.summary.method.find("jitter") != std::string::npos);
  CHECK(s.summary.note.find("cholesky") != std::string::npos);
  CHECK(s.alpha.allFinite());
  CHECK(s.summary.relative_residual < 1e-10);

  y(39, 0) += 1;  // now no alpha fits both
  const Solution<double> torn = solve<double>(kLaplace, FeatureMatrix<double>::identity(3), x, y, ridge(0), kStream);
  CHECK(torn.alpha.allFinite());
  CHECK(torn.summary.relative_residual ==
        Approx(std::sqrt(0.5) / y.norm()).epsilon(0.02));  // half the gap on each: least squares
}

TEST_CASE("contradictory duplicates without a ridge do not blow up float32 predictions") {
  const Index n = 200;
  Matrix<float> x = normal<float>(n, 3, 56), y = normal<float>(n, 1, 57);
  x.row(n - 1) = x.row(0);
  y(n - 1, 0) = y(0, 0) + 2;
  const KernelFit<float> fit = fit_kernel_machine<float>(kLaplace.spec(), FeatureMatrix<float>::identity(3), share(x),
                                                         y, ridge(0), RandomStream(1));
  INFO(fit.summary.method << " / " << fit.summary.note);
  CHECK(fit.summary.jitter > 0);
  const Matrix<float> p = fit.machine.predict(x);
  CHECK(p(0, 0) == Approx(y(0, 0) + 1).margin(0.2));  // their mean; rounding may take a tenth of the targets' size
  CHECK((p - y).middleRows(1, n - 2).cwiseAbs().maxCoeff() < 0.3);
}

TEST_CASE("an indefinite matrix is solved by LDL^T, a singular one by its eigenvectors") {
  const Index n = 50;
  Matrix<double> k = positive_definite(n, 47) - 0.9 * Matrix<double>::Identity(n, n);
  k = (0.5 * (k + k.transpose())).eval();
  const Matrix<double> y = normal(n, 2, 48);
  const Solution<double> s = solve_formed<double>(k, y, ridge(0));
  CHECK(s.summary.method == "ldlt");
  CHECK(residual(k, s.alpha, y, 0) < 1e-10);

  SymmetricSystem<double> system(k);
  CHECK(system.factor_eigen(0));
  CHECK(relative_error(system.solve(y), s.alpha) < 1e-9);

  Matrix<double> negative = Matrix<double>::Zero(4, 4);  // Cholesky and LDL^T both fail on the zero block
  negative(0, 0) = -2;
  const Matrix<double> target = (Matrix<double>(4, 1) << 1, 0, 0, 0).finished();
  const Solution<double> p = solve_formed<double>(negative, target, ridge(0));
  CHECK(p.summary.method == "eigen");
  CHECK(p.alpha(0, 0) == Approx(-0.5));
  CHECK(p.alpha.bottomRows(3).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("a system survives its factorisations") {
  const Index n = 300;
  const Matrix<double> k = positive_definite(n, 49), b = normal(n, 3, 50);
  SymmetricSystem<double> system((0.5 * (k + k.transpose())).eval());
  const Matrix<double> want = k.llt().solve(b);
  for (int round = 0; round < 2; ++round) {
    CHECK(system.factor_cholesky(0));
    CHECK(relative_error(system.multiply(b), k * b) < 1e-13);
    CHECK(relative_error(system.solve(b), want) < 1e-11);
    CHECK(system.factor_ldlt(0.5));
    CHECK(relative_error(system.multiply(b), k * b) < 1e-13);
    CHECK(system.factor_eigen(0));
    CHECK(relative_error(system.multiply(b), k * b) < 1e-13);
    CHECK(relative_error(system.solve(b), want) < 1e-10);
  }
}

TEST_CASE("leave-one-out residuals follow from alpha and the diagonal of the inverse") {
  const Index n = 25;
  const double lambda = 1e-2;
  const Matrix<double> x = normal(n, 3, 51), y = normal(n, 1, 52);
  const FeatureMatrix<double> identity = FeatureMatrix<double>::identity(3);
  const Solution<double> s = solve<double>(kLaplace, identity, x, y, ridge(lambda), kStream);
  const Matrix<double> inverse =
      (kernel_matrix<double>(kLaplace, identity, x) + lambda * Matrix<double>::Identity(n, n)).inverse();
  for (Index out = 0; out < n; out += 6) {
    Matrix<double> rest(n - 1, 3), targets(n - 1, 1);
    for (Index i = 0, row = 0; i < n; ++i)
      if (i != out) {
        rest.row(row) = x.row(i);
        targets.row(row++) = y.row(i);
      }
    const KernelFit<double> fit =
        fit_kernel_machine<double>(kLaplace.spec(), identity, share(rest), targets, ridge(lambda), RandomStream(1));
    const double left_out = y(out, 0) - fit.machine.predict(x.middleRows(out, 1))(0, 0);
    CHECK(left_out == Approx(s.alpha(out, 0) / inverse(out, out)).epsilon(1e-9));
  }
}

TEST_CASE("what cannot be solved is said in words") {
  const Matrix<double> x = normal(5, 2, 53);
  Matrix<double> y = normal(5, 1, 54);
  const FeatureMatrix<double> identity = FeatureMatrix<double>::identity(2);
  const auto attempt = [&](const Matrix<double>& targets, double lambda) {
    return [&, targets, lambda] { solve<double>(kLaplace, identity, x, targets, ridge(lambda), kStream); };
  };
  CHECK(contains(message_of<ConfigError>(attempt(y, -1)), "ridge"));
  CHECK(contains(message_of<ConfigError>(attempt(y, -1)), "-1"));
  CHECK(contains(message_of<ConfigError>(attempt(y, std::nan(""))), "ridge"));
  CHECK(contains(message_of<DataError>(attempt(y.topRows(4), 1)), "5 rows of inputs, but 4 of targets"));
  y(2, 0) = std::nan("");
  const std::string message = message_of<NumericalError>(attempt(y, 1));
  CHECK(contains(message, "target"));
  CHECK(contains(message, "finite"));
}

TEST_CASE("every solver has its row, with a name of its own") {
  std::set<std::string> names;
  for (const SolverKind kind : {SolverKind::automatic, SolverKind::cholesky, SolverKind::pcg, SolverKind::eigenpro})
    for (const SolverInfo& info : solver_table())
      if (info.kind == kind) CHECK(names.insert(info.name).second);
  CHECK(names.size() == 4);
  CHECK(solver_table().size() == 4);
}

TEMPLATE_TEST_CASE("a metric of rank 0 makes all points one, which every remedy of the solver survives", "", float,
                   double) {
  const Index n = 60;
  const Matrix<TestType> x = RandomStream(1).normal_matrix<TestType>(n, 4),
                         y = RandomStream(2).normal_matrix<TestType>(n, 1);
  const auto none = FeatureMatrix<TestType>::dense(Matrix<TestType>::Zero(4, 4));
  for (const auto& [family, ridge] : {std::pair(KernelFamily::gaussian, 0.0), std::pair(KernelFamily::laplace, 0.0),
                                      std::pair(KernelFamily::laplace, 1e-3)}) {
    KernelSpec spec;
    spec.family = family;
    SolverOptions options;
    options.ridge = ridge;
    // The best constant, or a refusal: both are answers.
    try {
      const KernelFit<TestType> fit = fit_kernel_machine<TestType>(
          spec, none, std::make_shared<const Matrix<TestType>>(x), y, options, RandomStream(3));
      const Matrix<TestType> predictions = fit.machine.predict(x);
      CHECK(double((predictions.array() - y.mean()).abs().maxCoeff()) < 1e-2);
    } catch (const NumericalError& error) {
      CHECK(contains(error.what(), "ridge"));
    }
  }
}

TEST_CASE("zero targets give zero coefficients and no residual") {
  const Solution<double> s = solve<double>(kLaplace, FeatureMatrix<double>::identity(2), normal(5, 2, 55),
                                           Matrix<double>::Zero(5, 2), ridge(0), kStream);
  CHECK(s.alpha.cwiseAbs().maxCoeff() == 0);
  CHECK(s.summary.relative_residual == 0);
}
