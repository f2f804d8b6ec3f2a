// What the text in a cell of a table means: a number, nothing, or something else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ansatz {

class CellFormat {
 public:
  struct Options {
    char decimal = '.';
    std::vector<std::string> missing_values;  ///< further spellings of missing
    bool default_missing_values = true;       ///< whether default_missing_values() count, too
  };

  CellFormat() : CellFormat(Options()) {}
  explicit CellFormat(Options options);

  /// Whether the cell is empty, is one of default_missing_values() (the words that pandas takes as missing, such as NA,
  /// NaN, null, None, #N/A, and "?"), or is one of options.missing_values, by its text or, if it is a number, its
  /// value.
  bool is_missing(std::string_view cell) const;

  /// The number, if the whole cell is one ("+1.5", "-2e3", "inf"). The minus sign may be U+2212, and spaces around it
  /// do not count. A number that is too large is infinite. Never NaN.
  std::optional<double> number(std::string_view cell) const;

  /// If the cell is a number in a spelling that is not read, the name of that spelling ("a percentage", "a number with
  /// a decimal comma"), else "".
  std::string other_spelling(std::string_view cell) const;

  char decimal() const { return options_.decimal; }
  const Options& options() const { return options_; }

 private:
  Options options_;
  std::vector<double> missing_numbers_;
};

const std::vector<std::string>& default_missing_values();

/// If all texts are numbers followed by the same text ("12 kg", "5 kg"), that text; else "".
std::string common_unit(const std::vector<std::string>& texts);

/// True if every text looks like a date or a time of day ("2020-01-31", "31.12.20 10:30").
bool are_dates(const std::vector<std::string>& texts);

/// For messages: in double quotes, control bytes as \x1b, long texts cut short.
std::string in_quotes(std::string_view cell);

/// What a text holds that hardly shows and makes it differ from one that looks the same: "a no-break space", "a space
/// at an end", "an accent as a character of its own"; "" if nothing.
std::string hidden_characters(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace ansatz
