// The resolved config gives the same run again: read through the same calls it gives the same values and the same text.
#include <rapidcheck.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "core/config/config.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

Config config(const std::string& yaml) { return Config::from_string(yaml, "file.yaml"); }

}  // namespace

TEST_CASE("the resolved config holds every key in reading order, defaults included") {
  const Config c = config("kernel_machines: [{label: b, ridge: 1e-3}, {}]\nseed: 1e3\nrfm:\nempty: []\nsave: {}\n");
  c.get("seed", 0);
  c.get("precision", "float32");
  c.section("comparison").get("top", 3);
  c.section("comparison").get("names", std::vector<std::string>{});
  c.section("save");
  for (const Config& one : c.list("kernel_machines")) {
    one.get("label", "");
    one.get("ridge", 0.5);
    one.section("more").get("deep", true);
  }
  c.list("empty");
  c.list("absent");
  c.get("widths", std::vector<Index>{1024, 512});
  c.get_or_word("samples", 0, "all", 0, 1);
  c.get("limit", std::numeric_limits<double>::infinity());
  c.get("quoted", "true");
  CHECK(c.resolved_yaml() ==
        "seed: 1000\n"
        "precision: float32\n"
        "comparison:\n"
        "  top: 3\n"
        "save: {}\n"
        "kernel_machines:\n"
        "  - label: b\n"
        "    ridge: 0.001\n"
        "    more:\n"
        "      deep: true\n"
        "  - ridge: 0.5\n"
        "    more:\n"
        "      deep: true\n"
        "empty: []\n"
        "widths: [1024, 512]\n"
        "samples: all\n"
        "quoted: \"true\"\n");
}

TEST_CASE("what decides by its absence stays absent") {
  const Config c = config("seed: 1\n");
  CHECK_FALSE(c.has("first_layer_std"));
  c.get("first_layer_std", 1.0);
  CHECK_FALSE(c.has("network"));
  c.section("network").get("epochs", 5);
  CHECK_FALSE(c.section("rfm").present());
  c.section("rfm").get("ridge", 1.0);
  c.get("seed", 0);
  CHECK(c.resolved_yaml() == "seed: 1\n");
}

TEST_CASE("a key read twice is written once, as last read") {
  const Config c = config("a: 1\n");
  c.get("a", 0.5);
  c.get("b", 1);
  c.get("a", "x");
  c.get("b", 2);
  CHECK(c.resolved_yaml() == "a: \"1\"\nb: 2\n");
}

TEST_CASE("numbers and texts survive resolving and reading again") {
  CHECK(rc::check("double", [](double value) {
    RC_PRE(std::isfinite(value));
    const Config first = config("");
    first.get("x", value);
    const double back = config(first.resolved_yaml()).get("x", value == 1 ? 2.0 : 1.0);
    RC_ASSERT(std::memcmp(&back, &value, sizeof value) == 0);
  }));
  CHECK(rc::check("integer", [](std::int64_t value) {
    const Config first = config("");
    first.get("x", Index{value});
    RC_ASSERT(config(first.resolved_yaml()).get("x", Index{0}) == value);
  }));
  const auto text = rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  CHECK(rc::check("text", [&] {
    const std::string value = *text;
    const std::vector<std::string> list = *rc::gen::container<std::vector<std::string>>(text);
    const Config first = config("");
    first.get("x", value);
    first.get("y", list);
    const Config second = config(first.resolved_yaml());
    RC_ASSERT(second.get("x", "") == value);
    RC_ASSERT(second.get("y", std::vector<std::string>{}) == list);
    RC_ASSERT(second.resolved_yaml() == first.resolved_yaml());
  }));
  for (const std::string value : {"null", "~", "True", "no", "1e3", "-", "- a", "a: b", "#x", "'", "é", "日本", "0x1",
                                  ".5", " a", "a ", "[", "*a", "!x"}) {
    const Config first = config("");
    first.get("x", value);
    CHECK(config(first.resolved_yaml()).get("x", "fallback") == value);
  }
}

TEST_CASE("a whole config survives resolving") {
  const auto read = [](const Config& c) {
    c.get("experiment", "feature_comparison");
    c.get_at_least("seed", Index{0}, Index{0});
    const Config data = c.section("dataset");
    data.get_choice("name", "mnist", {"mnist", "arrays"});
    data.get_path("path");
    data.get_or_word("train_size", 0, "all", 0, 0);
    if (c.has("network")) {
      c.section("network").get("hidden_layers", std::vector<Index>{1024, 1024});
      c.section("network").section("optimizer").get_positive("learning_rate", 0.1);
    }
    if (c.has("rfm")) c.section("rfm").get_at_least("ridge", 1e-3, 0.0);
    for (const Config& one : c.list("kernel_machines")) one.get("label", one.get("kernel", "laplace"));
    c.section("save").get("predictions", true);
    c.finish();
    return c.resolved_yaml();
  };
  for (const std::string yaml :
       {"", "dataset: {path: data}\nnetwork: {}\n", "rfm: {ridge: 3e-7}\nkernel_machines: [{}, {kernel: ntk}]\n",
        "network: null\nseed: 12\ndataset: {train_size: all}\nkernel_machines: []\n"}) {
    const std::string once = read(config(yaml));
    CHECK(read(config(once)) == once);
  }
}
