// Experiment theory at tiny size, and its formulas against finite differences and a plain simulation.
#include <Eigen/Dense>
#include <cmath>

#include "core/base/error.h"
#include "core/data/synthetic/synthetic.h"
#include "experiments/theory/limit_curves.h"
#include "experiments/theory/required_samples.h"
#include "experiments/theory/theory_limits.h"
#include "experiments/theory/trained_first_layer.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;
using ansatz::testing::ProgramResult;
using ansatz::testing::Workspace;

namespace {

/// g(x) = sqrt(2^L / (k_1 ... k_L)) a . relu(W_L ... relu(W_1 x)).
double network(const Matrix<double>& w1, const std::vector<Matrix<double>>& outer, const Vector<double>& a,
               const Vector<double>& x) {
  Vector<double> h = (w1 * x).cwiseMax(0.0);
  double scale = 2.0 / static_cast<double>(w1.rows());
  for (const Matrix<double>& w : outer) {
    h = (w * h).cwiseMax(0.0).eval();
    scale *= 2.0 / static_cast<double>(w.rows());
  }
  return std::sqrt(scale) * a.dot(h);
}

}  // namespace

TEST_CASE("theory: the deep network's gradient outer product, against differences for every outer weight") {
  const Index d = 4, k = 6;
  RandomStream stream(1);
  const Matrix<double> w1 = stream.normal_matrix<double>(5, d);
  const std::vector<Matrix<double>> outer = {stream.normal_matrix<double>(k, 5), stream.normal_matrix<double>(k, k)};
  const Vector<double> x = stream.normal_matrix<double>(d, 1);
  Matrix<double> expected = Matrix<double>::Zero(d, d);  // E_a over N(0, I) is the sum over a's unit vectors
  for (Index unit = 0; unit < k; ++unit) {
    const Vector<double> a = Vector<double>::Unit(k, unit);
    Vector<double> gradient(d);
    for (Index i = 0; i < d; ++i) {
      const Vector<double> step = 1e-6 * Vector<double>::Unit(d, i);
      gradient[i] = (network(w1, outer, a, x + step) - network(w1, outer, a, x - step)) / 2e-6;
    }
    expected += gradient * gradient.transpose();
  }
  const Matrix<double> got = deep_gradient_outer_product(w1, outer, x);
  CHECK((got - expected).norm() < 1e-7 * expected.norm());  // piecewise linear: only rounding over the step is left
}

TEST_CASE("theory: errors fall with the width, and gradient descent by hand gives Proposition 4's first step") {
  RandomStream stream(2);
  const Matrix<double> x = stream.normal_matrix<double>(20, 3);
  const Vector<double> y = stream.normal_matrix<double>(20, 1);
  // After one step from 0 both sides are rank one along x^T y: their distance is |A A^T / k - 1|.
  LinearTraining one;
  one.steps = 1;
  const Index k = 50;
  const Vector<double> a = RandomStream(3).normal_matrix<double>(k, 1);
  CHECK(linear_network_error(x, y, k, one, RandomStream(3)) ==
        Approx(std::abs(a.squaredNorm() / static_cast<double>(k) - 1)).epsilon(1e-9));
  CHECK(log_slope({1, 10, 100}, {3, 0.3, 0.03}) == Approx(-1));
  CHECK(proposition1_error(5, 30, RandomStream(4)) < 1e-13);
  const Matrix<double> w1 = stream.normal_matrix<double>(8, 3);
  CHECK(proposition3_error(w1, 40000, RandomStream(5)) < 0.05);
  CHECK(theorem1_error(w1, 1, 800, 1500, RandomStream(6)) < 0.3 * theorem1_error(w1, 1, 4, 1500, RandomStream(6)));
}

TEST_CASE("theory: standard errors of a mean and of a slope are those that repetition shows") {
  const MeanOfTrials mean = mean_of_trials({1, 2, 4, 5});
  CHECK(mean.mean == Approx(3));
  CHECK(*mean.standard_error == Approx(std::sqrt(10.0 / 3 / 4)));
  CHECK_FALSE(mean_of_trials({7}).standard_error);
  // Slopes of errors that are drawn anew scatter as the formula says.
  const std::vector<double> sizes = {10, 20, 80}, errors = {0.5, 0.3, 0.2}, each = {0.02, 0.01, 0.01};
  RandomStream stream(7);
  std::vector<double> slopes;
  for (int draw = 0; draw < 4000; ++draw) {
    std::vector<double> drawn;
    for (std::size_t i = 0; i < errors.size(); ++i) drawn.push_back(errors[i] + each[i] * stream.normal());
    slopes.push_back(log_slope(sizes, drawn));
  }
  const double scatter = *mean_of_trials(slopes).standard_error * std::sqrt(4000.0);
  CHECK(log_slope_standard_error(sizes, errors, each) == Approx(scatter).epsilon(0.06));
}

namespace {

/// Least-squares regression on all monomials up to degree 2 of the columns: what the polynomial kernel does without a
/// ridge (of least norm in the kernel's own scaling, which decides below as many rows as monomials).
double explicit_error(const Matrix<double>& x, const Matrix<double>& y, const Matrix<double>& test,
                      const Matrix<double>& wanted) {
  const auto features = [](const Matrix<double>& points) {
    const Index d = points.cols();
    Eigen::MatrixXd phi(points.rows(), (d + 1) * (d + 2) / 2);  // of (<x, z> + 1)^2: 1, sqrt2 x_i, x_i^2, sqrt2 x_i x_j
    for (Index row = 0; row < points.rows(); ++row) {
      Index column = 0;
      phi(row, column++) = 1;
      for (Index i = 0; i < d; ++i) {
        phi(row, column++) = std::sqrt(2.0) * points(row, i);
        for (Index j = i; j < d; ++j)
          phi(row, column++) = (i == j ? 1 : std::sqrt(2.0)) * points(row, i) * points(row, j);
      }
    }
    return phi;
  };
  const Eigen::MatrixXd weights = features(x).completeOrthogonalDecomposition().solve(Eigen::MatrixXd(y));
  const Eigen::MatrixXd error = features(test) * weights - wanted;
  return error.squaredNorm() / (wanted.array() - wanted.mean()).matrix().squaredNorm();
}

}  // namespace

TEST_CASE("theory: with M the samples needed do not grow with d, without they grow as d^2, as explicit monomials say") {
  RequiredSamplesOptions options;
  options.dimensions = {6, 12, 24};
  options.test_size = 500;
  options.ridge = 1e-8;
  const RandomStream stream(8);
  const RequiredSamplesOfBoth needed = required_samples(options, stream);
  CHECK(monomials(2, 2) == 6);
  CHECK(monomials(24, 2) == 325);
  for (std::size_t i = 0; i < options.dimensions.size(); ++i) {
    CHECK(needed.known.samples[i].mean <= 6);  // the six monomials of two variables
    CHECK(needed.without.samples[i].mean > 0.5 * monomials(options.dimensions[i], 2));
    CHECK(needed.without.samples[i].mean <= monomials(options.dimensions[i], 2));
  }
  CHECK(std::abs(needed.known.growth.mean) < 0.2);
  CHECK(needed.without.growth.mean > 1.6);
  CHECK(needed.without.growth.mean < 2.1);
  CHECK(*needed.without.growth.standard_error < 0.1);
  // The number found is the first that is enough.
  options.repeats = 1;
  LowRankOptions target = options.target;
  target.dimension = 6;
  const Split<double> split =
      make_low_rank<double>(target, 112, 0, 500, RandomStream(9).named("required/0").named("6"));
  options.dimensions = {6, 7};
  const auto found = static_cast<Index>(required_samples(options, RandomStream(9)).without.samples[0].mean);
  const auto error = [&](Index n) {
    return explicit_error(split.train.inputs.topRows(n), split.train.targets.topRows(n), split.test.inputs,
                          split.test.targets);
  };
  CHECK(error(found) <= options.epsilon * 1.01);
  CHECK(error(found - 1) > options.epsilon * 0.99);
}

TEST_CASE("theory: a target that the kernel cannot represent is refused, not searched for ever") {
  RequiredSamplesOptions options;
  options.target.target = "piecewise";
  options.dimensions = {4, 6};
  options.epsilon = 1e-3;
  options.test_size = 200;
  const std::string message = message_of<NumericalError>([&] { required_samples(options, RandomStream(10)); });
  CHECK(contains(message, "does not represent this target"));
  CHECK(contains(message, "`epsilon`"));
}

TEST_CASE("theory: a trained first layer looks at the target's variables, and both limits hold for it") {
  TrainedFirstLayerOptions options;
  options.target.dimension = 10;
  options.epochs = 100;
  const TrainedFirstLayer trained = train_first_layer(options, RandomStream(11));
  CAPTURE(trained.share_before, trained.share, trained.r2);
  CHECK(trained.share_before == Approx(0.2).margin(0.1));
  CHECK(trained.share > 0.5);
  CHECK(trained.r2 > 0.8);
  CHECK(trained.share == Approx(trained.weight.leftCols(2).squaredNorm() / trained.weight.squaredNorm()));
  CHECK(proposition3_error(trained.weight, 40000, RandomStream(12)) < 0.05);
  CHECK(proposition3_error(trained.weight, 40000, RandomStream(12)) <
        0.2 * proposition3_error(trained.weight, 100, RandomStream(12)));
}

TEST_CASE("experiment theory: findings, both figures and a report from one config") {
  const Workspace work;
  work.write("c.yaml", R"(
experiment: theory
findings: {expected: [{name: proposition1.error, at_most: 1.0e-12}]}
theory: {points: 100, trials: 1, widths: [16, 64], steps: 3,
         trained: {samples: 100, epochs: 3},
         sample_complexity: {target: x1x2, dimension: 6, sizes: [30, 60], dimensions: [4, 8], test_size: 100, repeats: 1,
                             rfm_iterations: 1}}
)");
  const ProgramResult result = work.run({"run", "c.yaml", "--out", "out"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const auto metrics = nlohmann::ordered_json::parse(work.read("out/metrics.json"));
  CHECK(metrics.at("findings").at("list").size() == 25);
  CHECK(metrics.at("findings").at("list").at(0).at("verdict") == "unclear");
  for (const char* file :
       {"images/limits.png", "images/required_samples.png", "images/sample_complexity.svg", "report.html"})
    CHECK(std::filesystem::exists(work.path() / "out" / file));
  const ProgramResult plan = work.run({"plan", "c.yaml"});
  CHECK(plan.exit_code == 0);
  CHECK(plan.out.find("Proposition 2") != std::string::npos);
}
