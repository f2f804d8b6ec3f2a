#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include "core/base/error.h"
#include "core/files/files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/with_environment.h"
#include "viz/plots/figures.h"

using namespace ansatz;
using namespace ansatz::viz;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

PanelCell cell(Index rows, Index columns) {
  PanelCell out;
  out.values =
      Matrix<double>::NullaryExpr(rows, columns, [](Index i, Index j) { return std::sin(0.3 * double(i * j)); });
  out.palette = Palette::diverging;
  return out;
}

Panel panel_of(std::size_t rows, std::size_t columns, Index height, Index width) {
  Panel panel;
  panel.rows.assign(rows, std::vector<PanelCell>(columns, cell(height, width)));
  return panel;
}

struct Size {
  double width = 0, height = 0;
};

Size size_stated_in(const std::string& svg) {
  const auto value = [&](const std::string& name) {
    return std::stod(svg.substr(svg.find(name + "=\"") + name.size() + 2));
  };
  return {value("width"), value("height")};
}

/// Both files are there, agree in size (the PNG has two pixels a unit), and are well formed at their ends.
Size check_files(const std::filesystem::path& stem) {
  const Image png = read_image(stem.string() + ".png");
  const std::string svg = read_file(stem.string() + ".svg");
  const Size size = size_stated_in(svg);
  CHECK(png.width == 2 * size.width);
  CHECK(png.height == 2 * size.height);
  CHECK(svg.find("</svg>") != std::string::npos);
  CHECK(svg.find("ansatz-") == std::string::npos);  // no name of a temporary file
  CHECK(svg.find(" id=") == std::string::npos);     // a page holds several
  CHECK(std::filesystem::file_size(stem.string() + ".png") > 1000);
  return size;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

bool has_color(const Image& image, int r, int g, int b) {
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    if (image.rgb[i] == r && image.rgb[i + 1] == g && image.rgb[i + 2] == b) return true;
  return false;
}

}  // namespace

TEST_CASE("panel: both files, embedded pictures, two pixels a unit") {
  const TemporaryFolder scratch;
  Panel panel = panel_of(2, 3, 8, 8);
  panel.rows[1][2] = PanelCell{};
  panel.row_labels = {"Network", "RFM"};
  draw_panel(panel, scratch.path() / "fig.one");
  check_files(scratch.path() / "fig.one");
  const std::string svg = read_file(scratch.path() / "fig.one.svg");
  CHECK(count(svg, "<image ") == 5 * 2);  // picture and colour bar; the missing cell has neither
  CHECK(count(svg, "image-rendering:pixelated") == 10);
  panel.color_bars = false;
  draw_panel(panel, scratch.path() / "fig.one");
  CHECK(count(read_file(scratch.path() / "fig.one.svg"), "<image ") == 5);
}

TEST_CASE("a figure is written in the formats asked for, and a PDF has the size of the others") {
  const TemporaryFolder scratch;
  draw_panel(panel_of(1, 2, 8, 8), scratch.path() / "fig");
  const Size size = check_files(scratch.path() / "fig");
  draw_panel(panel_of(1, 2, 8, 8), FigureFiles::named(scratch.path() / "fig.pdf"));
  const std::string pdf = read_file(scratch.path() / "fig.pdf");
  CHECK(pdf.compare(0, 5, "%PDF-") == 0);
  std::istringstream box(pdf.substr(pdf.find("/MediaBox [") + 11));
  double left = -1, bottom = -1, width = 0, height = 0;
  box >> left >> bottom >> width >> height;
  CHECK((left == 0 && bottom == 0));
  CHECK(width == Approx(0.72 * size.width).margin(1));  // whole points, of hundredths of an inch
  CHECK(height == Approx(0.72 * size.height).margin(1));
  CHECK(pdf.find("/FontFile") != std::string::npos);  // text as text, in a font that comes along
  draw_panel(panel_of(1, 1, 4, 4), FigureFiles::named(scratch.path() / "one.svg"));
  CHECK_FALSE(std::filesystem::exists(scratch.path() / "one.png"));
  CHECK_FALSE(std::filesystem::exists(scratch.path() / "fig.pdf.png"));
}

TEST_CASE("the name of a figure chooses its formats") {
  CHECK(FigureFiles::named("a/rfm.M1").path(FigureFormat::svg) == "a/rfm.M1.svg");
  CHECK(FigureFiles::named("rfm.M1").formats.size() == 2);
  CHECK(FigureFiles::named("rfm.M1.pdf").first() == "rfm.M1.pdf");
  CHECK(FigureFiles::named("x.png").formats == std::vector<FigureFormat>{FigureFormat::png});
  for (const char* other : {"x.jpg", "x.EPS", "x.PDF"}) CHECK_THROWS_AS(FigureFiles::named(other), ConfigError);
}

TEST_CASE("panel: a range stated alike for a whole row gives one colour bar") {
  const TemporaryFolder scratch;
  Panel panel = panel_of(1, 4, 8, 8);
  for (PanelCell& c : panel.rows[0]) c.low = -1, c.high = 1;
  draw_panel(panel, scratch.path() / "a");
  CHECK(count(read_file(scratch.path() / "a.svg"), "<image ") == 5);
}

TEST_CASE("panel: any shape, one cell to 8 x 4, pictures as RGB") {
  const TemporaryFolder scratch;
  const auto stem = scratch.path() / "a";
  for (const auto& [height, width] : {std::pair<Index, Index>{1, 20}, {20, 1}, {1, 1}, {32, 64}, {178, 218}}) {
    draw_panel(panel_of(1, 1, height, width), stem);
    const Size size = check_files(stem);
    CHECK(size.width < 600);
    CHECK(size.height < 600);
  }
  draw_panel(panel_of(4, 8, 12, 10), stem);
  CHECK(check_files(stem).width <= 1100);

  Panel rgb = panel_of(1, 1, 2, 2);
  rgb.rows[0][0].rgb = Image{2, 2, {200, 10, 30, 0, 0, 0, 1, 2, 3, 9, 9, 9}};
  draw_panel(rgb, stem);
  CHECK(has_color(read_image(stem.string() + ".png"), 200, 10, 30));
  CHECK(count(read_file(stem.string() + ".svg"), "<image ") == 1);
}

TEST_CASE("text is shown as it is, whatever it holds") {
  const TemporaryFolder scratch;
  const std::string nasty = "W₁ᵀW₁ a_b^2 {c} @d & <e> \"f\" 'g' `h` $i \\ 50% %g #k";
  Panel panel = panel_of(1, 1, 4, 4);
  panel.title = nasty;
  panel.rows[0][0].title = panel.note = "it's '; set output '/x'; '";
  panel.rows[0][0].captions = {"line\nbreak", "100 %"};
  draw_panel(panel, scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  for (const char* part : {"W₁ᵀW₁", "a_b^2", "{c}", "@d", "&amp;", "&lt;e>", "\"f\"", "'g'", "`h`", "$i", "\\", "50%",
                           "%g", "#k", "it's", ">line<", ">break<", "100 %"})
    CHECK_THAT(svg, Catch::Contains(part));

  BarPlot bars{"50%", "%d", "'", {"%s", "100%", nasty}, {{nasty, {}, {1, 2, 3}}}};
  draw_bars({bars}, scratch.path() / "b");
  CHECK_THAT(read_file(scratch.path() / "b.svg"), Catch::Contains("%s") && Catch::Contains("100%"));
}

TEST_CASE("lines: log axes, gaps, single points, nothing finite, several plots of equal height") {
  const TemporaryFolder scratch;
  LinePlot curve{"Training", "epoch", "loss"};
  curve.log_x = curve.log_y = true;
  curve.series = {{"network", {0, 1, 2, 3, 4}, {-1, 1, kNaN, 0.1, 0.01}}, {"RFM", {1, 2}, {0.5, 0.25}}};
  LinePlot nothing{"empty", "x", "y"};
  nothing.series = {{"none", {1, 2}, {kNaN, std::numeric_limits<double>::infinity()}}};
  LinePlot constant{"constant", "x", "y"};
  constant.series = {{"", {1}, {0.7}}};
  draw_lines({curve, nothing, constant, curve}, scratch.path() / "a");
  check_files(scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  CHECK_THAT(svg, Catch::Contains("no finite values") && Catch::Contains("network") && Catch::Contains("epoch"));
  CHECK(has_color(read_image(scratch.path() / "a.png"), 0x00, 0x72, 0xb2));
}

TEST_CASE("lines: the fixed range of y is kept") {
  const TemporaryFolder scratch;
  LinePlot plot{"", "x", "y"};
  plot.series = {{"", {0, 1}, {0.4, 0.5}}};
  plot.y_low = 0, plot.y_high = 4;
  draw_lines({plot}, scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  CHECK_THAT(svg, Catch::Contains(">4</text>"));
}

TEST_CASE("lines: insets are drawn whole, also where their places would overlap or leave the plot") {
  const TemporaryFolder scratch;
  LinePlot plot{"", "epoch", "accuracy"};
  plot.log_x = true;
  plot.series = {{"test", {1, 10, 100}, {50, 60, 99}}};
  plot.y_low = 0;
  const std::uint8_t reds[] = {201, 202, 203, 204};
  const double at[] = {1, 1.1, 99, 100};
  for (int i = 0; i < 4; ++i) {
    Image image{2, 2, std::vector<std::uint8_t>(12, 10)};
    for (std::size_t pixel = 0; pixel < 12; pixel += 3) image.rgb[pixel] = reds[i];
    plot.insets.push_back({at[i], image, "epoch " + std::to_string(i)});
  }
  draw_lines({plot, plot}, scratch.path() / "a");
  check_files(scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  CHECK(count(svg, "<image ") == 8);
  CHECK_THAT(svg, Catch::Contains("epoch 3"));
  const Image png = read_image(scratch.path() / "a.png");
  std::vector<double> areas(4);
  for (std::size_t i = 0; i < png.rgb.size(); i += 3)
    for (std::size_t k = 0; k < 4; ++k)
      if (png.rgb[i] == reds[k] && png.rgb[i + 1] == 10) areas[k] += 1;
  CHECK(areas[0] > 2 * 60 * 60);
  for (const double area : areas)
    CHECK(area == Approx(areas[0]).epsilon(0.05));  // frames cover half a pixel or a whole one
}

TEST_CASE("heat maps: every index up to 16, round ones beyond, averaged when huge") {
  const TemporaryFolder scratch;
  const Matrix<double> small = Matrix<double>::Identity(16, 16), large = Matrix<double>::Identity(900, 900);
  draw_heat_maps({{"M", small, Palette::diverging}}, scratch.path() / "a");
  check_files(scratch.path() / "a");
  std::string svg = read_file(scratch.path() / "a.svg");
  for (int i = 1; i <= 16; ++i) CHECK(count(svg, ">" + std::to_string(i) + "</text>") >= 2);
  CHECK_THAT(svg, Catch::Contains("0 is white"));
  draw_heat_maps({{"M", large, Palette::viridis}, {"M", Matrix<double>::Zero(3, 20), Palette::viridis}},
                 scratch.path() / "b");
  check_files(scratch.path() / "b");
  svg = read_file(scratch.path() / "b.svg");
  CHECK_THAT(svg, Catch::Contains("mean of 2 × 2 entries") && Catch::Contains(">800</text>"));
}

TEST_CASE("heat maps: names of rows and columns, of any script, as many as are readable") {
  const TemporaryFolder scratch;
  const std::vector<std::string> few = {"age", "größe", "年齢",
                                        "a name that is far too long for the axis of a heat map"};
  HeatMap map{"M", Matrix<double>::Identity(4, 4), Palette::diverging, few, few};
  draw_heat_maps({map, map}, scratch.path() / "a");
  check_files(scratch.path() / "a");
  std::string svg = read_file(scratch.path() / "a.svg");
  for (const char* name : {">age</text>", ">größe</text>", ">年齢</text>"}) CHECK(count(svg, name) == 4);
  CHECK_THAT(svg, Catch::Contains(">a name") && Catch::Contains("…") && Catch::Contains("heat map</text>"));
  CHECK_THAT(svg, !Catch::Contains("far too long</text>") && !Catch::Contains(">3</text>"));

  std::vector<std::string> many;
  for (int i = 0; i < 100; ++i) many.push_back("name" + std::to_string(i));
  draw_heat_maps({{"M", Matrix<double>::Identity(100, 100), Palette::diverging, many, many}}, scratch.path() / "b");
  svg = read_file(scratch.path() / "b.svg");
  CHECK_THAT(svg, Catch::Contains("one name in 3 is written") && Catch::Contains(">name99</text>"));
  CHECK_THAT(svg, !Catch::Contains(">name1</text>"));
  map.row_names.pop_back();
  CHECK_THROWS_AS(draw_heat_maps({map}, scratch.path() / "c"), DataError);
}

TEST_CASE("bars lying down: a row a name, the first on top, NaN and 0 without a bar") {
  const TemporaryFolder scratch;
  BarPlot plot{"Largest", "% of the trace", "", {"first", "second & third", "<b>"}, {{"network", {}, {50, 30, 20}}}};
  plot.series.push_back({"RFM", {}, {kNaN, 0, 100}});
  draw_row_bars({plot}, scratch.path() / "a");
  check_files(scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  CHECK_THAT(svg, Catch::Contains("second &amp; third") && Catch::Contains("&lt;b>") && Catch::Contains("RFM"));
  const Image png = read_image(scratch.path() / "a.png");
  // The lengths of the bars of a colour, a row of pixels each from the top down; the legend's boxes are shorter.
  const auto bar_rows = [&](int r, int g, int b) {
    std::vector<int> rows;
    for (int y = 0; y < png.height; ++y) {
      int length = 0, longest = 0;
      for (int x = 0; x < png.width; ++x) {
        const auto* pixel = &png.rgb[3 * static_cast<std::size_t>(y * png.width + x)];
        length = pixel[0] == r && pixel[1] == g && pixel[2] == b ? length + 1 : 0;
        longest = std::max(longest, length);
      }
      if (longest > 60) rows.push_back(longest);
    }
    return rows;
  };
  const std::vector<int> network = bar_rows(0x00, 0x72, 0xb2), rfm = bar_rows(0xd5, 0x5e, 0x00);
  REQUIRE_FALSE(network.empty());
  REQUIRE_FALSE(rfm.empty());
  CHECK(std::is_sorted(network.rbegin(), network.rend()));  // 50, 30, 20 from the top down
  CHECK(network.front() == Approx(2.5 * network.back()).epsilon(0.02));
  CHECK(*std::min_element(rfm.begin(), rfm.end()) == rfm.front());  // one bar only
  CHECK(rfm.front() == Approx(2.0 * network.front()).epsilon(0.02));
  draw_row_bars({plot, {"none", "", "", {}, {{"x", {}, {}}}}}, scratch.path() / "b");
  check_files(scratch.path() / "b");
}

TEST_CASE("bars lying down: values below 0 go to the left of a line at 0") {
  const TemporaryFolder scratch;
  const BarPlot plot{"Loadings", "loading", "", {"a", "b"}, {{"first", {}, {0.5, -0.25}}}};
  draw_row_bars({plot}, scratch.path() / "a");
  check_files(scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  CHECK_THAT(svg, Catch::Contains("a: 0.5") && Catch::Contains("b: −0.25"));
}

TEST_CASE("intervals: a row each, their values under the pointer, bounds may be missing") {
  const TemporaryFolder scratch;
  const IntervalPlot plot{
      "Differences", "points", {{"A <against> B", 0.5, 0.25, 0.75, "7 better"}, {"C", -1, kNaN, kNaN}}};
  draw_intervals(plot, scratch.path() / "a");
  check_files(scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  CHECK_THAT(svg,
             Catch::Contains("A &lt;against> B") && Catch::Contains("0.25 to 0.75") && Catch::Contains("7 better"));
  CHECK_THROWS_AS(draw_intervals({}, scratch.path() / "b"), DataError);
}

TEST_CASE("rank diagram: every method with its rank, the critical difference, and bars that join") {
  const TemporaryFolder scratch;
  RankDiagram diagram{
      "Mean rank", {"one", "two & three", "four", "five"}, {1.5, 2.25, 2.5, 3.75}, 1.25, {{0, 1, 2}, {2, 3}}};
  draw_rank_diagram(diagram, scratch.path() / "a");
  const Size two_bars = check_files(scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  for (const char* text :
       {"one  1.50", "two &amp; three  2.25", "four  2.50", "five  3.75", "critical difference 1.25"}) {
    INFO(text);
    CHECK_THAT(svg, Catch::Contains(text));
  }
  diagram.groups.clear();
  diagram.difference = kNaN;
  draw_rank_diagram(diagram, scratch.path() / "b");
  CHECK(check_files(scratch.path() / "b").height < two_bars.height);
  CHECK_THAT(read_file(scratch.path() / "b.svg"), !Catch::Contains("critical difference"));
  diagram.ranks.pop_back();
  CHECK_THROWS_AS(draw_rank_diagram(diagram, scratch.path() / "c"), DataError);
}

TEST_CASE("maps of winners: filled where clear, framed where not, nothing where nothing is known") {
  const TemporaryFolder scratch;
  WinnerMap map{"noise 0", "directions", "degree", {"1", "2"}, {"1", "10"}, {"network", "RFM & co"}, {}};
  map.cells = {{0, true, "0.91"}, {1, true, "0.82"}, {1, false, "0.73"}, {{}, false, ""}};
  map.title = "a title that is longer than a map of two columns is wide, and therefore wraps";
  draw_winner_maps({map, map, map}, scratch.path() / "a");
  check_files(scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  for (const char* text : {"RFM &amp; co", "0.91", "0.82", "0.73", "directions", "degree", "two standard errors"}) {
    INFO(text);
    CHECK_THAT(svg, Catch::Contains(text));
  }
  WinnerMap wrong = map;
  wrong.cells.pop_back();
  CHECK_THROWS_AS(draw_winner_maps({wrong}, scratch.path() / "b"), DataError);
  wrong = map;
  wrong.cells[0].winner = 2;
  CHECK_THROWS_AS(draw_winner_maps({wrong}, scratch.path() / "b"), DataError);
  CHECK_THROWS_AS(draw_winner_maps({}, scratch.path() / "b"), DataError);
  map.cells[3] = {{}, true, "none"};
  draw_winner_maps({map}, scratch.path() / "c");
  CHECK_THAT(read_file(scratch.path() / "c.svg"), Catch::Contains(">none<"));
}

TEST_CASE("names in scripts that no font has do not cover the figure, and stay as they are in the SVG") {
  const TemporaryFolder scratch;
  const std::string name = "नमस्ते ⴰⵣⵓⵍ ᠰᠠᠶᠢᠨ";
  const auto dark_pixels = [&](const std::string& category) {
    draw_row_bars({{"", "", "", {category, "b"}, {{"", {}, {1, 2}}}}}, scratch.path() / "a");
    const Image png = read_image(scratch.path() / "a.png");
    std::size_t dark = 0;
    for (std::size_t i = 0; i < png.rgb.size(); i += 3) dark += png.rgb[i] < 0x80 && png.rgb[i + 2] < 0x80;
    return dark;
  };
  CHECK(dark_pixels(name) < dark_pixels("a") + 3000);
  dark_pixels(name);
  CHECK_THAT(read_file(scratch.path() / "a.svg"), Catch::Contains(name));
}

TEST_CASE("bars: grouped, signed, and many categories") {
  const TemporaryFolder scratch;
  BarPlot plot{"Diagonal", "coordinate", "value", {}, {{"network", {}, {}}, {"RFM", {}, {}}}};
  for (int i = 0; i < 100; ++i) {
    plot.categories.push_back(std::to_string(i + 1));
    plot.series[0].y.push_back(std::sin(i));
    plot.series[1].y.push_back(i == 3 ? kNaN : 0.5);
  }
  draw_bars({plot}, scratch.path() / "a");
  check_files(scratch.path() / "a");
  const Image image = read_image(scratch.path() / "a.png");
  CHECK(has_color(image, 0x00, 0x72, 0xb2));
  CHECK(has_color(image, 0xd5, 0x5e, 0x00));
}

TEST_CASE("bars: a legend covers no part of a bar") {
  const TemporaryFolder scratch;
  const std::vector<double> network = {0.91, 0.55, 0.88, 1, 0.69, 0.68, 0.98, 0.81, 0.86};
  const std::vector<double> rfm = {0.15, 0.22, 0.09, 1, 0.08, 0.12, 0.09, 0.06, 0.06};
  draw_bars(
      {{"t", "", "y", {"a", "b", "c", "d", "e", "f", "g", "h", "i"}, {{"network", {}, network}, {"RFM M", {}, rfm}}}},
      scratch.path() / "a");
  const Image png = read_image(scratch.path() / "a.png");
  // The height of the first series' colour in each column of pixels: the same over the whole width of a bar.
  std::vector<int> heights;
  for (int x = 0; x < png.width; ++x) {
    int height = 0, tallest = 0;
    for (int y = 0; y < png.height; ++y) {
      const auto* pixel = &png.rgb[3 * static_cast<std::size_t>(y * png.width + x)];
      height = pixel[0] == 0x00 && pixel[1] == 0x72 && pixel[2] == 0xb2 ? height + 1 : 0;
      tallest = std::max(tallest, height);
    }
    heights.push_back(tallest);
  }
  int bars = 0;
  for (std::size_t x = 1; x < heights.size(); ++x) {
    bars += heights[x] > 60 && heights[x - 1] <= 60;
    if (heights[x] > 60 && heights[x - 1] > 60) CHECK(heights[x] == heights[x - 1]);
  }
  CHECK(bars == 9);
}

TEST_CASE("figures: equal input, equal bytes") {
  const TemporaryFolder scratch;
  draw_panel(panel_of(1, 2, 5, 7), scratch.path() / "a");
  draw_panel(panel_of(1, 2, 5, 7), scratch.path() / "b");
  for (const char* extension : {".png", ".svg"})
    CHECK(read_file(scratch.path() / (std::string("a") + extension)) ==
          read_file(scratch.path() / (std::string("b") + extension)));
}

TEST_CASE("figures: nothing to draw is an error") {
  const TemporaryFolder scratch;
  const auto stem = scratch.path() / "a";
  CHECK_THROWS_AS(draw_panel(Panel{}, stem), DataError);
  Panel empty;
  empty.rows = {{PanelCell{}}};
  CHECK_THROWS_AS(draw_panel(empty, stem), DataError);
  CHECK_THROWS_AS(draw_lines({}, stem), DataError);
  CHECK_THROWS_AS(draw_bars({}, stem), DataError);
  CHECK_THROWS_AS(draw_row_bars({}, stem), DataError);
  CHECK_THROWS_AS(draw_heat_maps({}, stem), DataError);
  CHECK_THROWS_AS(draw_heat_maps({HeatMap{}}, stem), DataError);
  CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("figures: a failure leaves neither pictures nor temporary files") {
  const TemporaryFolder scratch;
  const auto temporary = scratch.path() / "tmp", folder = scratch.path() / "out";
  std::filesystem::create_directory(temporary);
  std::filesystem::create_directory(folder);
  const WithEnvironment tmp("TMPDIR", temporary.string());

  CHECK_THROWS_AS(draw_panel(panel_of(1, 1, 4, 4), scratch.path() / "missing" / "a"), OutputError);
  CHECK(std::filesystem::is_empty(temporary));
  {
    const WithEnvironment path("PATH", folder.string());  // no gnuplot there
    CHECK_THROWS_AS(draw_panel(panel_of(1, 1, 4, 4), folder / "a"), Error);
    CHECK_THROWS_WITH(draw_panel(panel_of(1, 1, 4, 4), folder / "a"),
                      Catch::Contains("gnuplot") && Catch::Contains("install"));
    CHECK(std::filesystem::is_empty(folder));
  }
  {
    const auto fake = scratch.path() / "bin" / "gnuplot";
    std::filesystem::create_directory(fake.parent_path());
    write_file_atomically(fake,
                          std::string_view("#!/bin/sh\necho '         line 7: unknown terminal type' >&2\nexit 1\n"));
    std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
    const WithEnvironment path("PATH", fake.parent_path().string());
    CHECK_THROWS_WITH(draw_panel(panel_of(1, 1, 4, 4), folder / "a"), Catch::Contains("line 7: unknown terminal type"));
    CHECK(std::filesystem::is_empty(folder));
  }
  CHECK(std::filesystem::is_empty(temporary));
  const WithEnvironment nowhere("TMPDIR", (scratch.path() / "nowhere").string());
  CHECK_THROWS_AS(draw_panel(panel_of(1, 1, 4, 4), folder / "a"), OutputError);
}
