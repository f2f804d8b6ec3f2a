#include "experiments/benchmark/results/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/record/benchmark/benchmark_scores.h"
#include "core/statistics/ranking/rank_correlation.h"
#include "core/statistics/ranks.h"
#include "core/statistics/table_metrics.h"
#include "experiments/benchmark/results/benchmark_findings.h"
#include "experiments/benchmark/results/over_sets.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kPercent = "%";

/// A method of which findings are, and what it is compared with.
struct Subject {
  std::string label, slug;
  std::vector<std::string> siblings;  ///< columns of the same method under the other protocol
};

Finding finding(std::string meaning, const OverSets& of, double unit, std::string unit_name) {
  Finding found{"", std::move(meaning), unit * of.value, std::move(unit_name)};
  if (of.standard_error) found.standard_error = unit * *of.standard_error;
  return found;
}

/// All methods but the subject's other protocol.
ScoreTable among(const Subject& subject, const ScoreTable& table) {
  std::vector<std::string> kept;
  for (const std::string& method : table.methods)
    if (std::find(subject.siblings.begin(), subject.siblings.end(), method) == subject.siblings.end())
      kept.push_back(method);
  return columns_of(table, kept);
}

struct MetricRow {
  const char *name, *words;
  MetricKind kind;
  TableMetric metric;  ///< not of ranks
  bool is_score;       ///< in the unit of the scores; otherwise a share, in percent
};
const std::vector<MetricRow>& metric_rows() {
  static const std::vector<MetricRow> rows = {{"average", "average", MetricKind::score, TableMetric::score, true},
                                              {"p90", "P90", MetricKind::share, TableMetric::p90, false},
                                              {"p95", "P95", MetricKind::share, TableMetric::p95, false},
                                              {"pma", "PMA", MetricKind::score, TableMetric::pma, false},
                                              {"adtm", "ADTM", MetricKind::score, TableMetric::adtm, true},
                                              {"rank", "Friedman rank", MetricKind::rank, TableMetric::score, false}};
  return rows;
}

bool is(const MetricRow& row, const char* name) { return row.name == std::string(name); }

Matrix<double> by_set(const MetricRow& row, const ScoreTable& table) {
  return row.kind == MetricKind::rank ? ranks_by_set(table) : metric_by_set(table, row.metric);
}

/// What a mean of the metric is multiplied with, and called.
std::pair<double, std::string> unit_of(const MetricRow& row, const GroupScores& scores) {
  if (row.kind == MetricKind::rank || is(row, "adtm")) return {1, ""};
  if (row.is_score) return scores.percent ? std::pair(100.0, kPercent) : std::pair(1.0, "");
  return {100, kPercent};
}

std::string words_of(const MetricRow& row, const GroupScores& scores) {
  return is(row, "average") ? (scores.percent ? "average accuracy" : "average R²") : row.words;
}

Measure metric_measure(const Subject& subject, const MetricRow& row) {
  Measure measure;
  measure.name = fmt::format("{}.{}", row.name, subject.slug);
  measure.sizes = false;
  measure.find = [subject, row](const GroupScores& scores) {
    const ScoreTable table = among(subject, scores.table);
    const Vector<double> own = by_set(row, table).col(find_method(table, subject.label));
    const auto [unit, name] = unit_of(row, scores);
    return finding(
        fmt::format("{} of {}{}", words_of(row, scores), subject.label,
                    row.kind == MetricKind::rank ? fmt::format(" among {} methods", table.methods.size()) : ""),
        row.kind == MetricKind::share ? share_over_sets(own) : mean_over_sets(own), unit, name);
  };
  return measure;
}

Measure lead_measure(const Subject& subject, const MetricRow& row) {
  Measure measure;
  measure.name = fmt::format("{}_lead.{}", row.name, subject.slug);
  measure.find = [subject, row](const GroupScores& scores) {
    const ScoreTable table = among(subject, scores.table);
    const Lead lead = lead_over_best(by_set(row, table), find_method(table, subject.label), row.kind);
    const std::string other = lead.other < 0 ? "none" : table.methods[static_cast<std::size_t>(lead.other)];
    const auto [unit, name] = unit_of(row, scores);
    const std::string words = words_of(row, scores);
    return finding(row.kind == MetricKind::rank
                       ? fmt::format("{} of the best other method ({}) less that of {}", words, other, subject.label)
                       : fmt::format("{} of {} less that of the best other method ({})", words, subject.label, other),
                   lead.difference, unit, name);
  };
  return measure;
}

/// Equal scores share the first place.
Measure best_measure(const Subject& subject) {
  Measure measure;
  measure.name = "best_share." + subject.slug;
  measure.both_tasks = true;
  measure.find = [subject](const GroupScores& scores) {
    const ScoreTable table = among(subject, scores.table);
    const Index column = find_method(table, subject.label);
    Vector<double> best(table.scores.rows());
    for (Index i = 0; i < best.size(); ++i) {
      double most = -HUGE_VAL;
      for (const double score : table.scores.row(i)) most = std::fmax(most, score);
      const double own = table.scores(i, column);
      best(i) = std::isnan(own) ? kNaN : own > most - kSameScore ? 1 : 0;
    }
    return finding(fmt::format("sets on which {} is the best of {} methods", subject.label, table.methods.size()),
                   share_over_sets(best), 100, kPercent);
  };
  return measure;
}

Measure gap_measure(const Subject& subject, const std::string& other, const std::string& other_slug) {
  Measure measure;
  measure.name = fmt::format("gap.{}.{}", subject.slug, other_slug);
  measure.find = [label = subject.label, other](const GroupScores& scores) {
    const Vector<double> difference = scores.table.scores.col(find_method(scores.table, label)) -
                                      scores.table.scores.col(find_method(scores.table, other));
    return finding(fmt::format("{} of {} less that of {}", scores.percent ? "accuracy" : "R²", label, other),
                   mean_over_sets(difference), scores.percent ? 100 : 1, scores.percent ? kPercent : "");
  };
  return measure;
}

Vector<double> relative_gain(const GroupScores& scores, const std::string& method, const std::string& baseline) {
  return relative_error_decrease(scores.table.scores.col(find_method(scores.table, method)),
                                 scores.table.scores.col(find_method(scores.table, baseline)));
}

Measure relative_gain_measure(const Subject& subject, const std::string& baseline) {
  Measure measure;
  measure.name = "relative_gain." + subject.slug;
  measure.find = [label = subject.label, baseline](const GroupScores& scores) {
    return finding(fmt::format("error of {} below that of {}, relative to it", label, baseline),
                   mean_over_sets(relative_gain(scores, label, baseline)), 100, kPercent);
  };
  return measure;
}

Measure growth_measure(const Subject& subject, const std::string& baseline, bool over_dimension) {
  Measure measure;
  measure.name = fmt::format("growth_{}.{}", over_dimension ? "dimension" : "rows", subject.slug);
  measure.sizes = false;
  measure.find = [label = subject.label, baseline, over_dimension](const GroupScores& scores) {
    Vector<double> size(static_cast<Index>(scores.sets.size()));
    for (Index i = 0; i < size.size(); ++i) {
      const BenchmarkSet& set = *scores.sets[static_cast<std::size_t>(i)];
      size(i) = static_cast<double>(over_dimension ? set.dimension : set.rows);
    }
    const RankCorrelation r = rank_correlation(size, relative_gain(scores, label, baseline));
    OverSets of{r.rho};
    if (std::isfinite(r.standard_error)) of.standard_error = r.standard_error;
    return finding(fmt::format("rank correlation of the error of {} below that of {}, relative to it, with {}", label,
                               baseline, over_dimension ? "the number of inputs" : "the number of rows"),
                   of, 1, "");
  };
  return measure;
}

/// What was chosen in each split: "0", "0 / 3". Of several splits the share that chose none.
double share_without_updates(const MethodOnSet& result) {
  for (const auto& [key, value] : result.choice) {
    if (key != "iterations") continue;
    double splits = 1, none = value.front() == '0' ? 1 : 0;
    for (std::size_t at = value.find(" / "); at != std::string::npos; at = value.find(" / ", at + 3)) {
      splits += 1;
      none += value[at + 3] == '0' ? 1 : 0;
    }
    return none / splits;
  }
  return kNaN;
}

Measure no_update_measure(const Subject& subject) {
  Measure measure;
  measure.name = "no_update_share." + subject.slug;
  measure.both_tasks = true;
  measure.find = [label = subject.label](const GroupScores& scores) {
    Vector<double> none(static_cast<Index>(scores.sets.size()));
    for (Index i = 0; i < none.size(); ++i) {
      const MethodOnSet* const result = scores.sets[static_cast<std::size_t>(i)]->find(label);
      none(i) = result == nullptr ? kNaN : share_without_updates(*result);
    }
    return finding(fmt::format("sets on which {} was chosen without feature updates", label), share_over_sets(none),
                   100, kPercent);
  };
  return measure;
}

Measure seconds_measure(const Subject& subject, const std::string& other, const std::string& other_slug) {
  Measure measure;
  measure.name = fmt::format("seconds_ratio.{}.{}", other_slug, subject.slug);
  measure.both_tasks = true;
  measure.timed = true;
  measure.find = [label = subject.label, other](const GroupScores& scores) {
    const auto seconds = [&](const std::string& method) {
      Vector<double> all(static_cast<Index>(scores.sets.size()));
      for (Index i = 0; i < all.size(); ++i) {
        const MethodOnSet* const result = scores.sets[static_cast<std::size_t>(i)]->find(method);
        all(i) = result == nullptr ? kNaN : result->search_seconds + result->fit_seconds;
      }
      return all;
    };
    return finding(fmt::format("seconds of {} by those of {}, choosing and fitting", other, label),
                   ratio_over_sets(seconds(other), seconds(label)), 1, "");
  };
  return measure;
}

/// Of the protocols only authors against clean, not the same again with its sign turned.
bool is_mirrored(const Subject& subject, const BenchmarkMethod& other) {
  return other.protocol == "authors" &&
         std::find(subject.siblings.begin(), subject.siblings.end(), other.label) != subject.siblings.end();
}

std::vector<Subject> subjects_of(const std::vector<BenchmarkMethod>& methods, const std::vector<std::string>& slugs) {
  BenchmarkRecord record;
  record.methods = methods;
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < methods.size(); ++i)
    if (!methods[i].protocol.empty()) subjects.push_back({methods[i].label, slugs[i], {}});
  for (const ProtocolPair& pair : protocol_pairs(record))
    for (Subject& subject : subjects) {
      if (subject.label == methods[pair.clean].label) subject.siblings.push_back(methods[pair.authors].label);
      if (subject.label == methods[pair.authors].label) subject.siblings.push_back(methods[pair.clean].label);
    }
  return subjects;
}

}  // namespace

GroupScores group_scores(const SetGroup& group, const BenchmarkRecord& record) {
  GroupScores scores{record, {}, {}, group.one_task() && group.tasks.front() == Task::classification};
  for (const Task task : group.tasks) {
    ScoreTable table = scores_beside_published(record, task);
    for (const std::string& name : table.sets)
      scores.sets.push_back(&*std::find_if(record.sets.begin(), record.sets.end(),
                                           [&](const BenchmarkSet& set) { return set.name == name; }));
    if (scores.table.methods.empty()) {
      scores.table = std::move(table);
      continue;
    }
    ScoreTable& all = scores.table;  // its methods are those of classification: own and published
    const Index before = all.scores.rows();
    all.sets.insert(all.sets.end(), table.sets.begin(), table.sets.end());
    all.scores.conservativeResize(before + table.scores.rows(), Eigen::NoChange);
    all.scores.bottomRows(table.scores.rows()).setConstant(kNaN);
    all.scores.bottomLeftCorner(table.scores.rows(), table.scores.cols()) = table.scores;
  }
  return scores;
}

std::vector<Measure> measures(const std::vector<BenchmarkMethod>& methods, const std::string& baseline) {
  const std::vector<std::string> slugs = method_slugs(methods);
  std::vector<Measure> all;
  for (const Subject& subject : subjects_of(methods, slugs)) {
    for (const MetricRow& row : metric_rows()) all.push_back(metric_measure(subject, row));
    for (const MetricRow& row : metric_rows()) all.push_back(lead_measure(subject, row));
    all.push_back(best_measure(subject));
    for (std::size_t j = 0; j < methods.size(); ++j)
      if (methods[j].label != subject.label && !is_mirrored(subject, methods[j]))
        all.push_back(gap_measure(subject, methods[j].label, slugs[j]));
    all.push_back(no_update_measure(subject));
    for (std::size_t j = 0; j < methods.size(); ++j)
      if (methods[j].label != subject.label) all.push_back(seconds_measure(subject, methods[j].label, slugs[j]));
    if (baseline.empty() || baseline == subject.label) continue;
    all.push_back(relative_gain_measure(subject, baseline));
    for (const bool over_dimension : {false, true}) all.push_back(growth_measure(subject, baseline, over_dimension));
  }
  return all;
}

}  // namespace ansatz::experiments
