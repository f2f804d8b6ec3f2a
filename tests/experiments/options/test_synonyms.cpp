// What people bring from elsewhere is answered with the key that is meant; keys of another layer's kernel are left out.
#include <filesystem>

#include "core/base/error.h"
#include "experiments/options/options.h"
#include "experiments/options/synonyms.h"
#include "experiments/options/tune_options.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

const char* const kWhole =
    "dataset: {name: fashion_mnist}\nnetwork: {}\nrfm: {}\nkernel_machines: [{label: a}]\ncomparison: {}\n";

std::vector<std::string> notes_of(const Config& root) {
  root.know(synonyms());
  parse_tune(root, parse_feature_comparison(root, parse_common(root, "test")));
  root.finish();
  return root.notes();
}

std::string failure(const std::vector<std::string>& overrides) {
  return message_of<ConfigError>([&] { notes_of(Config::from_string(kWhole, "test.yaml", overrides)); });
}

}  // namespace

TEST_CASE("synonyms: every one leads to a key that there is") {
  CHECK(failure({"rfm.no_such_key=null"}).find("unknown key") != std::string::npos);  // else this test sees nothing
  for (const auto& [word, meant] : synonyms().keys) {
    const std::string key = meant.substr(0, meant.find(':'));
    CAPTURE(word, meant);
    CHECK_THAT(failure({key + "=null"}), !Catch::Contains("unknown key"));
    CHECK_THAT(failure({word + "=1"}), Catch::Contains(word + ": unknown key; did you mean " + meant + "?"));
  }
  for (const auto& [word, sentence] : synonyms().absent)
    CHECK_THAT(failure({"network." + word + "=1"}), Catch::Contains(word + ": unknown key; " + sentence));
}

TEST_CASE("synonyms: keys in the wrong place and words of other programs") {
  CHECK_THAT(failure({"network.learning_rate=0.1"}), Catch::Contains("did you mean network.optimizer.learning_rate?"));
  CHECK_THAT(failure({"lr=0.1"}), Catch::Contains("did you mean network.optimizer.learning_rate?"));
  CHECK_THAT(failure({"epochs=5"}), Catch::Contains("did you mean network.epochs?"));
  CHECK_THAT(failure({"network.weight-decay=5"}), Catch::Contains("did you mean network.optimizer.weight_decay?"));
  CHECK_THAT(failure({"gpu=true"}), Catch::Contains("did you mean device: cuda?"));
  CHECK_THAT(failure({"device=gpu"}), Catch::Contains("did you mean cuda?"));
  CHECK_THAT(failure({"rfm.kernel=rbf"}), Catch::Contains("did you mean gaussian?"));
  CHECK_THAT(failure({"precision=double"}), Catch::Contains("did you mean float64?"));
  CHECK_THAT(failure({"network.activation=swish"}), Catch::Contains("did you mean silu?"));
  CHECK_THAT(failure({"network.loss=ce"}), Catch::Contains("did you mean cross_entropy?"));
  CHECK_THAT(failure({"rfm.bandwith=1"}), Catch::Contains("did you mean bandwidth?"));
}

TEST_CASE("options: the quickstart takes another kernel and another optimizer") {
  const auto quickstart = [](const std::vector<std::string>& overrides) {
    return Config::from_file(std::filesystem::path(ANSATZ_CONFIGS) / "quickstart.yaml", overrides);
  };
  CHECK(notes_of(quickstart({})).empty());
  const Config ntk = quickstart({"rfm.kernel=ntk"});
  const std::vector<std::string> notes = notes_of(ntk);
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], Catch::Contains("rfm.bandwidth is not used by kernel: ntk (--set rfm.kernel): it is left out"));
  CHECK(notes_of(Config::from_string(ntk.resolved_yaml())).empty());  // config.yaml has no key that was left out
  const std::vector<std::string> adam = notes_of(quickstart({"network.optimizer.name=adam"}));
  REQUIRE(adam.size() == 1);
  CHECK_THAT(adam[0], Catch::Contains("network.optimizer.momentum is not used by optimizer adam"));
  CHECK_THAT(failure({"rfm.kernel=ntk", "rfm.bandwidth=3"}), Catch::Contains("rfm.bandwidth: is not used by"));
  CHECK_THAT(failure({"network.optimizer={name: adam, momentum: 0.9}"}),
             Catch::Contains("network.optimizer.momentum: is not used by optimizer adam, but by optimizer sgd"));
}
