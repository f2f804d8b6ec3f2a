#include "core/base/printable_text.h"
#include "tests/support/catch.h"

using ansatz::printable;

TEST_CASE("readable text stays as it is") {
  for (const char* text : {"", "plain \\ text", "runs/größe–W₁ᵀW₁.npy", "日本語", "😀", "a\xCC\x81"})
    CHECK(printable(text) == text);
}

TEST_CASE("what a terminal would obey is escaped") {
  CHECK(printable("two\nlines\tand\r") == "two\\nlines\\tand\\r");
  CHECK(printable("\x1b]0;title\x07\x1b[31mred") == "\\x1b]0;title\\x07\\x1b[31mred");
  CHECK(printable(std::string_view("a\0b\x7f", 4)) == "a\\x00b\\x7f");
  CHECK(printable("\xC2\x9B"
                  "31m") == "\\u009b31m");  // the C1 form of ESC [
  CHECK(printable("\xE2\x80\xAE"
                  "gnp.exe") == "\\u202egnp.exe");  // right to left
  CHECK(printable("\xE2\x81\xA6 \xE2\x80\xA8") == "\\u2066 \\u2028");
}

TEST_CASE("bytes that are no UTF-8 are escaped one by one") {
  CHECK(printable("caf\xE9") == "caf\\xe9");  // Latin-1
  CHECK(printable("\x9B"
                  "31m") == "\\x9b31m");
  CHECK(printable("\xC0\x8A\xE0\x80\x8A") == "\\xc0\\x8a\\xe0\\x80\\x8a");  // overlong newlines
  CHECK(printable("\xED\xA0\x80 \xF4\x90\x80\x80") == "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
  CHECK(printable("\xE2\x82") == "\\xe2\\x82");  // cut short
}
