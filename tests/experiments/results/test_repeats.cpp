#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "experiments/results/repeats.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
using namespace ansatz::experiments;
namespace fs = std::filesystem;

namespace {

struct Runs {
  TemporaryFolder folder;
  std::vector<fs::path> paths;

  void add(const std::string& metrics) {
    paths.push_back(folder / ("repeat-" + std::to_string(paths.size() + 1)));
    fs::create_directory(paths.back());
    write_bytes(paths.back() / "metrics.json", metrics);
  }
};

std::string comparison(int seed, double mse, const std::string& r) {
  return R"({"schema": 1, "experiment": "feature_comparison", "conventions": {}, "seed": )" + std::to_string(seed) +
         R"(, "models": {"rfm": {"test": {"mse": )" + std::to_string(mse) +
         R"(}}}, "comparisons": [{"a": "x", "b": "y", "diagonal_pearson": )" + r +
         R"(, "matrix_pearson": 1, "off_diagonal_pearson": 1, "cosine": 1, "top_eigenvector_pearson": []}]})";
}

}  // namespace

TEST_CASE("repeats: the mean and the sample deviation of every number") {
  Runs runs;
  runs.add(comparison(4, 1, "0.5"));
  runs.add(comparison(5, 2, "0.7"));
  runs.add(comparison(6, 6, "null"));  // not finite in that run: it is missing
  const Json json = summarize_repeats(runs.paths);
  CHECK(json.at("repeats") == 3);
  CHECK(json.at("seeds") == Json({4, 5, 6}));
  const Json& mse = json.at("summary").at("models.rfm.test.mse");
  CHECK(mse.at("mean").get<double>() == Approx(3));
  CHECK(mse.at("sd").get<double>() == Approx(std::sqrt((4 + 1 + 9) / 2.0)));
  CHECK(mse.at("values") == Json({1.0, 2.0, 6.0}));
  CHECK(json.at("summary").at("comparisons.x~y.diagonal_pearson").at("values").size() == 2);
  const std::string table = repeats_table(json);
  CHECK(contains(table, "over 3 runs"));
  CHECK(contains(table, "3.0000 ± 2.6458"));
  CHECK_FALSE(contains(table, "matrix_pearson"));
}

TEST_CASE("repeats: findings over runs, NaN where a run has none") {
  Runs runs;
  const auto findings = [](const std::string& name, double value) {
    return R"({"schema": 1, "experiment": "low_rank", "conventions": {}, "seed": 1, "findings": {"list": [{"name": ")" +
           name + R"(", "meaning": "m", "value": )" + std::to_string(value) + R"(, "at_least": 0.5, "holds": true}]}})";
  };
  runs.add(findings("a", 0.9));
  runs.add(findings("a", 0.2));
  const Json mean = summarize_repeats(runs.paths).at("findings").at("list").at(0);
  CHECK(mean.at("value").get<double>() == Approx(0.55));
  CHECK(mean.at("sd").get<double>() == Approx(0.7 / std::sqrt(2.0)));
  CHECK(mean.at("holds") == true);
  runs.add(findings("b", 0.9));
  CHECK(summarize_repeats(runs.paths).at("findings").at("list").at(0).at("holds") == false);
}

TEST_CASE("repeats: a damaged run is named") {
  Runs runs;
  runs.add(comparison(4, 1, "0.5"));
  runs.add(R"({"schema": 1, "models": 3})");
  CHECK(contains(message_of<DataError>([&] { summarize_repeats(runs.paths); }), "repeat-2"));
}
