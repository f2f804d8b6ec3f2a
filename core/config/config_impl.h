// Internal to this folder: one mapping of the document, and the record of what was read from it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/config.h"
#include "core/config/config_tree.h"

namespace ansatz {

struct Config::Impl {
  /// A key that was read, with its value or the fallback that was taken.
  struct Record {
    enum class Kind { value, section, list };
    std::string key;
    Kind kind = Kind::value;
    std::string text;  ///< a value as YAML on one line; "" if there is nothing to write
    std::vector<std::shared_ptr<Impl>> children;
  };

  /// What all mappings of a document share.
  struct Document {
    detail::ConfigNode root;
    Synonyms synonyms;
    std::vector<std::string> notes;
  };

  std::shared_ptr<Document> document;
  const detail::ConfigNode* node = nullptr;  ///< in the document; null: the mapping is not there
  detail::ConfigPosition position;           ///< of the mapping; if absent, of the nearest one around it
  std::string path;                          ///< "rfm", "kernel_machines.0"; "" for the root
  std::vector<Record> records;               ///< in reading order
  std::vector<std::string> presence_asked;   ///< keys given to has()
  std::vector<std::string> dropped;          ///< keys that count as not written
  bool own_presence_asked = false;           ///< present() was called

  const detail::ConfigNode* find(std::string_view key) const;
  std::string full(std::string_view key) const;
  std::string where(std::string_view key) const;
  bool asked_for(std::string_view key) const;

  const Record* record(std::string_view key) const;
  Record& note(std::string_view key, Record::Kind kind);  ///< the record of the key, a new one if it has none yet
  void note_value(std::string_view key, std::string text);
  std::shared_ptr<Impl> child(const detail::ConfigNode* mapping, const std::string& child_path) const;

  void check_all_read(const Impl& root) const;
  [[noreturn]] void refuse_unknown(const detail::ConfigEntry& entry, const Impl& root) const;
  std::vector<std::string> known_keys() const;  ///< of this mapping
  /// Paths of all keys called `key` in this mapping and those within it; of a list of mappings, the first's.
  void add_paths_of(const std::string& key, std::vector<std::string>& paths) const;
  std::string resolved(std::size_t indent) const;
};

namespace detail {
/// "file.yaml:12:3: rfm.ridge", or just "--set rfm.ridge" if the value comes from an override of that very key.
std::string locate(const ConfigPosition& position, const std::string& path);
std::string yaml_string(const std::string& text);  ///< plain where YAML reads the same text back, else in double quotes
std::string yaml_number(double value);             ///< the shortest form that reads back as the same double
std::string yaml_flow(const ConfigNode& node);     ///< on one line, to be read back as the same value
}  // namespace detail

}  // namespace ansatz
