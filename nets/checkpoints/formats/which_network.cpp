#include "nets/checkpoints/formats/which_network.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/error.h"

namespace ansatz::nets {
namespace {

using Kind = Pickle::Kind;
using Value = Pickle::Value;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Without what DataParallel, torch.compile and AveragedModel put before a network's own names.
std::string_view own_name(std::string_view name) {
  constexpr std::array<std::string_view, 2> wrappers = {"module.", "_orig_mod."};
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view wrapper : wrappers)
      if (name.substr(0, wrapper.size()) == wrapper) name.remove_prefix(wrapper.size()), found = true;
  }
  return name;
}

/// Own name and shape of each tensor that a dict holds itself, but for those that only count.
using Contents = std::set<std::pair<std::string, std::vector<std::int64_t>>>;

/// Looks into the entries of a dict. They may all be the same large one: what is looked at is bounded.
class Glance {
 public:
  Glance(const Pickle& pickle, const std::string& where) : pickle_(pickle), where_(where) {}

  /// Empty for what is no dict.
  Contents contents(std::size_t index) {
    constexpr std::size_t most = 1 << 20;
    Contents contents;
    const Value& dict = pickle_.at(index);
    if (dict.kind != Kind::dict) return contents;
    if ((looked_at_ += dict.items.size()) > most) throw DataError(where_ + ": too many entries; refused");
    for (const DictEntry& entry : entries_of(pickle_, dict))
      if (const Value& value = pickle_.at(entry.value); value.kind == Kind::tensor && entry.key != "n_averaged")
        contents.emplace(own_name(entry.key), pickle_.tensors[static_cast<std::size_t>(value.integer)].shape);
    return contents;
  }

  /// Whether a dict, or one in it, has these contents.
  bool holds(std::size_t index, const Contents& wanted) {
    if (contents(index) == wanted) return true;
    const Value& dict = pickle_.at(index);
    if (dict.kind != Kind::dict) return false;
    const std::vector<DictEntry> inner = entries_of(pickle_, dict);
    return std::any_of(inner.begin(), inner.end(),
                       [&](const DictEntry& entry) { return contents(entry.value) == wanted; });
  }

  bool is_state_dict(std::size_t index) {
    const Contents found = contents(index);
    return std::any_of(found.begin(), found.end(), [](const auto& tensor) { return is_named_as_weight(tensor.first); });
  }

 private:
  const Pickle& pickle_;
  const std::string& where_;
  std::size_t looked_at_ = 0;
};

[[noreturn]] void refuse_two(const std::string& where, const std::string& a, const std::string& b) {
  throw ConfigError("`checkpoint_key`: must say which network of " + where + " is meant: it holds one under '" +
                    printable(a) + "' and one under '" + printable(b) + "'");
}

}  // namespace

bool is_named_as_weight(std::string_view name) {
  return ends_with(name, "weight") || ends_with(name, "weight_v") || ends_with(name, "weight.original1");
}

std::vector<DictEntry> entries_of(const Pickle& pickle, const Value& dict) {
  constexpr std::size_t longest = 1025;  // a key may be shared, and then copied, many times
  std::vector<DictEntry> entries;
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    const Value& key = pickle.at(dict.items[i]);
    if (key.kind == Kind::text) entries.push_back({key.text.substr(0, longest), dict.items[i + 1]});
  }
  return entries;
}

std::optional<DictEntry> find_network(const Pickle& pickle, const std::vector<DictEntry>& entries,
                                      const std::string& where) {
  constexpr std::array<std::string_view, 3> usual = {"state_dict", "model_state_dict", "model"};
  Glance glance(pickle, where);
  std::vector<DictEntry> named, others, dicts;
  bool own = false;
  for (const DictEntry& entry : entries) {
    const Kind kind = pickle.at(entry.value).kind;
    own |= kind == Kind::tensor && is_named_as_weight(entry.key);
    if (kind != Kind::dict && kind != Kind::object) continue;
    dicts.push_back(entry);
    if (std::find(usual.begin(), usual.end(), entry.key) != usual.end()) {
      named.push_back(entry);
    } else if (glance.is_state_dict(entry.value)) {
      others.push_back(entry);
    }
  }
  if (named.empty() && own) return std::nullopt;
  if (named.empty()) named.swap(others);
  if (named.empty()) return std::nullopt;
  if (named.size() > 1) refuse_two(where, named[0].key, named[1].key);
  // A running average of the weights has the same tensors as the network.
  const Contents contents = glance.contents(named[0].value);
  if (contents.empty()) return named[0];
  for (const DictEntry& other : dicts)
    if (other.value != named[0].value && glance.holds(other.value, contents))
      refuse_two(where, named[0].key, other.key);
  return named[0];
}

}  // namespace ansatz::nets
