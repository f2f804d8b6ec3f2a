// What people who come from other programs write, and what it is called here.
#pragma once

#include "core/config/config.h"

namespace ansatz::experiments {

/// For the errors at unknown keys and words of a config.
const Synonyms& synonyms();

}  // namespace ansatz::experiments
