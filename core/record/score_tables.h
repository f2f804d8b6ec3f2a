// The two tables that a run comes to: how well its models predict, and how alike the features are. Of one run, or of
// several that differ in their seed only, as means and standard deviations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/record/repeats_record.h"

namespace ansatz {

/// One model on one part of the data.
struct ScoreRow {
  std::string model;  ///< as in scores_of
  std::string split;  ///< "train", "validation" or "test"
  Spread accuracy, mse, r2;
  Spread rmse;            ///< of a regression: the root of mse, in the unit of the targets
  Spread cross_entropy;   ///< of a network of logits, in nats, which has no mse and r2
  std::size_t seeds = 0;  ///< that have the row
};

/// Of a regression on several outputs: R² of each on the test rows (without any: the validation rows).
struct OutputScores {
  std::string split;   ///< "test" or "validation"
  std::string scores;  ///< what the one R² of a model is made of: "the mean over the 3 outputs"
  std::vector<std::pair<std::string, std::vector<double>>> models;  ///< in the order of scores_of; NaN: undefined
};
/// Without models where there is one output, or more than metrics.json lists, or no row was held out.
OutputScores output_scores(const RunRecord& record);

/// How alike two feature matrices are.
struct LikenessRow {
  FeatureId a, b;
  Spread diagonal, top_vector, largest_angle, entries, off_diagonal, cosine;
  std::size_t seeds = 0;  ///< that have the pair: fewer than all where validation preferred different iterations
};

/// A number that is not finite in some seed that has the row has no values: there is no mean of it.
struct ScoreTables {
  std::vector<ScoreRow> scores;         ///< in the order of scores_of; of each model train, validation, test
  std::vector<LikenessRow> likenesses;  ///< in the order of the first run that has the pair
};

/// Whether any of them is of a network of logits.
bool has_cross_entropy(const std::vector<ScoreRow>& rows);

/// One record a seed.
ScoreTables score_tables(const std::vector<RunRecord>& seeds);

/// " (1 of 3 seeds)" behind the name of a row that not all seeds have; else empty.
std::string share_of_seeds(std::size_t having, std::size_t all);

/// The headline's pair over the seeds in which there is one: network against RFM; `baseline`: the initial network
/// against the RFM. Without values where there is none.
LikenessRow headline_likeness(const std::vector<RunRecord>& seeds, bool baseline);

/// How many decimals an error is written with, for five digits in all: 2 of 350, 0 of 21679; at most 4, as
/// below 1 and where it is not finite.
int error_decimals(double error);

}  // namespace ansatz
