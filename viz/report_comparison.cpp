#include "viz/report_comparison.h"

#include <fmt/format.h>

#include <cmath>

#include "viz/html.h"

namespace ansatz::viz {

std::string number(const Json& value, int digits) {
  if (!value.is_number()) return "–";
  const double v = value.get<double>();
  if (value.is_number_integer()) return std::to_string(value.get<long>());
  return std::fabs(v) >= 1e-3 || v == 0 ? fmt::format("{:.{}f}", v, digits) : fmt::format("{:.1e}", v);
}

std::string score(const Json& model, const char* split) {
  if (!model.contains(split)) return "–";
  const Json& m = model.at(split);
  return m.contains("accuracy") ? fmt::format("{:.2f} %", 100 * m.at("accuracy").get<double>()) : number(m.at("r2"), 4);
}

const Json* find_pair(const Json& metrics, const std::string& a, const std::string& b) {
  for (const Json& pair : metrics.at("comparisons")) {
    if (pair.at("a") == a && pair.at("b") == b) return &pair;
  }
  return nullptr;
}

namespace {

/// "W₁ᵀW₁" for people, "network.nfm" in files.
std::string readable(const std::string& name) {
  if (name == "network.nfm") return "network W₁ᵀW₁";
  if (name == "network.nfm0") return "initial W₀ᵀW₀";
  if (name == "network.agop") return "network AGOP";
  if (name == "network.agop_centered") return "network AGOP, centred";
  if (name == "truth") return "expected AGOP of the target";
  if (name.rfind("rfm.M", 0) == 0) return "RFM M<sub>" + escape_html(name.substr(5)) + "</sub>";
  return escape_html(name);
}

std::string top_vector(const Json& pair) {
  const Json& list = pair.at("top_eigenvector_pearson");
  return list.empty() ? "–" : number(list[0]);
}

/// The largest there is: null beyond the smaller rank.
std::string last_angle(const Json& pair) {
  std::string text = "–";
  for (const Json& angle : pair.at("principal_angles_deg")) text = angle.is_number() ? number(angle, 1) + "°" : text;
  return text;
}

std::string headline(const Json& metrics) {
  if (!metrics.contains("headline")) return "";
  const std::string a = metrics["headline"]["a"], b = metrics["headline"]["b"];
  const Json* pair = find_pair(metrics, a, b);
  if (pair == nullptr) return "";
  std::string text = fmt::format(
      "The diagonals of {} and {} correlate with <b>r = {}</b>, their top eigenvectors with <b>|r| = {}</b>",
      readable(a), readable(b), number(pair->at("diagonal_pearson")), top_vector(*pair));
  if (const Json* baseline = find_pair(metrics, "network.nfm0", b)) {
    text += fmt::format(". Before training the same numbers were {} and {}: the likeness was learned",
                        number(baseline->at("diagonal_pearson")), top_vector(*baseline));
    const double now = pair->at("diagonal_pearson").is_number() ? pair->at("diagonal_pearson").get<double>() : 0;
    const double before =
        baseline->at("diagonal_pearson").is_number() ? baseline->at("diagonal_pearson").get<double>() : 0;
    if (now - before < 0.1) text.replace(text.rfind(": the likeness"), std::string::npos, ", so training added little");
  }
  return "<p class=\"headline\">" + text + ".</p>\n";
}

std::string models_section(const Json& metrics) {
  const bool classes = metrics.at("data").at("task") == "classification";
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, model] : metrics.at("models").items()) {
    std::string remark;
    if (model.contains("reported_epoch")) remark = "epoch " + number(model["reported_epoch"]);
    if (model.contains("reported_iteration")) remark = "iteration " + number(model["reported_iteration"]);
    rows.push_back({escape_html(name), score(model, "train"), score(model, "validation"), score(model, "test"),
                    model.contains("test") ? number(model["test"]["mse"], 4) : "–", remark,
                    escape_html(model.value("description", ""))});
    if (!model.contains("per_iteration")) continue;
    for (const Json& it : model["per_iteration"]) {
      rows.push_back({"<span class=\"soft\">– iteration " + number(it["iteration"]) + "</span>", score(it, "train"),
                      score(it, "validation"), score(it, "test"),
                      it.contains("test") ? number(it["test"]["mse"], 4) : "–", "", ""});
    }
  }
  return fmt::format("<h2>How well they predict</h2>\n<p class=\"soft\">{}.</p>\n", classes ? "Accuracy" : "R²") +
         html_table({"model", "train", "validation", "test", "test MSE", "reported", "what it is"}, rows);
}

std::string comparison_section(const Json& metrics) {
  if (metrics.at("comparisons").empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const Json& pair : metrics["comparisons"]) {
    rows.push_back({readable(pair["a"]) + " ~ " + readable(pair["b"]), number(pair["diagonal_pearson"]),
                    top_vector(pair), last_angle(pair), number(pair["matrix_pearson"]),
                    number(pair["off_diagonal_pearson"]), number(pair["cosine"])});
  }
  const std::vector<std::size_t> strong =
      metrics.contains("headline") ? std::vector<std::size_t>{0} : std::vector<std::size_t>{};
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

std::string variants_section(const Json& metrics) {
  if (!metrics.contains("ansatz_variants") || metrics["ansatz_variants"].empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const Json& v : metrics["ansatz_variants"]) {
    rows.push_back({escape_html(v["label"]), number(v["matrix_pearson"]), number(v["off_diagonal_pearson"]),
                    number(v["cosine"]), number(v["diagonal_pearson"])});
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

std::string comparison_sections(const Json& metrics, const std::filesystem::path& images) {
  return headline(metrics) + models_section(metrics) + pictures_section(images) + comparison_section(metrics) +
         variants_section(metrics);
}

}  // namespace ansatz::viz
