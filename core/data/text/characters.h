// What the code points of Unicode are in words.
#pragma once

namespace ansatz {

/// Whether words consist of such characters: letters, digits and numbers, the underscore (as \w of Python), and the
/// marks that stand on letters (vowels of Indic scripts, accents of their own), which \w would split words at.
bool is_word_character(char32_t code);

/// The small letter of a capital; any other character stays as it is. Of the dotted capital I of Turkish it is i.
char32_t lower_case(char32_t code);

}  // namespace ansatz
