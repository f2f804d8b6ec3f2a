#include "viz/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/features/feature_id.h"
#include "core/files/files.h"
#include "core/run/run_directory.h"
#include "core/run/summary_keys.h"
#include "viz/report/html.h"
#include "viz/report/report_comparison.h"

namespace ansatz::viz {
namespace {

constexpr Index kMostRepeats = 1'000'000;

/// What the report knows of one run.
struct Run {
  std::filesystem::path folder;
  JsonValue metrics, manifest;
  std::string config;
  std::string name() const { return metrics.text("name", folder.filename().string()); }
};

Run read_run(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "metrics.json")) {
    throw DataError(folder.string() +
                    ": no finished run is there (metrics.json is missing); go on with `ansatz run CONFIG --resume`");
  }
  return {folder, read_metrics(folder), read_manifest(folder), read_file(folder / "config.yaml")};
}

std::string plain_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + plain_text(item);
  return text;
}

/// Nested values under the names that lead to them: "rfm 2 seconds".
std::string definitions(const Json& object, const std::string& prefix) {
  std::string html;
  for (const auto& [key, value] : object.items()) {
    const bool nested = value.is_object() || (value.is_array() && !value.empty() && value.front().is_structured());
    html += nested ? definitions(value, prefix + key + " ")
                   : "<dt>" + escape_html(prefix + key) + "</dt><dd>" + escape_html(plain_text(value)) + "</dd>";
  }
  return html;
}

std::string definition_list(const JsonValue& object) {
  object.members();  // it is an object
  return "<dl>" + definitions(object.json(), "") + "</dl>\n";
}

std::string details(const std::string& title, const std::string& inner) {
  return "<details><summary>" + title + "</summary>\n" + inner + "</details>\n";
}

std::string facts_section(const Run& run) {
  const std::optional<JsonValue> data = run.metrics.find("data"), timings = run.metrics.find("timings");
  return (data ? "<h2>Data</h2>\n" + definition_list(*data) : "") + "<h2>Conventions</h2>\n" +
         definition_list(run.metrics.at("conventions")) + "<h2>To run it again</h2>\n" +
         details("configuration", "<pre>" + escape_html(run.config) + "</pre>\n") +
         details("timings", timings ? definition_list(*timings) : "<dl></dl>\n") +
         details("environment", definition_list(run.manifest));
}

std::string with_unit(const JsonValue& finding, const char* key) {
  if (!finding.has(key)) return "–";
  const std::string unit = finding.text("unit", "");
  return number(finding.at(key), unit == "%" ? 2 : 3) + (unit.empty() ? "" : " " + escape_html(unit));
}

/// What an experiment stands for, beside the paper's numbers.
std::string findings_section(const JsonValue& metrics) {
  const std::optional<JsonValue> findings = metrics.find("findings");
  if (!findings) return "";
  std::vector<std::vector<std::string>> rows;
  for (const JsonValue& f : findings->at("list").list()) {
    std::string expected;
    if (f.has("at_least")) expected = "≥ " + with_unit(f, "at_least");
    if (f.has("at_most")) expected += (expected.empty() ? "≤ " : ", ≤ ") + with_unit(f, "at_most");
    const std::string verdict = !f.has("holds") ? "" : f.at("holds").truth() ? "holds" : "<b>differs</b>";
    const std::string deviation = f.has("sd") ? " ± " + with_unit(f, "sd") : "";
    rows.push_back({escape_html(f.at("meaning").text()), with_unit(f, "value") + deviation, with_unit(f, "paper"),
                    escape_html(f.text("source", "")), expected, verdict});
  }
  std::string html =
      "<h2>Beside the paper</h2>\n" + html_table({"finding", "here", "paper", "where", "expected", ""}, rows);
  if (findings->has("differs"))
    html += "<p class=\"soft\">What differs from the paper: " + escape_html(findings->at("differs").text()) + "</p>\n";
  return html;
}

std::vector<JsonValue> list_or_none(const JsonValue& object, const char* key) {
  const std::optional<JsonValue> list = object.find(key);
  return list ? list->list() : std::vector<JsonValue>();
}

std::string figures_section(const Run& run) {
  std::string html;
  for (const JsonValue& figure : list_or_none(run.metrics, "figures"))
    html += html_figure(run.folder / "images" / figure.at("file").text(), figure.at("title").text(),
                        escape_html(figure.at("caption").text()));
  return html;
}

/// The whole of each part of an experiment, folded up.
std::string parts_section(const Run& run) {
  std::string html;
  for (const JsonValue& part : list_or_none(run.metrics, "parts")) {
    const Run one = read_run(run.folder / "parts" / part.text());
    html += details("all of " + escape_html(part.text()), comparison_sections(one.metrics, one.folder / "images"));
  }
  return html.empty() ? html : "<h2>Part by part</h2>\n" + html;
}

/// What the reader is to know before any number.
std::string warnings_section(const JsonValue& metrics) {
  std::string html;
  for (const JsonValue& warning : list_or_none(metrics, "warnings"))
    html += "<p><b>" + escape_html(warning.text()) + ".</b></p>\n";
  return html;
}

std::string run_sections(const Run& run) {
  const std::string own = run.metrics.has("models") ? comparison_sections(run.metrics, run.folder / "images") : "";
  return warnings_section(run.metrics) + findings_section(run.metrics) + figures_section(run) + own +
         parts_section(run) + facts_section(run);
}

std::string subtitle(const Run& run) {
  std::string data;
  if (const std::optional<JsonValue> d = run.metrics.find("data"))
    data = fmt::format(" on {}, {} training samples, d = {}", escape_html(d->text("name", "")),
                       number(d->find("train_size")), number(d->find("dimension")));
  return fmt::format("<p class=\"soft\">{}{}, seed {}; {}</p>\n", escape_html(run.metrics.text("experiment", "")), data,
                     number(run.metrics.find("seed")), escape_html(run.manifest.text("start", "")));
}

std::string test_score(const JsonValue& metrics, const std::string& model) {
  const std::optional<JsonValue> models = metrics.find("models");
  return models && models->has(model) ? score(models->at(model), "test") : "–";
}

std::vector<JsonValue> findings_of(const Run& run) {
  const std::optional<JsonValue> findings = run.metrics.find("findings");
  return findings ? findings->at("list").list() : std::vector<JsonValue>();
}

/// The findings of several runs of one experiment, a column each.
std::vector<std::vector<std::string>> finding_rows(const std::vector<Run>& runs) {
  std::vector<std::vector<std::string>> rows;
  for (const JsonValue& finding : findings_of(runs.front())) {
    rows.push_back({escape_html(finding.at("meaning").text())});
    for (const Run& run : runs) {
      const std::vector<JsonValue> here = findings_of(run);
      const auto same = std::find_if(here.begin(), here.end(), [&](const JsonValue& f) {
        return f.at("name").text() == finding.at("name").text();
      });
      rows.back().push_back(same == here.end() ? "–" : with_unit(*same, "value"));
    }
  }
  return rows;
}

/// How alike the headline's diagonals are, or those of the initial network and the headline's second.
std::string headline_likeness(const JsonValue& metrics, bool baseline) {
  const std::optional<JsonValue> names = metrics.find("headline");
  if (!names) return "–";
  const std::optional<JsonValue> pair =
      find_pair(metrics, baseline ? FeatureId::initial_nfm().name() : names->at("a").text(), names->at("b").text());
  return pair ? number(pair->at("diagonal_pearson")) : "–";
}

/// What tells runs apart: their names, or, where two have the same, their folders.
std::vector<std::string> titles_of(const std::vector<Run>& runs) {
  std::vector<std::string> titles;
  for (const Run& run : runs) {
    const auto same = std::count_if(runs.begin(), runs.end(), [&](const Run& r) { return r.name() == run.name(); });
    titles.push_back(escape_html(same > 1 ? run.folder.lexically_normal().string() : run.name()));
  }
  return titles;
}

/// Test results and headline likeness of several runs, a column each.
std::string overview(const std::vector<Run>& runs) {
  std::vector<std::string> header = titles_of(runs), models;
  header.insert(header.begin(), "test");
  for (const Run& run : runs) {
    const std::optional<JsonValue> here = run.metrics.find("models");
    if (!here) continue;
    for (const auto& [name, model] : here->members())
      if (std::find(models.begin(), models.end(), name) == models.end()) models.push_back(name);
  }
  std::vector<std::vector<std::string>> rows;
  for (const std::string& model : models) {
    rows.push_back({escape_html(model)});
    for (const Run& run : runs) rows.back().push_back(test_score(run.metrics, model));
  }
  for (const auto& [label, baseline] :
       {std::pair("network ~ RFM, diagonal r", false), std::pair("initial ~ RFM, diagonal r", true)}) {
    rows.push_back({label});
    for (const Run& run : runs) rows.back().push_back(headline_likeness(run.metrics, baseline));
  }
  return html_table(header, models.empty() ? finding_rows(runs) : rows);
}

std::string several_runs(const std::vector<Run>& runs) {
  const std::vector<std::string> titles = titles_of(runs);
  std::string html = overview(runs) + "<div class=\"runs\">\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const char* file = std::filesystem::exists(runs[i].folder / "images/features.svg") ? "features" : "matrices";
    html += "<div><h2>" + titles[i] + "</h2>\n" + subtitle(runs[i]) +
            html_figure(runs[i].folder / "images" / file, "Features", "") + "</div>\n";
  }
  html += "</div>\n";
  for (std::size_t i = 0; i < runs.size(); ++i) html += details("all of " + titles[i], run_sections(runs[i]));
  return html;
}

/// Mean and standard deviation over the seeds of a repeated run, of what its repeats are compared by.
std::string summary_section(const JsonValue& metrics) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, value] : metrics.at("summary").members()) {
    if (shown_in_summary(key))
      rows.push_back({escape_html(key), number(value.at("mean"), 4), number(value.at("sd"), 4)});
  }
  return "<h2>Over all seeds</h2>\n" + html_table({"", "mean", "standard deviation"}, rows);
}

/// A run of several seeds: its means, then every repeat.
std::string repeated_run(const Run& run) {
  std::vector<Run> repeats;
  const Index count = run.metrics.at("repeats").integer(1, kMostRepeats);
  for (Index i = 1; i <= count; ++i) repeats.push_back(read_run(run.folder / fmt::format("repeat-{}", i)));
  const bool findings = run.metrics.has("findings");
  return (findings ? findings_section(run.metrics) + figures_section(repeats.front()) : summary_section(run.metrics)) +
         "<h2>Repeat by repeat</h2>\n" + several_runs(repeats);
}

std::string single_report(const Run& run) {
  const std::string title = "<h1>" + escape_html(run.name()) + "</h1>\n";
  if (run.metrics.has("repeats")) return title + repeated_run(run);
  return title + subtitle(run) + run_sections(run);
}

}  // namespace

std::filesystem::path write_report(const std::vector<std::filesystem::path>& folders,
                                   const std::filesystem::path& out) {
  if (folders.empty()) throw ConfigError("report: name at least one run directory");
  std::vector<Run> runs;
  for (const std::filesystem::path& folder : folders) runs.push_back(read_run(folder));
  const bool one = runs.size() == 1;
  const std::string body = one ? single_report(runs.front())
                               : fmt::format("<h1>{} runs side by side</h1>\n", runs.size()) + several_runs(runs);
  std::filesystem::path page = out;
  if (page.empty())
    page = one ? folders.front() / "report.html" : (folders.front() / "..").lexically_normal() / "report.html";
  write_file_atomically(page, html_page(one ? runs.front().name() + " · ansatz" : "runs · ansatz", body));
  return page;
}

}  // namespace ansatz::viz
