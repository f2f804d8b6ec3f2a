// The words of TorchScript code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ansatz::nets {

struct ScriptToken {
  enum class Kind { name, number, text, sign, line_end };
  Kind kind = Kind::line_end;
  std::string text;        ///< of a literal: without quotes
  std::size_t indent = 0;  ///< blanks before the first token of its line
};

/// Lines that go on inside brackets are one; empty lines and comments are left out. Throws DataError beginning with
/// `where` for a literal that does not end.
std::vector<ScriptToken> script_tokens(std::string_view text, const std::string& where);

}  // namespace ansatz::nets
