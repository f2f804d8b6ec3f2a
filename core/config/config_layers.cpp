// Files and overrides as layers of one tree: where two of them give a key, the later one's value stands.
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/config/config_tree.h"
#include "core/files/files.h"

namespace ansatz::detail {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const ConfigPosition& where, const std::string& message) {
  throw ConfigError(where.text() + ": include: " + message);
}

void put_in_layer(ConfigNode& node, int layer) {
  node.layer = layer;
  for (ConfigNode& item : node.items) put_in_layer(item, layer);
  for (ConfigEntry& entry : node.entries) put_in_layer(entry.value, layer);
}

/// Writes `over` over `base`: mappings are merged key by key, anything else is replaced.
void merge(ConfigNode& base, ConfigNode over) {
  if (base.kind != ConfigNode::Kind::mapping || over.kind != ConfigNode::Kind::mapping) {
    base = std::move(over);
    return;
  }
  base.position = over.position;
  for (ConfigEntry& entry : over.entries) {
    ConfigEntry* const known = base.entry(entry.key);
    if (known == nullptr) {
      base.entries.push_back(std::move(entry));
    } else {
      known->position = entry.position;
      merge(known->value, std::move(entry.value));
    }
  }
}

std::vector<ConfigNode> include_list(const ConfigNode& value) {
  const std::vector<ConfigNode> names =
      value.kind == ConfigNode::Kind::list ? value.items : std::vector<ConfigNode>{value};
  for (const ConfigNode& name : names)
    if (name.kind != ConfigNode::Kind::scalar)
      fail(name.position, "must be a file name or a list of them, is " + name.describe());
  return names;
}

/// Reads a file and what it includes, which lies in lower layers than the file itself.
class Reader {
 public:
  ConfigNode resolve(ConfigNode root) {
    const ConfigEntry* const include = root.entry("include");
    ConfigNode merged;
    merged.kind = ConfigNode::Kind::mapping;
    if (include != nullptr) {
      for (const ConfigNode& name : include_list(include->value)) merge(merged, read_included(name));
      root.entries.erase(root.entries.begin() + (include - root.entries.data()));
    }
    put_in_layer(root, layers_++);
    if (include == nullptr) return root;
    merge(merged, std::move(root));
    return merged;
  }

  ConfigNode read(const fs::path& path) {
    std::string text;
    try {
      text = read_file(path);
    } catch (const DataError& e) {
      throw ConfigError(e.what());
    }
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error);
    open_.push_back(error ? path : canonical);
    ConfigNode root = resolve(parse_config(text, path.string(), path.parent_path()));
    open_.pop_back();
    return root;
  }

 private:
  ConfigNode read_included(const ConfigNode& name) {
    const fs::path file = name.folder / name.text;
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(file, error);
    if (std::find(open_.begin(), open_.end(), canonical) != open_.end())
      fail(name.position, name.text + " includes this file, directly or through others");
    if (!fs::is_regular_file(file, error))
      fail(name.position,
           fs::is_directory(file, error) ? file.string() + " is a folder" : "there is no file " + file.string());
    return read(file);
  }

  std::vector<fs::path> open_;  // files being read, to find cycles
  int layers_ = 0;
};

std::vector<std::string> split_path(const std::string& path, const std::string& label) {
  std::vector<std::string> keys(1);
  for (const char c : path) {
    if (c == '.')
      keys.emplace_back();
    else
      keys.back() += c;
  }
  if (std::any_of(keys.begin(), keys.end(), [](const std::string& key) { return key.empty(); }))
    throw ConfigError(label + ": write --set key.path=value");
  return keys;
}

/// The element that `key` names, or null if it is not an index of the list.
ConfigNode* list_item(ConfigNode& list, const std::string& key) {
  const bool number =
      key.size() < 10 && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::size_t index = number ? std::stoul(key) : list.items.size();
  return index < list.items.size() ? &list.items[index] : nullptr;
}

/// One step of an override's path, from `node` to what `key` names within it.
ConfigNode& descend(ConfigNode& node, const std::string& key, const std::string& so_far, const ConfigPosition& where) {
  using Kind = ConfigNode::Kind;
  if (node.kind == Kind::list) {
    if (ConfigNode* const item = list_item(node, key)) return *item;
    throw ConfigError(where.text() + ": " + so_far + " is a list of " + std::to_string(node.items.size()) +
                      "; name an element by its number, counted from 0");
  }
  if (node.kind == Kind::scalar)
    throw ConfigError(where.text() + ": " + so_far + " is " + node.describe() + ", not a mapping");
  if (node.kind == Kind::null) {
    node = ConfigNode{};
    node.kind = Kind::mapping;
    node.position = where;
  }
  if (ConfigEntry* const entry = node.entry(key)) return entry->value;
  node.entries.push_back({key, where, ConfigNode{}});
  return node.entries.back().value;
}

/// Keys begin..end as one, if the mapping `node` has that key.
bool has_dotted_key(const ConfigNode& node, const std::vector<std::string>& keys, std::size_t begin, std::size_t end,
                    std::string& joined) {
  joined = keys[begin];
  for (std::size_t i = begin + 1; i < end; ++i) joined += "." + keys[i];
  return node.entry(joined) != nullptr;
}

}  // namespace

ConfigNode resolve_includes(ConfigNode root) { return Reader().resolve(std::move(root)); }

ConfigNode read_config_file(const fs::path& path) { return Reader().read(path); }

void apply_override(ConfigNode& root, const std::string& assignment, const std::string& label) {
  const std::size_t equals = assignment.find('=');
  const std::string path = assignment.substr(0, equals);
  if (equals == std::string::npos) throw ConfigError(label + ": write --set key.path=value");
  if (assignment.find_first_not_of(" \t", equals + 1) == std::string::npos)
    throw ConfigError(label + ": nothing stands behind the =; write null for the default");
  const ConfigPosition where{label, 0, 0};
  ConfigNode value = parse_value(assignment.substr(equals + 1), label, path);
  put_in_layer(value, kOverrides);
  const std::vector<std::string> keys = split_path(path, label);
  ConfigNode* node = &root;
  std::string so_far, key;
  for (std::size_t begin = 0, end; begin < keys.size(); begin = end) {
    end = keys.size();
    while (end > begin + 1 && !has_dotted_key(*node, keys, begin, end, key)) --end;
    if (end == begin + 1) key = keys[begin];
    node = &descend(*node, key, so_far, where);
    so_far += (so_far.empty() ? "" : ".") + key;
  }
  *node = std::move(value);
}

}  // namespace ansatz::detail
