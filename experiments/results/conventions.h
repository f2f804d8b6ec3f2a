// The conventions of docs/engine.md as sentences.
#pragma once

#include "core/record/run_record.h"

namespace ansatz::experiments {

/// The same in every metrics.json.
NamedTexts conventions();

}  // namespace ansatz::experiments
