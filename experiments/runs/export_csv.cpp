#include <algorithm>
#include <cmath>
#include <vector>

#include "core/files/csv_cell.h"
#include "core/record/score_tables.h"
#include "experiments/runs/export_tables.h"

namespace ansatz::experiments {
namespace {

std::string cells(const Spread& spread) {
  const bool several = spread.values.size() > 1;
  return "," + (spread.values.empty() ? "" : csv_cell(spread.mean)) + "," + (several ? csv_cell(spread.sd) : "");
}

std::string header_of(const std::string& names, const std::vector<const char*>& numbers) {
  std::string header = names;
  for (const char* number : numbers) header += std::string(",") + number + "," + number + "_sd";
  return header + ",seeds\n";
}

std::string end_of(std::size_t seeds) { return "," + std::to_string(seeds) + "\n"; }

/// With a column of cross-entropies where any run has one.
std::string models_table(const std::vector<FinishedRun>& runs) {
  std::vector<std::vector<ScoreRow>> scores;
  for (const FinishedRun& run : runs) scores.push_back(score_tables(run.seeds).scores);
  const bool logits = std::any_of(scores.begin(), scores.end(), has_cross_entropy);
  std::vector<const char*> columns = {"accuracy", "mse", "r2"};
  if (logits) columns.push_back("cross_entropy");
  std::string rows;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const ScoreRow& row : scores[i])
      rows += csv_cell(runs[i].name) + "," + csv_cell(row.model) + "," + row.split + cells(row.accuracy) +
              cells(row.mse) + cells(row.r2) + (logits ? cells(row.cross_entropy) : "") + end_of(row.seeds);
  return rows.empty() ? "" : header_of("run,model,split", columns) + rows;
}

std::string feature_rows(const FinishedRun& run) {
  std::string rows;
  for (const LikenessRow& row : score_tables(run.seeds).likenesses)
    rows += csv_cell(run.name) + "," + row.a.name() + "," + row.b.name() + cells(row.diagonal) + cells(row.top_vector) +
            cells(row.largest_angle) + cells(row.entries) + cells(row.off_diagonal) + cells(row.cosine) +
            end_of(row.seeds);
  return rows;
}

std::string finding_rows(const FinishedRun& run) {
  std::string rows;
  if (!run.findings()) return rows;
  for (const JudgedFinding& finding : run.findings()->list)
    rows += csv_cell(run.name) + "," + csv_cell(finding.name) + "," + csv_cell(finding.meaning) + "," +
            csv_cell(finding.unit) + "," +
            csv_cell(std::isfinite(finding.value) ? std::optional(finding.value) : std::nullopt) + "," +
            csv_cell(finding.standard_error) + "," + csv_cell(finding.sd) + "," + csv_cell(finding.paper) + "," +
            csv_cell(finding.bound.at_least) + "," + csv_cell(finding.bound.at_most) + "," +
            (finding.verdict ? name_of(*finding.verdict) : "") + "," +
            (finding.verdict_at_this_size ? name_of(*finding.verdict_at_this_size) : "") + end_of(run.seeds.size());
  return rows;
}

}  // namespace

std::string csv_table(ExportedTable table, const std::vector<FinishedRun>& runs) {
  if (table == ExportedTable::models) return models_table(runs);
  std::string header, rows;
  for (const FinishedRun& run : runs) {
    switch (table) {
      case ExportedTable::models:
        break;
      case ExportedTable::features:
        header = header_of("run,a,b", {"diagonal_pearson", "top_eigenvector_pearson", "largest_principal_angle_deg",
                                       "matrix_pearson", "off_diagonal_pearson", "cosine"});
        rows += feature_rows(run);
        break;
      case ExportedTable::findings:
        header =
            "run,name,meaning,unit,value,standard_error,value_sd,paper,at_least,at_most,verdict,verdict_at_this_size,"
            "seeds\n";
        rows += finding_rows(run);
        break;
    }
  }
  return rows.empty() ? "" : header + rows;
}

}  // namespace ansatz::experiments
