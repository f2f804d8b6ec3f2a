#include "nets/checkpoints/formats/state_dict.h"

#include <array>
#include <string_view>

#include "core/base/error.h"

namespace ansatz::nets {
namespace {

using Kind = Pickle::Kind;
using Value = Pickle::Value;

class Collector {
 public:
  Collector(const Pickle& pickle, const std::string& where) : pickle_(pickle), where_(where) {}

  void take(std::size_t index, const std::string& name) {
    constexpr std::size_t most_tensors = 100'000;
    if (found_.size() == most_tensors) throw DataError(where_ + ": more than 100,000 tensors; refused");
    TensorInfo tensor = pickle_.tensors[static_cast<std::size_t>(pickle_.at(index).integer)];
    tensor.name = name;
    found_.push_back(std::move(tensor));
  }

  /// Tensors at any depth below. A list is entered too, so that no tensor of a network is silently left out. Values may
  /// refer to each other in circles or fan out without end: the depth and the number of visits are bounded.
  void walk(std::size_t index, const std::string& name, int depth) {
    constexpr int deepest = 64;
    constexpr int most_visits = 1 << 20;
    if (depth > deepest || ++visits_ > most_visits) {
      throw DataError(where_ + ": nested too deeply at '" + printable(name) + "'; refused");
    }
    const Value& value = pickle_.at(index);
    switch (value.kind) {
      case Kind::tensor:
        return take(index, name);
      case Kind::object:
        for (const std::size_t state : value.items) walk(state, name, depth + 1);
        return;
      case Kind::dict:
        for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
          walk(value.items[i + 1], joined(name, key_text(value.items[i])), depth + 1);
        }
        return;
      case Kind::list:
      case Kind::tuple:
        for (std::size_t i = 0; i < value.items.size(); ++i) {
          walk(value.items[i], joined(name, std::to_string(i)), depth + 1);
        }
        return;
      case Kind::none:
      case Kind::boolean:
      case Kind::integer:
      case Kind::real:
      case Kind::text:
      case Kind::bytes:
      case Kind::storage:
      case Kind::global:
        return;
    }
  }

  /// Takes the tensors in the dict itself. Remembers whether others lie deeper down: they may be the network's, too,
  /// and must not be lost silently.
  void own_tensors(const Value& dict) {
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
      const std::string name = key_text(dict.items[i]);
      if (pickle_.at(dict.items[i + 1]).kind == Kind::tensor) {
        take(dict.items[i + 1], name);
        continue;
      }
      const std::size_t before = found_.size();
      walk(dict.items[i + 1], name, 1);
      if (found_.size() == before) continue;
      if (below_.empty()) below_ = name;
      found_.resize(before);
    }
    if (!found_.empty() && !below_.empty())
      throw DataError(where_ + ": holds tensors of its own and others under '" + printable(below_) +
                      "'; save the network's alone, with torch.save(model.state_dict(), file)");
  }

  std::vector<TensorInfo> found() { return std::move(found_); }

 private:
  /// Joins names, but bounds their length: a long key in a value that is shared many times would be copied many times.
  std::string joined(const std::string& name, const std::string& key) const {
    constexpr std::size_t longest = 1024;
    if (name.size() + key.size() > longest) {
      throw DataError(where_ + ": the name '" + printable(key) + "' is too long; refused");
    }
    return name.empty() ? key : name + "." + key;
  }

  std::string key_text(std::size_t index) const {
    const Value& key = pickle_.at(index);
    return key.kind == Kind::text ? key.text.substr(0, 1025) : std::to_string(key.integer);
  }

  const Pickle& pickle_;
  const std::string& where_;
  int visits_ = 0;
  std::string below_;  // the first key under which tensors lie deeper
  std::vector<TensorInfo> found_;
};

/// The value under the one of the usual names for a model that is there, if it is a dict or an object.
const std::size_t* find_model(const Pickle& pickle, const Value& dict, const std::string& where) {
  const std::size_t* model = nullptr;
  std::string_view found;
  for (const std::string_view name : {"state_dict", "model_state_dict", "model"}) {
    for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
      const Value& key = pickle.at(dict.items[i]);
      const Kind held = pickle.at(dict.items[i + 1]).kind;
      if (key.kind != Kind::text || key.text != name || (held != Kind::dict && held != Kind::object)) continue;
      if (model)
        throw DataError(where + ": holds a network under '" + std::string(found) + "' and one under '" +
                        std::string(name) + "'; save the one that is meant alone");
      model = &dict.items[i + 1];
      found = name;
    }
  }
  return model;
}

std::string first_keys(const Pickle& pickle, const Value& dict) {
  constexpr std::size_t most = 16;
  std::string text;
  for (std::size_t i = 0; i + 1 < dict.items.size() && i < most; i += 2) {
    const Value& key = pickle.at(dict.items[i]);
    if (key.kind == Kind::text) text += (text.empty() ? "'" : ", '") + printable(key.text) + "'";
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::vector<TensorInfo> network_tensors(const Pickle& pickle, const std::string& where) {
  const Value& root = pickle.at(pickle.root);
  Collector collector(pickle, where);
  if (root.kind == Kind::object) {
    collector.walk(pickle.root, "", 0);
  } else if (root.kind == Kind::dict) {
    if (const std::size_t* model = find_model(pickle, root, where)) {
      collector.walk(*model, "", 0);
    } else {
      collector.own_tensors(root);
    }
  } else {
    throw DataError(where + ": holds " + kind_name(root.kind) +
                    ", not a state dict; write it with torch.save(model.state_dict(), file)");
  }
  std::vector<TensorInfo> tensors = collector.found();
  if (tensors.empty()) {
    throw DataError(where + ": no weights found (keys: " +
                    (root.kind == Kind::dict ? first_keys(pickle, root) : "those of a TorchScript module") +
                    "); write them with torch.save(model.state_dict(), file), bare or under 'state_dict' or 'model'");
  }
  return tensors;
}

}  // namespace ansatz::nets
