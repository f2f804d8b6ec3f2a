#include <cmath>

#include "core/record/score_tables.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

RunRecord seed(double accuracy, double mse, double diagonal, double baseline) {
  RunRecord record;
  record.network.emplace();
  record.network->metrics.train = {accuracy, mse, 0.5};
  record.network->metrics.test = Metrics{accuracy, mse, 0.5};
  record.pairs = {{FeatureId::nfm(), FeatureId::rfm(2), {}}, {FeatureId::initial_nfm(), FeatureId::rfm(2), {}}};
  record.pairs[0].values.diagonal_pearson = diagonal;
  record.pairs[0].values.top_eigenvector_pearson = {0.25};
  record.pairs[0].values.principal_angles_deg = {10, 30, std::nan("")};  // beyond the smaller rank
  record.pairs[1].values.diagonal_pearson = baseline;
  record.has_headline = true;
  return record;
}

}  // namespace

TEST_CASE("score tables: mean and sample deviation of every number over the seeds") {
  const ScoreTables tables = score_tables({seed(0.5, 1, 0.2, 0), seed(0.7, 2, 0.4, 0), seed(0.9, 6, std::nan(""), 0)});
  REQUIRE(tables.scores.size() == 2);  // no validation rows
  CHECK((tables.scores[0].split == "train" && tables.scores[1].split == "test"));
  const ScoreRow& test = tables.scores[1];
  CHECK(test.accuracy.mean == Approx(0.7));
  CHECK(test.accuracy.sd == Approx(0.2));
  CHECK(test.mse.mean == Approx(3));
  CHECK(test.mse.sd == Approx(std::sqrt(7.0)));
  REQUIRE(tables.likenesses.size() == 2);
  CHECK(tables.likenesses[0].a == FeatureId::nfm());
  CHECK(tables.likenesses[0].diagonal.values.empty());  // a seed has none, so that there is no mean over the seeds
  CHECK(tables.likenesses[0].seeds == 3);
  CHECK(tables.likenesses[0].largest_angle.mean == 30);
  CHECK(tables.likenesses[1].top_vector.values.empty());
}

TEST_CASE("score tables: a pair that not every seed has says how many do, and a regression has the root of its error") {
  std::vector<RunRecord> seeds = {seed(0.5, 1, 0.2, 0), seed(0.7, 2, 0.4, 0)};
  seeds[1].pairs[1].b = FeatureId::rfm(3);
  for (const double mse : {4.0, 16.0}) seeds[mse > 4].network->metrics.test = Metrics{std::nullopt, mse, 0.5};
  const ScoreTables tables = score_tables(seeds);
  REQUIRE(tables.likenesses.size() == 3);
  CHECK(tables.likenesses[0].seeds == 2);
  CHECK(tables.likenesses[1].seeds == 1);
  CHECK(tables.likenesses[2].seeds == 1);
  CHECK(tables.scores[0].rmse.values.empty());  // the training rows have accuracies
  CHECK(tables.scores[1].rmse.mean == Approx(3));
}

TEST_CASE("score tables: a network of logits has a cross-entropy where others have an error") {
  std::vector<RunRecord> seeds = {seed(0.5, std::nan(""), 0.2, 0), seed(0.7, std::nan(""), 0.4, 0)};
  CHECK_FALSE(has_cross_entropy(score_tables(seeds).scores));
  seeds[0].network->metrics.test->cross_entropy = 1.5;
  seeds[1].network->metrics.test->cross_entropy = 2.5;
  const ScoreTables tables = score_tables(seeds);
  CHECK(has_cross_entropy(tables.scores));
  CHECK(tables.scores[0].cross_entropy.values.empty());
  CHECK(tables.scores[1].cross_entropy.mean == Approx(2));
  CHECK(tables.scores[1].mse.values.empty());
}

TEST_CASE("errors have five digits, but no more than four decimals") {
  CHECK(error_decimals(0.0123) == 4);
  CHECK(error_decimals(1.5) == 4);
  CHECK(error_decimals(350.98) == 2);
  CHECK(error_decimals(21679) == 0);
  CHECK(error_decimals(4e8) == 0);
  CHECK(error_decimals(std::nan("")) == 4);
}

TEST_CASE("score tables of one run have its numbers and no deviation") {
  const ScoreTables tables = score_tables({seed(0.5, 1, 0.2, 0)});
  CHECK(tables.scores[1].accuracy.mean == 0.5);
  CHECK(std::isnan(tables.scores[1].accuracy.sd));
  CHECK(tables.scores[1].accuracy.values.size() == 1);
}

TEST_CASE("score tables: a pair that only some seeds have says how many") {
  std::vector<RunRecord> seeds = {seed(0.5, 1, 0.2, 0), seed(0.5, 1, 0.4, 0), seed(0.5, 1, 0.6, 0)};
  seeds[1].pairs.push_back({FeatureId::agop(), FeatureId::rfm(1), {}});
  seeds[1].pairs.back().values.diagonal_pearson = 0.5;
  const ScoreTables tables = score_tables(seeds);
  REQUIRE(tables.likenesses.size() == 3);
  CHECK(tables.likenesses[0].diagonal.mean == Approx(0.4));
  CHECK(share_of_seeds(tables.likenesses[0].seeds, seeds.size()).empty());
  CHECK(tables.likenesses[2].diagonal.mean == 0.5);
  CHECK(std::isnan(tables.likenesses[2].diagonal.sd));
  CHECK(share_of_seeds(tables.likenesses[2].seeds, seeds.size()) == " (1 of 3 seeds)");
}

TEST_CASE("the headline's likeness beside its baseline") {
  const std::vector<RunRecord> seeds = {seed(0, 0, 0.2, 0.1), seed(0, 0, 0.4, 0.3)};
  CHECK(headline_likeness(seeds, false).diagonal.mean == Approx(0.3));
  CHECK(headline_likeness(seeds, true).diagonal.mean == Approx(0.2));
  CHECK(headline_likeness(seeds, true).a == FeatureId::initial_nfm());
  CHECK(headline_likeness({RunRecord{}}, false).diagonal.values.empty());
}
