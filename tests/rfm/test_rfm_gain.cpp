// The low-rank tasks of the paper: what an RFM gains over fixed kernels there, against values computed elsewhere.
#include "core/data/synthetic/synthetic.h"
#include "rfm/rfm.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

constexpr Index kTrain = 1000, kTest = 1000;

template <class Scalar>
RfmTrace<Scalar> laplace_rfm(const Split<Scalar>& split, Index iterations) {
  RfmOptions options;
  options.kernel = spec_of(KernelFamily::laplace, 10);
  options.solver.ridge = 0;
  options.iterations = iterations;
  options.report_iteration = ReportIteration::last;
  return fit_rfm(split, options, RandomStream(1));
}

double ntk_r2(const Split<float>& split, Index depth) {
  const KernelFit<float> fit = fit_kernel_machine<float>(
      spec_of(KernelFamily::ntk, 1, 1, depth), FeatureMatrix<float>::identity(split.train.dimension()),
      share(split.train.inputs), split.train.targets, {SolverKind::cholesky, 1e-6}, RandomStream(1));
  return evaluate<float>(fit.machine, split.test).r2;
}

}  // namespace

TEST_CASE("x1 x2 of 30 noisy signs: the RFM finds the two coordinates") {
  LowRankOptions options;
  options.target = "x1x2";
  options.dimension = 30;
  options.input_distribution = "rademacher";
  options.input_noise_variance = 0.01;
  const Split<float> split = make_low_rank<float>(options, kTrain, 0, kTest, RandomStream(3));
  const RfmTrace<float> trace = laplace_rfm(split, 2);
  // Reference means of 3 seeds: .535, .9965, .9996; NTK .903, .770, .666.
  CHECK(trace.iterations[0].test->r2 == Approx(.535).margin(.08));
  CHECK(trace.iterations[1].test->r2 == Approx(.9965).margin(.003));
  CHECK(trace.iterations[2].test->r2 > .999);
  CHECK(ntk_r2(split, 1) == Approx(.903).margin(.04));
  CHECK(ntk_r2(split, 2) == Approx(.770).margin(.06));
  CHECK(ntk_r2(split, 3) == Approx(.666).margin(.08));
  Vector<float> diagonal = trace.feature_matrices[1].diagonal();
  CHECK(diagonal.tail(28).maxCoeff() < 0.1f * diagonal.head(2).minCoeff());
}

TEST_CASE("He2 + He4 along one direction: the top eigenvector of M finds it") {
  LowRankOptions options;
  options.target = "he2_he4";
  options.dimension = 10;
  const Split<float> split = make_low_rank<float>(options, kTrain, 0, kTest, RandomStream(4));
  const RfmTrace<float> trace = laplace_rfm(split, 5);
  // Reference means: .180 -> .835, with a standard deviation near .1 between seeds; NTK .102.
  CHECK(trace.iterations[0].test->r2 == Approx(.18).margin(.2));
  CHECK(trace.iterations[5].test->r2 == Approx(.835).margin(.25));
  CHECK(ntk_r2(split, 1) < .35);
  const Matrix<float> top = trace.feature_matrices[5].top_eigenpairs(1).vectors;
  CHECK(std::abs(top.row(0).dot(split.truth->subspace.row(0))) > .999f);
  // M is now nearly u u^T, 1000 points lie on a line, and there is no ridge: float32 must still tell them apart.
  const RfmTrace<double> exact = laplace_rfm(make_low_rank<double>(options, kTrain, 0, kTest, RandomStream(4)), 5);
  CHECK(trace.iterations[5].test->r2 == Approx(exact.iterations[5].test->r2).margin(1e-3));
  CHECK(trace.iterations[5].solve.method == "cholesky");
}

TEST_CASE("the piecewise target of Fig. 10") {
  LowRankOptions options;
  options.target = "piecewise";
  options.dimension = 50;
  options.input_variance = 0.25;
  const Split<float> split = make_low_rank<float>(options, kTrain, 0, kTest, RandomStream(5));
  const RfmTrace<float> trace = laplace_rfm(split, 3);
  // Reference means: .486 -> .654 -> .712 -> .730; NTK .520, .525, .508.
  CHECK(trace.iterations[0].test->r2 == Approx(.486).margin(.07));
  CHECK(trace.iterations[1].test->r2 == Approx(.654).margin(.07));
  CHECK(trace.iterations[3].test->r2 == Approx(.730).margin(.07));
  CHECK(ntk_r2(split, 1) == Approx(.520).margin(.07));
  CHECK(ntk_r2(split, 2) == Approx(.525).margin(.07));
}
