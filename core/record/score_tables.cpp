#include "core/record/score_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ansatz {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void collect(double value, Spread& spread) {
  if (std::isfinite(value)) spread.values.push_back(value);
}

void finish(Spread& spread, std::size_t seeds) {
  spread = spread_of(spread.values.size() == seeds ? spread.values : std::vector<double>());
}

ScoreRow& row_of(const std::string& model, const char* split, std::vector<ScoreRow>& rows) {
  const auto same = [&](const ScoreRow& row) { return row.model == model && row.split == split; };
  const auto found = std::find_if(rows.begin(), rows.end(), same);
  if (found != rows.end()) return *found;
  rows.push_back({model, split, {}, {}, {}, {}, {}, 0});
  return rows.back();
}

void collect(const std::string& model, const char* split, const std::optional<Metrics>& metrics,
             std::vector<ScoreRow>& rows) {
  if (!metrics) return;
  ScoreRow& row = row_of(model, split, rows);
  ++row.seeds;
  collect(metrics->accuracy.value_or(kNaN), row.accuracy);
  collect(metrics->mse, row.mse);
  collect(metrics->r2, row.r2);
  collect(metrics->accuracy ? kNaN : std::sqrt(metrics->mse), row.rmse);
  collect(metrics->cross_entropy.value_or(kNaN), row.cross_entropy);
}

/// NaN beyond the smaller rank.
double largest_angle(const FeatureComparison& likeness) {
  double angle = kNaN;
  for (const double a : likeness.principal_angles_deg) angle = std::isfinite(a) ? a : angle;
  return angle;
}

void collect(const FeatureComparison& likeness, LikenessRow& row) {
  const std::vector<double>& vectors = likeness.top_eigenvector_pearson;
  collect(likeness.diagonal_pearson, row.diagonal);
  collect(vectors.empty() ? kNaN : vectors.front(), row.top_vector);
  collect(largest_angle(likeness), row.largest_angle);
  collect(likeness.matrix_pearson, row.entries);
  collect(likeness.off_diagonal_pearson, row.off_diagonal);
  collect(likeness.cosine, row.cosine);
  ++row.seeds;
}

void finish(LikenessRow& row) {
  for (Spread* spread :
       {&row.diagonal, &row.top_vector, &row.largest_angle, &row.entries, &row.off_diagonal, &row.cosine})
    finish(*spread, row.seeds);
}

void collect(const FeaturePair& pair, std::vector<LikenessRow>& rows) {
  const auto same = [&](const LikenessRow& row) { return row.a == pair.a && row.b == pair.b; };
  if (std::none_of(rows.begin(), rows.end(), same)) rows.push_back({pair.a, pair.b, {}, {}, {}, {}, {}, {}, 0});
  collect(pair.values, *std::find_if(rows.begin(), rows.end(), same));
}

}  // namespace

OutputScores output_scores(const RunRecord& record) {
  OutputScores table{record.data->test_size > 0 ? "test" : "validation", "", {}};
  table.scores = fmt::format("{} over the {} outputs",
                             record.data->target_scaling.several_units() ? "the mean" : "pooled", record.data->outputs);
  for (const auto& [model, metrics] : scores_of(record)) {
    const std::optional<Metrics>& held_out = record.data->test_size > 0 ? metrics.test : metrics.validation;
    if (held_out && static_cast<Index>(held_out->r2_by_output.size()) == record.data->outputs)
      table.models.emplace_back(model, held_out->r2_by_output);
  }
  return table;
}

bool has_cross_entropy(const std::vector<ScoreRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const ScoreRow& row) { return !row.cross_entropy.values.empty(); });
}

ScoreTables score_tables(const std::vector<RunRecord>& seeds) {
  ScoreTables tables;
  for (const RunRecord& run : seeds) {
    for (const auto& [model, metrics] : scores_of(run)) {
      collect(model, "train", metrics.train, tables.scores);
      collect(model, "validation", metrics.validation, tables.scores);
      collect(model, "test", metrics.test, tables.scores);
    }
    for (const FeaturePair& pair : run.pairs) collect(pair, tables.likenesses);
  }
  for (ScoreRow& row : tables.scores)
    for (Spread* spread : {&row.accuracy, &row.mse, &row.r2, &row.rmse, &row.cross_entropy}) finish(*spread, row.seeds);
  for (LikenessRow& row : tables.likenesses) finish(row);
  return tables;
}

std::string share_of_seeds(std::size_t having, std::size_t all) {
  return having == all ? "" : fmt::format(" ({} of {} seeds)", having, all);
}

LikenessRow headline_likeness(const std::vector<RunRecord>& seeds, bool baseline) {
  LikenessRow row;
  for (const RunRecord& run : seeds) {
    if (!run.has_headline) continue;
    const FeaturePair& first = run.pairs.front();
    const FeaturePair* pair = baseline ? run.find_pair(FeatureId::initial_nfm(), first.b) : &first;
    if (pair == nullptr) continue;
    row.a = pair->a;
    row.b = pair->b;
    collect(pair->values, row);
  }
  finish(row);
  return row;
}

int error_decimals(double error) {
  constexpr int kMost = 4;
  if (!std::isfinite(error) || std::fabs(error) < 1) return kMost;
  return std::max(0, kMost - static_cast<int>(std::floor(std::log10(std::fabs(error)))));
}

}  // namespace ansatz
