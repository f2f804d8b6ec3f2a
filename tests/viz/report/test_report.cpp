#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>

#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/record/json/repeats_json.h"
#include "core/record/json/run_record_json.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"
#include "viz/images/feature_image.h"
#include "viz/page/figure.h"
#include "viz/plots/figures.h"
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

std::string comparison(double r, double baseline, std::uint64_t seed = 3) {
  RunRecord record;
  record.experiment = "feature_comparison";
  record.name = "<b>mine</b>";
  record.seed = seed;
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
  CHECK(contains(page, "the likeness of the diagonals was learned"));
  CHECK(contains(page, "RFM M<sub>1</sub>"));
}

TEST_CASE("a report says the fitted power of the ansatz, and between how many eigenvectors an angle is") {
  RunRecord record = record_from_json(JsonValue::parse(comparison(0.9, 0.1), "metrics.json"));
  record.pairs.front().values.principal_angles_deg = {10, 20, 30};
  record.variants.resize(2);
  record.variants[0].name = "w_agop_fitted";
  record.variants[0].label = "WᵀW ~ AGOP^p, p fitted";
  record.variants[0].power = 0.314;
  record.variants[1].name = "w_w0";
  record.variants[1].label = "WᵀW ~ W₀ᵀW₀";
  const std::string page = page_of(to_json(record).dump());
  CHECK(contains(page, "WᵀW ~ AGOP<sup>p</sup>, p fitted: 0.31</td>"));
  CHECK(contains(page, "WᵀW ~ W₀ᵀW₀</td>"));
  CHECK(contains(page, "The last row is the baseline"));
  CHECK(contains(page, "the spans of the top 3 eigenvectors"));
}

TEST_CASE("a report does not praise a likeness that was there before training") {
  CHECK(contains(page_of(comparison(0.15, 0.1)), "so training added little"));
  CHECK(contains(page_of(comparison(std::nan(""), 0.1)), "so training added little"));
}

TEST_CASE("a report says why the features are of another iteration than the scores") {
  RunRecord record = record_from_json(JsonValue::parse(comparison(0.9, 0.1), "metrics.json"));
  CHECK_FALSE(contains(page_of(to_json(record).dump()), "Validation prefers"));
  record.rfm->reported = 0;
  CHECK(contains(page_of(to_json(record).dump()), "Validation prefers iteration 0 of the RFM"));
  CHECK(contains(page_of(to_json(record).dump()), "that of the first update, RFM M<sub>1</sub>"));
}

TEST_CASE("a report has what a constant comes to beside the models") {
  RunRecord record = record_from_json(JsonValue::parse(comparison(0.9, 0.1), "metrics.json"));
  CHECK_FALSE(contains(page_of(to_json(record).dump()), "best constant"));
  record.data->test_size = 7;
  record.data->constant = Metrics{std::nullopt, 4, -0.5};
  std::string page = page_of(to_json(record).dump());
  CHECK(contains(page, "<td>best constant</td><td>–</td><td>–</td><td>−0.5000</td><td>2.0000</td>"));
  CHECK(contains(page, "the mean of the training targets"));
  CHECK_FALSE(contains(page, "constant prediction"));
  record.data->test_size = 0;
  page = page_of(to_json(record).dump());
  CHECK(contains(page, "<td>best constant</td><td>–</td><td>−0.5000</td><td>–</td>"));
}

TEST_CASE("a picture that moves is still on paper") {
  const TemporaryFolder folder;
  const fs::path run = write_run(folder / "run", comparison(0.9, 0.1)), images = run / "images";
  fs::create_directories(images);
  const viz::Image dark{1, 1, {0, 0, 0}}, bright{1, 1, {255, 255, 255}};
  viz::write_animation({dark, bright}, 0.1, images / "evolution_diagonal.png");
  viz::write_png(bright, folder / "bright.png");
  const std::string page = read_bytes(viz::write_report({run}));
  CHECK(contains(page, "<img class=\"moving\" "));
  CHECK(contains(page, "<img class=\"still\" "));
  CHECK(contains(page, "base64," + base64(read_bytes(folder / "bright.png")) + "\""));
  const std::string bytes = read_bytes(images / "evolution_diagonal.png");
  write_bytes(images / "evolution_diagonal.png", bytes.substr(0, bytes.size() / 2));
  CHECK(contains(message_of<DataError>([&] { viz::write_report({run}); }), "evolution_diagonal.png: PNG is"));
}

TEST_CASE("names and configurations are text in a report, never markup") {
  const std::string page = page_of(comparison(0.9, 0.1));
  CHECK(contains(page, "<h1>&lt;b&gt;mine&lt;/b&gt;</h1>"));
  CHECK_FALSE(contains(page, "<b>mine</b>"));
  CHECK(contains(page, "seed: 1 # &lt;&amp;&gt;"));
  CHECK(page.find("<script") == page.rfind("<script"));  // our own
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
  CHECK(contains(page, "62.5 %"));
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
  CHECK(contains(page, "role=\"img\" aria-label=\"Curves of all runs\""));
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
  write_run(run / "repeat-2", comparison(0.7, 0.1, 4));
  const std::string page = read_bytes(viz::write_report({run}));
  CHECK(contains(page, "<h1>all</h1>"));
  CHECK(contains(page, "Mean ± standard deviation over 2 seeds"));
  CHECK(
      contains(page, "<td>rfm</td><td>0.0000 ± 0.0000</td><td>–</td><td>0.2500 ± 0.0000</td><td>1.0000 ± 0.0000</td>"));
  CHECK(contains(page, "RFM M<sub>1</sub></td><td>0.800 ± 0.141</td><td>0.250 ± 0.000</td><td>60.0 ± 0.0°</td>"));
  CHECK(contains(page, "R² on the rows of each part of the data; RMSE in the unit of the targets"));
  CHECK(contains(page, "<th>test R²</th><th>repeat-1</th>"));
  CHECK_FALSE(contains(page, "models.rfm.test.r2"));
  CHECK(contains(page, "<th>repeat-1</th><th>repeat-2</th>"));
  // Beside a single run.
  const fs::path single = write_run(folder / "single", comparison(0.5, 0));
  const std::string both = read_bytes(viz::write_report({run, single}, folder / "both.html"));
  CHECK(contains(both, "<td>network ~ RFM, diagonal r</td><td>0.800 ± 0.141</td><td>0.500</td>"));
}

TEST_CASE("a report has drawings inline, with words for those who do not see them") {
  const TemporaryFolder folder;
  const fs::path run = write_run(folder / "run", comparison(0.9, 0.1));
  fs::create_directories(run / "images");
  viz::draw_bars({{"", "coordinate", "share", {"1", "2"}, {{"a", {}, {1, 0.5}}}}}, run / "images" / "diagonals");
  const std::string page = read_bytes(viz::write_report({run}));
  CHECK(contains(page, "<svg class=\"drawing\" role=\"img\" aria-label=\"Bars: "));
  CHECK(contains(page, "The diagonals of the first two correlate with r = 0.900"));
  CHECK(contains(page, "<title>a\ncoordinate 2: 0.5</title>"));
  CHECK_FALSE(contains(page, "xmlns"));
}

TEST_CASE("every colour of a drawing has another on a dark page") {
  const TemporaryFolder folder;
  viz::LinePlot plot{"t", "x", "y"};
  for (int i = 0; i < 8; ++i) plot.series.push_back({std::to_string(i), {0, 1}, {0.1 * i, 1}});
  plot.insets.push_back({0.5, viz::Image{2, 2, std::vector<std::uint8_t>(12, 10)}, "inset"});
  viz::draw_lines({plot}, folder / "lines");
  viz::draw_bars({{"t", "x", "y", {"1"}, {{"a", {}, {-1}}}}}, folder / "bars");
  viz::draw_heat_maps({{"M", Matrix<double>::Identity(3, 3)}}, folder / "map");
  viz::Panel panel;
  panel.rows.resize(1, std::vector<viz::PanelCell>(1));
  panel.rows[0][0].values = Matrix<double>::Identity(3, 3);
  panel.note = "note";
  viz::draw_panel(panel, folder / "panel");
  const std::string style = viz::dark_figure_style();
  const std::regex paint("(fill|stroke)=\"(#[0-9a-f]{6})\"");
  for (const char* name : {"lines.svg", "bars.svg", "map.svg", "panel.svg"}) {
    const std::string svg = read_bytes(folder / name);
    for (std::sregex_iterator it(svg.begin(), svg.end(), paint), end; it != end; ++it) {
      INFO(name << ": " << it->str());
      CHECK(contains(style, "[" + it->str() + "] { " + it->str(1) + ": #"));
    }
  }
}

TEST_CASE("a report explains the abbreviations it uses, and the conventions of what was run") {
  const std::string all = comparison(0.9, 0.1);
  Json metrics = Json::parse(all);
  metrics["conventions"] = {
      {"distance", "|x-z|_M^2"}, {"network_loss", "mean"}, {"r2", "1 - a"}, {"k", "f"}, {"ntk", "g"}};
  const std::string page = page_of(metrics.dump());
  CHECK(contains(page, "<b>RFM</b> Recursive Feature Machine"));
  CHECK_FALSE(contains(page, "<b>NNGP</b>"));
  CHECK(contains(page, "<dt>distance</dt><dd>‖x − z‖<sub>M</sub><sup>2</sup></dd>"));
  CHECK(contains(page, "<dt>k</dt>"));
  CHECK_FALSE(contains(page, "<dt>ntk</dt>"));
  CHECK_FALSE(contains(page, "<dt>network loss</dt>"));  // there is no network
}

TEST_CASE("a report's conventions are those of the activation, the loss and the targets of the run") {
  Json metrics = Json::parse(comparison(0.9, 0.1));
  metrics["conventions"] = {{"target_scaling", "(y - mean) / sd"},
                            {"activation", "relu: max(z, 0); silu: z / (1 + exp(-z))"},
                            {"network_loss", "mse: the mean; cross_entropy: nats"},
                            {"r2", "1 - a"}};
  CHECK_FALSE(contains(page_of(metrics.dump()), "max(z, 0)"));  // there is no network
  metrics["models"]["network"] = {{"description", "3-2-1 silu, no bias, 8 parameters"},
                                  {"train", {{"mse", 0.5}, {"r2", 0.5}}}};
  const std::string page = page_of(metrics.dump());
  CHECK(contains(page, "<dt>activation</dt><dd>silu: z / (1 + exp(−z))</dd>"));
  CHECK(contains(page, "<dt>network loss</dt><dd>mse: the mean</dd>"));
  CHECK_FALSE(contains(page, "<dt>target scaling</dt>"));
  CHECK(contains(page, "<b>RMSE</b> root of the mean squared error"));  // a head of a table, between tags
}

TEST_CASE("a report's angles have one digit, also where only rounding makes them") {
  Json metrics = Json::parse(comparison(0.9, 0.1));
  metrics["comparisons"][0]["principal_angles_deg"] = {8e-15};
  const std::string page = page_of(metrics.dump());
  CHECK(contains(page, "0.0°"));
  CHECK(contains(page, "60.0°"));
  CHECK_FALSE(contains(page, "10⁻¹"));
}
