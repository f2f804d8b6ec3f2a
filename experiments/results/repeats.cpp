#include "experiments/results/repeats.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/error.h"
#include "core/run/run_directory.h"
#include "core/run/summary_keys.h"
#include "experiments/results/findings.h"

namespace ansatz::experiments {
namespace {

using Values = std::map<std::string, std::vector<double>>;

void collect(const std::string& key, const JsonValue& value, Values& values) {
  if (value.is_number()) values[key].push_back(value.number());
}

void collect_models(const JsonValue& metrics, Values& values) {
  for (const auto& [model, parts] : metrics.at("models").members()) {
    for (const char* split : {"train", "validation", "test"}) {
      if (!parts.has(split)) continue;
      for (const auto& [name, value] : parts.at(split).members())
        collect(fmt::format("models.{}.{}.{}", model, split, name), value, values);
    }
  }
  for (const JsonValue& pair : metrics.at("comparisons").list()) {
    const std::string prefix = fmt::format("comparisons.{}~{}.", pair.at("a").text(), pair.at("b").text());
    for (const char* name : {"diagonal_pearson", "matrix_pearson", "off_diagonal_pearson", "cosine"})
      collect(prefix + name, pair.at(name), values);
    const std::vector<JsonValue> top = pair.at("top_eigenvector_pearson").list();
    if (!top.empty()) collect(prefix + "top_eigenvector_pearson", top.front(), values);
  }
}

/// A comparison's models and likenesses; of an experiment of parts its findings.
void collect_run(const JsonValue& metrics, Values& values) {
  if (metrics.has("models")) collect_models(metrics, values);
  if (!metrics.has("findings")) return;
  check_findings(metrics.at("findings"));
  for (const JsonValue& finding : metrics.at("findings").at("list").list())
    collect("findings." + finding.at("name").text(), finding.at("value"), values);
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return values.size() > 1 ? std::sqrt(squares / static_cast<double>(values.size() - 1)) : 0;
}

Json summary_of(const std::vector<double>& values) {
  return {{"mean", mean_of(values)}, {"sd", deviation_of(values)}, {"values", values}};
}

}  // namespace

Json summarize_repeats(const std::vector<std::filesystem::path>& runs) {
  Values values;
  Json json = {{"schema", 1}, {"repeats", runs.size()}, {"seeds", Json::array()}};
  Json findings;  // their names and expectations, of the first run
  for (const std::filesystem::path& run : runs) {
    const JsonValue metrics = read_metrics(run);
    json["experiment"] = metrics.at("experiment").text();
    json["conventions"] = metrics.at("conventions").json();
    if (metrics.has("data")) json["data"] = metrics.at("data").json();
    if (findings.is_null() && metrics.has("findings")) findings = metrics.at("findings").json();
    json["seeds"].push_back(metrics.at("seed").json());
    collect_run(metrics, values);
  }
  for (const auto& [key, list] : values) json["summary"][key] = summary_of(list);
  if (!findings.is_null())
    json["findings"] = findings_over_runs(findings, [&](const std::string& name) {
      const auto found = values.find("findings." + name);
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      if (found == values.end() || found->second.size() != runs.size()) return std::pair(nan, nan);
      return std::pair(mean_of(found->second), deviation_of(found->second));
    });
  return json;
}

std::string repeats_table(const Json& summary) {
  std::string text = fmt::format("\nmean and standard deviation over {} runs\n", summary.at("repeats").get<int>());
  if (summary.contains("findings")) return text + findings_table(summary.at("findings"));
  for (const auto& [key, value] : summary.at("summary").items()) {
    if (shown_in_summary(key))
      text +=
          fmt::format("{:<64} {:.4f} ± {:.4f}\n", key, value.at("mean").get<double>(), value.at("sd").get<double>());
  }
  return text;
}

}  // namespace ansatz::experiments
