// What the configs of the paper's experiments ask of their findings: the sentence's own bound at every size, none on
// what cannot fail, of the quantity that the paper shows.
#include <filesystem>
#include <map>
#include <optional>

#include "core/config/config.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

struct Expected {
  std::optional<double> at_least, at_most;
  std::string source;
  bool bounded() const { return at_least || at_most; }
};

std::filesystem::path path_of(const std::string& name) {
  return std::filesystem::path(ANSATZ_CONFIGS) / (name + ".yaml");
}

Config config(const std::string& name) { return Config::from_file(path_of(name)); }

std::map<std::string, Expected> expected(const Config& root) {
  std::map<std::string, Expected> found;
  for (const Config& one : root.section("findings").list("expected")) {
    Expected& entry = found[one.get("name", "")];
    if (one.has("at_least")) entry.at_least = one.get("at_least", 0.0);
    if (one.has("at_most")) entry.at_most = one.get("at_most", 0.0);
    entry.source = one.get("source", "");
  }
  return found;
}

/// "small/svhn", ... of a folder of configs/.
std::vector<std::string> configs_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(ANSATZ_CONFIGS) / folder))
    names.push_back(folder + "/" + file.path().stem().string());
  REQUIRE_FALSE(names.empty());
  return names;
}

}  // namespace

TEST_CASE("paper configs: a smaller size has the sentence's own bound, or none and says why") {
  int compared = 0;
  for (const std::string folder : {"small", "subset"})
    for (const std::string& name : configs_in(folder)) {
      std::string stem = name.substr(folder.size() + 1);
      if (stem == "depth_amplification_digits") stem = "depth_amplification_svhn";  // the set that it stands for
      const auto paper = expected(config("paper/" + stem));
      for (const auto& [finding, here] : expected(config(name))) {
        CAPTURE(name, finding, here.source);
        const auto there = paper.find(finding);
        if (there == paper.end()) {
          CHECK_FALSE(here.bounded());
          continue;
        }
        if (!here.bounded() && there->second.bounded()) {
          CHECK(contains(here.source, "the set was built to show it: no bound"));
          continue;
        }
        CHECK(here.at_least == there->second.at_least);
        CHECK(here.at_most == there->second.at_most);
        ++compared;
      }
    }
  CHECK(compared > 150);
}

TEST_CASE("paper configs: where something is expected, what differs from the paper is said") {
  for (const std::string folder : {"paper", "small", "subset"})
    for (const std::string& name : configs_in(folder)) {
      CAPTURE(name);
      const Config root = config(name);
      if (!expected(root).empty()) CHECK(root.section("findings").get("differs", "").size() > 20);
    }
  for (const std::string name : {"paper/grokking", "small/grokking"}) {
    const std::string differs = config(name).section("findings").get("differs", "");
    CHECK((contains(differs, "7 x 7") && contains(differs, "(W₁−W₀)ᵀ(W₁−W₀)")));
  }
  for (const std::string name : {"small/celeba_features", "subset/celeba_features", "small/spurious_features",
                                 "subset/spurious_features", "small/svhn", "small/simplicity_bias"})
    CHECK(contains(config(name).section("findings").get("differs", ""), "steps"));
  CHECK(contains(config("paper/depth_amplification").section("findings").get("differs", ""), "40, fitted"));
}

TEST_CASE("paper configs: no bound on what cannot fail") {
  for (const std::string name : {"paper/theory", "small/theory"}) {
    const auto of = expected(config(name));
    CHECK_FALSE(of.at("proposition1.error").bounded());
    CHECK(of.count("proposition2.polynomial_known") == 0);
  }
  for (const std::string name : {"small/svhn", "small/depth_amplification_digits"}) {
    REQUIRE(config(name).section("dataset").get("name", "") == "crowded_digits");
    for (const auto& [finding, one] : expected(config(name))) {
      CAPTURE(name, finding);
      if (contains(finding, "gain_over_laplace") || contains(finding, "gain_over_ntk") ||
          contains(finding, "gain_over_plain"))
        CHECK_FALSE(one.bounded());
    }
  }
}

TEST_CASE("paper configs: what the paper shows is judged, what stands beside it is not") {
  for (const std::string folder : {"paper", "small"}) {
    const auto simplicity = expected(config(folder + "/simplicity_bias")), svhn = expected(config(folder + "/svhn")),
               nfa = expected(config(folder + "/nfa_over_training")), theory = expected(config(folder + "/theory"));
    CHECK(simplicity.at("network_digit_share").bounded());
    CHECK_FALSE(simplicity.at("learned_digit_share").bounded());
    CHECK(svhn.at("network_center_share").bounded());
    CHECK_FALSE(svhn.at("learned_center_share").bounded());
    for (const std::string part : {"sgd", "adam"}) {
      CHECK(nfa.at(part + ".layer1.w_agop").bounded());
      CHECK_FALSE(nfa.at(part + ".layer1.w_agop_sqrt").bounded());
      CHECK(contains(nfa.at(part + ".layer1.w_agop_sqrt").source, "Science 383"));
    }
    for (const std::string limit : {"theorem1.slope", "theorem1_trained.slope", "proposition3_trained.slope",
                                    "proposition2.known_growth", "proposition2.without_growth"})
      CHECK(theory.at(limit).bounded());
  }
  for (const std::string name : {"paper/celeba_features", "small/celeba_features", "subset/celeba_features"}) {
    const auto faces = expected(config(name));
    CHECK(faces.at("smiling.top_eigenvector_pearson").at_least == 0.999);  // Fig. 1
    CHECK(faces.at("male.top_eigenvector_pearson").at_least == 0.99);      // Figs 2a, 15
    CHECK(faces.at("male.last_top_eigenvector_pearson").at_least == 0.99);
    CHECK(faces.at("male.diagonal_pearson").at_least == 0.8);  // Fig. 2b
    CHECK(faces.count("smiling.diagonal_pearson") == 0);       // in no figure
    CHECK(faces.at("male.network_eigenvalue_ratio").bounded());
    CHECK(faces.at("smiling.rfm_t_network_gain").at_least == 0);
  }
}

TEST_CASE("paper configs: depth at the last epoch where the paper interpolates, at equal errors, or at the best") {
  for (const std::string name : {"paper/depth_amplification", "small/depth_amplification",
                                 "paper/depth_amplification_x1x2", "small/depth_amplification_x1x2"}) {
    const Config network = config(name).section("network");
    CHECK(network.get("report_epoch", "") == "last");
    CHECK(network.get("batch_size", Index{0}) == 32);
    CHECK(expected(config(name)).at("network_depth_gain").at_least == 0);
  }
  CHECK(config("paper/depth_amplification_svhn").section("network").get("report_epoch", "best") == "best");
  CHECK(config("small/depth_amplification_digits").section("network").get("stop_at_train_loss", 0.0) > 0);
  CHECK(expected(config("small/depth_amplification_digits")).at("share_depth_gain").at_least == 0);
  // The same tasks with an RFM beside are trained the same way.
  for (const auto& [name, of] : {std::pair("low_rank_piecewise", "paper/depth_amplification"),
                                 std::pair("low_rank_gaussian_x1x2", "paper/depth_amplification_x1x2")}) {
    const Config here = config(name), there = config(of);
    for (const char* key : {"dimension", "input_variance", "train_size", "validation_size", "test_size"})
      CHECK(here.section("dataset").get(key, -1.0) == there.section("dataset").get(key, -2.0));
    CHECK(here.section("dataset").get("target", "a") == there.section("dataset").get("target", "b"));
    for (const char* key : {"first_layer_std", "batch_size", "epochs"})
      CHECK(here.section("network").get(key, -1.0) == there.section("network").get(key, -2.0));
    CHECK(here.section("network").get("report_epoch", "a") == there.section("network").get("report_epoch", "b"));
    CHECK(here.section("network").section("optimizer").get("learning_rate", -1.0) ==
          there.section("network").section("optimizer").get("learning_rate", -2.0));
    CHECK(here.section("network").get("hidden_layers", std::vector<Index>{}).front() ==
          there.section("network").get("hidden_layers", std::vector<Index>{}).front());
  }
}

TEST_CASE("paper configs: many templates, and an RFM without a ridge") {
  for (const std::string name : {"paper/spurious_features", "small/spurious_features", "subset/spurious_features"}) {
    const Config own = config(name).section("spurious_features");
    CHECK(own.get("templates", Index{0}) >= 10);
    CHECK_FALSE(own.section("wearing_earrings").list("narrow").empty());
  }
  for (const std::string name : {"paper/grokking", "small/grokking"}) {
    const std::vector<Config> parts = config(name).list("parts");
    REQUIRE(parts.size() == 3);
    CHECK(parts[1].section("network").get("output_scale", 1.0) > 1);
    CHECK(parts[1].section("network").get("hidden_layers", std::vector<Index>{}).front() >= 1024);
    CHECK(parts[2].get("name", "") == "ridge_free");
    CHECK(parts[2].section("rfm").get("ridge", 1.0) == 0);
    CHECK(expected(config(name)).at("star.network_grok_delay").at_least == 1.5);
  }
}
