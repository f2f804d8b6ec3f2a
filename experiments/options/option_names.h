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

/// What f() returns. An Error that it throws is first given to `rename`.
template <class Rename, class F>
auto with_errors_renamed(Rename&& rename, F&& f) {
  try {
    return f();
  } catch (Error& error) {
    rename(error);
    throw;
  }
}

/// By name_in_section. Where calls lie within each other, the innermost section counts.
template <class F>
auto in_section(const std::string& section, F&& f) {
  return with_errors_renamed([&](Error& error) { name_in_section(section, error); }, f);
}

/// By name_option.
template <class F>
auto with_option_named(const std::string& option, const std::string& name, F&& f) {
  return with_errors_renamed([&](Error& error) { name_option(option, name, error); }, f);
}

}  // namespace ansatz::experiments
