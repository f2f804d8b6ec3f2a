#include "core/base/shell_word.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("a word is quoted where a shell would not take it as it is") {
  CHECK(shell_word("runs/first-2.b") == "runs/first-2.b");
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("größe") == "'größe'");
  for (const char* word : {"", "a#b", "a&b", "$a", "*", "[a]", "~", "a\nb"}) {
    INFO(word);
    CHECK(shell_word(word) == "'" + std::string(word) + "'");
  }
}
