#include "experiments/repeats.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.h"
#include "core/files.h"
#include "experiments/findings.h"
#include "viz/report.h"

namespace ansatz::experiments {
namespace {

using Values = std::map<std::string, std::vector<double>>;

void collect(const std::string& key, const Json& value, Values& values) {
  if (value.is_number()) values[key].push_back(value.get<double>());
}

void collect_models(const Json& metrics, Values& values) {
  for (const auto& [model, parts] : metrics.at("models").items()) {
    for (const char* split : {"train", "validation", "test"}) {
      if (!parts.contains(split)) continue;
      for (const auto& [name, value] : parts.at(split).items())
        collect(fmt::format("models.{}.{}.{}", model, split, name), value, values);
    }
  }
  for (const Json& pair : metrics.at("comparisons")) {
    const std::string prefix =
        fmt::format("comparisons.{}~{}.", pair.at("a").get<std::string>(), pair.at("b").get<std::string>());
    for (const char* name : {"diagonal_pearson", "matrix_pearson", "off_diagonal_pearson", "cosine"})
      collect(prefix + name, pair.at(name), values);
    if (!pair.at("top_eigenvector_pearson").empty())
      collect(prefix + "top_eigenvector_pearson", pair.at("top_eigenvector_pearson")[0], values);
  }
}

/// A comparison's models and likenesses; of an experiment of parts its findings.
void collect_run(const Json& metrics, Values& values) {
  if (metrics.contains("models")) collect_models(metrics, values);
  if (!metrics.contains("findings")) return;
  for (const Json& finding : metrics.at("findings").at("list"))
    collect("findings." + finding.at("name").get<std::string>(), finding.at("value"), values);
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
    const Json metrics = Json::parse(read_file(run / "metrics.json"));
    json["experiment"] = metrics.at("experiment");
    json["conventions"] = metrics.at("conventions");
    if (metrics.contains("data")) json["data"] = metrics.at("data");
    if (findings.is_null() && metrics.contains("findings")) findings = metrics.at("findings");
    json["seeds"].push_back(metrics.at("seed"));
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
    if (viz::shown_in_summary(key))
      text +=
          fmt::format("{:<64} {:.4f} ± {:.4f}\n", key, value.at("mean").get<double>(), value.at("sd").get<double>());
  }
  return text;
}

}  // namespace ansatz::experiments
