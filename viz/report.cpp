#include "viz/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/files.h"
#include "viz/html.h"
#include "viz/report_comparison.h"

namespace ansatz::viz {
namespace {

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

std::string definition_list(const Json& object) { return "<dl>" + definitions(object, "") + "</dl>\n"; }

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

/// The whole of each part of an experiment, folded up.
std::string parts_section(const Run& run) {
  std::string html;
  for (const Json& part : run.metrics.value("parts", Json::array())) {
    const std::string name = part.get<std::string>();
    const Run one = read_run(run.folder / "parts" / name);
    html += details("all of " + escape_html(name), comparison_sections(one.metrics, one.folder / "images"));
  }
  return html.empty() ? html : "<h2>Part by part</h2>\n" + html;
}

std::string run_sections(const Run& run) {
  const std::string own = run.metrics.contains("models") ? comparison_sections(run.metrics, run.folder / "images") : "";
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

/// The findings of several runs of one experiment, a column each.
std::vector<std::vector<std::string>> finding_rows(const std::vector<Run>& runs) {
  std::vector<std::vector<std::string>> rows;
  const Json none = Json::object({{"list", Json::array()}});
  const Json first = runs.front().metrics.value("findings", none);
  for (const Json& finding : first.at("list")) {
    rows.push_back({escape_html(finding.at("meaning").get<std::string>())});
    for (const Run& run : runs) {
      const Json here = run.metrics.value("findings", none);
      const auto same = std::find_if(here.at("list").begin(), here.at("list").end(),
                                     [&](const Json& f) { return f.at("name") == finding.at("name"); });
      rows.back().push_back(same == here.at("list").end() ? "–" : with_unit(*same, "value"));
    }
  }
  return rows;
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
  return html_table(header, models.empty() ? finding_rows(runs) : rows);
}

std::string several_runs(const std::vector<Run>& runs) {
  std::string html = overview(runs) + "<div class=\"runs\">\n";
  for (const Run& run : runs) {
    const char* file = std::filesystem::exists(run.folder / "images/features.svg") ? "features" : "matrices";
    html += "<div><h2>" + escape_html(run.name()) + "</h2>\n" + subtitle(run) +
            html_figure(run.folder / "images" / file, "Features", "") + "</div>\n";
  }
  html += "</div>\n";
  for (const Run& run : runs) html += details("all of " + escape_html(run.name()), run_sections(run));
  return html;
}

/// Mean and standard deviation over the seeds of a repeated run, of what its repeats are compared by.
std::string summary_section(const Json& metrics) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, value] : metrics.at("summary").items()) {
    if (shown_in_summary(key))
      rows.push_back({escape_html(key), number(value.at("mean"), 4), number(value.at("sd"), 4)});
  }
  return "<h2>Over all seeds</h2>\n" + html_table({"", "mean", "standard deviation"}, rows);
}

/// A run of several seeds: its means, then every repeat.
std::string repeated_run(const Run& run) {
  std::vector<Run> repeats;
  const int count = run.metrics.at("repeats").get<int>();
  for (int i = 1; i <= count; ++i) repeats.push_back(read_run(run.folder / fmt::format("repeat-{}", i)));
  const bool findings = run.metrics.contains("findings");
  return (findings ? findings_section(run.metrics) + figures_section(repeats.front()) : summary_section(run.metrics)) +
         "<h2>Repeat by repeat</h2>\n" + several_runs(repeats);
}

std::string single_report(const Run& run) {
  const std::string title = "<h1>" + escape_html(run.name()) + "</h1>\n";
  if (run.metrics.contains("repeats")) return title + repeated_run(run);
  return title + subtitle(run) + run_sections(run);
}

}  // namespace

bool shown_in_summary(const std::string& key) {
  return key.find(".test.") != std::string::npos || key.find("diagonal_pearson") != std::string::npos ||
         key.find("top_eigenvector") != std::string::npos;
}

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
