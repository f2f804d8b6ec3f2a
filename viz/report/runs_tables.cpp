#include "viz/report/runs_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "viz/canvas/text.h"
#include "viz/page/numbers.h"

namespace ansatz::viz {
namespace {

std::vector<std::string> header_of(const char* first, const std::vector<FinishedRun>& runs) {
  std::vector<std::string> header = {first};
  for (const FinishedRun& run : runs) header.push_back(run.name);
  return header;
}

TextRows setting_rows(const std::vector<FinishedRun>& runs) {
  TextRows rows;
  for (const SettingByRun& setting : differing_settings(runs)) {
    rows.push_back({setting.key});
    for (const std::string& value : setting.values) rows.back().push_back(value.empty() ? "–" : value);
  }
  return rows;
}

/// "test accuracy" or "test R²", where all runs have the one.
const char* score_name(const std::vector<FinishedRun>& runs) {
  std::size_t rows = 0, accuracies = 0;
  for (const FinishedRun& run : runs)
    for (const ScoreRow& row : score_tables(run.seeds).scores) ++rows, accuracies += !row.accuracy.values.empty();
  return accuracies == 0 ? "test R²" : accuracies == rows ? "test accuracy" : "test";
}

/// A row for a model that is a network of logits in any run.
void add_cross_entropy(const std::string& model, const std::vector<ScoreTables>& tables, TextRows& rows) {
  std::vector<std::string> row = {model + ", cross-entropy (nats)"};
  bool any = false;
  for (const ScoreTables& of_run : tables) {
    const ScoreRow* test = find_row(of_run, model, "test");
    row.push_back(test == nullptr ? "–" : estimate(test->cross_entropy, 4));
    any |= test != nullptr && !test->cross_entropy.values.empty();
  }
  if (any) rows.push_back(std::move(row));
}

TextRows score_rows(const std::vector<FinishedRun>& runs) {
  std::vector<ScoreTables> tables;
  for (const FinishedRun& run : runs) tables.push_back(score_tables(run.seeds));
  TextRows rows;
  for (const std::string& model : models_of(tables)) {
    rows.push_back({model});
    for (const ScoreTables& of_run : tables) rows.back().push_back(score_of(of_run, model, "test"));
  }
  if (rows.empty()) return rows;
  for (const std::string& model : models_of(tables)) add_cross_entropy(model, tables, rows);
  for (const auto& [label, baseline, number] :
       {std::tuple("network ~ RFM, diagonal r", false, &LikenessRow::diagonal),
        std::tuple("network ~ RFM, top vector |r|", false, &LikenessRow::top_vector),
        std::tuple("initial ~ RFM, diagonal r", true, &LikenessRow::diagonal),
        std::tuple("initial ~ RFM, top vector |r|", true, &LikenessRow::top_vector)}) {
    rows.push_back({label});
    for (const FinishedRun& run : runs) rows.back().push_back(estimate(headline_likeness(run.seeds, baseline).*number));
  }
  return rows;
}

std::string value_text(const JudgedFinding& finding) {
  const int digits = finding.unit == "%" ? 2 : 3;
  const std::string unit = finding.unit.empty() ? "" : " " + finding.unit;
  return number(finding.value, digits) +
         (finding.standard_error ? " ± " + number(*finding.standard_error, digits) : "") + unit;
}

std::string value_in(const FinishedRun& run, const std::string& name) {
  if (run.findings())
    for (const JudgedFinding& finding : run.findings()->list)
      if (finding.name == name) return value_text(finding);
  return "–";
}

TextRows finding_rows(const std::vector<FinishedRun>& runs) {
  TextRows rows;
  std::vector<std::string> names;
  for (const FinishedRun& run : runs) {
    if (!run.findings()) continue;
    for (const JudgedFinding& finding : run.findings()->list) {
      if (std::find(names.begin(), names.end(), finding.name) != names.end()) continue;
      names.push_back(finding.name);
      rows.push_back({finding.meaning});
      for (const FinishedRun& other : runs) rows.back().push_back(value_in(other, finding.name));
    }
  }
  return rows;
}

}  // namespace

std::vector<TextTable> tables_of_runs(const std::vector<FinishedRun>& runs) {
  std::vector<TextTable> tables = {
      {"Settings in which they differ", header_of("key", runs), setting_rows(runs)},
      {"Test results and likeness of features", header_of(score_name(runs), runs), score_rows(runs)},
      {"Findings", header_of("finding", runs), finding_rows(runs)}};
  tables.erase(std::remove_if(tables.begin(), tables.end(), [](const TextTable& t) { return t.rows.empty(); }),
               tables.end());
  return tables;
}

std::string estimate(const Spread& spread, int digits, double unit) {
  if (spread.values.empty()) return "–";
  const double mean = spread.mean / unit, sd = spread.sd / unit;
  const std::string text = number(mean, digits);
  if (spread.values.size() == 1) return text;
  return text + " ± " + (in_powers_of_ten(mean) ? format_number(sd, 2) : fmt::format("{:.{}f}", sd, digits));
}

std::string score_of(const ScoreTables& tables, const std::string& model, const std::string& split) {
  const ScoreRow* row = find_row(tables, model, split);
  if (row == nullptr) return "–";
  return row->accuracy.values.empty() ? estimate(row->r2, 4) : estimate(row->accuracy, 2, 0.01) + " %";
}

const ScoreRow* find_row(const ScoreTables& tables, const std::string& model, const std::string& split) {
  for (const ScoreRow& row : tables.scores)
    if (row.model == model && row.split == split) return &row;
  return nullptr;
}

std::vector<std::string> models_of(const std::vector<ScoreTables>& runs) {
  std::vector<std::string> models;
  for (const ScoreTables& tables : runs)
    for (const ScoreRow& row : tables.scores)
      if (std::find(models.begin(), models.end(), row.model) == models.end()) models.push_back(row.model);
  return models;
}

}  // namespace ansatz::viz
