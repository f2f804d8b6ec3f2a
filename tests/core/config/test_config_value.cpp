#include "core/base/error.h"
#include "core/config/config.h"
#include "core/config/config_value.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

/// As a program reads it.
std::string resolved() {
  const Config c = Config::from_string(
      "seed: 1e3\nrfm: {ridge: 1e-3, bandwidth: 10}\nkernel_machines: [{label: '7'}, {label: \"a b\"}]\n", "f.yaml");
  c.get("seed", 0);
  c.get("report", true);
  c.get("quoted", "true");
  c.get("widths", std::vector<Index>{1024, 512});
  c.get("names", std::vector<std::string>{"2", "x"});
  for (const char* key : {"ridge", "bandwidth", "scale"}) c.section("rfm").get(key, 0.1);
  for (const Config& one : c.list("kernel_machines")) one.require("label");
  return c.resolved_yaml();
}

}  // namespace

TEST_CASE("a resolved config as values: numbers, truth values and text keep their kind") {
  using Mapping = ConfigValue::Mapping;
  using List = ConfigValue::List;
  const auto text = [](const char* word) { return ConfigValue{std::string(word)}; };
  const ConfigValue expected{
      Mapping{{"seed", {Index{1000}}},
              {"report", {true}},
              {"quoted", text("true")},
              {"widths", {List{{Index{1024}}, {Index{512}}}}},
              {"names", {List{text("2"), text("x")}}},
              {"rfm", {Mapping{{"ridge", {0.001}}, {"bandwidth", {Index{10}}}, {"scale", {0.1}}}}},
              {"kernel_machines", {List{{Mapping{{"label", text("7")}}}, {Mapping{{"label", text("a b")}}}}}}}};
  CHECK(config_values(resolved(), "config.yaml") == expected);
  CHECK(config_values("# a comment\n" + resolved(), "config.yaml") == expected);
  CHECK_FALSE(config_values("quoted: true\n", "config.yaml") == config_values("quoted: \"true\"\n", "config.yaml"));
}

TEST_CASE("a resolved config as settings: the path that --set takes, and the value's text") {
  CHECK(settings_of(config_values(resolved(), "config.yaml")) == Settings{{"seed", "1000"},
                                                                          {"report", "true"},
                                                                          {"quoted", "true"},
                                                                          {"widths", "[1024, 512]"},
                                                                          {"names", "[2, x]"},
                                                                          {"rfm.ridge", "0.001"},
                                                                          {"rfm.bandwidth", "10"},
                                                                          {"rfm.scale", "0.1"},
                                                                          {"kernel_machines.0.label", "7"},
                                                                          {"kernel_machines.1.label", "a b"}});
}

TEST_CASE("a config that is no YAML is refused by its file's name") {
  CHECK(contains(message_of<ConfigError>([] { config_values("a: [", "run/config.yaml"); }), "run/config.yaml:1:"));
}
