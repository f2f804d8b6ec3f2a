#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/files/files.h"
#include "tests/support/catch.h"
#include "viz/canvas/axis.h"
#include "viz/canvas/glyphs.h"
#include "viz/canvas/gnuplot.h"
#include "viz/canvas/text.h"

using namespace ansatz::viz;

namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> out;
  for (const Tick& tick : axis.ticks)
    if (!tick.label.empty()) out.push_back(tick.label);
  return out;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("gnuplot strings stand for exactly the text, and run nothing") {
  for (const std::string text :
       {"", "it's", "'", "''", "'; set print 'x'; '", "\"; system(\"touch x\"); \"", "`touch x`", "$x @y \\n \\", "{a",
        "a}", "a_b^c & 50% %d #k 123", "W₁ᵀW₁", "7'1", "50%4 '12a3"}) {
    const TemporaryFolder folder;
    run_gnuplot(
        "cd " + gnuplot_string(folder.path().string()) + "\nset print 'echo'\nprint " + gnuplot_string(text) + "\n",
        folder);
    CHECK(ansatz::read_file(folder.path() / "echo") == text + "\n");
    CHECK(!std::filesystem::exists(folder.path() / "x"));
  }
  CHECK(gnuplot_string("a\nset output\tb") == "\"a set output b\"");
}

TEST_CASE("numbers for people") {
  CHECK(format_number(0, 3) == "0");
  CHECK(format_number(0.953, 2) == "0.95");
  CHECK(format_number(1, 3) == "1");
  CHECK(format_number(-12.5, 3) == "−12.5");
  CHECK(format_number(9.99, 2) == "10");
  CHECK(format_number(1234, 2) == "1200");
  CHECK(format_number(0.00417, 2) == "0.0042");
  CHECK(format_number(2.51e-7, 2) == "2.5×10⁻⁷");
  CHECK(format_number(1e-5, 2) == "10⁻⁵");
  CHECK(format_number(-3e12, 2) == "−3×10¹²");
  CHECK(format_number(std::numeric_limits<double>::quiet_NaN(), 2) == "NaN");
  CHECK(format_number(-std::numeric_limits<double>::infinity(), 2) == "−∞");
}

TEST_CASE("wrap: at spaces, then anywhere, then an ellipsis, never wider than asked") {
  const std::string text = "the diagonal of the feature matrix as an image";
  for (double width : {60.0, 100.0, 200.0}) {
    std::string joined;
    for (const std::string& line : wrap(text, width, 11, false, 99)) {
      CHECK(text_width(line, 11) <= width);
      joined += (joined.empty() ? "" : " ") + line;
    }
    CHECK(joined == text);
  }
  CHECK(wrap("", 100, 11, false, 3).empty());
  CHECK(wrap("a\nb c", 100, 11, false, 3) == Strings{"a", "b c"});
  CHECK(wrap("a\tb", 100, 11, false, 3) == Strings{"a b"});
  const Strings cut = wrap(text, 60, 11, false, 2);
  REQUIRE(cut.size() == 2);
  CHECK(cut[1].find("…") != std::string::npos);
  CHECK(text_width(cut[1], 11) <= 60);
  const Strings pieces = wrap("μμμμμμμμμμμμμμμμ", 40, 11, false, 99);
  REQUIRE(pieces.size() > 1);
  for (const std::string& piece : pieces) CHECK(piece.size() % 2 == 0);  // characters stay whole
}

TEST_CASE("wrap_evenly: as many lines, the longest shorter") {
  const std::string text = "a title of some length that leaves one word alone";
  const double width = text_width("a title of some length that leaves one word", 12) + 1;
  CHECK(wrap(text, width, 12, false, 3)[1] == "alone");
  const Strings even = wrap_evenly(text, width, 12, false, 3);
  REQUIRE(even.size() == 2);
  CHECK(std::abs(text_width(even[0], 12) - text_width(even[1], 12)) < 0.35 * width);
}

TEST_CASE("linear axes: round ticks, like labels") {
  CHECK(labels(linear_axis(0, 1, 5)) == Strings{"0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(labels(linear_axis(-1.5, 1.5, 4)) == Strings{"−1", "0", "1"});
  CHECK(labels(linear_axis(0, 5, 20, true)) == Strings{"0", "1", "2", "3", "4", "5"});
  CHECK(labels(linear_axis(0, 2.2e-6, 3)) == Strings{"0", "10⁻⁶", "2×10⁻⁶"});
  CHECK(labels(linear_axis(0, 20000, 2)) == Strings{"0", "10000", "20000"});
}

TEST_CASE("log axes: decades, or 1-2-5 where there are few, and positions") {
  CHECK(labels(log_axis(1e-6, 1, 6)) == Strings{"10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "0.01", "0.1", "1"});
  CHECK(labels(log_axis(0.1, 1, 6)) == Strings{"0.1", "0.2", "0.5", "1"});
  CHECK(labels(log_axis(20, 80, 6)) == Strings{"20", "40", "50", "60", "80"});
  CHECK(labels(log_axis(1.1, 1.9, 5)).size() >= 2);
  CHECK(log_axis(1, 100, 5).position(10) == Approx(0.5));
  CHECK(linear_axis(-1, 3, 5).position(1) == Approx(0.5));
}

TEST_CASE("text that is too long loses its middle, at the ends of characters") {
  CHECK(shorten("short", 100, 10) == "short");
  const std::string name = "temperature of the first sensor, °C (größter Wert)";
  const std::string cut = shorten(name, 150, 10);
  CHECK(text_width(cut, 10) <= 150);
  CHECK(text_width(cut, 10) > 130);
  const std::size_t gap = cut.find("…");
  REQUIRE(gap != std::string::npos);
  CHECK(name.find(cut.substr(0, gap)) == 0);
  CHECK(shorten("one of two", text_width("one…two", 10) + 4, 10) == "one…two");
  const std::string tail = cut.substr(gap + std::string("…").size());
  CHECK(name.substr(name.size() - tail.size()) == tail);
  CHECK(tail.size() > 5);
  for (const double width : {0.0, 9.0, 20.0, 41.0, 60.0}) {
    const std::string ideographs = shorten("年齢年齢年齢年齢年齢", width, 10);
    CHECK((ideographs.size() - std::string("…").size()) % 3 == 0);
  }
}

TEST_CASE("characters without a glyph become boxes, all others stay") {
  const Glyphs bare(""), listed("Type 1|928-940\nTrueType|20-7e 5e74 9f60-9f70\nbroken\n");
  const std::string common = "W₁ᵀW₁ größe (cm) Łódź Αθήνα Москва r² −3×10⁻⁵ ≤ …\n";
  CHECK(with_boxes(common, bare) == common);
  CHECK(with_boxes("年齢 न", bare) == "▯▯ ▯");
  CHECK(with_boxes("年齢 न", listed) == "年齢 ▯");  // no font of a kind that is drawn has the last one
  CHECK(with_boxes("a 😀", bare) == "a ▯");
  CHECK(with_boxes("", bare).empty());
}
