// Experiment theory at tiny size, and its formulas against finite differences and a plain simulation.
#include <cmath>

#include "experiments/theory/limit_curves.h"
#include "experiments/theory/theory_limits.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

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

TEST_CASE("experiment theory: findings, both figures and a report from one config") {
  const Workspace work;
  work.write("c.yaml", R"(
experiment: theory
findings: {expected: [{name: proposition1.error, at_most: 1.0e-12}]}
theory: {points: 100, trials: 1, widths: [16, 64], steps: 3,
         sample_complexity: {target: x1x2, dimension: 6, sizes: [30, 60], test_size: 100, repeats: 1, rfm_iterations: 1}}
)");
  const ProgramResult result = work.run({"run", "c.yaml", "--out", "out"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const auto metrics = nlohmann::ordered_json::parse(work.read("out/metrics.json"));
  CHECK(metrics.at("findings").at("list").size() == 14);
  CHECK(metrics.at("findings").at("list").at(0).at("verdict") == "unclear");
  for (const char* file : {"images/limits.png", "images/sample_complexity.svg", "report.html"})
    CHECK(std::filesystem::exists(work.path() / "out" / file));
  const ProgramResult plan = work.run({"plan", "c.yaml"});
  CHECK(plan.exit_code == 0);
  CHECK(plan.out.find("Proposition 2") != std::string::npos);
}
