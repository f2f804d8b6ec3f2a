#include "viz/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/record/json/models_json.h"
#include "core/record/json/run_record_json.h"
#include "core/record/sweep/sweep_json.h"
#include "core/run/run_directory.h"
#include "viz/page/figure.h"
#include "viz/page/glossary.h"
#include "viz/page/html.h"
#include "viz/page/numbers.h"
#include "viz/report/benchmark/report_benchmark.h"
#include "viz/report/facts.h"
#include "viz/report/report_comparison.h"
#include "viz/report/report_run.h"
#include "viz/report/report_runs.h"
#include "viz/report/sweep/report_sweep.h"

namespace ansatz::viz {
namespace {

std::filesystem::path folder_of_part(const Run& run, const std::string& part) { return run.folder / "parts" / part; }

std::vector<RunRecord> parts_of(const Run& run) {
  std::vector<RunRecord> parts;
  for (const std::string& part : run.record.parts)
    parts.push_back(record_from_json(read_metrics(folder_of_part(run, part))));
  return parts;
}

/// The whole of each part of an experiment, folded up.
std::string parts_section(const Run& run, const std::vector<RunRecord>& parts) {
  std::string html;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& name = run.record.parts[i];
    html += details("all of " + escape_html(name), comparison_sections(parts[i], folder_of_part(run, name) / "images"));
  }
  return html.empty() ? html : "<h2>Part by part</h2>\n" + html;
}

/// What the reader is to know before any number.
std::string warnings_section(const std::vector<std::string>& warnings) {
  std::string html;
  for (const std::string& warning : warnings) html += "<p><b>" + escape_html(warning) + ".</b></p>\n";
  return html;
}

/// Those that every seed has.
std::vector<std::string> common_warnings(const std::vector<RunRecord>& seeds) {
  std::vector<std::string> common;
  for (const std::string& warning : seeds.front().warnings)
    if (std::all_of(seeds.begin(), seeds.end(), [&](const RunRecord& seed) {
          return std::find(seed.warnings.begin(), seed.warnings.end(), warning) != seed.warnings.end();
        }))
      common.push_back(warning);
  return common;
}

/// `body`: below the heading.
struct Page {
  std::string title, heading, body;
};

Page page_of_one(const FinishedRun& run) {
  if (run.repeats)
    return {run.name, "<h1>" + escape_html(run.name) + "</h1>\n",
            warnings_section(common_warnings(run.seeds)) + repeated_run(run)};
  const Run one = run_of(run.folder, run.seeds.front());
  const std::string& name = one.record.name;
  return {name, "<h1>" + escape_html(name) + "</h1>\n" + subtitle(one), run_sections(one)};
}

Page page_of_sweep(const std::filesystem::path& folder, const JsonValue& metrics) {
  const SweepRecord sweep = sweep_from_json(metrics);
  std::string keys;
  for (const SweepAxis& axis : sweep.axes) keys += (keys.empty() ? "" : " and ") + escape_html(axis.name());
  const std::string subtitle = fmt::format("<p class=\"soft\">{}: {} cells over {}, {} runs in all.</p>\n",
                                           escape_html(sweep.experiment), sweep.cells.size(), keys, sweep.runs());
  return {sweep.name, "<h1>" + escape_html(sweep.name) + "</h1>\n" + subtitle,
          sweep_sections(sweep, folder / "images") +
              facts_section(sweep.conventions, std::nullopt, Json::object(), folder, read_manifest(folder))};
}

/// That of a sweep, if one folder holds one.
std::optional<Page> page_of_sweep(const std::vector<std::filesystem::path>& folders) {
  if (folders.size() != 1 || !std::filesystem::exists(folders.front() / "metrics.json")) return std::nullopt;
  const JsonValue metrics = read_metrics(folders.front());
  return is_of_sweep(metrics) ? std::optional(page_of_sweep(folders.front(), metrics)) : std::nullopt;
}

Page page_of_several(const std::vector<FinishedRun>& runs) {
  return {"runs", fmt::format("<h1>{} runs side by side</h1>\n", runs.size()), several_runs(runs)};
}

}  // namespace

Run run_of(const std::filesystem::path& folder, RunRecord record) {
  return {folder, std::move(record), read_manifest(folder)};
}

std::string with_unit(const std::optional<double>& value, const std::string& unit) {
  if (!value) return "–";
  return number(*value, unit == "%" ? 2 : 3) + (unit.empty() ? "" : " " + escape_html(unit));
}

std::string bound_text(const Bound& bound, const std::string& unit) {
  std::string text;
  if (bound.at_least) text = "≥ " + with_unit(bound.at_least, unit);
  if (bound.at_most) text += (text.empty() ? "≤ " : ", ≤ ") + with_unit(bound.at_most, unit);
  return text;
}

std::string verdict_text(const std::optional<Verdict>& verdict) {
  if (!verdict) return "";
  const std::string name = name_of(*verdict);
  return *verdict == Verdict::holds ? name : "<b>" + name + "</b>";
}

/// What holds for the paper's sentence, and below it what holds for the bound at this run's size.
std::string with_size(const std::string& sentence, const std::string& at_this_size) {
  return at_this_size.empty() ? sentence : sentence + "<br><small>at this size " + at_this_size + "</small>";
}

/// Whether something is said of any of them but its value.
bool is_judged(const FindingsRecord& findings) {
  return std::any_of(findings.list.begin(), findings.list.end(), [](const JudgedFinding& f) {
    return f.paper || !f.source.empty() || f.bound.given() || f.at_this_size.given();
  });
}

/// What an experiment stands for, beside the paper's numbers.
std::string findings_section(const std::optional<FindingsRecord>& findings) {
  if (!findings) return "";
  std::vector<std::vector<std::string>> rows;
  for (const JudgedFinding& f : findings->list) {
    const std::string error = f.standard_error ? " ± " + with_unit(f.standard_error, f.unit) : "";
    rows.push_back({escape_html(f.meaning), with_unit(f.value, f.unit) + error, with_unit(f.paper, f.unit),
                    escape_html(f.source), with_size(bound_text(f.bound, f.unit), bound_text(f.at_this_size, f.unit)),
                    with_size(verdict_text(f.verdict), verdict_text(f.verdict_at_this_size))});
    if (!is_judged(*findings)) rows.back().resize(2);
  }
  const char* const errors =
      "± is one standard error: over repeats, over the sets of a benchmark, or of an accuracy by its test rows.";
  std::string html =
      is_judged(*findings)
          ? "<h2>Beside the paper</h2>\n" + html_table({"finding", "here", "paper", "where", "expected", ""}, rows) +
                "<p class=\"soft\">" + errors +
                " Unclear: the bound is within two of them, or a single run cannot tell.</p>\n"
          : "<h2>Findings</h2>\n" + html_table({"finding", "here"}, rows) + "<p class=\"soft\">" + errors + "</p>\n";
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
  const std::string benchmark = record.benchmark ? benchmark_sections(*record.benchmark, run.folder) : "";
  const std::vector<RunRecord> parts = parts_of(run);
  const std::string findings = findings_section(record.findings);
  // A benchmark says in sentences what its many findings come to, and its figures stand among its tables.
  const std::string main = record.benchmark ? benchmark + findings : findings + figures_section(run);
  return warnings_section(record.warnings) + main + own + parts_section(run, parts) +
         facts_section(used_conventions(record, parts), record.data, timings, run.folder, run.manifest);
}

namespace {

/// "2026-01-02 03:04 UTC", where the manifest has 2026-01-02T03:04:05Z.
std::string readable_time(const std::string& stamp) {
  constexpr std::size_t kDate = 10, kMinutes = 16;
  if (stamp.size() < kMinutes || stamp[kDate] != 'T') return stamp;
  return stamp.substr(0, kDate) + " " + stamp.substr(kDate + 1, kMinutes - kDate - 1) + " UTC";
}

}  // namespace

std::string subtitle(const Run& run) {
  std::string data;
  if (const std::optional<DataRecord>& d = run.record.data)
    data = fmt::format(" on {}, {} training samples, d = {}", escape_html(d->name), d->train_size, d->dimension);
  return fmt::format("<p class=\"soft\">{}{}, seed {}; {}</p>\n", escape_html(run.record.experiment), data,
                     run.record.seed, escape_html(readable_time(run.manifest.text("start", ""))));
}

std::filesystem::path write_report(const std::vector<std::filesystem::path>& folders,
                                   const std::filesystem::path& out) {
  if (folders.empty()) throw ConfigError("report: name at least one run directory");
  const bool one = folders.size() == 1;
  if (!one && out.empty())
    throw ConfigError("a report of several runs belongs to none of their folders: say where it goes by `out`");
  std::optional<Page> content = page_of_sweep(folders);
  if (!content) {
    const std::vector<FinishedRun> runs = read_finished_runs(folders);
    content = one ? page_of_one(runs.front()) : page_of_several(runs);
  }
  const std::filesystem::path page = out.empty() ? folders.front() / "report.html" : out;
  write_file_atomically(page, html_page(content->title + " · ansatz",
                                        content->heading + abbreviations_in(content->body) + content->body));
  return page;
}

}  // namespace ansatz::viz
