// Internal to this folder: a YAML document as plain values, each knowing where it was written. yaml-cpp stays in
// config_tree.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ansatz::detail {

struct ConfigPosition {
  std::string source;        ///< the file as the user named it, or "--set key.path"
  int line = 0, column = 0;  ///< 1-based; 0 where a source has no lines
  std::string text() const;  ///< "file.yaml:12:3"
};

struct ConfigEntry;

struct ConfigNode {
  enum class Kind { null, scalar, list, mapping };
  Kind kind = Kind::null;
  std::string text;     ///< of a scalar
  bool quoted = false;  ///< a scalar written as text: "3" in quotes is not a number
  std::vector<ConfigNode> items;
  std::vector<ConfigEntry> entries;
  ConfigPosition position;
  std::filesystem::path folder;  ///< where relative paths start; empty: the working directory

  const ConfigNode* find(std::string_view key) const;  ///< null values count as absent
  ConfigEntry* entry(std::string_view key);
  std::string describe() const;  ///< "a mapping", "3", "the text \"3\"", for messages
};

struct ConfigEntry {
  std::string key;
  ConfigPosition position;
  ConfigNode value;
};

/// Parses one document whose root is a mapping. Throws ConfigError on a syntax error, a key given twice, a second
/// document, or another kind of root.
ConfigNode parse_config(const std::string& yaml, const std::string& source, const std::filesystem::path& folder);

/// Resolves the root's `include` (see Config::from_file). `open` lists the files being read, to find cycles.
ConfigNode resolve_includes(ConfigNode root, std::vector<std::filesystem::path> open = {});
ConfigNode read_config_file(const std::filesystem::path& path, std::vector<std::filesystem::path> open = {});

/// Applies "key.path=value": replaces what stands there, and creates missing mappings on the way.
void apply_override(ConfigNode& root, const std::string& assignment);

}  // namespace ansatz::detail
