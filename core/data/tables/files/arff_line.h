// One line of an ARFF file, piece by piece.
#pragma once

#include <string>
#include <string_view>

#include "core/base/matrix.h"

namespace ansatz {

class ArffLine {
 public:
  struct Piece {
    std::string text;
    bool quoted = false;
  };

  ArffLine(std::string_view line, Index number, const std::string& label)
      : line_(line), number_(number), label_(label) {}

  Index number() const { return number_; }
  void skip_spaces();
  bool at_end() const { return at_ >= line_.size(); }
  char next() const { return at_end() ? '\0' : line_[at_]; }
  bool step_over(char c);  ///< spaces, then `c` if it stands there
  std::string_view rest() const { return line_.substr(at_); }

  /// The next name or value, after spaces: what is in quotes, or else all up to one of `stops`, without spaces at its
  /// end. In quotes a backslash stands before a quote, a backslash or a percent sign that is meant; other backslashes
  /// are themselves. DataError if the quotes never close.
  Piece piece(std::string_view stops);

  [[noreturn]] void refuse(const std::string& what) const;  ///< DataError "t.arff: line 3: what"

 private:
  Piece quoted_piece();

  std::string_view line_;
  Index number_;
  const std::string& label_;
  std::size_t at_ = 0;
};

}  // namespace ansatz
