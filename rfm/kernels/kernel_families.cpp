#include "rfm/kernels/kernel_families.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace ansatz::rfm {
namespace {

template <class Row>
KernelInfo read(KernelFamily family, const char* name) {
  return {family, name, Row::shape, Row::formula, Row::where, Row::parameters()};
}

bool in_range(const KernelSpec& spec, const KernelParameter& parameter) {
  const double value = value_of(spec, parameter);
  const bool high_enough = parameter.above_low ? value > parameter.low : value >= parameter.low;
  return high_enough && value <= parameter.high && std::isfinite(value);
}

}  // namespace

const std::vector<KernelInfo>& kernel_table() {
#define ANSATZ_READ(name, Row) read<Row>(KernelFamily::name, #name),
  static const std::vector<KernelInfo> table = {ANSATZ_KERNEL_FAMILIES(ANSATZ_READ)};
#undef ANSATZ_READ
  return table;
}

const KernelInfo& info_of(KernelFamily family) { return kernel_table().at(static_cast<std::size_t>(family)); }

const std::string& name_of(KernelFamily family) { return info_of(family).name; }

const std::string& name_of(KernelShape shape) {
  static const std::string euclidean = "Euclidean distance", p_norm = "p-norm distance", dot_product = "dot product";
  switch (shape) {
    case KernelShape::euclidean:
      return euclidean;
    case KernelShape::p_norm:
      return p_norm;
    case KernelShape::dot_product:
      return dot_product;
  }
  throw std::logic_error("a shape of kernels that has no name");
}

const std::vector<ActivationInfo>& activation_table() {
  static const std::vector<ActivationInfo> table = {
      {Activation::relu, "relu", std::sqrt(2.0)}, {Activation::erf, "erf", 1}, {Activation::linear, "linear", 1}};
  return table;
}

const ActivationInfo& info_of(Activation activation) {
  return activation_table().at(static_cast<std::size_t>(activation));
}

const KernelParameter* KernelInfo::find(const std::string& key) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.key == key; });
  return found == parameters.end() ? nullptr : &*found;
}

std::string KernelInfo::text() const {
  std::string text = formula, between = "; ";
  for (const KernelParameter& parameter : parameters) {
    const bool named = parameter.symbol != std::string(parameter.key);
    text += between + (named ? fmt::format("{} = ", parameter.symbol) : "") + parameter.key + " " + range_of(parameter);
    between = ", ";
  }
  return where.empty() ? text : text + "; " + where;
}

double value_of(const KernelSpec& spec, const KernelParameter& parameter) {
  return std::visit([&spec](auto field) { return static_cast<double>(spec.*field); }, parameter.field);
}

std::string text_of(const KernelSpec& spec, const KernelParameter& parameter) {
  if (const auto* field = std::get_if<Activation KernelSpec::*>(&parameter.field)) return info_of(spec.**field).name;
  return fmt::format("{:.6g}", value_of(spec, parameter));
}

std::string range_of(const KernelParameter& parameter) {
  if (std::holds_alternative<Activation KernelSpec::*>(parameter.field)) {
    std::string words;
    for (const ActivationInfo& row : activation_table()) words += (words.empty() ? "" : ", ") + row.name;
    return words;
  }
  const std::string others = parameter.at_most == nullptr ? "" : std::string(", at most ") + parameter.at_most;
  if (std::isfinite(parameter.high))
    return fmt::format("in {}{:g}, {:g}]{}", parameter.above_low ? "(" : "[", parameter.low, parameter.high, others);
  return fmt::format("{} {:g}{}", parameter.above_low ? ">" : ">=", parameter.low, others);
}

void validate(const KernelSpec& spec) {
  const KernelInfo& info = info_of(spec.family);
  for (const KernelParameter& parameter : info.parameters) {
    const double value = value_of(spec, parameter);
    const KernelParameter* bound = parameter.at_most == nullptr ? nullptr : info.find(parameter.at_most);
    if (in_range(spec, parameter) && (bound == nullptr || value <= value_of(spec, *bound))) continue;
    throw ConfigError(
        fmt::format("kernel {}: {} must be {}, is {:.6g}", info.name, parameter.key, range_of(parameter), value));
  }
}

}  // namespace ansatz::rfm
