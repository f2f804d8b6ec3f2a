// What the user of the program writes for the options that the libraries' errors name in backquotes
// (core/base/error.h).
#pragma once

#include <string>

#include "core/base/error.h"

namespace ansatz::experiments {

/// `out` and `resume` become --out and --resume.
void name_on_command_line(Error& error);

/// `ridge` becomes <section>.ridge. Those of the command line stay for name_on_command_line.
void name_in_section(const std::string& section, Error& error);

/// `option` alone becomes `name`; nothing if that is empty.
void name_option(const std::string& option, const std::string& name, Error& error);

/// What f() returns. Errors that it throws name options as name_in_section says; where calls lie within each other, the
/// innermost section counts.
template <class F>
auto in_section(const std::string& section, F&& f) {
  try {
    return f();
  } catch (Error& error) {
    name_in_section(section, error);
    throw;
  }
}

/// What f() returns. Errors that it throws name `option` as name_option says.
template <class F>
auto with_option_named(const std::string& option, const std::string& name, F&& f) {
  try {
    return f();
  } catch (Error& error) {
    name_option(option, name, error);
    throw;
  }
}

}  // namespace ansatz::experiments
