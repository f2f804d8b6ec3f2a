// metrics.json of a repeated run: {"summary": {"models.rfm.test.accuracy": {mean, sd, values}, ...}}.
#pragma once

#include <string>

namespace ansatz {

/// Whether tables for people show it: test scores and how alike features are. The file holds all of them.
inline bool shown_in_summary(const std::string& key) {
  const auto has = [&](const char* part) { return key.find(part) != std::string::npos; };
  return has(".test.") || has("diagonal_pearson") || has("top_eigenvector");
}

}  // namespace ansatz
