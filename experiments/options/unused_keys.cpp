#include "experiments/options/unused_keys.h"

namespace ansatz::experiments {

void refuse_unused(const Config& section, const std::string& key, const std::string& choice, const std::string& chosen,
                   const std::string& users) {
  const std::string why = "is not used by " + chosen;
  if (!section.has(key) || section.drop_inherited(key, choice, why)) return;
  section.fail(key, why + ", but by " + users);
}

}  // namespace ansatz::experiments
