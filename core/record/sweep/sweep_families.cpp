#include "core/record/sweep/sweep_families.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ansatz {
namespace {

constexpr const char* kLikeness = "likeness";

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The numbers between `beginning` and `end`, called by what stands there.
std::vector<SweepMember> members_between(const SweepRecord& sweep, const std::string& beginning,
                                         const std::string& end) {
  std::vector<SweepMember> members;
  for (std::size_t i = 0; i < sweep.numbers.size(); ++i) {
    const std::string& name = sweep.numbers[i];
    if (name.rfind(beginning, 0) != 0 || !ends_with(name, end) || name.size() < beginning.size() + end.size()) continue;
    members.push_back({name.substr(beginning.size(), name.size() - beginning.size() - end.size()), i});
  }
  return members;
}

std::optional<SweepFamily> scores(const SweepRecord& sweep) {
  for (const char* const split : {"test", "validation"})
    for (const auto& [metric, words] : {std::pair("accuracy", "accuracy (%)"), std::pair("r2", "R²")}) {
      std::vector<SweepMember> members =
          members_between(sweep, "models.", "." + std::string(split) + "." + std::string(metric));
      if (members.empty()) continue;
      const bool share = std::string(metric) == "accuracy";
      SweepFamily family{"scores", std::string(split) + " " + words, share ? 0.01 : 1, true, std::move(members)};
      if (!share) family.of_constant = 0;
      return family;
    }
  return std::nullopt;
}

std::optional<SweepFamily> likeness(const SweepRecord& sweep) {
  SweepFamily family{kLikeness, "network and RFM features: r", 1, true, {}};
  for (const auto& [name, label] : {std::pair("headline.diagonal_pearson", "r of diagonals"),
                                    std::pair("headline.top_eigenvector_pearson", "|r| of leading eigenvectors"),
                                    std::pair("baseline.diagonal_pearson", "r of diagonals, initial network")}) {
    const auto found = std::find(sweep.numbers.begin(), sweep.numbers.end(), name);
    if (found != sweep.numbers.end())
      family.members.push_back({label, static_cast<std::size_t>(found - sweep.numbers.begin())});
  }
  return family.members.empty() ? std::nullopt : std::optional(std::move(family));
}

std::optional<SweepFamily> findings(const SweepRecord& sweep) {
  SweepFamily family{"findings", "finding", 1, false, members_between(sweep, "findings.", "")};
  return family.members.empty() ? std::nullopt : std::optional(std::move(family));
}

}  // namespace

std::string SweepFamily::heading(const SweepMember& member) const {
  return one_scale && name != kLikeness ? member.label + ", " + title : member.label;
}

std::vector<SweepFamily> families_of(const SweepRecord& sweep) {
  std::vector<SweepFamily> families;
  for (const auto& family : {scores(sweep), likeness(sweep), findings(sweep)})
    if (family) families.push_back(*family);
  return families;
}

}  // namespace ansatz
