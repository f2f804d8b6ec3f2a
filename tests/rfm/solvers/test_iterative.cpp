#include <Eigen/Dense>
#include <algorithm>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/solvers/direct_solve.h"
#include "rfm/solvers/iterative/conjugate_gradient.h"
#include "rfm/solvers/iterative/eigenpro.h"
#include "rfm/solvers/iterative/pivoted_cholesky.h"
#include "rfm/solvers/solve.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

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

TEST_CASE("products with K of several columns are those of one column at a time") {
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 3));
  for (const Index n : {1, 66, 130, 2301}) {  // less than a block, blocks that do not end with one, two blocks of K
    const Matrix<float> x = normal(n, 5, 86).cast<float>();
    const PreparedPoints<float> points = prepare(kernel, x);
    const KernelOperator<float> op(kernel, points, KernelOperator<float>::Storage::stored);
    for (const Index c : {2, 8, 12}) {
      INFO("n " << n << ", c " << c);
      const Matrix<float> v = normal(n, c, 87).cast<float>();
      const Matrix<double> together = op.multiply(v), wide = op.multiply_in_double(v.cast<double>());
      for (Index j = 0; j < c; ++j) {
        CHECK(relative_error(together.col(j), op.multiply(Matrix<float>(v.col(j)))) < 1e-5);  // rounding of 2048 terms
        CHECK(relative_error(wide.col(j), op.multiply_in_double(v.col(j).cast<double>())) < 1e-13);
      }
      CHECK(relative_error(together, wide) < 1e-5);
    }
  }
}

TEST_CASE("a product with K does not depend on the number of threads") {
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 3));
  const Matrix<float> x = normal(1300, 5, 86).cast<float>(), v = normal(1300, 3, 87).cast<float>();
  const PreparedPoints<float> points = prepare(kernel, x);
  const KernelOperator<float> op(kernel, points, KernelOperator<float>::Storage::stored);
  Matrix<double> alone, shared;
  {
    const ThreadScope one(1);
    alone = op.multiply(v);
  }
  {
    const ThreadScope three(3);
    shared = op.multiply(v);
  }
  CHECK(alone == shared);
}

TEST_CASE("randomly pivoted Cholesky is the Nystrom approximation of its pivots") {
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 3));
  Matrix<double> x = normal(300, 4, 83);
  x.bottomRows(150) = x.topRows(150);  // every point twice: only one of two can be a pivot
  const PreparedPoints<double> points = prepare(kernel, x);
  const KernelOperator<double> op(kernel, points, Storage::stored);
  const Matrix<double> k = kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(4), x);
  const PartialCholesky<double> found = randomly_pivoted_cholesky(op, 120, kStream);
  REQUIRE(found.pivots.size() == 120);
  std::set<Index> distinct;
  for (const Index pivot : found.pivots) distinct.insert(pivot % 150);
  CHECK(distinct.size() == 120);
  const Matrix<double> columns = k(Eigen::all, found.pivots), between = k(found.pivots, found.pivots);
  const Matrix<double> nystrom = columns * between.ldlt().solve(columns.transpose());
  CHECK(relative_error(Matrix<double>(found.factor * found.factor.transpose()), nystrom) < 1e-10);
  CHECK((found.left - (k - nystrom).diagonal()).cwiseAbs().maxCoeff() < 1e-10);
  // 150 pivots exhaust K.
  const PartialCholesky<double> whole = randomly_pivoted_cholesky(op, 300, kStream);
  CHECK(whole.pivots.size() == 150);
  CHECK(relative_error(Matrix<double>(whole.factor * whole.factor.transpose()), k) < 1e-10);
}

TEST_CASE("pivots are drawn in proportion to what is left of the diagonal") {
  // A cluster of 400 points and 8 that are far from all: each of the 8 is worth as much as the cluster.
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 1));
  Matrix<double> x = 1e-4 * normal(408, 3, 83);
  for (Index i = 0; i < 8; ++i) x(400 + i, i % 3) = 50.0 * static_cast<double>(i + 1);
  const PreparedPoints<double> points = prepare(kernel, x);
  const KernelOperator<double> op(kernel, points, Storage::stored);
  Index far = 0, trials = 50;
  for (Index t = 0; t < trials; ++t) {
    const RandomStream stream = kStream.named(std::to_string(t));
    const std::vector<Index> pivots = randomly_pivoted_cholesky(op, 12, stream).pivots;
    far += std::count_if(pivots.begin(), pivots.end(), [](Index i) { return i >= 400; });
  }
  // Drawn evenly, 12 of 408 points would hold 0.24 of them on average.
  CHECK(far >= 7 * trials);
}

TEST_CASE("the preconditioner is the inverse that Woodbury's identity says") {
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 3));
  const Matrix<double> x = normal(120, 4, 83), r = normal(120, 2, 84);
  const PreparedPoints<double> points = prepare(kernel, x);
  const KernelOperator<double> op(kernel, points, Storage::stored);
  const NystromPreconditioner<double> p(op, 1e-3, 30, kStream);
  CHECK(p.rank() == 30);
  // The same from the definition: the columns of the same pivots.
  const std::vector<Index> chosen = randomly_pivoted_cholesky(op, 30, kStream).pivots;
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

namespace {

/// Every point eight times with targets that contradict each other: without a ridge, nothing fits.
struct Contradiction {
  Matrix<double> x, y;
  explicit Contradiction(Index points) : x(8 * points, 5), y(8 * points, 1) {
    const Matrix<double> p = normal(points, 5, 88), noise = normal(8 * points, 1, 89);
    for (Index i = 0; i < x.rows(); ++i) {
      x.row(i) = p.row(i % points);
      y(i, 0) = p(i % points, 0) * p(i % points, 1) + 0.3 * noise(i, 0);
    }
  }
  /// What the points' own targets average to, the best that a function can say.
  Matrix<double> means(Index points) const {
    Matrix<double> result = Matrix<double>::Zero(points, 1);
    for (Index i = 0; i < y.rows(); ++i) result.row(i % points) += y.row(i) / 8;
    return result;
  }
};

}  // namespace

TEST_CASE("conjugate gradients without a solution soon stop, with the best that they met") {
  const Contradiction data(60);
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 10));
  const PreparedPoints<float> points = prepare<float>(kernel, data.x.cast<float>());
  const KernelOperator<float> op(kernel, points, KernelOperator<float>::Storage::stored);
  for (const double ridge : {0.0, 1e-7}) {
    const NystromPreconditioner<float> p(op, ridge, 40, kStream);
    const ConjugateGradientResult<float> r =
        conjugate_gradient<float>(op, p, data.y.cast<float>(), {}, {ridge, 1e-5, 500});
    CAPTURE(ridge, r.stopped, r.iterations, r.residual.norm() / data.y.norm());
    CHECK(r.termination != Termination::converged);
    CHECK(r.iterations < 100);
    CHECK(r.residual.norm() < data.y.norm());
    double least = 1;
    for (const SolveProgress& step : r.history) least = std::min(least, step.relative_residual);
    CHECK(r.residual.norm() / data.y.norm() == Approx(least).epsilon(0.02));
  }
}

TEST_CASE("auto goes on from conjugate gradients to a direct solver, and pcg as asked refuses") {
  const Index groups = 60;
  const Contradiction data(groups);
  const KernelSpec spec = spec_of(KernelFamily::laplace, 10);
  SolverOptions options = solver(SolverKind::automatic, 0);
  options.iterative_from = 100;
  const auto check = [&](auto scalar, SolverOptions how) {
    using Scalar = decltype(scalar);
    const auto fit =
        fit_kernel_machine<Scalar>(spec, FeatureMatrix<Scalar>::identity(5), share<Scalar>(data.x.cast<Scalar>()),
                                   data.y.cast<Scalar>(), how, kStream);
    CAPTURE(fit.summary.method, fit.summary.note);
    CHECK(contains(fit.summary.method, "cholesky"));
    CHECK(contains(fit.summary.note, "pcg"));
    const Matrix<Scalar> p = fit.machine.predict(data.x.topRows(groups).cast<Scalar>());
    CHECK((p.template cast<double>() - data.means(groups)).norm() < 5e-3 * data.means(groups).norm());
    CHECK(relative_error(fit.fitted.topRows(groups).template cast<double>(), p.template cast<double>()) < 1e-2);
  };
  check(float(), options);
  check(double(), options);
  const std::string message = message_of<NumericalError>([&] { check(double(), solver(SolverKind::pcg, 0)); });
  CHECK(contains(message, "pcg, K in memory does not solve the kernel system of 480 rows with ridge 0"));
  CHECK(contains(message, "solver: auto"));
}

TEST_CASE("where K does not fit, auto takes more of a preconditioner, float64, or refuses") {
  const Matrix<double> x = normal(700, 5, 101), y = normal(700, 1, 102);
  const KernelSpec spec = spec_of(KernelFamily::laplace, 10);
  SolverOptions options = solver(SolverKind::automatic, 1e-3);
  options.iterative_from = 100;
  options.memory = 1.9e6;  // K would take 2 MB in float32
  const auto fit = [&](auto scalar, const Matrix<double>& inputs, const Matrix<double>& targets) {
    using Scalar = decltype(scalar);
    return fit_kernel_machine<Scalar>(spec, FeatureMatrix<Scalar>::identity(5), share<Scalar>(inputs.cast<Scalar>()),
                                      targets.cast<Scalar>(), options, kStream);
  };
  const KernelFit<double> direct = fit_kernel_machine<double>(spec, FeatureMatrix<double>::identity(5), share(x), y,
                                                              solver(SolverKind::cholesky, 1e-3), kStream);
  const KernelFit<double> plain = fit(double(), x, y);
  CHECK(plain.summary.method == "pcg, K recomputed");
  CHECK(plain.summary.note.empty());
  CHECK(relative_error(plain.fitted, direct.fitted) < 1e-4);

  options.max_iterations = 17;  // too few for a rank of 60
  options.preconditioner_rank = 60;
  options.tolerance = 1e-4;
  const KernelFit<double> harder = fit(double(), x, y);
  CAPTURE(harder.summary.note, harder.summary.iterations);
  CHECK(harder.summary.preconditioner_rank == 169);  // half of the memory
  CHECK(contains(harder.summary.note, "pcg stopped early"));
  CHECK(relative_error(harder.fitted, direct.fitted) < 1e-2);
  const KernelFit<float> wide = fit(float(), x, y);
  CHECK(wide.summary.method == "pcg, K recomputed in float64");
  CHECK(relative_error(wide.fitted.cast<double>(), direct.fitted) < 1e-2);

  const Contradiction none(100);
  options = solver(SolverKind::automatic, 0);
  options.iterative_from = 100;
  options.memory = 1e6;
  CHECK(contains(message_of<NumericalError>([&] { fit(double(), none.x, none.y); }), "larger ridge"));
  CHECK(contains(message_of<NumericalError>([&] { fit(float(), none.x, none.y); }), "larger ridge"));
}

TEST_CASE("auto changes over to a factorisation once that costs no more than going on, and nothing was amiss") {
  const Matrix<double> x = normal(700, 5, 103), y = normal(700, 2, 104);
  const KernelSpec spec = spec_of(KernelFamily::laplace, 10);
  const auto fit = [&](const SolverOptions& options) {
    return fit_kernel_machine<double>(spec, FeatureMatrix<double>::identity(5), share(x), y, options, kStream);
  };
  SolverOptions options = solver(SolverKind::automatic, 1e-6);
  options.iterative_from = 100;
  CHECK(choose_solver({700, 5, 2}, options, 8, 1e10).iterations == 20);
  CHECK(choose_solver({30000, 5, 2}, options, 8, 1e10).iterations == 200);  // 30,000^3 / 3 flops at 50 an entry
  CHECK(choose_solver({30000, 5, 40}, options, 8, 1e10).iterations == 62);  // at 160
  CHECK(choose_solver({30000, 5, 2}, options, 8, 1e9).iterations == 500);   // K does not fit
  const KernelFit<double> slow = fit(options), direct = fit(solver(SolverKind::cholesky, 1e-6));
  CHECK(slow.summary.method == "cholesky");
  CHECK(slow.summary.note.empty());
  CHECK(relative_error(slow.fitted, direct.fitted) < 1e-12);
  const KernelFit<double> asked = fit(solver(SolverKind::pcg, 1e-6));
  CHECK(asked.summary.iterations > 20);
  options.ridge = 10;
  CHECK(fit(options).summary.method == "pcg, K in memory");
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
  CHECK(a.termination == Termination::converged);
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
  CHECK(choose_solver({15000, 10, 26}, options, 4, 1e10).kind == SolverKind::cholesky);
  CHECK(choose_solver({15000, 10, 26}, options, 4, 1e10).reason == "n < 18200 for 26 outputs");
  CHECK(choose_solver({20000, 10, 26}, options, 4, 1e10).kind == SolverKind::pcg);
  CHECK(choose_solver({15000, 10, 26}, options, 4, 1e8).kind == SolverKind::pcg);  // K would not fit
  SolverOptions little;
  little.memory = 1e9;
  CHECK_FALSE(choose_solver({20000, 10, 1}, little, 4, 1e10).stored);
  little.iterative_from = 5000;
  CHECK(choose_solver({5000, 10, 1}, little, 4, 1e10).kind == SolverKind::pcg);
  CHECK_THROWS_AS(validate(pcg(1e-3, 0)), ConfigError);
  SolverOptions idle;
  idle.max_iterations = 0;
  CHECK_THROWS_AS(validate(idle), ConfigError);
  idle = SolverOptions();
  idle.max_epochs = 0;
  CHECK_THROWS_AS(validate(idle), ConfigError);
}
