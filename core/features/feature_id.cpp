#include "core/features/feature_id.h"

#include <charconv>

namespace ansatz {
namespace {

constexpr std::string_view kRfm = "rfm.M";

struct Names {
  FeatureId::Kind kind;
  const char *name, *label;
};
// clang-format off
constexpr Names kNames[] = {
    {FeatureId::Kind::nfm,           "network.nfm",           "network W₁ᵀW₁"},
    {FeatureId::Kind::initial_nfm,   "network.nfm0",          "initial W₀ᵀW₀"},
    {FeatureId::Kind::agop,          "network.agop",          "network AGOP"},
    {FeatureId::Kind::centered_agop, "network.agop_centered", "network AGOP, centred"},
    {FeatureId::Kind::truth,         "truth",                 "expected AGOP of the target"},
};
// clang-format on

const Names* names_of(FeatureId::Kind kind) {
  for (const Names& names : kNames)
    if (names.kind == kind) return &names;
  return nullptr;
}

}  // namespace

std::string FeatureId::name() const {
  const Names* names = names_of(kind);
  return names ? names->name : std::string(kRfm) + std::to_string(iteration);
}

std::string FeatureId::label() const {
  const Names* names = names_of(kind);
  return names ? names->label : "RFM M, iteration " + std::to_string(iteration);
}

std::optional<FeatureId> FeatureId::named(std::string_view name) {
  for (const Names& names : kNames)
    if (name == names.name) return FeatureId{names.kind};
  if (name.substr(0, kRfm.size()) != kRfm) return std::nullopt;
  const std::string_view number = name.substr(kRfm.size());
  Index iteration = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), iteration);
  if (error != std::errc() || end != number.data() + number.size() || iteration < 0) return std::nullopt;
  return FeatureId::rfm(iteration);
}

}  // namespace ansatz
