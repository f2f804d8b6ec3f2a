#include <cmath>
#include <limits>

#include "experiments/sweeps/pictures/sweep_winners.h"
#include "tests/support/catch.h"

namespace {

using namespace ansatz;
using namespace ansatz::experiments;

/// A grid of 2 x 2 cells with three seeds each; the numbers are the R^2 of two models.
SweepRecord grid(const std::vector<std::vector<std::pair<double, double>>>& scores) {
  SweepRecord sweep;
  sweep.axes = {{{"dataset.degree"}, {{"2"}, {"1"}}}, {{"dataset.train_size"}, {{"100"}, {"400"}}}};
  sweep.numbers = {"models.network.test.r2", "models.rfm.test.r2"};
  for (std::size_t cell = 0; cell < scores.size(); ++cell) {
    SweepCell made{{cell / 2, cell % 2}, {}, {}};
    for (const auto& [network, rfm] : scores[cell]) {
      SweepRun run{made.runs.size(), SweepStatus::done, "", {network, rfm}};
      if (std::isnan(network) && std::isnan(rfm)) run = {made.runs.size(), SweepStatus::failed, "no", {}};
      made.runs.push_back(run);
    }
    sweep.cells.push_back(made);
  }
  return sweep;
}

std::vector<viz::WinnerMap> maps_of(const SweepRecord& sweep) {
  const SweepPoints points(sweep);
  return winner_maps(points, SweepPlots(points), families_of(sweep).front());
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("who is best: by the mean, clear by two paired standard errors, over what is known") {
  const SweepRecord sweep = grid({{{0.5, 0.8}, {0.5, 0.8}, {0.5, 0.81}},     // degree 2: the RFM
                                  {{0.9, 0.3}, {0.2, 0.8}, {0.6, 0.4}},      // means .567 and .5, leads of either sign
                                  {{0.1, 0.12}, {0.5, 0.52}, {0.9, 0.925}},  // varies, but the RFM always leads by .02
                                  {{kNone, kNone}, {kNone, kNone}, {0.4, 0.3}}});
  const std::vector<viz::WinnerMap> maps = maps_of(sweep);
  REQUIRE(maps.size() == 1);
  const viz::WinnerMap& map = maps.front();
  CHECK(map.models == std::vector<std::string>{"network", "rfm"});
  // The first axis of numbers is across, each ascending.
  CHECK(map.x_label == "dataset.degree");
  CHECK(map.column_names == std::vector<std::string>{"1", "2"});
  CHECK(map.row_names == std::vector<std::string>{"100", "400"});
  REQUIRE(map.cells.size() == 4);
  CHECK(map.cells[1].winner == 1);
  CHECK(map.cells[1].clear);
  CHECK(map.cells[1].text == "0.803");
  CHECK(map.cells[3].winner == 0);
  CHECK_FALSE(map.cells[3].clear);
  CHECK(map.cells[0].winner == 1);
  CHECK(map.cells[0].clear);
  CHECK(map.cells[2].winner == 0);
  CHECK_FALSE(map.cells[2].clear);  // one seed says nothing of chance
}

TEST_CASE("nobody is best where no model is better than a constant") {
  const std::vector<viz::WinnerMap> maps =
      maps_of(grid({{{-0.5, -0.01}, {-0.5, -0.02}}, {{-0.5, 0.1}, {-0.5, 0.2}}, {{0.5, 0.8}}, {{0.5, 0.8}}}));
  const viz::WinnerMap& map = maps.front();
  CHECK_FALSE(map.cells[1].winner);  // degree 2, 100 rows
  CHECK(map.cells[1].text == "none");
  CHECK(map.cells[3].winner == 1);
}

TEST_CASE("who is best needs several models, and a point without any number stays empty") {
  SweepRecord sweep = grid({{{0.5, 0.8}}, {{0.5, 0.8}}, {{0.5, 0.8}}, {{kNone, kNone}}});
  const std::vector<viz::WinnerMap> maps = maps_of(sweep);
  REQUIRE(maps.size() == 1);
  CHECK(maps.front().cells[2].text.empty());
  sweep.numbers.pop_back();
  for (SweepCell& cell : sweep.cells)
    for (SweepRun& run : cell.runs)
      if (!run.numbers.empty()) run.numbers.pop_back();
  CHECK(maps_of(sweep).empty());
}
