// The code of a TorchScript module, parsed as text. It is never run.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ansatz::nets {

/// An expression of the small part of Python that torch.jit.save writes.
struct ScriptExpression {
  enum class Kind {
    name,       ///< text
    number,     ///< number
    text,       ///< text: a literal
    attribute,  ///< parts[0].text
    call,       ///< parts[0](parts[1], ...); keyword arguments have their names in `keywords`
    list,       ///< [parts...] or (parts..., )
    other       ///< anything else
  };
  Kind kind = Kind::other;
  std::string text;
  double number = 0;
  std::vector<ScriptExpression> parts;
  std::vector<std::string> keywords;  ///< of a call, one for each argument; "" of one without a name
};

/// A name with dots, as in torch.relu; "" if the expression is no such name.
std::string dotted_name(const ScriptExpression& expression);

struct ScriptStatement {
  enum class Kind { assign, returned, expression, branch, other };
  Kind kind = Kind::other;
  std::vector<std::string> targets;  ///< of assign
  ScriptExpression value;            ///< assigned, returned, evaluated, or the condition of a branch
  std::vector<ScriptStatement> then, otherwise;
  std::string text;  ///< of other: its first word
};

struct ScriptFunction {
  std::vector<std::string> parameters;
  std::map<std::string, ScriptExpression> defaults;
  std::vector<ScriptStatement> body;
};

struct ScriptClass {
  std::map<std::string, std::string> types;           ///< of attributes: "fc1" -> "__torch__.torch...Linear", "Tensor"
  std::map<std::string, ScriptExpression> constants;  ///< of attributes that are Final
  std::map<std::string, ScriptFunction> methods;
};

struct ScriptFile {
  std::map<std::string, ScriptClass> classes;
  std::map<std::string, ScriptFunction> functions;
};

/// Throws DataError beginning with `where` for nesting or a text that is no such code.
ScriptFile parse_script(std::string_view text, const std::string& where);

}  // namespace ansatz::nets
