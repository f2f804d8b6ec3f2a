#include "core/data/text/ngrams.h"

#include <algorithm>

#include "core/data/text/characters.h"

namespace ansatz {
namespace {

/// The code point whose `bytes` bytes begin at text[at]. The text has been checked to be UTF-8; an end that is cut off
/// counts as a character of one byte.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (bytes == 1 || at + bytes > text.size()) return {lead, 1};
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) code = (code << 6) | (static_cast<unsigned char>(text[at + k]) & 0x3FU);
  return {code, bytes};
}

/// Appends the UTF-8 bytes of a code point.
void append(std::string& text, char32_t code) {
  const auto tail = [&](unsigned shift) { text += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0U | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0U | (code >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0U | (code >> 18));
    tail(12), tail(6), tail(0);
  }
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Calls take(first, last) for each run of `lengths` parts of `count`, the shortest runs first.
template <class Take>
void each_run(std::size_t count, NgramLengths lengths, Take take) {
  const auto longest = std::min(count, static_cast<std::size_t>(std::max(lengths.longest, Index{0})));
  for (auto length = static_cast<std::size_t>(std::max(lengths.shortest, Index{1})); length <= longest; ++length)
    for (std::size_t first = 0; first + length <= count; ++first) take(first, first + length);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    const char32_t small = c.bytes == 1 && c.code >= 0x80 ? c.code : lower_case(c.code);
    if (small != c.code)
      append(result, small);
    else
      result += text.substr(at, c.bytes);
    at += c.bytes;
  }
  return result;
}

std::vector<std::string> words_of(std::string_view text) {
  const std::string small = lower_case(text);
  std::vector<std::string> words;
  std::string word;
  Index characters = 0;
  const auto end_word = [&] {
    if (characters >= 2) words.push_back(word);
    word.clear();
    characters = 0;
  };
  for (std::size_t at = 0; at < small.size();) {
    const Character c = character_at(small, at);
    if (is_word_character(c.code)) {
      word += small.substr(at, c.bytes);
      ++characters;
    } else {
      end_word();
    }
    at += c.bytes;
  }
  end_word();
  return words;
}

void each_word_ngram(std::string_view text, NgramLengths lengths, const std::function<void(std::string)>& take) {
  const std::vector<std::string> words = words_of(text);
  each_run(words.size(), lengths, [&](std::size_t first, std::size_t last) {
    std::string name = words[first];
    for (std::size_t i = first + 1; i < last; ++i) name += " " + words[i];
    take(std::move(name));
  });
}

void each_character_ngram(std::string_view text, NgramLengths lengths, const std::function<void(std::string)>& take) {
  std::string small;
  for (const char c : lower_case(text))
    if (!is_space(c) || small.empty() || small.back() != ' ') small += is_space(c) ? ' ' : c;
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < small.size(); at += character_at(small, at).bytes) starts.push_back(at);
  starts.push_back(small.size());
  each_run(starts.size() - 1, lengths, [&](std::size_t first, std::size_t last) {
    take(small.substr(starts[first], starts[last] - starts[first]));
  });
}

}  // namespace ansatz
