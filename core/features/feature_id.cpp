#include "core/features/feature_id.h"

#include <charconv>

namespace ansatz {
namespace {

constexpr std::string_view kRfm = "rfm.M";

struct Names {
  FeatureId::Of of;
  const char *name, *label;
};
constexpr Names kNames[] = {{FeatureId::Of::nfm, "network.nfm", "network W₁ᵀW₁"},
                            {FeatureId::Of::initial_nfm, "network.nfm0", "initial W₀ᵀW₀"},
                            {FeatureId::Of::agop, "network.agop", "network AGOP"},
                            {FeatureId::Of::centered_agop, "network.agop_centered", "network AGOP, centred"},
                            {FeatureId::Of::truth, "truth", "expected AGOP of the target"}};

const Names* names_of(FeatureId::Of of) {
  for (const Names& names : kNames)
    if (names.of == of) return &names;
  return nullptr;
}

}  // namespace

std::string FeatureId::name() const {
  const Names* names = names_of(of);
  return names ? names->name : std::string(kRfm) + std::to_string(iteration);
}

std::string FeatureId::label() const {
  const Names* names = names_of(of);
  return names ? names->label : "RFM M, iteration " + std::to_string(iteration);
}

std::optional<FeatureId> FeatureId::named(std::string_view name) {
  for (const Names& names : kNames)
    if (name == names.name) return FeatureId{names.of};
  if (name.substr(0, kRfm.size()) != kRfm) return std::nullopt;
  const std::string_view number = name.substr(kRfm.size());
  Index iteration = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), iteration);
  if (error != std::errc() || end != number.data() + number.size() || iteration < 0) return std::nullopt;
  return FeatureId::rfm(iteration);
}

}  // namespace ansatz
