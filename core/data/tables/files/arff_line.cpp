#include "core/data/tables/files/arff_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace ansatz {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t'; }

}  // namespace

void ArffLine::skip_spaces() {
  while (!at_end() && is_space(line_[at_])) ++at_;
}

bool ArffLine::step_over(char c) {
  skip_spaces();
  if (next() != c || at_end()) return false;
  ++at_;
  return true;
}

ArffLine::Piece ArffLine::piece(std::string_view stops) {
  skip_spaces();
  if (next() == '\'' || next() == '"') return quoted_piece();
  const std::size_t end = std::min(line_.find_first_of(stops, at_), line_.size());
  std::size_t last = end;
  while (last > at_ && is_space(line_[last - 1])) --last;
  const std::string_view text = line_.substr(at_, last - at_);
  at_ = end;
  return {std::string(text), false};
}

ArffLine::Piece ArffLine::quoted_piece() {
  const char quote = line_[at_++];
  Piece piece{"", true};
  for (; !at_end() && line_[at_] != quote; ++at_) {
    const char following = at_ + 1 < line_.size() ? line_[at_ + 1] : '\0';
    if (line_[at_] == '\\' && std::string_view("'\"\\%").find(following) != std::string_view::npos) ++at_;
    piece.text += line_[at_];
  }
  if (at_end()) refuse(fmt::format("a quote ({}) never closes; inside quotes write \\{}", quote, quote));
  ++at_;
  return piece;
}

void ArffLine::refuse(const std::string& what) const {
  throw DataError(fmt::format("{}: line {}: {}", label_, number_, what));
}

}  // namespace ansatz
