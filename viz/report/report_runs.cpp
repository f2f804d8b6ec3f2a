#include "viz/report/report_runs.h"

#include <fmt/format.h>

#include "core/record/score_tables.h"
#include "viz/canvas/gnuplot.h"
#include "viz/page/figure.h"
#include "viz/page/html.h"
#include "viz/page/numbers.h"
#include "viz/report/facts.h"
#include "viz/report/report_run.h"
#include "viz/report/run_curves.h"
#include "viz/report/runs_notes.h"
#include "viz/report/runs_tables.h"

namespace ansatz::viz {
namespace {

std::string html_of(const TextTable& table) {
  const auto escaped = [](std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = escape_html(cell);
    return cells;
  };
  std::vector<std::vector<std::string>> rows;
  for (const std::vector<std::string>& row : table.rows) rows.push_back(escaped(row));
  return "<h2>" + table.title + "</h2>\n" + html_table(escaped(table.header), rows);
}

/// What the reader is to know before any number.
std::string notes_section(const std::vector<std::string>& notes) {
  std::string html;
  for (const std::string& note : notes) html += "<p><b>" + escape_html(note) + ".</b></p>\n";
  return html;
}

std::string tables_section(const std::vector<FinishedRun>& runs) {
  std::string html;
  for (const TextTable& table : tables_of_runs(runs)) html += html_of(table);
  return html;
}

std::string curves_section(const std::vector<FinishedRun>& runs) {
  const std::vector<LinePlot> plots = curves_of_runs(runs);
  if (plots.empty()) return "";
  const TemporaryFolder folder;
  draw_lines(plots, folder.path() / "curves");
  return "<h2>How they got there</h2>\n" +
         html_figure(folder.path() / "curves", "Curves of all runs",
                     "Training loss and scores by epoch or iteration, a line a run; of several seeds the mean.");
}

Run first_seed(const FinishedRun& run) { return run_of(run.folder_of_seed(0), run.seeds.front()); }

std::string pictures_section(const std::vector<FinishedRun>& runs) {
  std::string html = "<div class=\"runs\">\n";
  for (const FinishedRun& run : runs) {
    const Run shown = first_seed(run);
    const std::filesystem::path images = shown.folder / "images";
    const char* file = std::filesystem::exists(images / "features.svg") ? "features" : "matrices";
    html += "<div><h2>" + escape_html(run.name) + "</h2>\n" + subtitle(shown) +
            html_figure(images / file, "Feature matrices of " + run.name,
                        run.repeats ? "Feature matrices at the first seed." : "Feature matrices.") +
            "</div>\n";
  }
  return html + "</div>\n";
}

/// `logits`: with a column of cross-entropies.
std::vector<std::string> model_row(const ScoreTables& tables, const std::string& model, bool logits) {
  const ScoreRow* test = find_row(tables, model, "test");
  std::vector<std::string> row = {escape_html(model), score_of(tables, model, "train"),
                                  score_of(tables, model, "validation"), score_of(tables, model, "test"),
                                  test == nullptr ? "–"
                                  : test->accuracy.values.empty()
                                      ? estimate(test->rmse, error_decimals(test->rmse.mean))
                                      : estimate(test->mse, error_decimals(test->mse.mean))};
  if (logits) row.push_back(test == nullptr ? "–" : estimate(test->cross_entropy, 4));
  return row;
}

/// "network W₁ᵀW₁ ~ RFM M₂", and how many seeds have that pair if not all do.
std::string pair_name(const LikenessRow& row, std::size_t seeds) {
  return readable(row.a) + " ~ " + readable(row.b) + share_of_seeds(row.seeds, seeds);
}

/// Both tables of a run, over its seeds.
std::string means_tables(const FinishedRun& run) {
  const ScoreTables tables = score_tables(run.seeds);
  const bool logits = has_cross_entropy(tables.scores);
  std::vector<std::vector<std::string>> models, likenesses;
  for (const std::string& model : models_of({tables})) models.push_back(model_row(tables, model, logits));
  for (const LikenessRow& row : tables.likenesses)
    likenesses.push_back({pair_name(row, run.seeds.size()), estimate(row.diagonal), estimate(row.top_vector),
                          row.largest_angle.values.empty() ? "–" : estimate(row.largest_angle, 1) + "°",
                          estimate(row.entries), estimate(row.off_diagonal), estimate(row.cosine)});
  std::string html;
  const bool classes = !models.empty() && !tables.scores.front().accuracy.values.empty();
  std::vector<std::string> header = {"model", "train", "validation", "test", classes ? "test MSE" : "test RMSE"};
  if (logits) header.push_back("test cross-entropy (nats)");
  if (!models.empty())
    html += fmt::format("<h2>How well they predict</h2>\n<p class=\"soft\">{}.</p>\n",
                        classes ? "Accuracy on the rows of each part of the data"
                                : "R² on the rows of each part of the data; RMSE in the unit of the targets") +
            html_table(header, models);
  if (!likenesses.empty())
    html +=
        "<h2>How alike the features are</h2>\n" + html_table({"feature matrices", "diagonal r", "top vector |r|",
                                                              "largest angle", "entries r", "off-diagonal r", "cosine"},
                                                             likenesses);
  return html;
}

/// What was found over all seeds.
std::string means_sections(const FinishedRun& run) {
  std::string html = fmt::format("<p class=\"soft\">Mean ± standard deviation over {} seeds.</p>\n", run.seeds.size()) +
                     notes_section(warnings_of(run.seeds));
  if (run.findings()) return html + findings_section(run.findings()) + figures_section(first_seed(run));
  return html + means_tables(run);
}

}  // namespace

std::string several_runs(const std::vector<FinishedRun>& runs) {
  std::string html = notes_section(notes_on(runs)) + notes_section(notes_on_inputs(runs)) + tables_section(runs) +
                     curves_section(runs) + pictures_section(runs);
  for (const FinishedRun& run : runs)
    html +=
        details("all of " + escape_html(run.name), run.repeats ? means_sections(run) : run_sections(first_seed(run)));
  return html;
}

std::string repeated_run(const FinishedRun& run) {
  std::vector<std::filesystem::path> folders;
  for (std::size_t i = 0; i < run.seeds.size(); ++i) folders.push_back(run.folder_of_seed(i));
  return means_sections(run) + "<h2>Repeat by repeat</h2>\n" + several_runs(read_finished_runs(folders));
}

}  // namespace ansatz::viz
