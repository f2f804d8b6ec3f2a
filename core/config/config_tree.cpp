#include "core/config/config_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/config/config.h"

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

}  // namespace

std::string ConfigPosition::text() const {
  return line > 0 ? source + ":" + std::to_string(line) + ":" + std::to_string(column) : source;
}

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const ConfigEntry& e : entries)
    if (e.key == key) return e.value.kind == Kind::null ? nullptr : &e.value;
  return nullptr;
}

const ConfigEntry* ConfigNode::entry(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const ConfigEntry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

ConfigEntry* ConfigNode::entry(std::string_view key) {
  return const_cast<ConfigEntry*>(std::as_const(*this).entry(key));
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

ConfigNode parse_value(const std::string& yaml, const std::string& label, const std::string& path) {
  const fs::path folder;
  TreeBuilder builder(label, folder, false);
  return builder.build(load_only_document(yaml, builder), path);
}

}  // namespace ansatz::detail
