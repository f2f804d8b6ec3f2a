#include "nets/checkpoints/script/script_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ansatz::nets {
namespace {

using Kind = ScriptValue::Kind;
using Values = std::vector<ScriptValue>;

constexpr double leaky_slope = 0.01;  // the only one there is here (nets/activation.h)

template <std::size_t count>
bool is_one_of(const std::string& name, const std::array<std::string_view, count>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is(const Values& a, std::size_t i, Kind kind) { return i < a.size() && a[i].kind == kind; }
bool is_number(const Values& a, std::size_t i, double number) {
  return is(a, i, Kind::number) && std::abs(a[i].number - number) < 1e-12;
}
/// A tensor of the file, or none at all.
bool may_be_parameter(const Values& a, std::size_t i) {
  return i >= a.size() || a[i].kind == Kind::none || (a[i].kind == Kind::parameter && !a[i].transposed);
}
std::string name_of(const Values& a, std::size_t i) { return is(a, i, Kind::parameter) ? a[i].name : ""; }

/// relu_ is relu that writes over its argument.
std::string without_underscore(std::string function) {
  if (function.size() > 1 && function.back() == '_') function.pop_back();
  return function;
}

}  // namespace

ScriptValue Flow::input() const {
  ScriptValue value;
  value.kind = Kind::tensor;
  return value;
}

ScriptValue Flow::add(ForwardStep step, std::size_t from, bool same_numbers) {
  nodes_.push_back({std::move(step), from, same_numbers});
  ScriptValue value = input();
  value.node = nodes_.size() - 1;
  return value;
}

ScriptValue Flow::other(const std::string& what, std::size_t from) {
  ForwardStep step;
  step.what = what;
  return add(step, from);
}

bool Flow::before_layers(std::size_t node) const {
  while (node != 0 && nodes_[node].same_numbers) node = nodes_[node].from;
  return node == 0;
}

ScriptValue Flow::call(const std::string& function, bool functional, const Values& arguments) {
  const std::string name = without_underscore(function);
  if ((name == "t" || name == "numpy_T" || name == "transpose") && is(arguments, 0, Kind::parameter)) {
    ScriptValue turned = arguments[0];
    turned.transposed = !turned.transposed;
    return turned;
  }
  if (const auto made = weight_norm(name, arguments)) return *made;
  if (const auto made = layer(name, functional, arguments)) return *made;
  if (const auto made = product(name, arguments)) return *made;
  if (const auto made = activation(name, arguments)) return *made;
  if (const auto made = unchanged(name, arguments)) return *made;
  std::vector<std::size_t> flowing;
  for (const ScriptValue& argument : arguments)
    if (argument.kind == Kind::tensor) flowing.push_back(argument.node);
  if (flowing.empty()) return {};
  return other(flowing.size() > 1 ? name + " of several results" : name, flowing.front());
}

/// _weight_norm(v, g, dim=0), whose name begins with an underscore. Over which dimension the norm goes follows from the
/// shape of g.
std::optional<ScriptValue> Flow::weight_norm(const std::string& function, const Values& a) {
  const auto plain = [&](std::size_t i) {
    return is(a, i, Kind::parameter) && !a[i].transposed && a[i].magnitude.empty();
  };
  if (function != "_weight_norm" || !plain(0) || !plain(1)) return std::nullopt;
  ScriptValue made = a[0];
  made.magnitude = a[1].name;
  return made;
}

std::optional<ScriptValue> Flow::layer(const std::string& function, bool functional, const Values& a) {
  if (!is(a, 0, Kind::tensor)) return std::nullopt;
  ForwardStep step;
  if (function == "linear" && is(a, 1, Kind::parameter) && !a[1].transposed && may_be_parameter(a, 2)) {
    step.kind = ForwardStep::Kind::linear;
    step.weight = a[1].name;
    step.magnitude = a[1].magnitude;
    step.bias = name_of(a, 2);
    return add(step, a[0].node);
  }
  if (function == "batch_norm") {
    // torch: weight, bias, mean, variance, training, momentum, eps; functional: mean, variance, weight, bias, ...
    const std::size_t affine = functional ? 3 : 1, statistics = functional ? 1 : 3, epsilon = 7;
    const bool in_training = is(a, 5, Kind::boolean) && a[5].number != 0;
    if (in_training || !is(a, statistics, Kind::parameter) || !is(a, statistics + 1, Kind::parameter) ||
        !may_be_parameter(a, affine) || !may_be_parameter(a, affine + 1) || !is(a, epsilon, Kind::number))
      return std::nullopt;
    step.kind = ForwardStep::Kind::batch_norm;
    step.mean = a[statistics].name;
    step.variance = a[statistics + 1].name;
    step.weight = name_of(a, affine);
    step.bias = name_of(a, affine + 1);
    step.epsilon = a[epsilon].number;
    return add(step, a[0].node);
  }
  return std::nullopt;
}

/// addmm(b, x, W^T), matmul(x, W^T), and b added to the latter.
std::optional<ScriptValue> Flow::product(const std::string& function, const Values& a) {
  ForwardStep step;
  step.kind = ForwardStep::Kind::linear;
  const auto of = [&](std::size_t x, const std::string& bias) {
    step.weight = a[x + 1].name;
    step.magnitude = a[x + 1].magnitude;
    step.transposed = !a[x + 1].transposed;
    step.bias = bias;
    return add(step, a[x].node);
  };
  const bool ones = a.size() <= 3 || (is_number(a, 3, 1) && (a.size() <= 4 || is_number(a, 4, 1)));
  if (function == "addmm" && is(a, 0, Kind::parameter) && is(a, 1, Kind::tensor) && is(a, 2, Kind::parameter) && ones)
    return of(1, a[0].name);
  if ((function == "matmul" || function == "mm") && is(a, 0, Kind::tensor) && is(a, 1, Kind::parameter))
    return of(0, "");
  if (function != "add") return std::nullopt;
  const std::size_t flowing = is(a, 0, Kind::tensor) ? 0 : 1;
  if (!is(a, flowing, Kind::tensor) || !is(a, 1 - flowing, Kind::parameter)) return std::nullopt;
  if (a.size() > 2 && !is_number(a, 2, 1)) return std::nullopt;
  const FlowNode& before = nodes_[a[flowing].node];
  if (before.step.kind != ForwardStep::Kind::linear || !before.step.bias.empty()) return std::nullopt;
  step = before.step;
  step.bias = a[1 - flowing].name;
  return add(step, before.from);
}

std::optional<ScriptValue> Flow::activation(const std::string& function, const Values& a) {
  constexpr std::array<std::string_view, 4> plain = {"relu", "tanh", "sigmoid", "silu"};
  if (!is(a, 0, Kind::tensor)) return std::nullopt;
  ForwardStep step;
  step.kind = ForwardStep::Kind::activation;
  const auto named = [&](const char* name) {
    step.what = name;
    return add(step, a[0].node);
  };
  if (is_one_of(function, plain)) return named(function.c_str());
  if (function == "softmax" || function == "log_softmax") {
    step.kind = ForwardStep::Kind::softmax;
    return named(function.c_str());
  }
  if (function == "square" || (function == "pow" && is_number(a, 1, 2))) return named("quadratic");
  if (function == "mul" && is(a, 1, Kind::tensor) && a[0].node == a[1].node) return named("quadratic");
  if (function == "leaky_relu") {
    const bool usual = a.size() < 2 || is_number(a, 1, leaky_slope);
    return usual ? named("leaky_relu") : other("leaky_relu with a slope other than 0.01", a[0].node);
  }
  if (function == "gelu") {
    const bool exact = a.size() < 2 || (is(a, 1, Kind::text) && a[1].name == "none");
    return exact ? named("gelu") : other("gelu with approximate='tanh'", a[0].node);
  }
  return std::nullopt;
}

std::optional<ScriptValue> Flow::unchanged(const std::string& function, const Values& a) {
  constexpr std::array<std::string_view, 8> always = {"dropout",    "alpha_dropout", "feature_dropout", "detach",
                                                      "contiguous", "clone",         "alias",           "identity"};
  constexpr std::array<std::string_view, 4> of_shape = {"flatten", "view", "reshape", "to"};
  if (is(a, 0, Kind::parameter) && is_one_of(function, always)) return a[0];
  if (!is(a, 0, Kind::tensor)) return std::nullopt;
  if (is_one_of(function, always)) return add({}, a[0].node, true);
  // A row of the input keeps its order; a hidden layer is a row already.
  const bool flattens = function == "flatten" && is_number(a, 1, 1);
  if (flattens || (is_one_of(function, of_shape) && before_layers(a[0].node))) return add({}, a[0].node, true);
  return std::nullopt;
}

}  // namespace ansatz::nets
