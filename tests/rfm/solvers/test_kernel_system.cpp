// A kernel system that is fitted again and again gives what each fit alone gives, to the bit.
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/error.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/solvers/direct_solve.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

template <class Scalar>
struct Problem {
  std::shared_ptr<const Matrix<Scalar>> x;
  Matrix<Scalar> y;
  Dataset<Scalar> validation;
};

template <class Scalar>
Problem<Scalar> problem_of(Index n, Index d) {
  Problem<Scalar> problem;
  problem.x = share<Scalar>(normal<Scalar>(n, d, 11));
  problem.y = normal<Scalar>(n, 2, 12);
  problem.validation.inputs = normal<Scalar>(5000, d, 13);  // more than are made ready at once
  problem.validation.targets = normal<Scalar>(5000, 2, 14);
  return problem;
}

/// Fits every ridge twice, once in a system and once alone; a refusal must be the same, too.
template <class Scalar>
void check_same(const KernelSpec& spec, SolverKind kind, const std::vector<double>& ridges) {
  const Problem<Scalar> p = problem_of<Scalar>(150, 4);
  const auto metric = FeatureMatrix<Scalar>::diagonal_form(Vector<Scalar>::LinSpaced(4, Scalar(0.5), Scalar(2)));
  const FitHints<Scalar> hints{{}, &p.validation, nullptr};
  KernelSystem<Scalar> system(spec, metric, p.x, p.y, RandomStream(7), hints);
  for (const double ridge : ridges) {
    CAPTURE(ridge, name_of(spec.family));
    std::optional<KernelFit<Scalar>> shared, alone;
    const std::string refusal = message_of<NumericalError>([&] { shared = system.fit(solver(kind, ridge)); });
    CHECK(refusal == message_of<NumericalError>([&] {
            alone = fit_kernel_machine<Scalar>(spec, metric, p.x, p.y, solver(kind, ridge), RandomStream(7), hints);
          }));
    REQUIRE(shared.has_value() == alone.has_value());
    if (!shared) continue;
    CHECK(shared->machine.alpha() == alone->machine.alpha());
    CHECK(shared->fitted == alone->fitted);
    CHECK(shared->summary.method == alone->summary.method);
    CHECK(system.predict_validation(shared->machine) == alone->machine.predict(p.validation.inputs));
  }
}

KernelSpec adaptive() {
  KernelSpec spec = spec_of(KernelFamily::gaussian, 1);
  spec.bandwidth_mode = BandwidthMode::adaptive;
  return spec;
}

}  // namespace

TEMPLATE_TEST_CASE("a kernel system gives the bits of separate fits", "", float, double) {
  const std::vector<double> ridges = {1, 1e-3, 10, 0.1};
  for (const SolverKind kind : {SolverKind::cholesky, SolverKind::pcg, SolverKind::automatic})
    check_same<TestType>(spec_of(KernelFamily::laplace, 3), kind, ridges);
  check_same<TestType>(adaptive(), SolverKind::cholesky, ridges);
  KernelSpec ntk;
  ntk.family = KernelFamily::ntk;
  check_same<TestType>(ntk, SolverKind::cholesky, ridges);
}

TEST_CASE("the unit of one of several standardised outputs does not decide when a solver stops") {
  Problem<double> p = problem_of<double>(150, 4);
  const auto errors = [&] {
    const FitHints<double> hints{{}, &p.validation, nullptr};
    const KernelFit<double> fit =
        fit_kernel_machine<double>(spec_of(KernelFamily::laplace, 3), FeatureMatrix<double>::identity(4), p.x, p.y,
                                   solver(SolverKind::eigenpro, 1e-2), RandomStream(7), hints);
    std::vector<double> list;
    for (const SolveProgress& point : fit.summary.history) list.push_back(point.validation_mse);
    return list;
  };
  const std::vector<double> plain = errors();
  REQUIRE(plain.size() > 1);
  REQUIRE(std::isfinite(plain.front()));
  p.validation.target_scaling = {Vector<double>::Zero(2), Vector<double>{{1e-3, 1e5}}};
  CHECK(errors() == plain);
}

TEMPLATE_TEST_CASE("a kernel system goes on after a ridge that its precision does not solve", "", float, double) {
  // float32 solves 1e-5 in float64 and refuses 1e-7.
  check_same<TestType>(spec_of(KernelFamily::gaussian, 3), SolverKind::cholesky, {0.1, 1e-5, 0.1, 1e-7, 1e-2});
}

TEMPLATE_TEST_CASE("for many ridges a kernel system takes one eigen-decomposition, where rounding allows it", "", float,
                   double) {
  using Scalar = TestType;
  const Problem<Scalar> p = problem_of<Scalar>(150, 4);
  const auto identity = FeatureMatrix<Scalar>::identity(4);
  const KernelSpec spec = spec_of(KernelFamily::laplace, 3);
  const FitHints<Scalar> hints{{}, &p.validation, nullptr};
  KernelSystem<Scalar> system(spec, identity, p.x, p.y, RandomStream(7), hints, kSpectralSolves);
  const double close = 200 * double(std::numeric_limits<Scalar>::epsilon());  // alpha itself is rounded
  for (const double ridge : {1.0, 1e-3, 10.0, 0.0, 0.1}) {
    CAPTURE(ridge);
    const KernelFit<Scalar> shared = system.fit(solver(SolverKind::cholesky, ridge));
    const KernelFit<Scalar> alone = fit_kernel_machine<Scalar>(
        spec, identity, p.x, p.y, solver(SolverKind::cholesky, ridge), RandomStream(7), hints);
    CHECK(shared.summary.method == "eigen");
    CHECK(shared.summary.relative_residual < close);
    CHECK((shared.fitted - alone.fitted).norm() < close * p.y.norm());
    const Matrix<Scalar> expected = alone.machine.predict(p.validation.inputs);
    CHECK((system.predict_validation(shared.machine) - expected).norm() < 100 * close * expected.norm());
  }
  // Of a Gaussian so wide that K is singular to rounding the spectrum has lost its small end: Cholesky's remedies
  // follow.
  const KernelSpec wide = spec_of(KernelFamily::gaussian, 100);
  KernelSystem<Scalar> singular(wide, identity, p.x, p.y, RandomStream(7), hints, kSpectralSolves);
  const double small = sizeof(Scalar) == 4 ? 1e-5 : 1e-12;
  std::optional<KernelFit<Scalar>> shared, alone;
  const std::string refusal =
      message_of<NumericalError>([&] { shared = singular.fit(solver(SolverKind::cholesky, small)); });
  CHECK(refusal == message_of<NumericalError>([&] {
          alone = fit_kernel_machine<Scalar>(wide, identity, p.x, p.y, solver(SolverKind::cholesky, small),
                                             RandomStream(7), hints);
        }));
  REQUIRE(shared.has_value() == alone.has_value());
  if (shared) CHECK(shared->machine.alpha() == alone->machine.alpha());
}

TEMPLATE_TEST_CASE("a solve takes the kernel matrix that is kept and leaves it as it was", "", float, double) {
  using Scalar = TestType;
  const Problem<Scalar> p = problem_of<Scalar>(120, 3);
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::laplace, 2));
  const auto identity = FeatureMatrix<Scalar>::identity(3);
  const Matrix<Scalar> k = kernel_matrix<Scalar>(kernel, identity, *p.x);
  for (const SolverKind kind : {SolverKind::cholesky, SolverKind::pcg}) {
    KeptKernel<Scalar> kept;
    CHECK(kept.empty());
    solve<Scalar>(kernel, identity, *p.x, p.y, solver(kind, 0.1), RandomStream(1), {{}, {}, &kept});
    REQUIRE_FALSE(kept.empty());
    CHECK(kept.bytes() == 120 * 120 * sizeof(Scalar));
    CHECK(kept.take() == k);
    CHECK(kept.empty());
    // What is kept is what is solved: another matrix there gives another answer.
    kept.keep(SymmetricSystem<Scalar>(Matrix<Scalar>::Identity(120, 120)));
    const Solution<Scalar> solution =
        solve<Scalar>(kernel, identity, *p.x, p.y, solver(SolverKind::cholesky, 1), RandomStream(1), {{}, {}, &kept});
    CHECK((solution.alpha - p.y / 2).norm() < 1e-6 * p.y.norm());
  }
}
