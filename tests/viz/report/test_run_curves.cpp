#include <cmath>

#include "tests/support/catch.h"
#include "tests/support/finished_run.h"
#include "viz/report/run_curves.h"

using namespace ansatz;
using ansatz::testing::finished_run;
using namespace ansatz::viz;

namespace {

RunRecord trained(double loss, std::optional<double> accuracy) {
  RunRecord record;
  record.network.emplace();
  for (Index epoch = 0; epoch < 3; ++epoch) {
    EpochRecord at;
    at.epoch = epoch;
    at.train_loss = loss / static_cast<double>(1 + epoch);
    if (epoch > 0) at.validation = Metrics{accuracy, 1, 0.5};
    record.network->epochs.push_back(at);
  }
  return record;
}

RunRecord fitted(double r2) {
  RunRecord record;
  record.rfm.emplace();
  record.rfm->iterations.resize(2);
  for (Index t = 0; t < 2; ++t) {
    record.rfm->iterations[static_cast<std::size_t>(t)].iteration = t;
    record.rfm->iterations[static_cast<std::size_t>(t)].test = Metrics{std::nullopt, 1, r2 + static_cast<double>(t)};
  }
  return record;
}

}  // namespace

TEST_CASE("curves of several runs: a line a run, of several seeds the mean where all have it") {
  RunRecord longer = trained(4, 0.5);
  longer.network->epochs.push_back({3, 1, std::nullopt, std::nullopt, 0});
  const std::vector<LinePlot> plots =
      curves_of_runs({finished_run("a", {trained(2, 0.7), longer}), finished_run("b", {trained(1, 0.9)}),
                      finished_run("c", {fitted(0.1)})});
  REQUIRE(plots.size() == 3);
  CHECK(plots[0].title == "Network, training loss");
  REQUIRE(plots[0].series.size() == 3);  // each run keeps its colour in every plot
  CHECK(plots[0].series[0].label == "a");
  CHECK(plots[0].series[0].x == std::vector<double>{0, 1, 2});
  CHECK(plots[0].series[0].y == std::vector<double>{3, 1.5, 1});
  CHECK(std::isnan(plots[0].series[2].y.at(0)));
  CHECK(plots[1].title == "Network, validation accuracy");
  CHECK(plots[1].series[0].y.at(0) == Approx(60));
  CHECK(plots[1].series[0].x == std::vector<double>{1, 2});
  CHECK(plots[2].title == "RFM, test R²");
  CHECK(plots[2].series[2].y == std::vector<double>{0.1, 1.1});
}

TEST_CASE("curves of classification beside regression are R², without validation rows those of training") {
  const std::vector<LinePlot> mixed =
      curves_of_runs({finished_run("a", {trained(2, 0.7)}), finished_run("b", {trained(1, std::nullopt)})});
  CHECK(mixed[1].title == "Network, validation R²");
  CHECK(mixed[1].series[0].y.at(0) == 0.5);
  RunRecord plain = trained(1, 0.5);
  for (EpochRecord& epoch : plain.network->epochs) {
    epoch.validation.reset();
    epoch.train = Metrics{0.25, 1, 0};
  }
  CHECK(curves_of_runs({finished_run("a", {plain})})[1].title == "Network, training accuracy");
  CHECK(curves_of_runs({finished_run("a", {RunRecord{}})}).empty());
}
