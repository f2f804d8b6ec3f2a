#include "experiments/benchmark/results/benchmark_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "experiments/benchmark/results/measures.h"

namespace ansatz::experiments {
namespace {

std::string slug_of(const std::string& label) {
  std::string slug;
  for (const char c : label) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && std::isalnum(byte) != 0)
      slug += static_cast<char>(std::tolower(byte));
    else if (!slug.empty() && slug.back() != '_')
      slug += '_';
  }
  while (!slug.empty() && slug.back() == '_') slug.pop_back();
  return slug.empty() ? "method" : slug;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

BenchmarkRecord part_of(const BenchmarkRecord& record, const std::vector<const BenchmarkSet*>& sets) {
  BenchmarkRecord part{record.collection, record.methods, record.baseline, {}, record.published};
  for (const BenchmarkSet* set : sets) part.sets.push_back(*set);
  return part;
}

constexpr std::size_t kLeastSets = 2;  // one says nothing of others

}  // namespace

std::vector<std::string> method_slugs(const std::vector<BenchmarkMethod>& methods) {
  std::vector<std::string> slugs;
  for (const BenchmarkMethod& method : methods) {
    const std::string plain = slug_of(method.label);
    std::string slug = plain;
    for (int number = 2; contains(slugs, slug); ++number) slug = fmt::format("{}_{}", plain, number);
    slugs.push_back(slug);
  }
  return slugs;
}

std::vector<std::string> benchmark_finding_names(const std::vector<BenchmarkMethod>& methods,
                                                 const std::string& baseline, Index size_boundary) {
  const std::vector<Measure> all = measures(methods, baseline);
  std::vector<std::string> names;
  for (const SetGroup& group : set_groups(size_boundary))
    for (const Measure& measure : all)
      if (measure.is_of(group)) names.push_back(group.prefix + measure.name);
  return names;
}

std::vector<Finding> benchmark_findings(const BenchmarkRecord& record, Index size_boundary,
                                        const std::vector<std::string>& timed) {
  const std::vector<Measure> all = measures(record.methods, record.baseline);
  std::vector<Finding> findings;
  for (const SetGroup& group : set_groups(size_boundary)) {
    const std::vector<const BenchmarkSet*> sets = sets_of(group, record, size_boundary);
    if (sets.size() < kLeastSets) continue;
    const BenchmarkRecord part = part_of(record, sets);
    const GroupScores scores = group_scores(group, part);
    for (const Measure& measure : all) {
      const std::string name = group.prefix + measure.name;
      if (!measure.is_of(group) || (measure.timed && !contains(timed, name))) continue;
      Finding found = measure.find(scores);
      found.name = name;
      found.meaning = group.words + found.meaning;
      findings.push_back(std::move(found));
    }
  }
  return findings;
}

bool lacks_sets(const std::string& finding, const BenchmarkRecord& record, Index size_boundary) {
  for (const SetGroup& group : set_groups(size_boundary)) {
    const std::string rest = finding.substr(std::min(group.prefix.size(), finding.size()));
    if (finding.compare(0, group.prefix.size(), group.prefix) != 0) continue;
    const std::vector<Measure> all = measures(record.methods, record.baseline);
    if (std::any_of(all.begin(), all.end(), [&](const Measure& m) { return m.name == rest && m.is_of(group); }))
      return sets_of(group, record, size_boundary).size() < kLeastSets;
  }
  return false;
}

}  // namespace ansatz::experiments
