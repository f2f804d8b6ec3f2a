#include "nets/checkpoints/formats/state_dict.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "core/base/error.h"
#include "nets/checkpoints/formats/pickle_names.h"
#include "nets/checkpoints/formats/which_network.h"
#include "nets/checkpoints/names/telling_names.h"

namespace ansatz::nets {
namespace {

using Kind = Pickle::Kind;
using Value = Pickle::Value;

constexpr const char* save_state_dict = "torch.save(model.state_dict(), file)";

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

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
    constexpr std::size_t most_settings = 10'000;
    if (depth > deepest || ++visits_ > most_visits) {
      throw DataError(where_ + ": nested too deeply at '" + printable(name) + "'; refused");
    }
    const Value& value = pickle_.at(index);
    switch (value.kind) {
      case Kind::tensor:
        return take(index, name);
      case Kind::object:
        return walk_object(index, name, depth);
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
      case Kind::boolean:
      case Kind::integer:
      case Kind::real:
        if (settings_.size() < most_settings) settings_.emplace(name, value);
        return;
      case Kind::none:
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
    if (const std::string foreign = why_foreign(below_); !foreign.empty())
      throw DataError(where_ + ": '" + printable(below_) + "' " + foreign);
    if (!found_.empty() && !below_.empty())
      throw DataError(where_ + ": holds tensors of its own and others under '" + printable(below_) +
                      "'; save the network's alone, with " + save_state_dict);
  }

  std::vector<TensorInfo> found() { return std::move(found_); }
  std::map<std::string, Value> settings() { return std::move(settings_); }

 private:
  /// A TorchScript module is its state. Of another object nobody knows what its code would make of what it holds: the
  /// network must not depend on it.
  void walk_object(std::size_t index, const std::string& name, int depth) {
    const Value& object = pickle_.at(index);
    const std::string& maker = maker_of(pickle_, object);
    if (is_script_class(maker)) {
      for (std::size_t i = 1; i < object.items.size(); ++i) walk(object.items[i], name, depth + 1);
    } else if (is_named_as_weight(name) || ends_with(name, "bias") || holds_tensors(index)) {
      if (const std::string_view what = what_to_save_for(maker); !what.empty())
        throw DataError(where_ + ": '" + printable(name) + "' " + std::string(what));
      throw DataError(where_ + ": '" + printable(name) + "' is an object of " + printable(maker) +
                      ", which only Python can make; nothing was run. Save the network's tensors alone, with " +
                      save_state_dict);
    }
  }

  bool holds_tensors(std::size_t index) {
    std::vector<std::size_t> next = {index};
    while (!next.empty()) {
      const Value& value = pickle_.at(next.back());
      next.pop_back();
      if (value.kind == Kind::tensor) return true;
      for (const std::size_t item : value.items)
        if (without_tensors_.insert(item).second || pickle_.at(item).kind == Kind::tensor) next.push_back(item);
    }
    return false;
  }

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
  std::map<std::string, Value> settings_;
  std::unordered_set<std::size_t> without_tensors_;  // values inside objects that were looked through
};

std::string first_keys(const std::vector<DictEntry>& entries) {
  constexpr std::size_t most = 16;
  std::string text;
  for (std::size_t i = 0; i < entries.size() && i < most; ++i)
    text += (text.empty() ? "'" : ", '") + printable(entries[i].key) + "'";
  return text.empty() ? "none" : text;
}

[[noreturn]] void refuse_module(const std::string& where, const std::string& what, const std::string& maker) {
  throw DataError(where + ": " + what + " an object of " + printable(maker) +
                  ", which only Python can make; nothing was run. Of a module save the tensors alone, with " +
                  save_state_dict);
}

NetworkTensors tensors_of_dict(const Pickle& pickle, const std::string& where, const std::string& part) {
  const std::vector<DictEntry> entries = entries_of(pickle, pickle.at(pickle.root));
  std::optional<DictEntry> network;
  for (const DictEntry& entry : entries)
    if (!part.empty() && entry.key == part && pickle.at(entry.value).kind != Kind::tensor) network = entry;
  if (!network) network = find_network(pickle, entries, where);
  Collector collector(pickle, where);
  if (!network) {
    collector.own_tensors(pickle.at(pickle.root));
    return {collector.found(), "", {}};
  }
  const Value& value = pickle.at(network->value);
  if (value.kind == Kind::object && !is_script_class(maker_of(pickle, value)))
    refuse_module(where, "'" + printable(network->key) + "' is", maker_of(pickle, value));
  collector.walk(network->value, "", 0);
  return {collector.found(), network->key, {}};
}

}  // namespace

NetworkTensors network_tensors(const Pickle& pickle, const std::string& where, const std::string& part) {
  const Value& root = pickle.at(pickle.root);
  NetworkTensors network;
  if (root.kind == Kind::dict) {
    network = tensors_of_dict(pickle, where, part);
  } else if (root.kind == Kind::object) {
    if (!is_script_class(maker_of(pickle, root))) refuse_module(where, "is", maker_of(pickle, root));
    Collector collector(pickle, where);
    collector.walk(pickle.root, "", 0);
    network.tensors = collector.found();
    network.settings = collector.settings();
  } else {
    throw DataError(where + ": holds " + kind_name(root.kind) + ", not a state dict; write it with " + save_state_dict);
  }
  if (network.tensors.empty()) {
    throw DataError(where + ": no weights found (keys: " +
                    (root.kind == Kind::dict ? first_keys(entries_of(pickle, root)) : "those of a TorchScript module") +
                    "); write them with " + save_state_dict + ", bare or under 'state_dict' or 'model'");
  }
  if (network.under != part) network.tensors = only_below(part, where, std::move(network.tensors));
  return network;
}

std::vector<TensorInfo> only_below(const std::string& part, const std::string& where, std::vector<TensorInfo> tensors) {
  if (part.empty()) return tensors;
  std::vector<TensorInfo> below;
  std::vector<std::string> beginnings;  // the first that are to be had instead
  for (TensorInfo& tensor : tensors) {
    const std::string beginning = tensor.name.substr(0, tensor.name.find('.'));
    if (beginnings.size() < 16 && std::find(beginnings.begin(), beginnings.end(), beginning) == beginnings.end())
      beginnings.push_back(beginning);
    if (tensor.name.compare(0, part.size() + 1, part + ".") == 0) below.push_back(std::move(tensor));
  }
  if (!below.empty()) return below;
  std::string text;
  for (const std::string& beginning : beginnings) text += (text.empty() ? "" : ", ") + printable(beginning);
  throw ConfigError("`checkpoint_key`: \"" + printable(part) + "\" is neither an entry of " + where +
                    " nor the beginning of a tensor's name (it has " + text + ")");
}

}  // namespace ansatz::nets
