#include "nets/checkpoints/script/forward_chain.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "nets/checkpoints/formats/tensor_info.h"
#include "nets/checkpoints/script/script_library.h"
#include "nets/checkpoints/script/script_values.h"

namespace ansatz::nets {
namespace {

using Expression = ScriptExpression;
using Statement = ScriptStatement;
using Value = ScriptValue;
using Kind = ScriptValue::Kind;

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

/// "torch.relu" and "__torch__.torch.nn.functional.relu" -> "relu"; "" for other names.
std::string torch_function(const std::string& name, bool& functional) {
  const std::string of_functional = "__torch__.torch.nn.functional.";
  functional = starts_with(name, of_functional);
  if (functional) return name.substr(of_functional.size());
  for (const std::string module : {"torch.", "ops.aten.", "ops.prim."})
    if (starts_with(name, module)) return name.substr(module.size());
  return "";
}

class Follower {
 public:
  Follower(const ScriptSource& source, const std::string& where)
      : library_(source, where), source_(source), where_(where) {}

  std::vector<ForwardStep> chain(const std::string& class_name) {
    Value self;
    self.kind = Kind::module;
    self.type = class_name;
    const Value result = call_method(self, "forward", {flow_.input()});
    if (result.kind != Kind::tensor)
      fail(undecided_ ? "has a branch that nothing but running it decides" : "gives something else than one tensor");
    std::vector<ForwardStep> steps;
    for (std::size_t at = result.node; at != 0; at = flow_.node(at).from)
      if (!flow_.node(at).same_numbers) steps.push_back(flow_.node(at).step);
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

 private:
  using Names = std::map<std::string, Value>;

  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(where_ + ": its code " + what +
                    "; save the weights alone, with torch.save(model.state_dict(), file)");
  }

  void spend() {
    constexpr int most_operations = 1 << 20;
    if (++spent_ > most_operations) fail("is too long");
  }

  // --- functions
  Value call_method(const Value& self, const std::string& method, std::vector<Value> arguments) {
    const ScriptClass* cls = library_.find_class(self.type);
    if (cls == nullptr) fail("has no class " + printable(self.type));
    const auto found = cls->methods.find(method);
    if (found == cls->methods.end()) fail("has no " + printable(method) + " of " + printable(self.type));
    arguments.insert(arguments.begin(), self);
    return run(found->second, arguments, {});
  }

  Value run(const ScriptFunction& function, const std::vector<Value>& arguments,
            const std::vector<std::string>& keywords) {
    constexpr int deepest = 20;
    if (depth_ >= deepest) fail("is nested too deeply");
    Names names;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const std::string& name = function.parameters[i];
      const auto otherwise = function.defaults.find(name);
      if (i < arguments.size() && (i >= keywords.size() || keywords[i].empty())) {
        names[name] = arguments[i];
      } else if (otherwise != function.defaults.end()) {
        names[name] = evaluate(otherwise->second, names);
      }
    }
    for (std::size_t i = 0; i < keywords.size(); ++i)
      if (!keywords[i].empty()) names[keywords[i]] = arguments[i];
    ++depth_;
    Value result;
    run(function.body, names, result);
    --depth_;
    return result;
  }

  /// Whether a return was met.
  bool run(const std::vector<Statement>& statements, Names& names, Value& result) {
    for (const Statement& statement : statements) {
      spend();
      switch (statement.kind) {
        case Statement::Kind::assign: {
          const Value value = evaluate(statement.value, names);
          for (const std::string& target : statement.targets)
            names[target] = statement.targets.size() == 1 ? value : Value();
          break;
        }
        case Statement::Kind::expression:
          evaluate(statement.value, names);
          break;
        case Statement::Kind::returned:
          result = evaluate(statement.value, names);
          return true;
        case Statement::Kind::branch:
          if (branch(statement, names, result)) return true;
          break;
        case Statement::Kind::other:
          fail("has a line that cannot be followed ('" + printable(statement.text) + " ...')");
      }
    }
    return false;
  }

  /// Of a branch whose condition is not known (a check of shapes) only the names that it may change are known.
  bool branch(const Statement& statement, Names& names, Value& result) {
    const Value condition = evaluate(statement.value, names);
    if (condition.kind == Kind::boolean)
      return run(condition.number != 0 ? statement.then : statement.otherwise, names, result);
    forget(statement.then, names);
    forget(statement.otherwise, names);
    undecided_ = true;
    return false;
  }

  void forget(const std::vector<Statement>& statements, Names& names) {
    for (const Statement& statement : statements) {
      spend();
      if (statement.kind == Statement::Kind::returned) fail("gives results that depend on more than its weights");
      for (const std::string& target : statement.targets) names[target] = Value();
      forget(statement.then, names);
      forget(statement.otherwise, names);
    }
  }

  // --- expressions
  Value evaluate(const Expression& expression, const Names& names) {
    spend();
    Value value;
    switch (expression.kind) {
      case Expression::Kind::number:
        value.kind = Kind::number;
        value.number = expression.number;
        return value;
      case Expression::Kind::text:
        value.kind = Kind::text;
        value.name = expression.text;
        return value;
      case Expression::Kind::name:
        return named(expression, names);
      case Expression::Kind::attribute:
        return attribute(expression, names);
      case Expression::Kind::call:
        return call(expression, names);
      case Expression::Kind::list:
      case Expression::Kind::other:
        for (const Expression& part : expression.parts) evaluate(part, names);
        return value;
    }
    return value;
  }

  static Value boolean(bool is) {
    Value value;
    value.kind = Kind::boolean;
    value.number = is;
    return value;
  }

  static Value setting(const Pickle::Value& stored) {
    if (stored.kind == Pickle::Kind::boolean) return boolean(stored.integer != 0);
    Value value;
    value.kind = Kind::number;
    value.number = stored.kind == Pickle::Kind::real ? stored.real : static_cast<double>(stored.integer);
    return value;
  }

  static Value named(const Expression& expression, const Names& names) {
    const auto found = names.find(expression.text);
    if (found != names.end()) return found->second;
    if (expression.text == "True" || expression.text == "False") return boolean(expression.text == "True");
    Value value;
    if (expression.text == "None") value.kind = Kind::none;
    return value;
  }

  Value attribute(const Expression& expression, const Names& names) {
    const std::string name = dotted_name(expression);
    const std::string first = name.substr(0, name.find('.'));
    Value value;
    if (!name.empty() && names.count(first) == 0) {
      value.kind = first == "CONSTANTS" ? Kind::parameter : Kind::function;
      value.name = name;
      return value;
    }
    return attribute_of(evaluate(expression.parts[0], names), expression.text);
  }

  Value attribute_of(const Value& owner, const std::string& name) {
    Value value;
    if (owner.kind != Kind::module) return value;
    const ScriptClass* cls = library_.find_class(owner.type);
    if (cls == nullptr) fail("has no class " + printable(owner.type));
    const std::string path = owner.name.empty() ? name : owner.name + "." + name;
    const auto type = cls->types.find(name);
    const auto constant = cls->constants.find(name);
    if (constant != cls->constants.end()) return evaluate(constant->second, {});
    if (name == "training") return boolean(false);
    if (const auto set = source_.settings.find(path); set != source_.settings.end()) return setting(set->second);
    if (type == cls->types.end()) return value;
    if (starts_with(type->second, "__torch__.")) {
      value.kind = Kind::module;
      value.type = type->second;
    } else if (type->second == "Tensor" || type->second == "Optional[Tensor]") {
      value.kind = Kind::parameter;
    } else if (type->second == "NoneType") {
      value.kind = Kind::none;
    }
    value.name = path;
    return value;
  }

  Value call(const Expression& expression, const Names& names) {
    const Expression& callee = expression.parts[0];
    std::vector<Value> arguments;
    for (std::size_t i = 1; i < expression.parts.size(); ++i) arguments.push_back(evaluate(expression.parts[i], names));
    if (callee.kind == Expression::Kind::name && names.count(callee.text) == 0)
      return call_plain(callee.text, arguments);
    if (callee.kind == Expression::Kind::attribute) {
      const std::string name = dotted_name(callee);
      const bool is_global = !name.empty() && names.count(name.substr(0, name.find('.'))) == 0;
      if (!is_global) {
        const Value owner = evaluate(callee.parts[0], names);
        if (owner.kind == Kind::module) return call_method(owner, callee.text, arguments);
      }
    }
    const Value function = evaluate(callee, names);
    if (function.kind == Kind::function) return call_function(function.name, arguments, expression.keywords);
    return opaque(arguments, "a call of an unknown function");
  }

  /// getattr(module, "0"); annotate(T, x), unchecked_cast(T, x) and the like are x.
  Value call_plain(const std::string& name, const std::vector<Value>& arguments) {
    if (name == "getattr" && arguments.size() == 2) return attribute_of(arguments[0], arguments[1].name);
    if ((name == "annotate" || name == "unchecked_cast") && arguments.size() == 2) return arguments[1];
    return opaque(arguments, name);
  }

  Value call_function(const std::string& name, const std::vector<Value>& arguments,
                      const std::vector<std::string>& keywords) {
    bool functional = false;
    const std::string known = torch_function(name, functional);
    if (known == "RaiseException" && !arguments.empty())
      fail("always ends with an error (" + printable(arguments.at(0).name) + "), in PyTorch, too");
    if (known == "__is__" || known == "__isnot__") return compared(known == "__is__", arguments);
    if (known == "__not__" && arguments.size() == 1 && arguments[0].kind == Kind::boolean)
      return boolean(arguments[0].number == 0);
    if (!known.empty()) return flow_.call(known, functional, arguments);
    if (const ScriptFunction* function = library_.find_function(name)) return run(*function, arguments, keywords);
    return opaque(arguments, name);
  }

  /// Whether a value is None, where that is known.
  static Value compared(bool is, const std::vector<Value>& a) {
    if (a.size() != 2 || a[1].kind != Kind::none || a[0].kind == Kind::unknown) return {};
    return boolean((a[0].kind == Kind::none) == is);
  }

  Value opaque(const std::vector<Value>& arguments, const std::string& what) {
    return flow_.call(what, false, arguments);
  }

  ScriptLibrary library_;
  const ScriptSource& source_;
  const std::string& where_;
  Flow flow_;
  int depth_ = 0, spent_ = 0;
  bool undecided_ = false;  // some branch
};

}  // namespace

std::vector<ForwardStep> forward_chain(const std::string& class_name, const ScriptSource& source,
                                       const std::string& where) {
  return Follower(source, where).chain(class_name);
}

}  // namespace ansatz::nets
