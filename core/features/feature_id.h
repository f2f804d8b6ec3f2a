// Which feature matrix of a run is meant, with its name in files and its label for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/matrix.h"

namespace ansatz {

struct FeatureId {
  enum class Kind { nfm, initial_nfm, agop, centered_agop, rfm, truth };
  Kind kind = Kind::nfm;
  Index iteration = 0;  ///< of the RFM

  static FeatureId nfm() { return {Kind::nfm}; }                  ///< W₁ᵀW₁ of the reported network
  static FeatureId initial_nfm() { return {Kind::initial_nfm}; }  ///< W₀ᵀW₀
  static FeatureId agop() { return {Kind::agop}; }                ///< of the network
  static FeatureId centered_agop() { return {Kind::centered_agop}; }
  static FeatureId rfm(Index iteration) { return {Kind::rfm, iteration}; }  ///< M_t
  static FeatureId truth() { return {Kind::truth}; }                        ///< the expected AGOP of the target

  bool operator==(const FeatureId& o) const { return kind == o.kind && iteration == o.iteration; }
  bool operator!=(const FeatureId& o) const { return !(*this == o); }

  /// In matrices/ and metrics.json: "network.nfm", "network.nfm0", "network.agop", "network.agop_centered", "rfm.M1",
  /// "truth".
  std::string name() const;
  std::string label() const;  ///< "network W₁ᵀW₁", "RFM M, iteration 1"
  /// The id with this name; none if no run has a matrix of that name.
  static std::optional<FeatureId> named(std::string_view name);
};

}  // namespace ansatz
