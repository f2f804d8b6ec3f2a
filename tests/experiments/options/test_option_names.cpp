#include "experiments/options/option_names.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;

TEST_CASE("options that an error names are those of the section in which it arose") {
  CHECK(in_section("dataset", [] { return 3; }) == 3);
  const auto fail = [] { throw DataError("set `missing` to drop, or list it in `ignore_columns`"); };
  CHECK(message_of<DataError>([&] { in_section("dataset", fail); }) ==
        "set dataset.missing to drop, or list it in dataset.ignore_columns");
  CHECK(message_of<DataError>([&] { in_section("network", [&] { in_section("dataset", fail); }); }) ==
        "set dataset.missing to drop, or list it in dataset.ignore_columns");
}

TEST_CASE("options of the command line belong to no section") {
  const std::string message = message_of<Interrupted>([] {
    try {
      in_section("network", [] { throw Interrupted("go on with `resume`, choose another `out`, or lower `epochs`"); });
    } catch (Error& error) {
      CHECK(contains(error.what(), "`resume`"));
      name_on_command_line(error);
      throw;
    }
  });
  CHECK(message == "go on with --resume, choose another --out, or lower network.epochs");
}

TEST_CASE("a single option may have a name of its own") {
  const auto fail = [] { throw ConfigError("`layer_names`: must list them; `train` is false"); };
  const auto named = [&](const std::string& name) {
    return message_of<ConfigError>(
        [&] { in_section("network", [&] { with_option_named("layer_names", name, fail); }); });
  };
  CHECK(named("c.yaml:3:5: network.layer_names") ==
        "c.yaml:3:5: network.layer_names: must list them; network.train is false");
  CHECK(named("") == "network.layer_names: must list them; network.train is false");
}
