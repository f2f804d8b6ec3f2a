#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/record/json/repeats_json.h"
#include "core/record/json/run_record_json.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"
#include "viz/report/report.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

fs::path write_run(const fs::path& folder, const std::string& metrics) {
  fs::create_directories(folder);
  write_bytes(folder / "config.yaml", "seed: 1 # <&>\n");
  write_bytes(folder / "manifest.json", R"({"status": "finished", "start": "2026-01-02T03:04:05Z"})");
  write_bytes(folder / "metrics.json", metrics);
  return folder;
}

std::string comparison(double r, double baseline) {
  RunRecord record;
  record.experiment = "feature_comparison";
  record.name = "<b>mine</b>";
  record.seed = 3;
  record.conventions = {{"ridge", "x"}};
  record.warnings = {"rfm: worse than <nothing>"};
  record.has_headline = true;
  record.data.emplace();
  record.data->name = "d";
  record.rfm.emplace();
  record.rfm->description = "k";
  record.rfm->iterations.resize(2);
  record.rfm->iterations[1].test = Metrics{std::nullopt, 1, 0.25};
  record.rfm->reported = record.rfm->feature_iteration = 1;
  for (const auto& [a, value] : {std::pair(FeatureId::nfm(), r), std::pair(FeatureId::initial_nfm(), baseline)}) {
    record.pairs.push_back({a, FeatureId::rfm(1), {}});
    record.pairs.back().values.diagonal_pearson = value;
    record.pairs.back().values.top_eigenvector_pearson = {0.25};
    record.pairs.back().values.principal_angles_deg = {60};
  }
  return to_json(record).dump();
}

std::string page_of(const std::string& metrics) {
  const TemporaryFolder folder;
  return read_bytes(viz::write_report({write_run(folder / "run", metrics)}));
}

}  // namespace

TEST_CASE("a report says the warnings first, then the headline with its baseline") {
  const std::string page = page_of(comparison(0.9, 0.1));
  const std::size_t warning = page.find("rfm: worse than &lt;nothing&gt;"), headline = page.find("correlate with");
  REQUIRE(warning != std::string::npos);
  REQUIRE(headline != std::string::npos);
  CHECK(warning < headline);
  CHECK(contains(page, "<b>r = 0.900</b>"));
  CHECK(contains(page, "Before training the same numbers were 0.100"));
  CHECK(contains(page, "the likeness was learned"));
  CHECK(contains(page, "RFM M<sub>1</sub>"));
}

TEST_CASE("a report does not praise a likeness that was there before training") {
  CHECK(contains(page_of(comparison(0.15, 0.1)), "so training added little"));
  CHECK(contains(page_of(comparison(std::nan(""), 0.1)), "so training added little"));
}

TEST_CASE("names and configurations are text in a report, never markup") {
  const std::string page = page_of(comparison(0.9, 0.1));
  CHECK(contains(page, "<h1>&lt;b&gt;mine&lt;/b&gt;</h1>"));
  CHECK_FALSE(contains(page, "<b>mine</b>"));
  CHECK(contains(page, "seed: 1 # &lt;&amp;&gt;"));
  CHECK_FALSE(contains(page, "<script"));
  CHECK_FALSE(contains(page, "http://"));
}

TEST_CASE("a report names the features that weigh most, in each matrix") {
  const TemporaryFolder folder;
  RunRecord record = record_from_json({Json::parse(comparison(0.9, 0.1)), "m"});
  CHECK_FALSE(contains(page_of(comparison(0.9, 0.1)), "Which features weigh most"));
  record.data->dimension = 3;
  record.top_features =
      FeatureRanking{{FeatureId::nfm(), FeatureId::rfm(1)},
                     {{"<city>=\nParis", 1, {0.625, std::nan("")}, {1, 3}}, {"age", 0, {0.25, 0.5}, {2, 1}}},
                     {}};
  const std::string page = page_of(to_json(record).dump());
  CHECK(contains(page, "Which features weigh most"));
  CHECK(contains(page, "&lt;city&gt;=\\nParis"));
  CHECK(contains(page, "62.5 %"));
  CHECK(contains(page, "rank of that entry among all 3"));
  CHECK(contains(page, "listed are those"));
  CHECK_FALSE(contains(page, "variable, its columns added up"));
  record.top_features->by_column = {{"city", 1, {0.75, 0.5}, {1, 1}}};
  CHECK(contains(page_of(to_json(record).dump()), "variable, its columns added up"));
}

TEST_CASE("several runs stand side by side under their folders' names, with the settings in which they differ") {
  const TemporaryFolder folder;
  const fs::path a = write_run(folder / "x/<a>", comparison(0.9, 0.1)), b = write_run(folder / "b", comparison(0.5, 0)),
                 c = write_run(folder / "y/<a>", comparison(0.7, 0));
  write_bytes(b / "config.yaml", "seed: 2\nrfm: {iterations: 1}\n");
  write_bytes(c / "config.yaml", "seed: 1\nrfm: {iterations: 1}\n");
  const std::string page = read_bytes(viz::write_report({a, b, c}, folder / "all.html"));
  CHECK(contains(page, "3 runs side by side"));
  CHECK(contains(page, "<th>x/&lt;a&gt;</th><th>b</th><th>y/&lt;a&gt;</th>"));
  CHECK(contains(page, "<td>seed</td><td>1</td><td>2</td><td>1</td>"));
  CHECK(contains(page, "<td>rfm.iterations</td><td>–</td><td>1</td><td>1</td>"));
  CHECK(contains(page, "<td>network ~ RFM, diagonal r</td><td>0.900</td><td>0.500</td><td>0.700</td>"));
  CHECK(contains(page, "<td>initial ~ RFM, diagonal r</td><td>0.100</td><td>0.000</td><td>0.000</td>"));
  CHECK(contains(page, "<img alt=\"Curves of all runs\""));
  CHECK(contains(message_of<ConfigError>([&] { viz::write_report({a, b}); }), "say where it goes by `out`"));
}

TEST_CASE("a report of no finished run, or of a damaged one, says which") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "empty");
  CHECK(contains(message_of<DataError>([&] { viz::write_report({folder / "empty"}); }), "no finished run is there"));
  const fs::path run =
      write_run(folder / "x", R"({"schema": 1, "conventions": {}, "findings": {"list": [{"meaning": 3}]}})");
  CHECK(contains(message_of<DataError>([&] { viz::write_report({run}); }), (run / "metrics.json").string()));
  CHECK_FALSE(fs::exists(run / "report.html"));
}

TEST_CASE("a report of a run of several seeds has their means by model and comparison, then every repeat") {
  const TemporaryFolder folder;
  RepeatsRecord repeats;
  repeats.experiment = "feature_comparison";
  repeats.seeds = {3, 4};
  const fs::path run = write_run(folder / "all", to_json(repeats).dump());
  write_run(run / "repeat-1", comparison(0.9, 0.1));
  write_run(run / "repeat-2", comparison(0.7, 0.1));
  const std::string page = read_bytes(viz::write_report({run}));
  CHECK(contains(page, "<h1>all</h1>"));
  CHECK(contains(page, "Mean ± standard deviation over 2 seeds"));
  CHECK(
      contains(page, "<td>rfm</td><td>0.0000 ± 0.0000</td><td>–</td><td>0.2500 ± 0.0000</td><td>1.0000 ± 0.0000</td>"));
  CHECK(contains(page, "RFM M<sub>1</sub></td><td>0.800 ± 0.141</td><td>0.250 ± 0.000</td><td>60.0 ± 0.0°</td>"));
  CHECK(contains(page, "<p class=\"soft\">R².</p>"));
  CHECK_FALSE(contains(page, "models.rfm.test.r2"));
  CHECK(contains(page, "<th>repeat-1</th><th>repeat-2</th>"));
  // Beside a single run.
  const fs::path single = write_run(folder / "single", comparison(0.5, 0));
  const std::string both = read_bytes(viz::write_report({run, single}, folder / "both.html"));
  CHECK(contains(both, "<td>network ~ RFM, diagonal r</td><td>0.800 ± 0.141</td><td>0.500</td>"));
}
