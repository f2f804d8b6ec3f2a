#include <Eigen/Dense>

#include "core/error.h"
#include "rfm/conjugate_gradient.h"
#include "rfm/eigenpro.h"
#include "rfm/solve.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

const RandomStream kStream(80);

SolverOptions pcg(double ridge, double tolerance) { return solver(SolverKind::pcg, ridge, tolerance); }

template <class Scalar>
PreparedPoints<Scalar> prepare(const Kernel& kernel, const Matrix<Scalar>& x) {
  return MetricCoordinates<Scalar>(kernel, FeatureMatrix<Scalar>::identity(x.cols()), x).prepare(x);
}

using Storage = KernelOperator<double>::Storage;

}  // namespace

TEST_CASE("products with K, stored or recomputed, are those of the kernel matrix") {
  for (const KernelSpec& spec : all_kernels()) {
    const Kernel kernel = Kernel::make(spec);
    for (const Index n : {1, 7, 256, 257, 600}) {
      const Matrix<double> x = normal(n, 5, 81), v = normal(n, 3, 82);
      const PreparedPoints<double> points = prepare(kernel, x);
      const Matrix<double> k = kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(5), x);
      const std::vector<Index> chosen = {0, n / 2, n - 1};
      for (const Storage storage : {Storage::stored, Storage::recomputed}) {
        INFO(name_of(spec.family) << ", n " << n << ", stored " << (storage == Storage::stored));
        const KernelOperator<double> op(kernel, points, storage);
        CHECK(relative_error(op.multiply(v), k * v) < 1e-13);
        CHECK(relative_error(op.diagonal(), k.diagonal()) < 1e-14);
        const Matrix<double> columns = op.columns(chosen);
        for (std::size_t j = 0; j < chosen.size(); ++j)
          CHECK(relative_error(columns.col(static_cast<Index>(j)), k.col(chosen[j])) < 1e-14);
      }
    }
  }
}

TEST_CASE("the preconditioner is the inverse that Woodbury's identity says") {
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 3));
  const Matrix<double> x = normal(120, 4, 83), r = normal(120, 2, 84);
  const PreparedPoints<double> points = prepare(kernel, x);
  const KernelOperator<double> op(kernel, points, Storage::stored);
  const NystromPreconditioner<double> p(op, 1e-3, 30, kStream);
  CHECK(p.rank() == 30);
  // The same from the definition: columns drawn by the same stream.
  const std::vector<Index> chosen = RandomStream(kStream).sample(120, 30);
  const Matrix<double> columns = op.columns(chosen);
  Matrix<double> w(30, 30);
  for (Index i = 0; i < 30; ++i) w.row(i) = columns.row(chosen[static_cast<std::size_t>(i)]);
  const Matrix<double> nystrom = columns * w.ldlt().solve(columns.transpose());
  const double left = 1 - nystrom.diagonal().mean();
  CHECK(p.shift() == Approx(1e-3 + left).epsilon(1e-9));
  const Matrix<double> dense = nystrom + p.shift() * Matrix<double>::Identity(120, 120);
  CHECK(relative_error(p.apply(r), dense.ldlt().solve(r)) < 1e-9);
}

TEST_CASE("conjugate gradients reach the direct solution, for every kernel") {
  for (const KernelSpec& spec : all_kernels()) {
    const Kernel kernel = Kernel::make(spec);
    const auto identity = FeatureMatrix<double>::identity(6);
    const Matrix<double> x = normal(400, 6, 85), y = normal(400, 3, 86), k = kernel_matrix<double>(kernel, identity, x);
    const Solution<double> s = solve<double>(kernel, identity, x, y, pcg(1e-2, 1e-10), kStream);
    INFO(name_of(spec.family) << " depth " << spec.depth << ": " << s.summary.stopped << ", " << s.summary.iterations);
    CHECK(s.summary.method == "pcg, K in memory");
    CHECK(s.summary.note.empty());
    CHECK(s.summary.iterations > 0);
    CHECK((y - k * s.alpha - 1e-2 * s.alpha).norm() / y.norm() < 1e-9);
    CHECK(s.summary.relative_residual == Approx((y - k * s.alpha - 1e-2 * s.alpha).norm() / y.norm()).margin(1e-12));
    CHECK(relative_error(s.fitted, k * s.alpha) < 1e-9);
    const Solution<double> direct = solve_formed<double>(k, y, pcg(1e-2, 1e-5));
    CHECK(relative_error(s.alpha, direct.alpha) < 1e-7);
  }
}

TEST_CASE("a few dozen iterations do where the plain kernel system needs hundreds, before and after a feature update") {
  const Index n = 1500, d = 20;
  const Matrix<float> x = normal<float>(n, d, 87);
  const Matrix<float> y = (x.col(0).array() * x.col(1).array()).matrix();
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 10));
  Vector<float> narrow = Vector<float>::Constant(d, 0.01f);
  narrow.head(2).setOnes();
  for (const bool updated : {false, true}) {
    const auto metric = updated ? FeatureMatrix<float>::diagonal_form(narrow) : FeatureMatrix<float>::identity(d);
    const Solution<float> s = solve<float>(kernel, metric, x, y, pcg(1e-3, 1e-4), kStream);
    INFO("updated " << updated << ": " << s.summary.iterations << ", " << s.summary.stopped);
    CHECK(s.summary.relative_residual < 2e-4);
    CHECK(s.summary.iterations <= 40);
    const Solution<float> again = solve<float>(kernel, metric, x, y, pcg(1e-3, 1e-4), kStream, {s.alpha, {}});
    CHECK(again.summary.iterations <= 2);  // started from the answer
  }
}

TEST_CASE("duplicates without a ridge: conjugate gradients stop with a sentence, auto goes on to a direct solver") {
  Matrix<double> x = normal(200, 3, 88), y = normal(200, 1, 89);
  x.row(1) = x.row(0);  // with another target: no solution
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 3));
  const auto identity = FeatureMatrix<double>::identity(3);
  const Solution<double> s = solve<double>(kernel, identity, x, y, pcg(0, 1e-8), kStream);
  CHECK(s.summary.note.find("pcg stopped early") != std::string::npos);
  CHECK(s.alpha.allFinite());
  // Least squares can do no better than the mean of the two.
  const double least = std::abs(y(0, 0) - y(1, 0)) / std::sqrt(2.0) / y.norm();
  CHECK(s.summary.relative_residual >= 0.999 * least);
}

TEST_CASE("eigenpro reaches the direct solution, K stored or recomputed") {
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 3));
  const Matrix<double> x = normal(300, 4, 90), y = normal(300, 2, 91);
  const PreparedPoints<double> points = prepare(kernel, x);
  const KernelOperator<double> stored(kernel, points, Storage::stored), recomputed(kernel, points, Storage::recomputed);
  EigenProOptions options;
  options.ridge = 0.5;
  options.tolerance = 1e-8;
  options.max_epochs = 400;
  const EigenProResult<double> a = eigenpro<double>(stored, y, options, kStream);
  INFO(a.stopped << ", batch " << a.batch << ", directions " << a.directions << ", epochs " << a.epochs);
  CHECK(a.converged);
  const Solution<double> direct =
      solve_formed<double>(stored.rows(RandomStream(1).sample(300, 300)), y, solver(SolverKind::cholesky, 0.5));
  CHECK(relative_error(a.alpha, direct.alpha) < 1e-5);
  CHECK(a.history.size() == static_cast<std::size_t>(a.epochs));
  const EigenProResult<double> b = eigenpro<double>(recomputed, y, options, kStream);
  CHECK(b.epochs == a.epochs);
  CHECK(relative_error(b.alpha, a.alpha) < 1e-10);
}

TEST_CASE("eigenpro with damped directions needs far fewer epochs than plain stochastic iteration") {
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::gaussian, 3));
  const Matrix<double> x = normal(500, 4, 92), y = x.col(0).array().sin().matrix();
  const PreparedPoints<double> points = prepare(kernel, x);
  const KernelOperator<double> k(kernel, points, Storage::stored);
  EigenProOptions options;
  options.max_epochs = 5;
  const double damped = eigenpro<double>(k, y, options, kStream).history.back().relative_residual;
  options.directions = 1;
  const double plain = eigenpro<double>(k, y, options, kStream).history.back().relative_residual;
  INFO("residuals " << damped << " and " << plain);
  CHECK(damped < 0.3 * plain);
}

TEST_CASE("eigenpro stops where the validation error no longer falls, and returns the best coefficients") {
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 3));
  const Matrix<double> x = normal(200, 3, 93), y = normal(200, 1, 94);  // noise: nothing to learn
  const PreparedPoints<double> points = prepare(kernel, x);
  const KernelOperator<double> k(kernel, points, Storage::stored);
  EigenProOptions options;
  options.ridge = 0;
  std::vector<Matrix<double>> seen;
  const std::vector<double> errors = {3, 2, 4, 5, 6, 7};
  const EigenProResult<double> r = eigenpro<double>(k, y, options, kStream, [&](const Matrix<double>& alpha) {
    seen.push_back(alpha);
    return errors[seen.size() - 1];
  });
  CHECK(r.epochs == 5);
  CHECK(r.alpha == seen[1]);
  CHECK(r.stopped.find("validation") != std::string::npos);
}

TEST_CASE("every solver gives the predictions of the direct one, through the machine") {
  const Matrix<float> x = normal<float>(600, 5, 95), test = normal<float>(50, 5, 96);
  const Matrix<float> y = (x.col(0).array() * x.col(1).array()).matrix();
  const auto shared = share(x);
  const auto metric = FeatureMatrix<float>::identity(5);
  const auto machine = [&](SolverKind kind) {
    SolverOptions options = solver(kind, 1.0, 1e-4);
    options.max_epochs = 200;
    return fit_kernel_machine<float>(spec_of(KernelFamily::laplace, 3), metric, shared, y, options, kStream);
  };
  const Matrix<float> want = machine(SolverKind::cholesky).machine.predict(test);
  for (const SolverKind kind : {SolverKind::pcg, SolverKind::eigenpro}) {
    const KernelFit<float> fit = machine(kind);
    INFO(fit.summary.method << ", " << fit.summary.stopped);
    CHECK(fit.summary.relative_residual < 2e-4);
    CHECK(relative_error(fit.machine.predict(test).cast<double>(), want.cast<double>()) < 1e-3);
    CHECK(relative_error(fit.fitted.cast<double>(), fit.machine.predict(x).cast<double>()) < 1e-4);
  }
}

TEST_CASE("what the choice of solver follows from") {
  const SolverOptions options;
  CHECK(choose_solver({5000, 10, 1}, options, 4, 1e10).kind == SolverKind::cholesky);
  CHECK(choose_solver({20000, 10, 1}, options, 4, 1e10).kind == SolverKind::pcg);
  CHECK(choose_solver({20000, 10, 1}, options, 4, 1e10).stored);
  CHECK_FALSE(choose_solver({20000, 10, 1}, options, 4, 1e9).stored);
  CHECK_THROWS_AS(validate(pcg(1e-3, 0)), ConfigError);
  SolverOptions idle;
  idle.max_iterations = 0;
  CHECK_THROWS_AS(validate(idle), ConfigError);
  idle = SolverOptions();
  idle.max_epochs = 0;
  CHECK_THROWS_AS(validate(idle), ConfigError);
}
