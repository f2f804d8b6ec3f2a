#include "nets/checkpoints/describe_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace ansatz::nets {
namespace {

/// The first ones, separated.
template <class Item, class Text>
std::string joined(const std::vector<Item>& items, const char* separator, Text&& text) {
  constexpr std::size_t most = 16;
  std::string all;
  for (std::size_t i = 0; i < std::min(most, items.size()); ++i) all += (i > 0 ? separator : "") + text(items[i]);
  return items.size() > most ? all + separator + "..." : all;
}

std::string biases_of(const NetworkLayout& layout) {
  std::vector<std::size_t> with;
  for (std::size_t l = 0; l < layout.layers.size(); ++l)
    if (layout.layers[l].linear.bias) with.push_back(l + 1);
  if (with.empty()) return "no biases";
  if (with.size() == layout.layers.size()) return "biases in every layer";
  return with.size() == 1 ? fmt::format("biases in layer {} only", with[0])
                          : "biases in layers " + joined(with, ", ", [](std::size_t l) { return std::to_string(l); });
}

std::string name_or(const std::string& name, const char* otherwise) {
  return name.empty() ? otherwise : printable(name);
}

std::string epsilon_of(const BatchNormTensors& norm, const ReadingNotes& notes) {
  if (norm.epsilon) return fmt::format("eps {:g}", *norm.epsilon);
  return fmt::format("eps {:g} {}", notes.epsilon, notes.epsilon_given ? "as given" : "assumed");
}

/// Those of a kind together: "batch normalisation bn1, bn2 (before the activation, eps 1e-05 assumed)".
std::vector<std::string> folded(const NetworkLayout& layout, const ReadingNotes& notes) {
  std::vector<std::pair<std::string, std::vector<std::string>>> kinds;  // what is said of them, and their names
  const auto add = [&](const std::string& kind, const std::string& name) {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& other) { return other.first == kind; });
    if (found == kinds.end()) {
      kinds.push_back({kind, {name}});
    } else {
      found->second.push_back(name);
    }
  };
  const auto add_norm = [&](const BatchNormTensors& norm, const char* where) {
    add(fmt::format("batch normalisation {{}} ({}, {})", where, epsilon_of(norm, notes)),
        name_or(norm.name, "(no name)"));
  };
  for (std::size_t l = 0; l < layout.layers.size(); ++l) {
    const LayoutLayer& layer = layout.layers[l];
    for (const BatchNormTensors& norm : layer.before) add_norm(norm, l == 0 ? "of the inputs" : "after the activation");
    if (layer.linear.magnitude) add("weight_norm of {}", name_or(layer.linear.name, "the layer"));
    const bool last = l + 1 == layout.layers.size();
    for (const BatchNormTensors& norm : layer.after) add_norm(norm, last ? "of the outputs" : "before the activation");
  }
  std::vector<std::string> texts;
  for (const auto& [kind, names] : kinds)
    texts.push_back(fmt::format(fmt::runtime(kind), joined(names, ", ", [](const std::string& name) { return name; })));
  return texts;
}

}  // namespace

std::vector<Index> widths_of(const NetworkLayout& layout) {
  std::vector<Index> widths = {layout.layers.front().linear.weight.shape[1]};
  for (const LayoutLayer& layer : layout.layers) widths.push_back(layer.linear.weight.shape[0]);
  return widths;
}

std::string describe_layout(const NetworkLayout& layout, const ReadingNotes& notes) {
  const bool one = layout.layers.size() == 1;
  std::string text = joined(widths_of(layout), "–", [](Index width) { return std::to_string(width); });
  if (!one) text += ", " + notes.activation;
  text += ", " + biases_of(layout) + (one ? ", from key " : ", from keys ");
  text += joined(layout.layers, ", ", [](const LayoutLayer& layer) { return name_or(layer.linear.name, "weight"); });
  if (!notes.under.empty()) text += " under '" + printable(notes.under) + "'";
  if (layout.as_stored) text += " in the order in which they are stored";
  if (const auto texts = folded(layout, notes); !texts.empty())
    text += "; folded in: " + joined(texts, " and ", [](const std::string& each) { return each; });
  if (layout.left_out) text += "; left out: the " + *layout.left_out + " of the outputs";
  return text;
}

}  // namespace ansatz::nets
