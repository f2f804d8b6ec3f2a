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
