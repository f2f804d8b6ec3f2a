#include "experiments/results/tuning_table.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

TuningRecord two_axes() {
  TuningRecord tuning;
  tuning.axes = {{"rfm.bandwidth", {"5", "10", "20"}}, {"rfm.ridge", {"0.001"}, true}};
  tuning.cells = {{{"5", "0.001"}, Metrics{std::nullopt, 311.43, 0.5}, "", 0.5},
                  {{"10", "0.001"}, Metrics{std::nullopt, 308.5, 0.6}, "", 1.25},
                  {{"20", "0.001"}, Metrics{std::nullopt, 320.25, 0.4}, "", 0.25}};
  tuning.chosen = 1;
  return tuning;
}

}  // namespace

TEST_CASE("tuning table: columns as wide as their contents, so that two keys fit 60 columns") {
  CHECK(tuning_table(two_axes(), 60) ==
        "\n"
        "rfm.bandwidth  rfm.ridge  val. MSE  seconds\n"
        "5              0.001        311.43     0.50\n"
        "10             0.001         308.5     1.25  chosen\n"
        "20             0.001        320.25     0.25\n");
}

TEST_CASE("tuning table: where it is too wide, the seconds go first") {
  const std::string text = tuning_table(two_axes(), 46);
  CHECK_THAT(text, Catch::Contains("10             0.001         308.5  chosen\n"));
  CHECK_THAT(text, Catch::Contains("(a wider terminal also shows: seconds)"));
}
