// Keys that belong to another choice than the one made: a parameter of another kernel, of another optimizer.
#pragma once

#include <string>

#include "core/config/config.h"

namespace ansatz::experiments {

/// ConfigError if `section` has `key`, although `chosen` ("kernel: ntk"), which the section's key `choice` names, does
/// not use it, and `users` do. But where the key comes from another layer than the choice (Config::drop_inherited), it
/// is left out with a note.
void refuse_unused(const Config& section, const std::string& key, const std::string& choice, const std::string& chosen,
                   const std::string& users);

}  // namespace ansatz::experiments
