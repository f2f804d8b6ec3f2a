// Every answer of a solver predicts as float64 Cholesky does, or there is none.
#include <spdlog/spdlog.h>

#include <Eigen/Dense>
#include <cmath>

#include "core/base/error.h"
#include "rfm/solvers/iterative/conjugate_gradient.h"
#include "rfm/solvers/solve.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

const RandomStream kStream(130);
constexpr Index kWidth = 3, kHeldOut = 40;
constexpr double kAllowed = 1e-2;

/// The ladder logs each step; thousands of them would bury a failure.
class QuietLog {
 public:
  QuietLog() : before_(spdlog::get_level()) { spdlog::set_level(spdlog::level::off); }
  ~QuietLog() { spdlog::set_level(before_); }

 private:
  spdlog::level::level_enum before_;
};

struct Problem {
  std::string name;
  Matrix<double> x, y;
};

/// `groups` points in `copies` each, `apart` from one another, with noise in the targets if they contradict each other.
Problem copies(const std::string& name, Index groups, Index copies, double apart, double noise) {
  const Index n = groups * copies;
  const Matrix<double> points = normal(groups, kWidth, 131), away = normal(n, kWidth, 132), wrong = normal(n, 1, 133);
  Problem p{name, Matrix<double>(n, kWidth), Matrix<double>(n, 1)};
  for (Index i = 0; i < n; ++i) {
    const Index g = i % groups;
    p.x.row(i) = points.row(g) + apart * away.row(i);
    p.y(i, 0) = points(g, 0) * points(g, 1) + 0.2 + noise * wrong(i, 0);
  }
  return p;
}

Problem collinear(Index n) {
  const Matrix<double> t = normal(n, 1, 134), along = normal(1, kWidth, 135);
  return {"collinear", t * along, t.array().square().matrix() + 0.3 * normal(n, 1, 136)};
}

std::vector<Problem> degenerate_problems() {
  std::vector<Problem> problems = {copies("different", 60, 1, 0, 0.3),
                                   copies("duplicated, same targets", 30, 2, 0, 0),
                                   copies("duplicated, other targets", 20, 3, 0, 0.3),
                                   copies("near 1e-3", 20, 3, 1e-3, 0.3),
                                   copies("near 1e-6", 20, 3, 1e-6, 0.3),
                                   copies("constant", 1, 30, 0, 0.3),
                                   collinear(50)};
  for (Problem& p : problems) p.x = p.x.cast<float>().cast<double>().eval();  // both types see the same rows
  return problems;
}

/// Predictions at the rows and at others, one below the other, or none if refused.
template <class Scalar>
Matrix<double> predictions(const KernelSpec& kernel, const Problem& p, const SolverOptions& options) {
  const Matrix<float> others = normal<float>(kHeldOut, kWidth, 137);
  Matrix<double> result(p.x.rows() + kHeldOut, 1);
  try {
    const KernelFit<Scalar> fit =
        fit_kernel_machine<Scalar>(kernel, FeatureMatrix<Scalar>::identity(kWidth), share<Scalar>(p.x.cast<Scalar>()),
                                   p.y.cast<Scalar>(), options, kStream);
    result << fit.machine.predict(p.x.cast<Scalar>()).template cast<double>(),
        fit.machine.predict(others.cast<Scalar>()).template cast<double>();
    return result;
  } catch (const NumericalError& error) {
    const std::string text = error.what();
    CHECK((text.find("ridge") != std::string::npos || text.find("preconditioner") != std::string::npos));
    return {};
  }
}

double distance(const Matrix<double>& got, const Matrix<double>& want, const Problem& p) {
  const double scale = p.y.norm() / std::sqrt(static_cast<double>(p.y.rows()));
  const auto rms = [&](const Matrix<double>& part) {
    return part.norm() / std::sqrt(static_cast<double>(part.rows())) / scale;
  };
  const Matrix<double> difference = got - want;
  return std::max(rms(difference.topRows(p.x.rows())), rms(difference.bottomRows(kHeldOut)));
}

struct Tally {
  int answered = 0, refused = 0;
};

template <class Scalar>
void compare_with(Matrix<double>& want, const KernelSpec& kernel, const Problem& p, SolverOptions options,
                  Tally& tally) {
  if (options.kind == SolverKind::automatic) options.iterative_from = 1;
  const Matrix<double> got = predictions<Scalar>(kernel, p, options);
  if (got.size() == 0) {
    ++tally.refused;
    return;
  }
  ++tally.answered;
  CAPTURE(sizeof(Scalar), int(options.kind));
  if (want.size() == 0) want = got;  // what float64 Cholesky refuses: all that answer agree
  CHECK(distance(got, want, p) < kAllowed);
}

}  // namespace

TEST_CASE("every answer is within 1e-2 of float64 Cholesky's predictions, or refused") {
  const QuietLog quiet;
  Tally all;
  for (const Problem& p : degenerate_problems()) {
    for (const KernelSpec& kernel : all_kernels()) {
      for (const double ridge : {0.0, 1e-7, 1e-3}) {
        CAPTURE(p.name, name_of(kernel.family), kernel.exponent, kernel.norm, kernel.depth, ridge);
        Matrix<double> want = predictions<double>(kernel, p, solver(SolverKind::cholesky, ridge));
        for (const SolverKind kind :
             {SolverKind::automatic, SolverKind::cholesky, SolverKind::pcg, SolverKind::eigenpro}) {
          Tally here;
          compare_with<float>(want, kernel, p, solver(kind, ridge), here);
          compare_with<double>(want, kernel, p, solver(kind, ridge), here);
          if (kind == SolverKind::automatic) CHECK(here.answered + here.refused == 2);
          all.answered += here.answered;
          all.refused += here.refused;
        }
      }
    }
  }
  CAPTURE(all.answered, all.refused);
  CHECK(all.answered > all.refused);
}

/// Gaussian kernel interpolation (ridge 0) in long double: K is definite there where it is not in double.
Matrix<double> interpolate_exactly(const Matrix<double>& x, const Matrix<double>& y, const Matrix<double>& others,
                                   double bandwidth) {
  using Exact = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const auto kernel = [&](const Matrix<double>& a, const Matrix<double>& b) {
    Exact k(a.rows(), b.rows());
    for (Index i = 0; i < a.rows(); ++i)
      for (Index j = 0; j < b.rows(); ++j)
        k(i, j) = std::exp(-(a.row(i) - b.row(j)).cast<long double>().squaredNorm() / (2 * bandwidth * bandwidth));
    return k;
  };
  const Eigen::LLT<Exact> factor(kernel(x, x));
  REQUIRE(factor.info() == Eigen::Success);
  const Exact alpha = factor.solve(Exact(y.cast<long double>()));
  return (kernel(others, x) * alpha).cast<double>();
}

TEST_CASE("an answer that only the jitter decides is refused") {
  const QuietLog quiet;
  int answered = 0;
  for (const double apart : {1e-3, 1e-4, 1e-5, 1e-6}) {
    for (const double noise : {0.0, 0.3}) {
      const Problem p = copies("pairs", 60, 2, apart, noise);
      const Matrix<double> others = normal(kHeldOut, kWidth, 137);
      SolverOptions options = solver(SolverKind::cholesky, 0);
      CAPTURE(apart, noise);
      try {
        const auto fit =
            fit_kernel_machine<double>(spec_of(KernelFamily::gaussian, 1), FeatureMatrix<double>::identity(kWidth),
                                       share<double>(p.x), p.y, options, kStream);
        const Matrix<double> want = interpolate_exactly(p.x, p.y, others, 1);
        const double scale = std::max(p.y.norm() / std::sqrt(double(p.y.rows())), want.norm() / std::sqrt(kHeldOut));
        CAPTURE(fit.summary.method);
        CHECK((fit.machine.predict(others) - want).norm() / std::sqrt(kHeldOut) < kAllowed * scale);
        ++answered;
      } catch (const NumericalError& error) {
        CHECK(std::string(error.what()).find("use a larger ridge") != std::string::npos);
      }
    }
  }
  CHECK(answered > 0);
  CHECK(answered < 8);
}
