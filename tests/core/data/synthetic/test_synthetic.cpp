#include <cmath>

#include "core/base/error.h"
#include "core/data/synthetic/polynomial.h"
#include "core/data/synthetic/synthetic.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

LowRankOptions task(const std::string& target, const std::string& distribution, Index d, double variance) {
  LowRankOptions options;
  options.target = target;
  options.input_distribution = distribution;
  options.dimension = d;
  options.input_variance = variance;
  return options;
}

LowRankOptions cubic(const std::string& distribution, double variance) {
  LowRankOptions options = task("custom", distribution, 5, variance);
  options.terms = {{2, {{0, 2}, {2, 1}}}, {-1.5, {{1, 3}}}, {0.5, {{2, 1}}}, {3, {}}};
  return options;
}

LowRankOptions hermite(Index directions, Index degree, double variance = 1) {
  LowRankOptions options = task("hermite", "gaussian", 5, variance);
  options.directions = directions;
  options.degree = degree;
  return options;
}

/// The mean outer product of central differences of the target at the rows of x (d is small).
Matrix<double> finite_difference_agop(const LowRankOptions& options, const Matrix<double>& x,
                                      const RandomStream& stream) {
  const double h = 1e-4;
  Matrix<double> gradients(x.rows(), x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    Matrix<double> up = x, down = x;
    up.col(j).array() += h;
    down.col(j).array() -= h;
    gradients.col(j) =
        (low_rank_target<double>(options, up, stream) - low_rank_target<double>(options, down, stream)) / (2 * h);
  }
  // A difference across the jump at x4 = 0 is no gradient.
  if (options.target == "piecewise") gradients.col(3).setZero();
  return gradients.transpose() * gradients / static_cast<double>(x.rows());
}

double variance_of(const Matrix<double>& y) { return (y.array() - y.mean()).square().mean(); }

/// Compares the stated truth with an average over n draws; `tolerance` is relative, about 5 standard errors.
void check_truth(const LowRankOptions& options, double tolerance, Index n = 100000) {
  const RandomStream stream(11);
  const Split<double> split = make_low_rank<double>(options, n, 0, 0, stream);
  const GroundTruth<double>& truth = *split.truth;
  const Matrix<double> exact = truth.expected_agop.to_dense();
  const Matrix<double> measured = finite_difference_agop(options, split.train.inputs, stream);
  INFO(truth.description << "\nexact\n" << exact << "\nmeasured\n" << measured);
  CHECK((exact - measured).cwiseAbs().maxCoeff() <= tolerance * exact.cwiseAbs().maxCoeff());
  CHECK(variance_of(split.train.targets) == Approx(truth.target_variance).epsilon(tolerance));
  const Matrix<double> gram = truth.subspace * truth.subspace.transpose();
  CHECK((gram - Matrix<double>::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() < 1e-12);
}

double dense_truth(const Split<double>& split, Index i, Index j) { return split.truth->expected_agop.to_dense()(i, j); }

}  // namespace

TEST_CASE("expected AGOP and variance agree with averages over many draws") {
  // Tolerances: relative standard errors from the targets' own moments at 1e5 draws, times five; He4's are
  // heavy-tailed.
  check_truth(task("x1x2", "gaussian", 4, 0.25), 0.05);
  check_truth(task("x1x2", "rademacher", 4, 2), 0.02);
  check_truth(task("piecewise", "gaussian", 6, 0.25), 0.03);
  check_truth(task("piecewise", "rademacher", 6, 1), 0.03);
  check_truth(task("he2_he4", "gaussian", 5, 1), 0.25);
  check_truth(task("he2_he4", "gaussian", 5, 0.5), 0.2);
  check_truth(task("he2_he4", "rademacher", 5, 1), 0.05);
  check_truth(cubic("gaussian", 0.7), 0.12);
  check_truth(cubic("rademacher", 0.7), 0.03);
  check_truth(hermite(3, 2), 0.05);
  check_truth(hermite(2, 3, 0.5), 0.1);
}

TEST_CASE("hermite: variance 1 and an EGOP of p / r on r coordinates, however hard") {
  const RandomStream stream(3);
  for (const Index r : {1, 3})
    for (const Index p : {2, 3, 5}) {
      INFO("directions " << r << ", degree " << p);
      const Split<double> split = make_low_rank<double>(hermite(r, p), 4, 0, 0, stream);
      CHECK(split.truth->target_variance == Approx(1).epsilon(1e-12));
      Matrix<double> egop = Matrix<double>::Zero(5, 5);
      egop.diagonal().head(r).setConstant(static_cast<double>(p) / static_cast<double>(r));
      CHECK((split.truth->expected_agop.to_dense() - egop).cwiseAbs().maxCoeff() < 1e-12 * static_cast<double>(p));
    }
  Matrix<double> x(1, 5);
  x << 2, -1, 3, 0, 0;
  // (He3(2) + He3(-1)) / sqrt(2 * 3!) = (2 + 2) / sqrt(12)
  CHECK(low_rank_target<double>(hermite(2, 3), x, stream)(0, 0) == Approx(4 / std::sqrt(12.0)));
  CHECK_THROWS_AS(make_low_rank<double>(hermite(6, 2), 4, 0, 0, stream), ConfigError);
  CHECK_THROWS_AS(make_low_rank<double>(hermite(2, 1), 4, 0, 0, stream), ConfigError);
  CHECK_THROWS_AS(make_low_rank<double>(hermite(2, 11), 4, 0, 0, stream), ConfigError);
  LowRankOptions signs = hermite(2, 2);
  signs.input_distribution = "rademacher";  // He2(+-1) = 0
  CHECK_THROWS_AS(make_low_rank<double>(signs, 4, 0, 0, stream), ConfigError);
}

TEST_CASE("the closed forms of the paper's tasks") {
  const RandomStream stream(1);
  const Split<double> product = make_low_rank<double>(task("x1x2", "rademacher", 30, 1), 2, 0, 0, stream);
  CHECK(dense_truth(product, 0, 0) == 1);
  CHECK(dense_truth(product, 1, 1) == 1);
  CHECK(dense_truth(product, 0, 1) == 0);
  CHECK(product.truth->expected_agop.trace() == 2);
  CHECK(product.truth->target_variance == 1);
  CHECK(product.truth->subspace.rows() == 2);

  const Split<double> hermite = make_low_rank<double>(task("he2_he4", "gaussian", 10, 1), 2, 0, 0, stream);
  CHECK(hermite.truth->expected_agop.trace() == Approx(100));
  CHECK(hermite.truth->target_variance == Approx(26));

  const Split<double> pieces = make_low_rank<double>(task("piecewise", "gaussian", 50, 0.25), 2, 0, 0, stream);
  CHECK(dense_truth(pieces, 0, 0) == Approx(0.125));
  CHECK(dense_truth(pieces, 2, 2) == Approx(0.5));
  CHECK(dense_truth(pieces, 3, 3) == 0);
  CHECK(pieces.truth->expected_agop.trace() == Approx(0.75));
  const Split<double> narrow = make_low_rank<double>(task("piecewise", "gaussian", 50, 0.0625), 2, 0, 0, stream);
  CHECK(dense_truth(narrow, 1, 1) == Approx(1.0 / 32));
}

TEST_CASE("the subspace of a target is what its values depend on, across a jump too") {
  const RandomStream stream(3);
  constexpr Index kRows = 2000;
  for (const LowRankOptions& options : {task("x1x2", "gaussian", 6, 1), task("piecewise", "gaussian", 6, 1),
                                        task("he2_he4", "gaussian", 6, 1), cubic("gaussian", 1)}) {
    CAPTURE(options.target);
    const Split<double> split = make_low_rank<double>(options, kRows, 0, 0, stream);
    const Matrix<double>&x = split.train.inputs, &u = split.truth->subspace;
    const Matrix<double> onto = u.transpose() * u, steps = RandomStream(4).normal_matrix<double>(kRows, x.cols());
    // Steps out of it change no value; steps along each of its directions change some.
    const Matrix<double> outside = x + steps - steps * onto;
    CHECK((low_rank_target<double>(options, outside, stream) - split.train.targets).cwiseAbs().maxCoeff() < 1e-9);
    for (Index i = 0; i < u.rows(); ++i) {
      const Matrix<double> along = x + steps.col(0) * u.row(i);
      CHECK((low_rank_target<double>(options, along, stream) - split.train.targets).cwiseAbs().maxCoeff() > 0.1);
    }
  }
  // x4, in which the piecewise target jumps, is in it, though the expected gradient outer product has nothing there.
  const Split<double> pieces = make_low_rank<double>(task("piecewise", "gaussian", 50, 0.25), 2, 0, 0, stream);
  REQUIRE(pieces.truth->subspace.rows() == 4);
  CHECK(pieces.truth->subspace.leftCols(4).squaredNorm() == Approx(4));
}

TEMPLATE_TEST_CASE("targets are computed before noise is added, and noise shifts no draw", "", float, double) {
  const RandomStream stream(5);
  LowRankOptions clean = task("x1x2", "rademacher", 30, 1), noisy = clean, noisy_labels = clean;
  noisy.input_noise_variance = 0.01;
  noisy_labels.label_noise_variance = 0.04;
  const Split<TestType> a = make_low_rank<TestType>(clean, 2000, 10, 500, stream);
  const Split<TestType> b = make_low_rank<TestType>(noisy, 2000, 10, 500, stream);
  const Split<TestType> c = make_low_rank<TestType>(noisy_labels, 2000, 10, 500, stream);
  CHECK((a.train.inputs.cwiseAbs().array() == TestType(1)).all());
  CHECK(a.train.targets == low_rank_target<TestType>(clean, a.train.inputs, stream));
  CHECK(b.train.targets == a.train.targets);
  CHECK(c.train.inputs == a.train.inputs);
  const Matrix<double> input_noise = (b.test.inputs - a.test.inputs).template cast<double>();
  CHECK(variance_of(input_noise) == Approx(0.01).epsilon(0.06));  // 15,000 values: 5 standard errors
  const Matrix<double> label_noise = (c.train.targets - a.train.targets).template cast<double>();
  CHECK(variance_of(label_noise) == Approx(0.04).epsilon(0.16));
  CHECK(contains(c.truth->description, "R^2 is at most 0.9615"));
}

TEST_CASE("float and double runs see the same draws") {
  const LowRankOptions options = task("he2_he4", "gaussian", 10, 1);
  const Split<float> a = make_low_rank<float>(options, 50, 0, 10, RandomStream(2));
  const Split<double> b = make_low_rank<double>(options, 50, 0, 10, RandomStream(2));
  CHECK(a.train.inputs == b.train.inputs.cast<float>());
  CHECK(a.train.targets == b.train.targets.cast<float>());
}

TEST_CASE("tasks that cannot be made are refused") {
  const auto complaint = [](const LowRankOptions& options) {
    return message_of<ConfigError>([&] { make_low_rank<double>(options, 2, 0, 0, RandomStream(0)); });
  };
  CHECK(contains(complaint(task("piecewise", "gaussian", 3, 1)),
                 "`dimension` is 3 but target piecewise needs at least 4"));
  CHECK(contains(complaint(task("x1x2", "gaussian", 1, 1)), "at least 2"));
  CHECK(contains(complaint(task("custom", "gaussian", 3, 1)), "at least one term"));
  CHECK(contains(complaint(task("x1x3", "gaussian", 3, 1)), "none of x1x2"));
  CHECK(contains(complaint(task("x1x2", "cauchy", 3, 1)), "neither gaussian nor rademacher"));
  LowRankOptions constant = task("custom", "gaussian", 3, 1);
  constant.terms = {{4, {}}};
  CHECK(contains(complaint(constant), "constant"));
  LowRankOptions wide = cubic("gaussian", 1);
  wide.dimension = 2;
  CHECK(contains(complaint(wide), "at least 3"));
}

TEST_CASE("polynomials: values, derivatives, products, expectations") {
  const Polynomial p(cubic("gaussian", 1).terms);  // 2 x1^2 x3 - 1.5 x2^3 + 0.5 x3 + 3
  const double x[] = {2, -1, 3};
  CHECK(p.value(x) == 2 * 4 * 3 + 1.5 + 1.5 + 3);
  CHECK(p.derivative(0).value(x) == 4 * 2 * 3);
  CHECK(p.derivative(1).value(x) == -4.5);
  CHECK(p.derivative(2).value(x) == 8.5);
  CHECK((p * p).value(x) == Approx(p.value(x) * p.value(x)));
  CHECK(p.degree() == 3);
  CHECK(p.variables() == std::vector<Index>{0, 1, 2});
  CHECK(Polynomial({{1, {{0, 1}, {1, 1}}}}).text() == "x1 x2");
  CHECK(Polynomial({{-1, {{1, 1}}}, {2, {{0, 2}, {2, 1}}}}).text() == "2 x1^2 x3 - x2");
  CHECK(gaussian_moments(2, 9) == std::vector<double>{1, 0, 2, 0, 12, 0, 120, 0, 1680});
  CHECK(rademacher_moments(4, 5) == std::vector<double>{1, 0, 4, 0, 16});
}

TEST_CASE("moments of a sum of signs agree with all its values") {
  const Vector<double> weights = Eigen::Vector3d(0.5, -1.25, 2);
  const std::vector<double> moments = moments_of_sum(rademacher_moments(2.25, 9), weights);
  for (int k = 0; k < 9; ++k) {
    double mean = 0;
    for (int signs = 0; signs < 8; ++signs) {
      double z = 0;
      for (int i = 0; i < 3; ++i) z += weights[i] * (signs >> i & 1 ? 1.5 : -1.5);
      mean += std::pow(z, k) / 8;
    }
    CHECK(moments[static_cast<std::size_t>(k)] == Approx(mean).margin(1e-9));
  }
}
