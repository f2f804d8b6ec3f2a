#include "viz/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/record/json/models_json.h"
#include "core/record/json/repeats_json.h"
#include "core/record/json/run_record_json.h"
#include "core/run/run_directory.h"
#include "viz/report/html.h"
#include "viz/report/report_comparison.h"

namespace ansatz::viz {
namespace {

/// What the report knows of one run.
struct Run {
  std::filesystem::path folder;
  RunRecord record;
  JsonValue manifest;
};

std::string name_of(const std::filesystem::path& folder) {
  const std::filesystem::path plain = folder.lexically_normal();
  return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

/// What a run of several seeds has in common with one.
RunRecord record_of_all(const RepeatsRecord& repeats, const std::string& name) {
  RunRecord record;
  record.experiment = repeats.experiment;
  record.name = name;
  record.seed = repeats.seeds.front();
  record.conventions = repeats.conventions;
  record.findings = repeats.findings;
  return record;
}

JsonValue metrics_of(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / "metrics.json")) return read_metrics(folder);
  throw DataError(folder.string() +
                  ": no finished run is there (metrics.json is missing); go on with `ansatz run CONFIG --resume`");
}

Run run_of(const std::filesystem::path& folder, const JsonValue& metrics) {
  return {
      folder,
      is_of_repeats(metrics) ? record_of_all(repeats_from_json(metrics), name_of(folder)) : record_from_json(metrics),
      read_manifest(folder)};
}

Run read_run(const std::filesystem::path& folder) { return run_of(folder, metrics_of(folder)); }

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

std::string facts_section(const NamedTexts& conventions, const std::optional<DataRecord>& data, const Json& timings,
                          const std::filesystem::path& folder, const JsonValue& manifest) {
  manifest.members();  // it is an object
  return (data ? "<h2>Data</h2>\n" + definition_list(to_json(*data)) : "") + "<h2>Conventions</h2>\n" +
         definition_list(to_json(conventions)) + "<h2>To run it again</h2>\n" +
         details("configuration", "<pre>" + escape_html(read_file(folder / "config.yaml")) + "</pre>\n") +
         details("timings", definition_list(timings)) + details("environment", definition_list(manifest.json()));
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

/// The whole of each part of an experiment, folded up.
std::string parts_section(const Run& run) {
  std::string html;
  for (const std::string& part : run.record.parts) {
    const Run one = read_run(run.folder / "parts" / part);
    html += details("all of " + escape_html(part), comparison_sections(one.record, one.folder / "images"));
  }
  return html.empty() ? html : "<h2>Part by part</h2>\n" + html;
}

/// What the reader is to know before any number.
std::string warnings_section(const RunRecord& record) {
  std::string html;
  for (const std::string& warning : record.warnings) html += "<p><b>" + escape_html(warning) + ".</b></p>\n";
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

std::string test_score(const RunRecord& record, const std::string& model) {
  for (const ModelScores& scores : scores_of(record))
    if (scores.model == model) return score(scores.metrics.test);
  return "–";
}

std::vector<JudgedFinding> findings_of(const Run& run) {
  return run.record.findings ? run.record.findings->list : std::vector<JudgedFinding>();
}

/// The findings of several runs of one experiment, a column each.
std::vector<std::vector<std::string>> finding_rows(const std::vector<Run>& runs) {
  std::vector<std::vector<std::string>> rows;
  for (const JudgedFinding& finding : findings_of(runs.front())) {
    rows.push_back({escape_html(finding.meaning)});
    for (const Run& run : runs) {
      const std::vector<JudgedFinding> here = findings_of(run);
      const auto same =
          std::find_if(here.begin(), here.end(), [&](const JudgedFinding& f) { return f.name == finding.name; });
      rows.back().push_back(same == here.end() ? "–" : with_unit(same->value, same->unit));
    }
  }
  return rows;
}

/// How alike the headline's diagonals are, or those of the initial network and the headline's second.
std::string headline_likeness(const RunRecord& record, bool baseline) {
  if (!record.has_headline) return "–";
  const FeaturePair& first = record.pairs.front();
  const FeaturePair* pair = baseline ? record.find_pair(FeatureId::initial_nfm(), first.b) : &first;
  return pair == nullptr ? "–" : number(pair->values.diagonal_pearson);
}

/// What tells runs apart: their names, or, where two have the same, their folders.
std::vector<std::string> titles_of(const std::vector<Run>& runs) {
  std::vector<std::string> titles;
  for (const Run& run : runs) {
    const auto same =
        std::count_if(runs.begin(), runs.end(), [&](const Run& r) { return r.record.name == run.record.name; });
    titles.push_back(escape_html(same > 1 ? run.folder.lexically_normal().string() : run.record.name));
  }
  return titles;
}

/// Test results and headline likeness of several runs, a column each.
std::string overview(const std::vector<Run>& runs) {
  std::vector<std::string> header = titles_of(runs), models;
  header.insert(header.begin(), "test");
  for (const Run& run : runs)
    for (const ModelScores& scores : scores_of(run.record))
      if (std::find(models.begin(), models.end(), scores.model) == models.end()) models.push_back(scores.model);
  std::vector<std::vector<std::string>> rows;
  for (const std::string& model : models) {
    rows.push_back({escape_html(model)});
    for (const Run& run : runs) rows.back().push_back(test_score(run.record, model));
  }
  for (const auto& [label, baseline] :
       {std::pair("network ~ RFM, diagonal r", false), std::pair("initial ~ RFM, diagonal r", true)}) {
    rows.push_back({label});
    for (const Run& run : runs) rows.back().push_back(headline_likeness(run.record, baseline));
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
std::string summary_section(const RepeatsRecord& record) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, spread] : record.summary)
    if (shown_to_people(key)) rows.push_back({escape_html(key), number(spread.mean, 4), number(spread.sd, 4)});
  return "<h2>Over all seeds</h2>\n" + html_table({"", "mean", "standard deviation"}, rows);
}

/// A run of several seeds: its means, then every repeat.
std::string repeated_run(const std::filesystem::path& folder, const RepeatsRecord& record) {
  std::vector<Run> repeats;
  for (std::size_t i = 1; i <= record.seeds.size(); ++i)
    repeats.push_back(read_run(folder / fmt::format("repeat-{}", i)));
  return (record.findings ? findings_section(record.findings) + figures_section(repeats.front())
                          : summary_section(record)) +
         "<h2>Repeat by repeat</h2>\n" + several_runs(repeats);
}

struct Page {
  std::string title, body;
};

Page page_of_one(const std::filesystem::path& folder) {
  const JsonValue metrics = metrics_of(folder);
  if (is_of_repeats(metrics)) {
    const std::string title = name_of(folder);
    return {title, "<h1>" + escape_html(title) + "</h1>\n" + repeated_run(folder, repeats_from_json(metrics))};
  }
  const Run run = run_of(folder, metrics);
  return {run.record.name, "<h1>" + escape_html(run.record.name) + "</h1>\n" + subtitle(run) + run_sections(run)};
}

Page page_of_several(const std::vector<std::filesystem::path>& folders) {
  std::vector<Run> runs;
  for (const std::filesystem::path& folder : folders) runs.push_back(read_run(folder));
  return {"runs", fmt::format("<h1>{} runs side by side</h1>\n", runs.size()) + several_runs(runs)};
}

}  // namespace

std::filesystem::path write_report(const std::vector<std::filesystem::path>& folders,
                                   const std::filesystem::path& out) {
  if (folders.empty()) throw ConfigError("report: name at least one run directory");
  const bool one = folders.size() == 1;
  const Page content = one ? page_of_one(folders.front()) : page_of_several(folders);
  std::filesystem::path page = out;
  if (page.empty())
    page = one ? folders.front() / "report.html" : (folders.front() / "..").lexically_normal() / "report.html";
  write_file_atomically(page, html_page(content.title + " · ansatz", content.body));
  return page;
}

}  // namespace ansatz::viz
