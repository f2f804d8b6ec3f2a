// Internal to this folder: a YAML document as plain values, each knowing where it was written. yaml-cpp stays in
// config_tree.cpp; config_layers.cpp merges files and overrides.
#pragma once

#include <filesystem>
#include <limits>
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
  int layer = 0;                 ///< of the files that were merged, which: a higher one overrides a lower one

  const ConfigNode* find(std::string_view key) const;    ///< null values count as absent
  const ConfigEntry* entry(std::string_view key) const;  ///< null values too
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

/// A YAML value that stands alone, such as that of an override. Errors name `label`, and not a line.
ConfigNode parse_value(const std::string& yaml, const std::string& label, const std::string& path);

/// Resolves the root's `include` (see Config::from_file).
ConfigNode resolve_includes(ConfigNode root);
ConfigNode read_config_file(const std::filesystem::path& path);

inline constexpr int kOverrides = std::numeric_limits<int>::max();  ///< their layer: they override every file

/// Applies "key.path=value": replaces what stands there, and creates missing mappings on the way. A key that itself
/// holds dots is found by them. Errors name `label`.
void apply_override(ConfigNode& root, const std::string& assignment, const std::string& label);

}  // namespace ansatz::detail
