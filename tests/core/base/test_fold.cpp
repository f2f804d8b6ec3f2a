#include "core/base/fold.h"
#include "tests/support/catch.h"

using namespace ansatz;
using Lines = std::vector<std::string>;

TEST_CASE("fold: the width of text is its characters, not its bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("R² ‖x‖ ü") == 8);
  CHECK(display_width("u\xCC\x88") == 1);  // a combining diaeresis
}

TEST_CASE("fold: lines break at spaces and are no wider than they may be") {
  CHECK(folded("one two three", 80) == Lines{"one two three"});
  CHECK(folded("one two three", 13) == Lines{"one two three"});
  CHECK(folded("one two three", 12) == Lines{"one two", "three"});
  CHECK(folded("one two three", 7, 2) == Lines{"one two", "  three"});
  CHECK(folded("  key: ü² value", 8, 4) == Lines{"  key:", "    ü²", "    value"});
  CHECK(folded("", 5) == Lines{""});
}

TEST_CASE("fold: a long word stays whole, and spaces between columns stay where they are") {
  CHECK(folded("report: /a/very/long/path here", 10, 4) == Lines{"report:", "    /a/very/long/path", "    here"});
  CHECK(folded("a    b", 6) == Lines{"a    b"});
  CHECK(folded("a    b", 4) == Lines{"a", "b"});
}

TEST_CASE("fold: text is cut at characters") {
  CHECK(cut_to("abc", 3) == "abc");
  CHECK(cut_to("abcd", 3) == "ab…");
  CHECK(cut_to("ü²üü", 3) == "ü²…");
  CHECK(cut_to("abc", 0).empty());
}
