#include <vector>

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using ansatz::ConfigError;
using ansatz::DataError;
using ansatz::Error;

namespace {

std::string renamed(const std::string& message) {
  DataError error(message);
  error.rename_options([](std::string_view name) { return "<" + std::string(name) + ">"; });
  return error.what();
}

}  // namespace

TEST_CASE("names of options in an error's message become others") {
  CHECK(renamed("`ridge` must be positive") == "<ridge> must be positive");
  CHECK(renamed("list it in `categorical` or `ignore_columns`") == "list it in <categorical> or <ignore_columns>");
  CHECK(renamed("lower `optimizer.learning_rate`") == "lower <optimizer.learning_rate>");
  CHECK(renamed("`a``b`") == "<a><b>");
}

TEST_CASE("other text in backquotes stays as it is") {
  for (const char* text : {"", "no names here", "see `ansatz plan CONFIG`", "must hold `key: value` lines", "``", "`",
                           "`name", "name`", "`W1`", "`Ridge`", "it was `seed: 1`, now it is `seed: 2`"})
    CHECK(renamed(text) == text);
  CHECK(renamed("`key: value` lines, or `ridge`") == "`key: value` lines, or <ridge>");
  CHECK(renamed("cell a`b; set `missing`") == "cell a`b; set <missing>");
}

TEST_CASE("a name may stay as it is, too") {
  ConfigError error("`one` and `other`");
  std::vector<std::string> asked;
  error.rename_options([&](std::string_view name) {
    asked.emplace_back(name);
    return name == "one" ? "section.one" : "`" + std::string(name) + "`";
  });
  CHECK(error.what() == std::string("section.one and `other`"));
  CHECK(asked == std::vector<std::string>{"one", "other"});
}

TEST_CASE("an error that is renamed on its way keeps its type and its exit code") {
  const auto rename_and_pass_on = [] {
    try {
      throw ansatz::MemoryError("lower `rows`");
    } catch (Error& error) {
      error.rename_options([](std::string_view name) { return "data." + std::string(name); });
      throw;
    }
  };
  CHECK(message_of<ansatz::MemoryError>(rename_and_pass_on) == "lower data.rows");
  try {
    rename_and_pass_on();
  } catch (const Error& error) {
    CHECK(error.exit_code() == 4);
  }
}
