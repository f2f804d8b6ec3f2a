#include "viz/report/report_tuning.h"

#include <fmt/format.h>

#include "core/record/headline.h"
#include "core/record/tuning/tuning_remarks.h"
#include "viz/page/figure.h"
#include "viz/page/html.h"
#include "viz/page/numbers.h"

namespace ansatz::viz {
namespace {

std::string validation_score(const TuningCell& cell) {
  if (!cell.validation) return "failed: " + escape_html(cell.failure);
  return cell.validation->accuracy ? score(cell.validation)
                                   : (cell.validation->standardized_mse ? "MSE of standardised outputs " : "MSE ") +
                                         number(cell.validation->selection_error(), 5);
}

std::string chosen_sentence(const TuningRecord& tuning) {
  std::string values;
  double seconds = 0;
  for (std::size_t axis = 0; axis < tuning.axes.size(); ++axis)
    values += (values.empty() ? "<b>" : ", <b>") + escape_html(tuning.axes[axis].key) + " = " +
              escape_html(tuning.chosen_cell().values[axis]) + "</b>";
  for (const TuningCell& cell : tuning.cells) seconds += cell.seconds;
  std::string remarks;
  for (const std::string& remark : tuning_remarks(tuning)) remarks += escape_html(remark) + ". ";
  return fmt::format("<p>Of {} settings of {}, {} predicts the validation rows best ({}). {}{}{:.3g} s in all.</p>\n",
                     tuning.cells.size(), escape_html(tuning.model), values, validation_score(tuning.chosen_cell()),
                     remarks, escape_html(tuning_edges(tuning)), seconds);
}

std::string cells_table(const TuningRecord& tuning) {
  std::vector<std::string> header;
  for (const TuningAxis& axis : tuning.axes) header.push_back(escape_html(axis.key));
  header.insert(header.end(), {"validation", "seconds"});
  std::vector<std::vector<std::string>> rows;
  for (const TuningCell& cell : tuning.cells) {
    rows.emplace_back();
    for (const std::string& value : cell.values) rows.back().push_back(escape_html(value));
    rows.back().insert(rows.back().end(), {validation_score(cell), number(cell.seconds)});
  }
  return html_table(header, rows, {static_cast<std::size_t>(tuning.chosen)});
}

}  // namespace

std::string tuning_section(const std::optional<TuningRecord>& tuning, const std::filesystem::path& images) {
  if (!tuning) return "";
  return "<h2>Values chosen on validation</h2>\n" + chosen_sentence(*tuning) +
         html_figure(images / "tuning", "Validation scores of the values tried",
                     "The score on the validation rows over the values that were tried.") +
         html_figure(images / "tuning_map", "Validation scores as a map",
                     "How far each pair of values stays behind the best, which is 0.") +
         details("all settings", cells_table(*tuning));
}

}  // namespace ansatz::viz
