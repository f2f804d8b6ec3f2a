#include "viz/report/report_comparison.h"

#include <fmt/format.h>

#include <cmath>

#include "core/record/headline.h"
#include "viz/report/html.h"
#include "viz/report/report_features.h"
#include "viz/report/report_tuning.h"

namespace ansatz::viz {

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  return std::fabs(value) >= 1e-3 || value == 0 ? fmt::format("{:.{}f}", value, digits) : fmt::format("{:.1e}", value);
}

std::string score(const std::optional<Metrics>& metrics) {
  if (!metrics) return "–";
  return metrics->accuracy ? fmt::format("{:.2f} %", 100 * *metrics->accuracy) : number(metrics->r2, 4);
}

std::string readable(const FeatureId& id) {
  return id.kind == FeatureId::Kind::rfm ? fmt::format("RFM M<sub>{}</sub>", id.iteration) : id.label();
}

namespace {

std::string top_vector(const FeatureComparison& likeness) {
  const std::vector<double>& list = likeness.top_eigenvector_pearson;
  return list.empty() ? "–" : number(list.front());
}

/// The largest there is: NaN beyond the smaller rank.
std::string last_angle(const FeatureComparison& likeness) {
  std::string text = "–";
  for (const double angle : likeness.principal_angles_deg) text = std::isfinite(angle) ? number(angle, 1) + "°" : text;
  return text;
}

std::string headline_paragraph(const RunRecord& record) {
  const std::string text = headline(record, {"<b>", "</b>"});
  return text.empty() ? "" : "<p class=\"headline\">" + text + "</p>\n";
}

std::vector<std::string> model_row(const std::string& name, const SplitMetrics& metrics, const std::string& remark,
                                   const std::string& description) {
  return {name,
          score(metrics.train),
          score(metrics.validation),
          score(metrics.test),
          metrics.test ? number(metrics.test->mse, 4) : "–",
          remark,
          escape_html(description)};
}

std::string models_section(const RunRecord& record) {
  std::vector<std::vector<std::string>> rows;
  if (const std::optional<NetworkRecord>& network = record.network)
    rows.push_back(model_row("network", network->metrics,
                             network->reported_epoch ? fmt::format("epoch {}", *network->reported_epoch) : "",
                             network->description + (network->reading.empty() ? "" : "; read as " + network->reading)));
  if (const std::optional<RfmRecord>& rfm = record.rfm) {
    rows.push_back(
        model_row("rfm", rfm->reported_iteration(), fmt::format("iteration {}", rfm->reported), rfm->description));
    for (const RfmIteration& it : rfm->iterations)
      rows.push_back(model_row(fmt::format("<span class=\"soft\">– iteration {}</span>", it.iteration), it, "", ""));
  }
  for (const KernelMachineRecord& machine : record.kernel_machines)
    rows.push_back(model_row(escape_html(machine.label), machine.metrics, "", machine.description));
  return fmt::format("<h2>How well they predict</h2>\n<p class=\"soft\">{}.</p>\n",
                     record.data->task == Task::classification ? "Accuracy" : "R²") +
         html_table({"model", "train", "validation", "test", "test MSE", "reported", "what it is"}, rows);
}

std::string comparison_section(const RunRecord& record) {
  if (record.pairs.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const auto& [a, b, likeness] : record.pairs) {
    rows.push_back({readable(a) + " ~ " + readable(b), number(likeness.diagonal_pearson), top_vector(likeness),
                    last_angle(likeness), number(likeness.matrix_pearson), number(likeness.off_diagonal_pearson),
                    number(likeness.cosine)});
  }
  const std::vector<std::size_t> strong =
      record.has_headline ? std::vector<std::size_t>{0} : std::vector<std::size_t>{};
  return "<h2>How alike the features are</h2>\n" +
         html_table({"feature matrices", "diagonal r", "top vector |r|", "largest angle", "entries r", "off-diagonal r",
                     "cosine"},
                    rows, strong) +
         "<p class=\"soft\">Pearson r of the diagonals, of the top eigenvectors (sign ignored), of all entries and of "
         "those off the diagonal; the "
         "largest principal angle is between the spans of the top eigenvectors compared. Read each beside its baseline "
         "at the initial weights: two nearly "
         "isotropic matrices correlate through their diagonals alone.</p>\n";
}

std::string variants_section(const RunRecord& record) {
  if (record.variants.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const AnsatzVariant& v : record.variants) {
    rows.push_back({escape_html(v.label), number(v.similarity.matrix_pearson),
                    number(v.similarity.off_diagonal_pearson), number(v.similarity.cosine),
                    number(v.similarity.diagonal_pearson)});
  }
  return "<h2>The Neural Feature Ansatz, variant by variant</h2>\n" +
         html_table({"variant", "entries r", "off-diagonal r", "cosine", "diagonal r"}, rows);
}

std::string pictures_section(const std::filesystem::path& images) {
  std::string html;
  const auto add = [&](const char* file, const char* alternative, const char* caption) {
    html += html_figure(images / file, alternative, caption);
  };
  add("features", "Feature matrices as pictures",
      "Diagonals and top eigenvectors of the feature matrices laid out as images, the network above, the RFM below, "
      "then the truth or the initial weights.");
  add("channels", "Diagonals by colour channel",
      "The diagonals by colour channel, and as one RGB picture (joint min–max scale).");
  add("top_features", "Largest diagonal entries by name",
      "The largest diagonal entries by name, in % of each matrix’s trace, sorted by the first matrix; where there are "
      "one-hot columns, beside them the sums over each variable.");
  add("diagonals", "Diagonals as bars", "Diagonals of the feature matrices, each divided by its largest entry.");
  add("matrices", "Feature matrices as heat maps", "The feature matrices, or their top-left blocks, entry by entry.");
  add("spectra", "Spectra",
      "Leading eigenvalues relative to the largest. Where neighbours are close, single eigenvectors are arbitrary and "
      "only angles between subspaces mean something.");
  if (!html.empty()) html = "<h2>What they look at</h2>\n" + html;
  std::string training;
  training += html_figure(images / "training", "Training curves",
                          "Training of the network by epoch, and of the RFM by iteration.");
  training += html_figure(images / "solvers", "Solver progress",
                          "What the iterative solvers of kernel systems had reached after so many seconds.");
  training +=
      html_figure(images / "evolution", "Likeness over epochs",
                  "How like the network’s diagonal was to the RFM’s and to its own initial value, epoch by epoch.");
  training += html_figure(images / "evolution_diagonal", "Diagonal over epochs, animated",
                          "The diagonal of W₁ᵀW₁ from the first epoch to the last (animated), on one colour scale.");
  if (!training.empty()) html += "<h2>How they got there</h2>\n" + training;
  return html;
}

}  // namespace

std::string comparison_sections(const RunRecord& record, const std::filesystem::path& images) {
  return headline_paragraph(record) + models_section(record) + tuning_section(record.tuning, images) +
         pictures_section(images) + top_features_section(record) + comparison_section(record) +
         variants_section(record);
}

}  // namespace ansatz::viz
