#include "core/config/config_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>

#include "core/base/error.h"
#include "core/config/config.h"
#include "core/files/files.h"

namespace ansatz::detail {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 32;
constexpr int kMaxNodes = 200'000;  // aliases of aliases grow exponentially

/// Copies yaml-cpp's graph into a tree.
class TreeBuilder {
 public:
  TreeBuilder(const std::string& source, const fs::path& folder, bool has_lines)
      : source_(source), folder_(folder), has_lines_(has_lines) {}

  ConfigNode build(const YAML::Node& yaml, const std::string& path, int depth = 0) {
    ConfigNode node;
    node.position = position(yaml.Mark());
    node.folder = folder_;
    if (depth > kMaxDepth || ++nodes_ > kMaxNodes) fail(node.position, path, "nested too deeply");
    if (yaml.IsScalar()) {
      scalar(yaml, path, node);
    } else if (yaml.IsSequence()) {
      node.kind = ConfigNode::Kind::list;
      for (const YAML::Node& item : yaml)
        node.items.push_back(build(item, join(path, std::to_string(node.items.size())), depth + 1));
    } else if (yaml.IsMap()) {
      node.kind = ConfigNode::Kind::mapping;
      for (const auto& pair : yaml) add_entry(pair.first, pair.second, path, depth, node);
    }
    return node;
  }

  [[noreturn]] static void fail(const ConfigPosition& where, const std::string& path, const std::string& message) {
    throw ConfigError(where.text() + ": " + (path.empty() ? "" : path + ": ") + message);
  }

  ConfigPosition position(const YAML::Mark& mark) const {
    if (!has_lines_ || mark.is_null()) return {source_, 0, 0};
    return {source_, mark.line + 1, mark.column + 1};
  }

 private:
  static std::string join(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }

  void scalar(const YAML::Node& yaml, const std::string& path, ConfigNode& node) const {
    static const std::string standard = "tag:yaml.org,2002:";
    const std::string& tag = yaml.Tag();
    node.kind = ConfigNode::Kind::scalar;
    node.text = yaml.Scalar();
    node.quoted = tag == "!" || tag == standard + "str";
    if (!node.quoted && tag != "?" && !tag.empty()) fail(node.position, path, "the tag " + tag + " is not supported");
  }

  void add_entry(const YAML::Node& key, const YAML::Node& value, const std::string& path, int depth, ConfigNode& node) {
    const ConfigPosition where = position(key.Mark());
    if (!key.IsScalar()) fail(where, path, "keys must be plain words");
    const std::string full = join(path, key.Scalar());
    if (const ConfigEntry* first = node.entry(key.Scalar()))
      fail(where, full, "given twice (first at " + first->position.text() + ")");
    node.entries.push_back({key.Scalar(), where, build(value, full, depth + 1)});
  }

  const std::string& source_;
  const fs::path& folder_;
  bool has_lines_;
  int nodes_ = 0;
};

/// Takes the events of a document's parsing, and keeps only where its content begins.
class DocumentBegin : public YAML::EventHandler {
 public:
  YAML::Mark mark = YAML::Mark::null_mark();
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& at, YAML::anchor_t) override { see(at); }
  void OnAlias(const YAML::Mark& at, YAML::anchor_t) override { see(at); }
  void OnScalar(const YAML::Mark& at, const std::string&, YAML::anchor_t, const std::string&) override { see(at); }
  void OnSequenceStart(const YAML::Mark& at, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    see(at);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& at, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    see(at);
  }
  void OnMapEnd() override {}

 private:
  void see(const YAML::Mark& at) {
    if (mark.is_null()) mark = at;
  }
};

/// The only document in the text; throws ConfigError if anything follows it. (YAML::Load ignores what follows, and
/// YAML::LoadAll never ends if that is a token that cannot begin a document, as in `"a", b`.)
YAML::Node load_only_document(const std::string& yaml, const TreeBuilder& builder) {
  try {
    std::istringstream stream(yaml);
    YAML::Parser parser(stream);
    DocumentBegin first, second;
    if (parser.HandleNextDocument(first) && parser.HandleNextDocument(second))
      TreeBuilder::fail(builder.position(second.mark), "", "a second document; a config is one YAML document");
    return YAML::Load(yaml);
  } catch (const YAML::Exception& e) {
    TreeBuilder::fail(builder.position(e.mark), "", "not valid YAML: " + e.msg);
  }
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
      TreeBuilder::fail(name.position, "include", "must be a file name or a list of them, is " + name.describe());
  return names;
}

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
ConfigNode& descend(ConfigNode& node, const std::string& key, const std::string& so_far, const ConfigPosition& where,
                    const fs::path& folder) {
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
    node.folder = folder;
  }
  if (ConfigEntry* const entry = node.entry(key)) return entry->value;
  node.entries.push_back({key, where, ConfigNode{}});
  return node.entries.back().value;
}

}  // namespace

std::string ConfigPosition::text() const {
  return line > 0 ? source + ":" + std::to_string(line) + ":" + std::to_string(column) : source;
}

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const ConfigEntry& e : entries)
    if (e.key == key) return e.value.kind == Kind::null ? nullptr : &e.value;
  return nullptr;
}

ConfigEntry* ConfigNode::entry(std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const ConfigEntry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::string ConfigNode::describe() const {
  switch (kind) {
    case Kind::null:
      return "empty";
    case Kind::list:
      return "a list";
    case Kind::mapping:
      return "a mapping";
    case Kind::scalar:
      break;
  }
  return quoted ? "the text \"" + text + "\"" : text;
}

ConfigNode parse_config(const std::string& yaml, const std::string& source, const fs::path& folder) {
  TreeBuilder builder(source, folder, true);
  ConfigNode root = builder.build(load_only_document(yaml, builder), "");
  if (root.kind == ConfigNode::Kind::null) {
    root.kind = ConfigNode::Kind::mapping;
    root.position = {source, 0, 0};
    root.folder = folder;
  }
  if (root.kind != ConfigNode::Kind::mapping)
    throw ConfigError(root.position.text() + ": must hold `key: value` lines, holds " + root.describe());
  return root;
}

ConfigNode resolve_includes(ConfigNode root, std::vector<fs::path> open) {
  const ConfigEntry* const include = root.entry("include");
  if (include == nullptr) return root;
  ConfigNode merged;
  merged.kind = ConfigNode::Kind::mapping;
  for (const ConfigNode& name : include_list(include->value)) {
    const fs::path file = name.folder / name.text;
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(file, error);
    if (std::find(open.begin(), open.end(), canonical) != open.end())
      TreeBuilder::fail(name.position, "include", name.text + " includes this file, directly or through others");
    if (!fs::is_regular_file(file, error))
      TreeBuilder::fail(
          name.position, "include",
          fs::is_directory(file, error) ? file.string() + " is a folder" : "there is no file " + file.string());
    merge(merged, read_config_file(file, open));
  }
  root.entries.erase(root.entries.begin() + (include - root.entries.data()));
  merge(merged, std::move(root));
  return merged;
}

ConfigNode read_config_file(const fs::path& path, std::vector<fs::path> open) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const DataError& e) {
    throw ConfigError(e.what());
  }
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  open.push_back(error ? path : canonical);
  return resolve_includes(parse_config(text, path.string(), path.parent_path()), std::move(open));
}

void apply_override(ConfigNode& root, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string path = assignment.substr(0, equals);
  const std::string label = "--set " + path;
  if (equals == std::string::npos) throw ConfigError(label + ": write --set key.path=value");
  if (assignment.find_first_not_of(" \t", equals + 1) == std::string::npos)
    throw ConfigError(label + ": nothing stands behind the =; write null for the default");
  const ConfigPosition where{label, 0, 0};
  const fs::path folder;
  TreeBuilder builder(label, folder, false);
  ConfigNode value = builder.build(load_only_document(assignment.substr(equals + 1), builder), path);
  ConfigNode* node = &root;
  std::string so_far;
  for (const std::string& key : split_path(path, label)) {
    node = &descend(*node, key, so_far, where, folder);
    so_far += (so_far.empty() ? "" : ".") + key;
  }
  *node = std::move(value);
}

}  // namespace ansatz::detail
