#include <cmath>

#include "core/record/benchmark/benchmark_record.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("benchmark: a method's score on a set is the mean over its folds, and only where all are known") {
  BenchmarkSet set;
  MethodOnSet both, missing, none;
  both.method = "both";
  both.folds = {{0.5, 0.2, 0.1}, {1, 0.4, 0.3}};
  missing.method = "missing";
  missing.folds = {{0.5, 0.2, 0.1}, {std::nan(""), 0.4, 0.3}};
  none.method = "none";
  set.results = {both, missing, none};
  CHECK(set.score("both").mean == 0.75);
  CHECK(set.score("both").sd == Approx(std::sqrt(0.125)));
  CHECK(set.score("missing").values.empty());
  CHECK(std::isnan(set.score("none").mean));
  CHECK(std::isnan(set.score("not run").mean));
  set.task = Task::regression;
  CHECK(set.score("missing").mean == Approx(0.2));
}

TEST_CASE("benchmark: a choice in words") {
  MethodOnSet result;
  CHECK(result.choice_in_words().empty());
  result.choice = {{"ridge", "0.1"}, {"iterations", "3"}};
  CHECK(result.choice_in_words() == "ridge 0.1, iterations 3");
}

TEST_CASE("learned features: the diagonal and the leading eigenvectors, their largest loading positive") {
  // M = 5 u u' + 2 v v' with u = (0.6, -0.8, 0), v = (0, 0, 1): rank 2.
  Matrix<double> m(3, 3);
  m << 5 * 0.36, -5 * 0.48, 0, -5 * 0.48, 5 * 0.64, 0, 0, 0, 2;
  const LearnedFeatures features = learned_features(FeatureMatrix<double>::dense(m), "all rows", 2);
  CHECK(features.learned_from == "all rows");
  CHECK(features.trace == Approx(7));
  CHECK(features.diagonal.isApprox(m.diagonal()));
  REQUIRE(features.eigenvalues.size() == 2);
  CHECK(features.eigenvalues(0) == Approx(5));
  CHECK(features.eigenvalues(1) == Approx(2));
  CHECK(features.eigenvectors.row(0).isApprox(Eigen::RowVector3d(-0.6, 0.8, 0), 1e-12));
  CHECK(features.eigenvectors.row(1).isApprox(Eigen::RowVector3d(0, 0, 1), 1e-12));
}

TEST_CASE("learned features: no eigenvectors beyond the rank") {
  const LearnedFeatures features =
      learned_features(FeatureMatrix<float>::diagonal_form((Vector<float>(3) << 0, 3, 0).finished()), "", 3);
  REQUIRE(features.eigenvalues.size() == 1);
  CHECK(features.eigenvectors == (Matrix<double>(1, 3) << 0, 1, 0).finished());
}
