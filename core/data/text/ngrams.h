// The words and the runs of characters that a text consists of.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// From `shortest` to `longest` words (or characters) in a row; longest = 0: none.
struct NgramLengths {
  Index shortest = 0, longest = 0;
  bool operator==(const NgramLengths& o) const { return shortest == o.shortest && longest == o.longest; }
};

/// In lower case (core/data/text/characters.h). `text` is UTF-8.
std::string lower_case(std::string_view text);

/// The words of a UTF-8 text, in order, as scikit-learn's default pattern \w\w+ finds them: two or more letters, digits
/// or underscores; but a mark on a letter belongs to its word.
std::vector<std::string> words_of(std::string_view text);

/// Calls take(name) for each n-gram: words with single spaces between them.
void each_word_ngram(std::string_view text, NgramLengths lengths, const std::function<void(std::string)>& take);

/// Calls take(characters) for each n-gram of UTF-8 characters, where a run of spaces, tabs and line ends is one space.
void each_character_ngram(std::string_view text, NgramLengths lengths, const std::function<void(std::string)>& take);

}  // namespace ansatz
