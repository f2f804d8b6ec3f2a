#include "core/base/fold.h"
#include "core/base/text_table.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

const std::vector<TextColumn> kColumns = {{"what", true}, {"r", false}, {"r²", false, 1}, {"angle", false, 2}};
const std::vector<std::vector<std::string>> kRows = {{"network W₁ᵀW₁ ~ RFM M, iteration 1", "0.5", "0.25", "3.0"},
                                                     {"short", "−1.000", "1", "10.0"}};

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0, begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    widest = std::max(widest, display_width(std::string_view(text).substr(begin, end - begin)));
  return widest;
}

}  // namespace

TEST_CASE("text table: columns as wide as their contents, numbers to the right") {
  CHECK(text_table(kColumns, kRows, 0) ==
        "what                                     r    r²  angle\n"
        "network W₁ᵀW₁ ~ RFM M, iteration 1     0.5  0.25    3.0\n"
        "short                               −1.000     1   10.0\n");
}

TEST_CASE("text table: at every width words break before columns go, and no line is wider") {
  CHECK(text_table(kColumns, kRows, 55) == text_table(kColumns, kRows, 0));
  const std::string narrow = text_table(kColumns, kRows, 45);
  CHECK(narrow ==
        "what                           r    r²  angle\n"
        "network W₁ᵀW₁ ~ RFM M,       0.5  0.25    3.0\n"
        "  iteration 1\n"
        "short                     −1.000     1   10.0\n");
  CHECK(text_table(kColumns, kRows, 35) ==
        "what                        r    r²\n"
        "network W₁ᵀW₁ ~ RFM       0.5  0.25\n"
        "  M, iteration 1\n"
        "short                  −1.000     1\n"
        "(a wider terminal also shows: angle)\n");
  for (std::size_t width = 36; width < 60; ++width) CHECK(widest_line(text_table(kColumns, kRows, width)) <= width);
}
