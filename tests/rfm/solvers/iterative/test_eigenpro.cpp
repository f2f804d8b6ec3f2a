#include <Eigen/Dense>

#include "rfm/pairs/kernel_matrix.h"
#include "rfm/solvers/direct_solve.h"
#include "rfm/solvers/iterative/eigenpro.h"
#include "rfm/solvers/iterative/eigenpro_preconditioner.h"
#include "tests/rfm/solvers/iterative/slow_eigenpro.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

const RandomStream kStream(170);
using Storage = KernelOperator<double>::Storage;

/// A kernel, its points, and the matrix that they have.
struct Case {
  Kernel kernel;
  Matrix<double> x;
  PreparedPoints<double> points;
  KernelOperator<double> op;
  Eigen::MatrixXd k;

  Case(const KernelSpec& spec, Matrix<double> inputs, Storage storage = Storage::stored)
      : kernel(Kernel::make(spec)),
        x(std::move(inputs)),
        points(MetricCoordinates<double>(kernel, FeatureMatrix<double>::identity(x.cols()), x).prepare(x)),
        op(kernel, points, storage),
        k(kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(x.cols()), x)) {}
  Case(const Case&) = delete;
};

/// sigma_1 .. sigma_n with sigma_1 = 10^4 sigma_{q+1}, sigma_{q+1} = 1, the last 0.3.
Eigen::VectorXd known_spectrum(Index n, Index q) {
  Eigen::VectorXd values(n);
  for (Index i = 0; i < q; ++i) values[i] = std::pow(1e4, 1 - static_cast<double>(i) / static_cast<double>(q));
  for (Index i = q; i < n; ++i) values[i] = std::pow(0.3, static_cast<double>(i - q) / static_cast<double>(n - 1 - q));
  return values;
}

/// Inputs X = Q diag(values)^1/2, whose linear kernel X X^T has these eigenvalues.
Matrix<double> inputs_of_spectrum(const Eigen::VectorXd& values) {
  const Index n = values.size();
  const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(normal(n, n, 171)).householderQ();
  return q * values.cwiseSqrt().asDiagonal();
}

const KernelSpec kLinear = textbook::polynomial(1, 1, 0);

/// P as the class under test has it: its correction for every row at once.
Eigen::MatrixXd dense(const EigenProPreconditioner<double>& preconditioner, const Eigen::MatrixXd& k) {
  const Index n = k.rows();
  const Matrix<double> on_s = preconditioner.correction(k, Matrix<double>::Identity(n, n));
  Eigen::MatrixXd p = Eigen::MatrixXd::Identity(n, n);
  for (std::size_t i = 0; i < preconditioner.rows().size(); ++i)
    p.row(preconditioner.rows()[i]) -= on_s.row(static_cast<Index>(i));
  return p;
}

double slow_rho(double ridge, Index s, Index n) { return ridge * static_cast<double>(s) / static_cast<double>(n); }

}  // namespace

TEST_CASE("eigenpro: the damped spectrum of a kernel matrix of known spectrum is that of the formula") {
  const Index n = 120, q = 12;
  const Eigen::VectorXd sigma = known_spectrum(n, q);
  const Case known(kLinear, inputs_of_spectrum(sigma));
  for (const double ridge : {0.0, 0.5, 20.0}) {
    CAPTURE(ridge);
    const EigenProPreconditioner<double> preconditioner(known.op, ridge, n, q, kStream);
    REQUIRE(preconditioner.directions() == q);
    Eigen::VectorXd want = sigma.array() + ridge;
    for (Index i = 0; i < q; ++i) want[i] = std::pow(want[i], 0.05) * std::pow(want[q], 0.95);
    std::sort(want.data(), want.data() + n, std::greater<double>());
    const Eigen::MatrixXd ap = (known.k + ridge * Eigen::MatrixXd::Identity(n, n)) * dense(preconditioner, known.k);
    Eigen::VectorXd got = Eigen::EigenSolver<Eigen::MatrixXd>(ap, false).eigenvalues().real();
    std::sort(got.data(), got.data() + n, std::greater<double>());
    CHECK((got - want).cwiseAbs().maxCoeff() < 1e-8 * want[0]);
    // All rows are measured: what is left of the leading eigenvalue is seen, not the next eigenvalue alone. With a
    // ridge it is a bound, sigma_1 p_1 + ridge, since p_1 <= 1 damps the ridge too.
    CHECK(preconditioner.lambda() == Approx((sigma[0] * want[0] / (sigma[0] + ridge) + ridge) / n).epsilon(1e-8));
    CHECK(preconditioner.lambda() >= want[0] / n * (1 - 1e-9));
    if (ridge == 0) CHECK(preconditioner.lambda() == Approx(std::pow(1e4, 0.05) / n).epsilon(1e-8));
  }
}

TEST_CASE("eigenpro: the preconditioner of a subsample is that of the dense definition, for every kernel") {
  const Index n = 240, s = 80, q = 8;
  for (const KernelSpec& spec : all_kernels())
    for (const double ridge : {0.01, 3.0}) {
      CAPTURE(name_of(spec.family), spec.depth, ridge);
      const Case stored(spec, normal(n, 6, 172)), recomputed(spec, normal(n, 6, 172), Storage::recomputed);
      const EigenProPreconditioner<double> preconditioner(stored.op, ridge, s, q, kStream);
      const SlowEigenPro slow(stored.k, preconditioner.rows(), q, ridge, slow_rho(ridge, s, n));
      CHECK(relative_error(dense(preconditioner, stored.k), slow.p) < 1e-8);
      CHECK(preconditioner.beta() == Approx(slow.beta).epsilon(1e-8));
      CHECK(preconditioner.beta() >= (slow.a * slow.p).diagonal().maxCoeff() * (1 - 1e-9));
      // Of s rows, the largest eigenvalue is an estimate, above rather than below that of all.
      CHECK(preconditioner.lambda() > 0.95 * slow.lambda);
      CHECK(preconditioner.lambda() < 3 * slow.lambda);
      const EigenProPreconditioner<double> again(recomputed.op, ridge, s, q, kStream);
      CHECK(again.beta() == Approx(preconditioner.beta()).epsilon(1e-8));
      CHECK(again.lambda() == Approx(preconditioner.lambda()).epsilon(1e-8));
    }
}

namespace {

/// On a subsample of s rows, with q directions.
EigenProOptions options_with(double ridge, Index s, Index q) {
  EigenProOptions options;
  options.ridge = ridge;
  options.subsample = s;
  options.directions = q;
  return options;
}

EigenProResult<double> one_epoch(const Case& data, const Matrix<double>& y, double ridge, Index s, Index q,
                                 Index batch) {
  EigenProOptions options = options_with(ridge, s, q);
  options.batch = batch;
  options.max_epochs = 1;
  return eigenpro<double>(data.op, y, options, kStream);
}

}  // namespace

TEST_CASE("eigenpro: an epoch of batches is that of the dense definition") {
  const Index n = 230, s = 70, q = 9;
  const double ridge = 0.2;
  const Matrix<double> y = normal(n, 3, 173);
  for (const KernelSpec& spec : {spec_of(KernelFamily::laplace, 3), spec_of(KernelFamily::gaussian, 3)}) {
    const Case data(spec, normal(n, 5, 174));
    for (const Index batch : {1, 32, 230}) {
      CAPTURE(name_of(spec.family), batch);
      const EigenProResult<double> got = one_epoch(data, y, ridge, s, q, batch);
      const EigenProPreconditioner<double> preconditioner(data.op, ridge, s, q, kStream);
      const SlowEigenPro slow(data.k, preconditioner.rows(), q, ridge, slow_rho(ridge, s, n));
      RandomStream order = kStream.named("batches");
      Eigen::MatrixXd alpha = Eigen::MatrixXd::Zero(n, 3);
      const double residual = slow.epoch(y, batch, got.step, order, alpha);
      CHECK(relative_error(got.alpha, alpha) < 1e-9);
      CHECK(got.history.front().relative_residual == Approx(residual).epsilon(1e-9));
    }
  }
}

namespace {

/// By how much the mean energy e^T G e of the worst error grows in one step: the largest eigenvalue of
/// G^-1/2 E[(I - step I_B G)^T G (I - step I_B G)] G^-1/2, the mean taken over all batches of m rows, one by one.
double worst_growth(const Eigen::MatrixXd& g, Index m, double step, bool different_rows) {
  const Index n = g.rows();
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(n, n);
  Index batches = 0;
  for (Index code = 0; code < static_cast<Index>(std::pow(n, m)); ++code) {
    Eigen::VectorXd times = Eigen::VectorXd::Zero(n);  // how often each row is in B
    for (Index j = 0, left = code; j < m; ++j, left /= n) times[left % n] += 1;
    if (different_rows && times.maxCoeff() > 1) continue;
    const Eigen::MatrixXd after = Eigen::MatrixXd::Identity(n, n) - step * times.asDiagonal() * g;
    mean += after.transpose() * g * after;
    ++batches;
  }
  mean /= static_cast<double>(batches);
  return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(mean, g).eigenvalues().maxCoeff();
}

/// Equally spaced points on a circle: a circulant matrix, whose first eigenvector is constant.
Eigen::MatrixXd circulant(Index n) {
  Eigen::MatrixXd g(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      g(i, j) = std::exp(-std::abs(std::sin(kPi * static_cast<double>(i - j) / static_cast<double>(n))));
  return g;
}

}  // namespace

TEST_CASE("eigenpro: no error grows at the stable step, and one does beyond it") {
  const Index n = 6;
  const Eigen::MatrixXd uneven = positive_definite(n, 175) * Eigen::VectorXd::LinSpaced(n, 1, 2).asDiagonal();
  const Eigen::MatrixXd any = uneven.transpose() * uneven;
  for (const Index m : {1, 2, 3, 4}) {
    CAPTURE(m);
    for (const Eigen::MatrixXd& g : {circulant(n), any}) {
      const double lambda = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(g).eigenvalues().maxCoeff() / n;
      const double beta = g.diagonal().maxCoeff(), longest = stable_step(m, beta, lambda);
      CHECK(worst_growth(g, m, longest, false) <= 1 + 1e-9);
      CHECK(worst_growth(g, m, longest, true) <= 1 + 1e-9);
      CHECK(eigenpro_step(m, beta, lambda) < longest);
      CHECK(worst_growth(g, m, eigenpro_step(m, beta, lambda), true) < 1);
    }
    // Of the circulant matrix, whose diagonal is beta throughout, the bound is the exact one.
    const Eigen::MatrixXd g = circulant(n);
    const double longest = stable_step(m, 1, g.row(0).sum() / n);
    CHECK(worst_growth(g, m, longest, false) == Approx(1).epsilon(1e-9));
    CHECK(worst_growth(g, m, 1.05 * longest, false) > 1.01);
  }
  CHECK(stable_step(1, 0.5, 0.1) == Approx(4));
  CHECK(eigenpro_step(3, 0.5, 0.1) == Approx(2));            // below the critical batch, 6
  CHECK(eigenpro_step(21, 0.5, 0.1) == Approx(0.99 * 0.8));  // 2 / (0.5 + 20 * 0.1)
}

TEST_CASE("eigenpro: the automatic batch takes a stable step, for every kernel") {
  const Index n = 210;
  const Matrix<double> y = normal(n, 1, 176);
  for (const KernelSpec& spec : all_kernels()) {
    const Case data(spec, normal(n, 5, 177));
    for (const Index s : {n, n / 3}) {
      const EigenProPreconditioner<double> preconditioner(data.op, 0.1, s, 10, kStream);
      const SlowEigenPro slow(data.k, preconditioner.rows(), 10, 0.1, slow_rho(0.1, s, n));
      for (const Index batch : {Index{0}, Index{1}, n}) {
        const EigenProResult<double> got = one_epoch(data, y, 0.1, s, 10, batch);
        CAPTURE(name_of(spec.family), spec.depth, s, got.batch, got.step, got.beta, got.lambda, slow.beta, slow.lambda);
        CHECK(got.step <= stable_step(got.batch, slow.beta, slow.lambda));
        CHECK(got.step > 0.3 * stable_step(got.batch, slow.beta, slow.lambda));
        if (batch == 0)
          CHECK(got.batch <= slow.beta / slow.lambda * 1.05);
        else
          CHECK(got.batch == batch);
      }
    }
  }
}

namespace {

/// Epochs of a rule that takes sigma_{q+1}/s + ridge/n for lambda, the diagonal on S alone for beta, and a damping
/// that knows of no ridge.
Index epochs_by_the_tail(const Eigen::MatrixXd& k, const std::vector<Index>& s, Index q, double ridge,
                         const Matrix<double>& y, double tolerance, Index most) {
  const SlowEigenPro slow(k, s, q, ridge, 0);
  const double n = static_cast<double>(k.rows());
  const double lambda = slow.tail / static_cast<double>(s.size()) + ridge / n;
  const Eigen::VectorXd diagonal = (k * slow.p).diagonal();
  const double beta = diagonal(s).maxCoeff() + ridge;
  const Index batch = std::min<Index>(k.rows(), static_cast<Index>(std::max(1.0, beta / lambda)));
  return slow.epochs(y, batch, 1 / beta, tolerance, most, kStream);
}

/// Both rules, and the distance of the answer from the direct one.
struct Comparison {
  Index epochs = 0, by_the_tail = 0;
  double error = 0;
};
Comparison compare(const Case& data, const Matrix<double>& y, Index s, Index q, double ridge, double tolerance) {
  EigenProOptions options = options_with(ridge, s, q);
  options.tolerance = tolerance;
  options.max_epochs = 150;
  const EigenProResult<double> got = eigenpro<double>(data.op, y, options, kStream);
  CHECK(got.termination == Termination::converged);
  const std::vector<Index> rows = EigenProPreconditioner<double>(data.op, ridge, s, q, kStream).rows();
  const Eigen::MatrixXd a = data.k + ridge * Eigen::MatrixXd::Identity(data.k.rows(), data.k.rows());
  const Eigen::MatrixXd direct = a.llt().solve(y);
  return {got.epochs, epochs_by_the_tail(data.k, rows, q, ridge, y, tolerance, 150), relative_error(got.alpha, direct)};
}

}  // namespace

TEST_CASE("eigenpro reaches the direct solution in fewer epochs than by the next eigenvalue alone") {
  const Index n = 400;
  SECTION("a known spectrum that spans four decades above sigma_{q+1}") {
    const Case data(kLinear, inputs_of_spectrum(known_spectrum(n, 20)));
    const Matrix<double> y = normal(n, 2, 178);
    const Comparison whole = compare(data, y, n, 20, 0, 1e-8), part = compare(data, y, 160, 20, 0, 1e-8);
    CAPTURE(whole.epochs, whole.by_the_tail, part.epochs, part.by_the_tail);
    CHECK(whole.error < 1e-6);
    CHECK(part.error < 1e-6);
    CHECK(1.2 * static_cast<double>(whole.epochs) < static_cast<double>(whole.by_the_tail));
    CHECK(1.2 * static_cast<double>(part.epochs) < static_cast<double>(part.by_the_tail));
  }
  SECTION("a smooth kernel, of whose diagonal a subsample sees little: by the tail it diverges") {
    const Case data(spec_of(KernelFamily::gaussian, 3), normal(n, 4, 179));
    const Comparison got = compare(data, data.x.col(0).array().sin().matrix(), 80, 20, 0.1, 1e-6);
    CAPTURE(got.epochs, got.by_the_tail);
    CHECK(got.error < 1e-3);
    CHECK(got.by_the_tail == 150);
    CHECK(got.epochs < 60);
  }
  SECTION("a large ridge, which the damping has to know of") {
    const Case data(spec_of(KernelFamily::laplace, 10), normal(n, 4, 179));
    const Comparison got = compare(data, data.x.col(0).array().sin().matrix(), 100, 20, 10, 1e-6);
    CAPTURE(got.epochs, got.by_the_tail);
    CHECK(got.error < 1e-4);
    CHECK(2 * got.epochs < got.by_the_tail);
  }
}
