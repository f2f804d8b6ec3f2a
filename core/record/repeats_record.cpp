#include "core/record/repeats_record.h"

namespace ansatz {

bool shown_to_people(const std::string& key) {
  const auto has = [&](const char* part) { return key.find(part) != std::string::npos; };
  return has(".test.") || has("diagonal_pearson") || has("top_eigenvector");
}

}  // namespace ansatz
