// What tables of several runs say, a column a run, as plain text for the terminal and for the report.
#pragma once

#include <string>
#include <vector>

#include "core/record/score_tables.h"
#include "core/run/finished_run.h"

namespace ansatz::viz {

using TextRows = std::vector<std::vector<std::string>>;
struct TextTable {
  std::string title;
  std::vector<std::string> header;  ///< of the rows' names, then the runs' names
  TextRows rows;
};

/// The keys in which their configs differ; test results and likeness of features; findings. Those without rows are left
/// out.
std::vector<TextTable> tables_of_runs(const std::vector<FinishedRun>& runs);

/// "0.851 ± 0.003", the deviation where there are several seeds; both divided by `unit`. A dash where there is nothing.
std::string estimate(const Spread& spread, int digits = 3, double unit = 1);
/// "85.12 ± 0.34 %", or R²; a dash where there is no such row.
std::string score_of(const ScoreTables& tables, const std::string& model, const std::string& split);
const ScoreRow* find_row(const ScoreTables& tables, const std::string& model, const std::string& split);
std::vector<std::string> models_of(const std::vector<ScoreTables>& runs);  ///< each once

}  // namespace ansatz::viz
