#include "viz/report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.h"
#include "core/files.h"
#include "viz/html.h"

namespace ansatz::viz {
namespace {

using Json = nlohmann::ordered_json;

/// What the report knows of one run.
struct Run {
  std::filesystem::path folder;
  Json metrics, manifest;
  std::string config;
  std::string name() const { return metrics.value("name", folder.filename().string()); }
};

Json read_json(const std::filesystem::path& file) {
  try {
    return Json::parse(read_file(file));
  } catch (const Json::exception& error) {
    throw DataError(file.string() + ": damaged JSON: " + error.what());
  }
}

Run read_run(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "metrics.json")) {
    throw DataError(folder.string() +
                    ": no finished run is there (metrics.json is missing); go on with `ansatz run CONFIG --resume`");
  }
  return {folder, read_json(folder / "metrics.json"), read_json(folder / "manifest.json"),
          read_file(folder / "config.yaml")};
}

std::string number(const Json& value, int digits = 3) {
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

const Json* find_pair(const Json& metrics, const std::string& a, const std::string& b) {
  for (const Json& pair : metrics.at("comparisons")) {
    if (pair.at("a") == a && pair.at("b") == b) return &pair;
  }
  return nullptr;
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

std::string definition_list(const Json& object) {
  std::string html = "<dl>";
  for (const auto& [key, value] : object.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    html += "<dt>" + escape_html(key) + "</dt><dd>" + escape_html(text) + "</dd>";
  }
  return html + "</dl>\n";
}

std::string details(const std::string& title, const std::string& inner) {
  return "<details><summary>" + title + "</summary>\n" + inner + "</details>\n";
}

std::string facts_section(const Run& run) {
  const std::string data =
      run.metrics.contains("data") ? "<h2>Data</h2>\n" + definition_list(run.metrics.at("data")) : "";
  return data + "<h2>Conventions</h2>\n" + definition_list(run.metrics.at("conventions")) +
         "<h2>To run it again</h2>\n" + details("configuration", "<pre>" + escape_html(run.config) + "</pre>\n") +
         details("timings", definition_list(run.metrics.value("timings", Json::object()))) +
         details("environment", definition_list(run.manifest));
}

std::string with_unit(const Json& finding, const char* key) {
  if (!finding.contains(key)) return "–";
  const std::string unit = finding.value("unit", "");
  return number(finding.at(key), unit == "%" ? 2 : 3) + (unit.empty() ? "" : " " + escape_html(unit));
}

/// What an experiment stands for, beside the paper's numbers.
std::string findings_section(const Json& metrics) {
  if (!metrics.contains("findings")) return "";
  const Json& findings = metrics["findings"];
  std::vector<std::vector<std::string>> rows;
  for (const Json& f : findings.at("list")) {
    std::string expected;
    if (f.contains("at_least")) expected = "≥ " + with_unit(f, "at_least");
    if (f.contains("at_most")) expected += (expected.empty() ? "≤ " : ", ≤ ") + with_unit(f, "at_most");
    const std::string verdict = !f.contains("holds") ? "" : f["holds"].get<bool>() ? "holds" : "<b>differs</b>";
    const std::string deviation = f.contains("sd") ? " ± " + with_unit(f, "sd") : "";
    rows.push_back({escape_html(f.at("meaning").get<std::string>()), with_unit(f, "value") + deviation,
                    with_unit(f, "paper"), escape_html(f.value("source", "")), expected, verdict});
  }
  std::string html =
      "<h2>Beside the paper</h2>\n" + html_table({"finding", "here", "paper", "where", "expected", ""}, rows);
  if (findings.contains("differs"))
    html += "<p class=\"soft\">What differs from the paper: " + escape_html(findings["differs"].get<std::string>()) +
            "</p>\n";
  return html;
}

std::string figures_section(const Run& run) {
  std::string html;
  for (const Json& figure : run.metrics.value("figures", Json::array()))
    html += html_figure(run.folder / "images" / figure.at("file").get<std::string>(), figure.at("title"),
                        escape_html(figure.at("caption").get<std::string>()));
  return html;
}

std::string comparison_sections(const Run& run) {
  return headline(run.metrics) + models_section(run.metrics) + pictures_section(run.folder / "images") +
         comparison_section(run.metrics) + variants_section(run.metrics);
}

/// The whole of each part of an experiment, folded up.
std::string parts_section(const Run& run) {
  std::string html;
  for (const Json& part : run.metrics.value("parts", Json::array())) {
    const std::string name = part.get<std::string>();
    html += details("all of " + escape_html(name), comparison_sections(read_run(run.folder / "parts" / name)));
  }
  return html.empty() ? html : "<h2>Part by part</h2>\n" + html;
}

std::string run_sections(const Run& run) {
  const std::string own = run.metrics.contains("models") ? comparison_sections(run) : "";
  return findings_section(run.metrics) + figures_section(run) + own + parts_section(run) + facts_section(run);
}

std::string subtitle(const Run& run) {
  std::string data;
  if (run.metrics.contains("data")) {
    const Json& d = run.metrics["data"];
    data = fmt::format(" on {}, {} training samples, d = {}", escape_html(d.value("name", "")), number(d["train_size"]),
                       number(d["dimension"]));
  }
  return fmt::format("<p class=\"soft\">{}{}, seed {}; {}</p>\n", escape_html(run.metrics.value("experiment", "")),
                     data, number(run.metrics["seed"]), escape_html(run.manifest.value("start", "")));
}

std::string test_score(const Json& metrics, const std::string& model) {
  const Json models = metrics.value("models", Json::object());
  return models.contains(model) ? score(models[model], "test") : "–";
}

/// Test results and headline likeness of several runs, a column each.
std::string overview(const std::vector<Run>& runs) {
  std::vector<std::string> header = {"test"};
  std::vector<std::string> models;
  for (const Run& run : runs) {
    header.push_back(escape_html(run.name()));
    const Json here = run.metrics.value("models", Json::object());
    for (const auto& item : here.items()) {
      if (std::find(models.begin(), models.end(), item.key()) == models.end()) models.push_back(item.key());
    }
  }
  std::vector<std::vector<std::string>> rows;
  for (const std::string& model : models) {
    rows.push_back({escape_html(model)});
    for (const Run& run : runs) rows.back().push_back(test_score(run.metrics, model));
  }
  for (const auto& [label, baseline] :
       {std::pair("network ~ RFM, diagonal r", false), std::pair("initial ~ RFM, diagonal r", true)}) {
    rows.push_back({label});
    for (const Run& run : runs) {
      const bool has = run.metrics.contains("headline");
      const Json* pair =
          has ? find_pair(run.metrics, baseline ? "network.nfm0" : run.metrics["headline"]["a"].get<std::string>(),
                          run.metrics["headline"]["b"])
              : nullptr;
      rows.back().push_back(pair ? number(pair->at("diagonal_pearson")) : "–");
    }
  }
  return html_table(header, rows);
}

std::string several_runs(const std::vector<Run>& runs) {
  std::string html =
      "<h1>" + fmt::format("{} runs side by side", runs.size()) + "</h1>\n" + overview(runs) + "<div class=\"runs\">\n";
  for (const Run& run : runs) {
    const char* file = std::filesystem::exists(run.folder / "images/features.svg") ? "features" : "matrices";
    html += "<div><h2>" + escape_html(run.name()) + "</h2>\n" + subtitle(run) +
            html_figure(run.folder / "images" / file, "Features", "") + "</div>\n";
  }
  html += "</div>\n";
  for (const Run& run : runs) html += details("all of " + escape_html(run.name()), run_sections(run));
  return html;
}

}  // namespace

std::filesystem::path write_report(const std::vector<std::filesystem::path>& folders,
                                   const std::filesystem::path& out) {
  if (folders.empty()) throw ConfigError("report: name at least one run directory");
  std::vector<Run> runs;
  for (const std::filesystem::path& folder : folders) runs.push_back(read_run(folder));
  const bool one = runs.size() == 1;
  const std::string body =
      one ? "<h1>" + escape_html(runs.front().name()) + "</h1>\n" + subtitle(runs.front()) + run_sections(runs.front())
          : several_runs(runs);
  std::filesystem::path page = out;
  if (page.empty())
    page = one ? folders.front() / "report.html" : (folders.front() / "..").lexically_normal() / "report.html";
  write_file_atomically(page, html_page(one ? runs.front().name() + " · ansatz" : "runs · ansatz", body));
  return page;
}

}  // namespace ansatz::viz
