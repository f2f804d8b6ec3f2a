#include "core/data/text/characters.h"
#include "core/data/text/ngrams.h"
#include "tests/support/catch.h"

using namespace ansatz;

using Words = std::vector<std::string>;

// What Python's str.lower and \w\w+ (scikit-learn's pattern) make of them.
TEST_CASE("texts: letters of all scripts become small ones", "[text]") {
  CHECK(lower_case("ŁÓDŹ ŠKODA ĞÜL") == "łódź škoda ğül");
  CHECK(lower_case("ΆΝΘΡΩΠΟ Ґанок Ђ Ӂ") == "άνθρωπο ґанок ђ ӂ");
  CHECK(lower_case("ViỆT ＡＢ Ꭰ") == "việt ａｂ ꭰ");
  CHECK(lower_case("\u212A\u00DF\u01C4\u01C5") == "kß\u01C6\u01C6");  // the sign of kelvin is three bytes, k is one
  CHECK(lower_case("ĸłſ 10 ×÷") == "ĸłſ 10 ×÷");
  CHECK(lower_case("\u0130ki") == "iki");  // Python adds a dot of its own, at which \w splits
  CHECK(lower_case(U'\U00010400') == U'\U00010428');
  CHECK(lower_case(U'\u0101') == U'\u0101');  // between two capitals
  CHECK(lower_case("caf\xC3") == "caf\xC3");  // cut off: as it is
}

TEST_CASE("texts: words end at the punctuation of all scripts", "[text]") {
  CHECK(words_of("你好？我很好；再见：他说") == Words{"你好", "我很好", "再见", "他说"});
  CHECK(words_of("مرحبا، كيف؟") == Words{"مرحبا", "كيف"});
  CHECK(words_of("नमस्ते।दुनिया") == Words{"नमस्ते", "दुनिया"});  // with their vowels, where \w would split
  CHECK(words_of("カタ・カナ ab\uFEFFcd ef\u200Bgh") == Words{"カタ", "カナ", "ab", "cd", "ef", "gh"});
  CHECK(words_of("ok👍🏽yes ＡＢ＠ＣＤ １２") == Words{"ok", "yes", "ａｂ", "ｃｄ", "１２"});
  CHECK(words_of("cafe\u0301 x²y a_b 5€") == Words{"cafe\u0301", "x²y", "a_b"});
}
