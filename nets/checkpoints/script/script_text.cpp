#include "nets/checkpoints/script/script_text.h"

#include <cstdlib>

#include "core/base/error.h"
#include "nets/checkpoints/script/script_tokens.h"

namespace ansatz::nets {
namespace {

using Expression = ScriptExpression;
using Statement = ScriptStatement;

class Parser {
 public:
  Parser(std::string_view text, const std::string& where) : where_(where), tokens_(script_tokens(text, where)) {}

  ScriptFile file() {
    ScriptFile file;
    while (!at_end()) {
      if (take_name("class")) {
        const std::string name = next().text;
        skip_line();
        class_body(file.classes[name]);
      } else if (take_name("def")) {
        named_function(file.functions, 0);
      } else {
        skip_line();
      }
    }
    return file;
  }

 private:
  static constexpr int deepest = 100;

  // --- tokens -------------------------------------------------------------------------------------------------------
  bool at_end() const { return at_ >= tokens_.size(); }
  const ScriptToken& peek(std::size_t ahead = 0) const {
    static const ScriptToken none;
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : none;
  }
  ScriptToken next() {
    const ScriptToken token = peek();
    ++at_;
    return token;
  }
  bool is_sign(char sign, std::size_t ahead = 0) const {
    return peek(ahead).kind == ScriptToken::Kind::sign && peek(ahead).text[0] == sign;
  }
  bool take_sign(char sign) {
    const bool there = is_sign(sign);
    at_ += there;
    return there;
  }
  bool take_name(std::string_view name) {
    const bool there = peek().kind == ScriptToken::Kind::name && peek().text == name;
    at_ += there;
    return there;
  }
  bool at_line_end() const { return at_end() || peek().kind == ScriptToken::Kind::line_end; }
  void skip_line() {
    while (!at_line_end()) ++at_;
    ++at_;
  }
  /// The rest of the line, or up to a sign outside brackets.
  std::string raw_text(char until) {
    std::string text;
    for (int open = 0; !at_line_end() && (open > 0 || !is_sign(until)); ++at_) {
      if (is_sign('[') || is_sign('(')) ++open;
      if (is_sign(']') || is_sign(')')) --open;
      text += peek().text;
    }
    return text;
  }

  void require_shallow(int depth) const {
    if (depth > deepest) throw DataError(where_ + ": its code is nested too deeply; refused");
  }

  // --- classes and functions
  // ------------------------------------------------------------------------------------------
  void class_body(ScriptClass& made) {
    while (!at_end() && peek().indent > 0) {
      const std::size_t indent = peek().indent;
      if (take_name("def")) {
        named_function(made.methods, indent);
        continue;
      }
      std::string name = next().text;
      if (name == "__annotations__" && take_sign('[')) {  // __annotations__["0"] = T
        name = next().text;
        take_sign(']');
        take_sign('=');
        made.types[name] = raw_text('\n');
      } else if (take_sign(':')) {
        made.types[name] = raw_text('=');
        if (take_sign('=')) made.constants[name] = expression(0);
      }
      skip_line();
    }
  }

  void named_function(std::map<std::string, ScriptFunction>& functions, std::size_t indent) {
    ScriptFunction& function = functions[next().text];
    if (take_sign('(')) parameters(function);
    skip_line();
    function.body = block(indent, 0);
  }

  void parameters(ScriptFunction& function) {
    while (!at_end() && !take_sign(')')) {
      const std::string name = next().text;
      if (take_sign(':')) type_of_parameter();
      if (take_sign('=')) function.defaults[name] = expression(0);
      take_sign(',');
      function.parameters.push_back(name);
    }
  }
  void type_of_parameter() {
    for (int open = 0; !at_line_end(); ++at_) {
      if (open == 0 && (is_sign(',') || is_sign('=') || is_sign(')'))) return;
      if (is_sign('[')) ++open;
      if (is_sign(']')) --open;
    }
  }

  // --- statements
  // -------------------------------------------------------------------------------------------------------
  /// The lines that are indented by more than `indent`.
  std::vector<Statement> block(std::size_t indent, int depth) {
    require_shallow(depth);
    std::vector<Statement> statements;
    while (!at_end() && peek().indent > indent) statements.push_back(statement(depth));
    return statements;
  }

  Statement statement(int depth) {
    Statement made;
    const std::size_t indent = peek().indent;
    if (take_name("if")) {
      made.kind = Statement::Kind::branch;
      made.value = expression(0);
      skip_line();
      made.then = block(indent, depth + 1);
      if (!at_end() && peek().indent == indent && take_name("else")) {
        skip_line();
        made.otherwise = block(indent, depth + 1);
      }
      return made;
    }
    if (take_name("return")) {
      made.kind = Statement::Kind::returned;
      made.value = expression(0);
    } else if (take_name("pass")) {
      made.kind = Statement::Kind::expression;
      made.value.kind = Expression::Kind::list;
    } else {
      simple(made);
    }
    if (!at_line_end()) made = unknown();
    skip_line();
    if (made.kind == Statement::Kind::other) block(indent, depth + 1);  // of a loop
    return made;
  }

  /// a = value; a, b, = value; value
  void simple(Statement& made) {
    std::size_t ahead = 0;
    while (peek(ahead).kind == ScriptToken::Kind::name && is_sign(',', ahead + 1)) ahead += 2;
    if (peek(ahead).kind == ScriptToken::Kind::name) ++ahead;
    if (ahead > 0 && is_sign('=', ahead) && !is_sign('=', ahead + 1)) {
      made.kind = Statement::Kind::assign;
      for (std::size_t i = 0; i < ahead; ++i)
        if (const ScriptToken token = next(); token.kind == ScriptToken::Kind::name) made.targets.push_back(token.text);
      take_sign('=');
    } else {
      made.kind = Statement::Kind::expression;
    }
    made.text = peek().text;
    made.value = expression(0);
  }

  Statement unknown() {
    Statement made;
    std::size_t begin = at_;
    while (begin > 0 && tokens_[begin - 1].kind != ScriptToken::Kind::line_end) --begin;
    made.text = tokens_[begin].text;
    return made;
  }

  // --- expressions
  // ----------------------------------------------------------------------------------------------------
  Expression expression(int depth) {
    Expression made = primary(depth);
    for (int after = depth;; ++after) {
      require_shallow(after);
      if (take_sign('.')) {
        made = wrapped(Expression::Kind::attribute, std::move(made), next().text);
      } else if (take_sign('(')) {
        made = wrapped(Expression::Kind::call, std::move(made), "");
        items(')', depth, made);
      } else if (take_sign('[')) {
        made = wrapped(Expression::Kind::other, std::move(made), "");
        items(']', depth, made);
      } else {
        return made;
      }
    }
  }

  static Expression wrapped(Expression::Kind kind, Expression inner, const std::string& text) {
    Expression made;
    made.kind = kind;
    made.text = text;
    made.parts.push_back(std::move(inner));
    return made;
  }

  Expression primary(int depth) {
    require_shallow(depth);
    Expression made;
    if (take_sign('-')) {
      made = primary(depth + 1);
      made.number = -made.number;
      if (made.kind != Expression::Kind::number) made.kind = Expression::Kind::other;
      return made;
    }
    if (is_sign('(') || is_sign('[') || is_sign('{')) return bracketed(depth);
    const ScriptToken token = at_line_end() ? ScriptToken() : next();
    made.text = token.text;
    if (token.kind == ScriptToken::Kind::name) made.kind = Expression::Kind::name;
    if (token.kind == ScriptToken::Kind::text) made.kind = Expression::Kind::text;
    if (token.kind == ScriptToken::Kind::number) {
      made.kind = Expression::Kind::number;
      made.number = std::strtod(token.text.c_str(), nullptr);
    }
    return made;
  }

  /// (a) is a; (a, b) and [a, b] are lists.
  Expression bracketed(int depth) {
    const char open = next().text[0];
    Expression made;
    made.kind = open == '{' ? Expression::Kind::other : Expression::Kind::list;
    const bool comma = items(open == '(' ? ')' : open == '[' ? ']' : '}', depth, made);
    if (open != '(' || comma || made.parts.size() != 1) return made;
    Expression inner = std::move(made.parts.front());
    return inner;
  }

  /// Whether there was a comma.
  bool items(char close, int depth, Expression& into) {
    bool comma = false;
    while (!at_line_end() && !take_sign(close)) {
      const bool keyword = peek().kind == ScriptToken::Kind::name && is_sign('=', 1);
      into.keywords.push_back(keyword ? next().text : "");
      if (keyword) take_sign('=');
      const std::size_t before = at_;
      into.parts.push_back(expression(depth + 1));
      comma |= is_sign(',');
      if (!take_sign(',') && !is_sign(close)) into.kind = Expression::Kind::other;
      if (at_ == before) ++at_;  // a sign that no expression begins with
    }
    return comma;
  }

  const std::string& where_;
  std::vector<ScriptToken> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

std::string dotted_name(const ScriptExpression& expression) {
  if (expression.kind == Expression::Kind::name) return expression.text;
  if (expression.kind != Expression::Kind::attribute) return "";
  const std::string before = dotted_name(expression.parts[0]);
  return before.empty() ? "" : before + "." + expression.text;
}

ScriptFile parse_script(std::string_view text, const std::string& where) { return Parser(text, where).file(); }

}  // namespace ansatz::nets
