#include <cmath>
#include <cstdlib>
#include <sstream>

#include "core/base/error.h"
#include "core/data/collections/published_results.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;

namespace {

const std::string kTable =
    "  problema   a_R  b.c_weka   d_C\tmin\tmax\tmean\tstd\n"
    "   abalone  66.1        --   7.0\t7.0\t66.1\t36.6\t41.8\n"
    "       zoo 100.0      58.1   0.0\t0.0\t100.0\t52.7\t50.2\n"
    "---------------------------------\n"
    "      mean  83.0      58.1   3.5\n"
    "       std  24.0       0.0   4.9\n";

PublishedResults read(const std::string& text) {
  const TemporaryFolder folder;
  return read_published_results(write_bytes(folder / "results.txt", text));
}

std::string refusal(const std::string& from, const std::string& to) {
  std::string text = kTable;
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  text.replace(at, from.size(), to);
  return message_of<DataError>([&] { read(text); });
}

}  // namespace

TEST_CASE("Published results: sets, methods, percentages, and what is missing") {
  const PublishedResults results = read(kTable);
  CHECK(results.sets == std::vector<std::string>{"abalone", "zoo"});
  CHECK(results.methods == std::vector<std::string>{"a_R", "b.c_weka", "d_C"});
  REQUIRE((results.accuracy.rows() == 2 && results.accuracy.cols() == 3));
  CHECK(results.accuracy(0, 0) == 66.1);
  CHECK(std::isnan(results.accuracy(0, 1)));
  CHECK(results.accuracy(0, 2) == 7.0);
  CHECK(results.accuracy(1, 0) == 100.0);
  CHECK(results.accuracy(1, 1) == 58.1);
  CHECK(results.accuracy(1, 2) == 0.0);
}

TEST_CASE("Published results: what follows the rule may be missing") {
  CHECK(read(kTable.substr(0, kTable.find("---"))).sets.size() == 2);
  CHECK(read(kTable.substr(0, kTable.find("      mean"))).sets.size() == 2);
}

TEST_CASE("Published results: damage is named by line") {
  CHECK(contains(refusal("66.1 ", "x66.1"), "results.txt: line 2: \"x66.1\", of \"a_R\", is no percentage"));
  CHECK(contains(refusal("100.0 ", "100.1 "), "line 3: \"100.1\""));
  CHECK(contains(refusal("  7.0\t", "\t"), "line 2: 7 words; the header has 8"));
  CHECK(contains(refusal("    zoo", "abalone"), "line 3: set \"abalone\" is there twice"));
  CHECK(contains(refusal("d_C", "a_R"), "line 1: method \"a_R\" is there twice"));
  CHECK(contains(refusal("\tstd\n", "\n"), "line 1: the header must be"));
  CHECK(contains(refusal("      mean", "   another"), "line 5: after the rule"));
  CHECK(contains(refusal("24.0", ""), "line 6: after the rule"));
  CHECK(contains(message_of<DataError>([] { read(""); }), "results.txt: empty"));
  CHECK(contains(message_of<DataError>([] { read(kTable.substr(0, kTable.find('\n'))); }), "no set"));
}

TEST_CASE("Published results of the real study: every column's mean is the one printed below it") {
  const char* const data = std::getenv("ANSATZ_DATA");
  const std::filesystem::path file =
      data == nullptr ? "" : std::filesystem::path(data) / "uci121" / "results" / "results.txt";
  if (!std::filesystem::is_regular_file(file)) {
    WARN("skipped: $ANSATZ_DATA/uci121/results/results.txt is not there");
    return;
  }
  const PublishedResults results = read_published_results(file);
  CHECK(results.sets.size() == 121);
  REQUIRE(results.methods.size() == 179);
  // The line of means, read here in its own way.
  const std::string text = read_bytes(file);
  std::istringstream means(text.substr(text.find(" mean ", text.find("---")) + 6));
  for (Index j = 0; j < results.accuracy.cols(); ++j) {
    double printed = 0, sum = 0;
    Index count = 0;
    means >> printed;
    for (Index i = 0; i < results.accuracy.rows(); ++i) {
      if (std::isnan(results.accuracy(i, j))) continue;
      sum += results.accuracy(i, j);
      ++count;
    }
    INFO(results.methods[static_cast<std::size_t>(j)]);
    CHECK(sum / static_cast<double>(count) == Approx(printed).margin(0.06));
  }
}
