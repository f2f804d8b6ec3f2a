#include "viz/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/record/json/models_json.h"
#include "core/record/json/run_record_json.h"
#include "core/run/run_directory.h"
#include "viz/report/html.h"
#include "viz/report/report_comparison.h"
#include "viz/report/report_run.h"
#include "viz/report/report_runs.h"

namespace ansatz::viz {
namespace {

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

std::string facts_section(const NamedTexts& conventions, const std::optional<DataRecord>& data, const Json& timings,
                          const std::filesystem::path& folder, const JsonValue& manifest) {
  manifest.members();  // it is an object
  return (data ? "<h2>Data</h2>\n" + definition_list(to_json(*data)) : "") + "<h2>Conventions</h2>\n" +
         definition_list(to_json(conventions)) + "<h2>To run it again</h2>\n" +
         details("configuration", "<pre>" + escape_html(read_file(folder / "config.yaml")) + "</pre>\n") +
         details("timings", definition_list(timings)) + details("environment", definition_list(manifest.json()));
}

/// The whole of each part of an experiment, folded up.
std::string parts_section(const Run& run) {
  std::string html;
  for (const std::string& part : run.record.parts) {
    const std::filesystem::path folder = run.folder / "parts" / part;
    html += details("all of " + escape_html(part),
                    comparison_sections(record_from_json(read_metrics(folder)), folder / "images"));
  }
  return html.empty() ? html : "<h2>Part by part</h2>\n" + html;
}

/// What the reader is to know before any number.
std::string warnings_section(const RunRecord& record) {
  std::string html;
  for (const std::string& warning : record.warnings) html += "<p><b>" + escape_html(warning) + ".</b></p>\n";
  return html;
}

struct Page {
  std::string title, body;
};

Page page_of_one(const FinishedRun& run) {
  if (run.repeats) return {run.name, "<h1>" + escape_html(run.name) + "</h1>\n" + repeated_run(run)};
  const Run one = run_of(run.folder, run.seeds.front());
  const std::string& name = one.record.name;
  return {name, "<h1>" + escape_html(name) + "</h1>\n" + subtitle(one) + run_sections(one)};
}

Page page_of_several(const std::vector<FinishedRun>& runs) {
  return {"runs", fmt::format("<h1>{} runs side by side</h1>\n", runs.size()) + several_runs(runs)};
}

}  // namespace

Run run_of(const std::filesystem::path& folder, RunRecord record) {
  return {folder, std::move(record), read_manifest(folder)};
}

std::string details(const std::string& title, const std::string& inner) {
  return "<details><summary>" + title + "</summary>\n" + inner + "</details>\n";
}

std::string with_unit(const std::optional<double>& value, const std::string& unit) {
  if (!value) return "–";
  return number(*value, unit == "%" ? 2 : 3) + (unit.empty() ? "" : " " + escape_html(unit));
}

/// What an experiment stands for, beside the paper's numbers.
std::string findings_section(const std::optional<FindingsRecord>& findings) {
  if (!findings) return "";
  std::vector<std::vector<std::string>> rows;
  for (const JudgedFinding& f : findings->list) {
    std::string expected;
    if (f.at_least) expected = "≥ " + with_unit(f.at_least, f.unit);
    if (f.at_most) expected += (expected.empty() ? "≤ " : ", ≤ ") + with_unit(f.at_most, f.unit);
    const std::string verdict = !f.holds ? "" : *f.holds ? "holds" : "<b>differs</b>";
    const std::string deviation = f.sd ? " ± " + with_unit(f.sd, f.unit) : "";
    rows.push_back({escape_html(f.meaning), with_unit(f.value, f.unit) + deviation, with_unit(f.paper, f.unit),
                    escape_html(f.source), expected, verdict});
  }
  std::string html =
      "<h2>Beside the paper</h2>\n" + html_table({"finding", "here", "paper", "where", "expected", ""}, rows);
  if (!findings->differs.empty())
    html += "<p class=\"soft\">What differs from the paper: " + escape_html(findings->differs) + "</p>\n";
  return html;
}

std::string figures_section(const Run& run) {
  std::string html;
  for (const Figure& figure : run.record.figures)
    html += html_figure(run.folder / "images" / figure.file, figure.title, escape_html(figure.caption));
  return html;
}

std::string run_sections(const Run& run) {
  const RunRecord& record = run.record;
  const std::string own = record.data ? comparison_sections(record, run.folder / "images") : "";
  const Json timings = record.data ? timings_json(record) : Json::object();
  return warnings_section(record) + findings_section(record.findings) + figures_section(run) + own +
         parts_section(run) + facts_section(record.conventions, record.data, timings, run.folder, run.manifest);
}

std::string subtitle(const Run& run) {
  std::string data;
  if (const std::optional<DataRecord>& d = run.record.data)
    data = fmt::format(" on {}, {} training samples, d = {}", escape_html(d->name), d->train_size, d->dimension);
  return fmt::format("<p class=\"soft\">{}{}, seed {}; {}</p>\n", escape_html(run.record.experiment), data,
                     run.record.seed, escape_html(run.manifest.text("start", "")));
}

std::filesystem::path write_report(const std::vector<std::filesystem::path>& folders,
                                   const std::filesystem::path& out) {
  if (folders.empty()) throw ConfigError("report: name at least one run directory");
  const bool one = folders.size() == 1;
  if (!one && out.empty())
    throw ConfigError("a report of several runs belongs to none of their folders: say where it goes by `out`");
  const std::vector<FinishedRun> runs = read_finished_runs(folders);
  const Page content = one ? page_of_one(runs.front()) : page_of_several(runs);
  const std::filesystem::path page = out.empty() ? folders.front() / "report.html" : out;
  write_file_atomically(page, html_page(content.title + " · ansatz", content.body));
  return page;
}

}  // namespace ansatz::viz
