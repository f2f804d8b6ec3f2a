#include "viz/report/report_comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/features/feature_id.h"
#include "viz/report/html.h"

namespace ansatz::viz {

std::string number(const JsonValue& value, int digits) {
  if (!value.is_number()) return "–";
  if (value.json().is_number_integer()) return value.json().dump();
  const double v = value.number();
  return std::fabs(v) >= 1e-3 || v == 0 ? fmt::format("{:.{}f}", v, digits) : fmt::format("{:.1e}", v);
}

std::string number(const std::optional<JsonValue>& value, int digits) { return value ? number(*value, digits) : "–"; }

std::string score(const JsonValue& model, const char* split) {
  const std::optional<JsonValue> m = model.find(split);
  if (!m) return "–";
  return m->has("accuracy") ? fmt::format("{:.2f} %", 100 * m->at("accuracy").number()) : number(m->at("r2"), 4);
}

std::optional<JsonValue> find_pair(const JsonValue& metrics, const std::string& a, const std::string& b) {
  for (const JsonValue& pair : metrics.at("comparisons").list()) {
    if (pair.at("a").text() == a && pair.at("b").text() == b) return pair;
  }
  return std::nullopt;
}

namespace {

/// "network W₁ᵀW₁", where the file says "network.nfm".
std::string readable(const std::string& name) {
  const std::optional<FeatureId> id = FeatureId::named(name);
  if (!id) return escape_html(name);
  return id->kind == FeatureId::Kind::rfm ? fmt::format("RFM M<sub>{}</sub>", id->iteration) : id->label();
}

std::string top_vector(const JsonValue& pair) {
  const std::vector<JsonValue> list = pair.at("top_eigenvector_pearson").list();
  return list.empty() ? "–" : number(list.front());
}

/// The largest there is: null beyond the smaller rank.
std::string last_angle(const JsonValue& pair) {
  std::string text = "–";
  for (const JsonValue& angle : pair.at("principal_angles_deg").list())
    text = angle.is_number() ? number(angle, 1) + "°" : text;
  return text;
}

/// 0 where it is not defined.
double diagonal_pearson(const JsonValue& pair) {
  const double r = pair.at("diagonal_pearson").number();
  return std::isfinite(r) ? r : 0;
}

std::string headline(const JsonValue& metrics) {
  if (!metrics.has("headline")) return "";
  const std::string a = metrics.at("headline").at("a").text(), b = metrics.at("headline").at("b").text();
  const std::optional<JsonValue> pair = find_pair(metrics, a, b);
  if (!pair) return "";
  std::string text = fmt::format(
      "The diagonals of {} and {} correlate with <b>r = {}</b>, their top eigenvectors with <b>|r| = {}</b>",
      readable(a), readable(b), number(pair->at("diagonal_pearson")), top_vector(*pair));
  if (const std::optional<JsonValue> baseline = find_pair(metrics, FeatureId::initial_nfm().name(), b)) {
    text += fmt::format(". Before training the same numbers were {} and {}", number(baseline->at("diagonal_pearson")),
                        top_vector(*baseline));
    text += diagonal_pearson(*pair) - diagonal_pearson(*baseline) < 0.1 ? ", so training added little"
                                                                        : ": the likeness was learned";
  }
  return "<p class=\"headline\">" + text + ".</p>\n";
}

std::string test_mse(const JsonValue& model) { return model.has("test") ? number(model.at("test").at("mse"), 4) : "–"; }

std::string models_section(const JsonValue& metrics) {
  const bool classes = metrics.at("data").at("task").text() == "classification";
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, model] : metrics.at("models").members()) {
    std::string remark;
    if (model.has("reported_epoch")) remark = "epoch " + number(model.at("reported_epoch"));
    if (model.has("reported_iteration")) remark = "iteration " + number(model.at("reported_iteration"));
    rows.push_back({escape_html(name), score(model, "train"), score(model, "validation"), score(model, "test"),
                    test_mse(model), remark, escape_html(model.text("description", ""))});
    if (!model.has("per_iteration")) continue;
    for (const JsonValue& it : model.at("per_iteration").list()) {
      rows.push_back({"<span class=\"soft\">– iteration " + number(it.at("iteration")) + "</span>", score(it, "train"),
                      score(it, "validation"), score(it, "test"), test_mse(it), "", ""});
    }
  }
  return fmt::format("<h2>How well they predict</h2>\n<p class=\"soft\">{}.</p>\n", classes ? "Accuracy" : "R²") +
         html_table({"model", "train", "validation", "test", "test MSE", "reported", "what it is"}, rows);
}

std::string comparison_section(const JsonValue& metrics) {
  const std::vector<JsonValue> pairs = metrics.at("comparisons").list();
  if (pairs.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const JsonValue& pair : pairs) {
    rows.push_back({readable(pair.at("a").text()) + " ~ " + readable(pair.at("b").text()),
                    number(pair.at("diagonal_pearson")), top_vector(pair), last_angle(pair),
                    number(pair.at("matrix_pearson")), number(pair.at("off_diagonal_pearson")),
                    number(pair.at("cosine"))});
  }
  const std::vector<std::size_t> strong =
      metrics.has("headline") ? std::vector<std::size_t>{0} : std::vector<std::size_t>{};
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

std::string variants_section(const JsonValue& metrics) {
  const std::optional<JsonValue> variants = metrics.find("ansatz_variants");
  if (!variants || variants->list().empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const JsonValue& v : variants->list()) {
    rows.push_back({escape_html(v.at("label").text()), number(v.at("matrix_pearson")),
                    number(v.at("off_diagonal_pearson")), number(v.at("cosine")), number(v.at("diagonal_pearson"))});
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

std::string comparison_sections(const JsonValue& metrics, const std::filesystem::path& images) {
  return headline(metrics) + models_section(metrics) + pictures_section(images) + comparison_section(metrics) +
         variants_section(metrics);
}

}  // namespace ansatz::viz
