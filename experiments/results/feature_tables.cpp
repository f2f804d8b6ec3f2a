#include "experiments/results/feature_tables.h"

#include <fmt/format.h>

#include <iterator>

#include "core/record/feature_ranking.h"

namespace ansatz::experiments {
namespace {

using Features = std::vector<const FeatureRecord*>;

/// Quoted where a reader of CSV would otherwise see several cells or lines.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

/// A row of the table beside its numbers.
struct Named {
  std::string name;
  Index index = 0;
};

template <class NameOf>
std::string table(const Features& matrices, const std::vector<Vector<double>>& entries, NameOf named) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "rank,feature,index");
  for (const FeatureRecord* features : matrices) fmt::format_to(out, ",{}", features->id.name());
  fmt::format_to(out, "\n");
  const std::vector<Index> ranks = ranks_of(entries.front());
  for (const Index i : descending_order(entries.front())) {
    const Named row = named(i);
    fmt::format_to(out, "{},{},{}", ranks[static_cast<std::size_t>(i)], cell(row.name), row.index);
    for (const Vector<double>& values : entries) fmt::format_to(out, ",{:.9g}", values(i));
    fmt::format_to(out, "\n");
  }
  return fmt::to_string(text);
}

}  // namespace

std::string features_csv(const RunRecord& record) {
  const Features matrices = network_and_rfm_first(record);
  std::vector<Vector<double>> diagonals;
  for (const FeatureRecord* features : matrices) diagonals.push_back(features->diagonal);
  return table(matrices, diagonals, [&](Index i) { return Named{feature_name(*record.data, i), i}; });
}

std::string columns_csv(const RunRecord& record) {
  const Features matrices = network_and_rfm_first(record);
  const std::vector<ColumnGroup>& groups = record.data->column_groups;
  std::vector<Vector<double>> sums;
  for (const FeatureRecord* features : matrices) sums.push_back(sums_over_groups(features->diagonal, groups));
  return table(matrices, sums, [&](Index g) {
    const ColumnGroup& group = groups[static_cast<std::size_t>(g)];
    return Named{group.name, group.first};
  });
}

}  // namespace ansatz::experiments
