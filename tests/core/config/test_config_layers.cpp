// Files and overrides as layers, and what unknown keys may have meant.
#include "core/base/error.h"
#include "core/config/config.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;

namespace {

Config config(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  return Config::from_string(yaml, "file.yaml", overrides);
}

std::string finish_error(const Config& c) {
  return message_of<ConfigError>([&] { c.finish(); });
}

const char* const kUnused = "is not used by kernel: ntk";

}  // namespace

TEST_CASE("a key that the choice of another layer makes useless is left out with a note") {
  const Config c = config("rfm: {kernel: laplace, bandwidth: 5}\n", {"rfm.kernel=ntk"});
  const Config rfm = c.section("rfm");
  CHECK(rfm.get("kernel", "") == "ntk");
  REQUIRE(rfm.has("bandwidth"));
  CHECK(rfm.drop_inherited("bandwidth", "kernel", kUnused));
  CHECK_FALSE(rfm.has("bandwidth"));
  CHECK(rfm.get("bandwidth", 10.0) == 10);
  CHECK(c.notes() ==
        std::vector<std::string>{
            "file.yaml:1:35: rfm.bandwidth is not used by kernel: ntk (--set rfm.kernel): it is left out"});
  CHECK(finish_error(c).empty());
  CHECK(c.resolved_yaml() == "rfm:\n  kernel: ntk\n");
}

TEST_CASE("a key written in the layer of the choice, or above it, is not left out") {
  for (const std::vector<std::string>& overrides :
       std::vector<std::vector<std::string>>{{}, {"rfm.kernel=ntk", "rfm.bandwidth=7"}, {"rfm.bandwidth=7"}}) {
    const Config c = config("rfm: {kernel: laplace, bandwidth: 5}\n", overrides);
    CHECK_FALSE(c.section("rfm").drop_inherited("bandwidth", "kernel", kUnused));
    CHECK(c.section("rfm").has("bandwidth"));
    CHECK(c.notes().empty());
  }
  const Config by_default = config("rfm: {bandwidth: 5}\n");  // no layer has chosen
  CHECK_FALSE(by_default.section("rfm").drop_inherited("bandwidth", "kernel", kUnused));
}

TEST_CASE("an included file is a layer below the file that includes it, and below the files included after it") {
  const TemporaryFolder folder;
  write_bytes(folder / "deep.yaml", "a: {value: 1}\n");
  write_bytes(folder / "base.yaml", "include: deep.yaml\na: {choice: x}\nb: {value: 2}\nc: {choice: y}\n");
  write_bytes(folder / "late.yaml", "b: {choice: z}\nc: {value: 3}\n");
  const Config c = Config::from_file(write_bytes(folder / "main.yaml", "include: [base.yaml, late.yaml]\n"));
  CHECK(c.section("a").drop_inherited("value", "choice", "is not used"));
  CHECK(c.section("b").drop_inherited("value", "choice", "is not used"));
  CHECK_FALSE(c.section("c").drop_inherited("value", "choice", "is not used"));  // written after the choice
}

TEST_CASE("a config with other values is read afresh") {
  const Config c = config("rfm: {ridge: 1, kernel: laplace}\ngrid: {rfm.ridge: [1]}\n");
  c.section("rfm").get("ridge", 0.0);
  const Config other = c.with({"rfm.ridge=2", "rfm.depth=[3]", "grid.rfm.ridge=[4, 5]"}, "cell");
  CHECK(other.section("rfm").get("ridge", 0.0) == 2);
  CHECK(other.section("grid").get("rfm.ridge", std::vector<double>{}) == std::vector<double>{4, 5});  // by its dots
  CHECK(message_of<ConfigError>([&] { other.section("rfm").get("depth", 1.0); }) ==
        "cell: rfm.depth: must be a number, is a list");
  CHECK(other.resolved_yaml() == "rfm:\n  ridge: 2\ngrid:\n  rfm.ridge: [4, 5]\n");
  CHECK(c.resolved_yaml() == "rfm:\n  ridge: 1\n");
}

TEST_CASE("values for other keys are read as they are written") {
  const Config c = config("grid: {a: [1e-3, '3', x y, true, ~, [64, 32], {k: [v]}, -, .5, \"a, b\"]}\n");
  const std::vector<std::string> values = c.section("grid").get_values("a");
  CHECK(values == std::vector<std::string>{"1e-3", "\"3\"", "\"x y\"", "true", "null", "[64, 32]", "{k: [v]}", "\"-\"",
                                           ".5", "\"a, b\""});
  CHECK(config(c.resolved_yaml()).section("grid").get_values("a") == values);
  CHECK(config("", {"x=" + values[5]}).get("x", std::vector<Index>{}) == std::vector<Index>{64, 32});
  CHECK(config("", {"x=" + values[2]}).get("x", "") == "x y");
  CHECK(c.section("grid").keys() == std::vector<std::string>{"a"});
  CHECK(c.section("none").keys().empty());
}

TEST_CASE("an unknown key is looked for elsewhere in the config") {
  const Config c = config("network: {learning_rate: 1}\n");
  c.section("network").section("optimizer").get("learning_rate", 0.1);
  CHECK(finish_error(c) ==
        "file.yaml:1:11: network.learning_rate: unknown key; did you mean network.optimizer.learning_rate?");
  const Config top = config("Weight-Decay: 1\nlist: [{rate: 1}, {rate: 2}]\n");
  top.section("network").section("optimizer").get("weight_decay", 0.1);
  for (const Config& item : top.list("list")) item.get("rate", 1);
  CHECK(finish_error(top) == "file.yaml:1:1: Weight-Decay: unknown key; did you mean network.optimizer.weight_decay?");
  const Config list = config("rate: 1\nlist: [{rate: 1}, {rate: 2}]\n");
  for (const Config& item : list.list("list")) item.get("rate", 1);
  CHECK(finish_error(list) == "file.yaml:1:1: rate: unknown key; did you mean list.0.rate?");
}

TEST_CASE("synonyms come before what is merely near") {
  const auto with_synonyms = [](const std::string& yaml) {
    const Config c = config(yaml);
    c.know({{{"lr", "optimizer.learning_rate"}}, {{"gpu", "cuda"}, {"gpu", "card"}}, {{"dropout", "there is none"}}});
    c.get("lw", 1.0);
    return c;
  };
  CHECK(finish_error(with_synonyms("lr: 1\n")) ==
        "file.yaml:1:1: lr: unknown key; did you mean optimizer.learning_rate?");
  CHECK(finish_error(with_synonyms("dropout: 0.5\n")) == "file.yaml:1:1: dropout: unknown key; there is none");
  const Config c = with_synonyms("device: gpu\n");
  CHECK(contains(message_of<ConfigError>([&] {
                   c.get_choice("device", "cpu", {"cpu", "cuda"});
                 }),
                 "is \"gpu\"; did you mean cuda?"));
  CHECK(contains(message_of<ConfigError>([&] {
                   c.get_choice("device", "cpu", {"cpu", "other"});
                 }),
                 "did you mean cpu?"));  // the synonyms' words are not among these
}
