// What a drawing's SVG has beyond its PNG.
#include <limits>
#include <string>

#include "core/files/files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "viz/plots/figures.h"

using namespace ansatz;
using namespace ansatz::viz;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("svg: bars, points and entries say their values") {
  const TemporaryFolder scratch;
  draw_bars({{"", "coordinate", "share", {"1", "2"}, {{"a < b", {}, {0.25, -1}}}}}, scratch.path() / "a");
  std::string svg = read_file(scratch.path() / "a.svg");
  CHECK_THAT(svg, Catch::Contains("<title>a &lt; b\ncoordinate 1: 0.25</title>") &&
                      Catch::Contains("<title>a &lt; b\ncoordinate 2: −1</title>"));

  LinePlot plot{"", "epoch", "loss"};
  plot.series = {{"train", {}, {}}};
  for (int i = 0; i <= 1000; ++i)
    plot.series[0].x.push_back(i), plot.series[0].y.push_back(i == 500 ? kNaN : 1.0 / (i + 1));
  draw_lines({plot}, scratch.path() / "b");
  svg = read_file(scratch.path() / "b.svg");
  CHECK_THAT(svg, Catch::Contains("<title>train\nepoch: 0\nloss: 1</title>") &&
                      Catch::Contains("<title>train\nepoch: 1000\nloss: 9.99×10⁻⁴</title>"));
  CHECK(count(svg, "<title>") < 300);  // not all of a thousand
  const std::string path =
      svg.substr(svg.find("<path d=\""), svg.find("\" fill=", svg.find("<path")) - svg.find("<path"));
  CHECK(count(path, "M") == 2);  // the gap

  draw_heat_maps({{"M", Matrix<double>::Identity(2, 2), Palette::diverging}}, scratch.path() / "c");
  CHECK(count(read_file(scratch.path() / "c.svg"), "<title>row 1, column 2: 0</title>") == 1);
}

TEST_CASE("svg: a curve ends at the edges of its plot") {
  const TemporaryFolder scratch;
  LinePlot plot{"", "", ""};
  plot.series = {{"", {0, 1, 2}, {0.5, 50, 0.5}, true}};
  plot.y_low = 0, plot.y_high = 1;
  draw_lines({plot}, scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  CHECK(count(svg, "<svg ") == 2);         // the figure, and within it the plot's area, which cuts what is beyond it
  CHECK(count(svg, "<circle ") == 2 * 2);  // no marker for the point above
}

TEST_CASE("svg: what is around values is a band along a line, and bars at markers without one") {
  const TemporaryFolder scratch;
  LinePlot plot{"", "ridge", "error"};
  plot.series = {{"a", {1, 2, 3, 4, 5}, {1, 1, 1, 1, 1}}};
  plot.series[0].low = {0.5, 0.5, kNaN, 0.5, 0.5};
  plot.series[0].high = {1.5, 1.5, kNaN, 1.5, 1.5};
  draw_lines({plot}, scratch.path() / "a");
  std::string svg = read_file(scratch.path() / "a.svg");
  CHECK(count(svg, "fill-opacity=\"0.2\"") == 1);
  const std::size_t end = svg.find("\" fill=\"#0072b2\" fill-opacity");
  const std::string band = svg.substr(svg.rfind("<path d=\"", end), end - svg.rfind("<path d=\"", end));
  CHECK(count(band, "M") == 2);  // on both sides of the gap
  CHECK(count(band, "Z") == 2);
  CHECK_THAT(svg, Catch::Contains("error: 1 ± 0.5"));

  plot.series[0].line = false;
  draw_lines({plot}, scratch.path() / "b");
  svg = read_file(scratch.path() / "b.svg");
  CHECK(count(svg, "fill-opacity=\"0.2\"") == 0);
  CHECK(count(svg, "stroke=\"#0072b2\" stroke-width=\"1.2\"") == 4);
}

TEST_CASE("svg: words stand below their values") {
  const TemporaryFolder scratch;
  LinePlot plot{"", "kernel", "error"};
  plot.x_names = {"laplace", "ntk"};
  plot.series = {{"a", {0.96, 1.96}, {3, 4}}, {"b", {1.04, 2.04}, {4, 5}}};
  draw_lines({plot}, scratch.path() / "a");
  const std::string svg = read_file(scratch.path() / "a.svg");
  CHECK_THAT(svg, Catch::Contains(">laplace</text>") && Catch::Contains(">ntk</text>"));
  CHECK_THAT(svg, Catch::Contains("<title>b\nkernel: ntk\nerror: 5</title>"));
}
