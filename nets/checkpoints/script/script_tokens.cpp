#include "nets/checkpoints/script/script_tokens.h"

#include <cctype>

#include "core/base/error.h"

namespace ansatz::nets {
namespace {

using Kind = ScriptToken::Kind;

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Tokens {
 public:
  Tokens(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  std::vector<ScriptToken> all() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        end_line();
      } else if (c == ' ' || c == '\t' || c == '\r') {
        indent_ += line_is_empty_;
        ++at_;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        token(c);
      }
    }
    end_line();
    return std::move(tokens_);
  }

 private:
  void end_line() {
    ++at_;
    if (brackets_ > 0) return;
    if (!line_is_empty_) add(Kind::line_end, "");
    line_is_empty_ = true;
    indent_ = 0;
  }

  void add(Kind kind, std::string text) {
    tokens_.push_back({kind, std::move(text), indent_});
    line_is_empty_ = false;
  }

  void token(char c) {
    const std::size_t begin = at_;
    if (begins_name(c)) {
      while (at_ < text_.size() && (begins_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
      return add(Kind::name, std::string(text_.substr(begin, at_ - begin)));
    }
    if (is_digit(c)) {
      while (at_ < text_.size() && goes_on_number(begin)) ++at_;
      return add(Kind::number, std::string(text_.substr(begin, at_ - begin)));
    }
    if (c == '"' || c == '\'') return literal(c);
    if (c == '(' || c == '[' || c == '{') ++brackets_;
    if ((c == ')' || c == ']' || c == '}') && brackets_ > 0) --brackets_;
    ++at_;
    add(Kind::sign, std::string(1, c));
  }

  bool goes_on_number(std::size_t begin) const {
    const char c = text_[at_], before = at_ > begin ? text_[at_ - 1] : ' ';
    return is_digit(c) || c == '.' || begins_name(c) || ((c == '-' || c == '+') && (before == 'e' || before == 'E'));
  }

  void literal(char quote) {
    std::string value;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) value += text_[at_];
    }
    if (at_ >= text_.size()) throw DataError(where_ + ": a text in its code does not end; damaged");
    ++at_;
    add(Kind::text, std::move(value));
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0, indent_ = 0;
  int brackets_ = 0;
  bool line_is_empty_ = true;
  std::vector<ScriptToken> tokens_;
};

}  // namespace

std::vector<ScriptToken> script_tokens(std::string_view text, const std::string& where) {
  return Tokens(text, where).all();
}

}  // namespace ansatz::nets
