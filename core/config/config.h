// A YAML mapping read strictly: every key must be asked for, every value checked, every error says file:line:column.
// yaml-cpp stays inside the sources of this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

namespace detail {
struct ConfigNode;
}

/// One mapping of the document (or an absent one, which then yields defaults). Cheap to copy; copies share which keys
/// were read. All getters throw ConfigError: "file.yaml:12:3: rfm.ridge: must be at least 0, is -1".
class Config {
 public:
  /// Reads `path`, resolves `include: other.yaml` (relative to the including file; this file's keys win, mappings
  /// merge, lists replace), then applies "key.path=value" overrides (values are YAML; errors in them name "--set
  /// key.path"). A list of includes: later files win. An override replaces what stands there and creates missing
  /// mappings; elements of a list are addressed by number (kernel_machines.0.ridge). Errors: syntax, a key given twice,
  /// a cycle of includes, a file that is not there; all are ConfigError.
  static Config from_file(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});
  static Config from_string(std::string_view yaml, std::string_view label = "<string>",
                            const std::vector<std::string>& overrides = {});

  /// Present and not null; does not count as reading it. An absent key that was asked for stays out of the resolved
  /// config, so that asking there gives the same answer.
  bool has(std::string_view key) const;
  bool present() const;  ///< this mapping itself stands in the document; the same holds for it

  // Typed getters: value or fallback. `null` counts as absent.
  double get(std::string_view key, double fallback) const;  ///< finite; "3" in quotes is text, not a number
  Index get(std::string_view key, Index fallback) const;  ///< integers only: 3.5, "3" and true are errors; 1e4 is 10000
  Index get(std::string_view key, int fallback) const { return get(key, Index{fallback}); }
  bool get(std::string_view key, bool fallback) const;  ///< true or false, not yes, 1 or "true"
  std::string get(std::string_view key, const std::string& fallback) const;
  std::string get(std::string_view key, const char* fallback) const { return get(key, std::string(fallback)); }
  std::vector<double> get(std::string_view key, const std::vector<double>& fallback) const;
  std::vector<Index> get(std::string_view key, const std::vector<Index>& fallback) const;
  std::vector<std::string> get(std::string_view key, const std::vector<std::string>& fallback) const;
  std::string require(std::string_view key) const;  ///< a string that must be there

  // Checked getters: what is read has a range, so that products and sums of it cannot overflow. Fallbacks are not
  // checked.
  static constexpr double kLargestNumber = 1e30;  ///< near the end of float32
  static constexpr Index kLargestCount = 1'000'000'000;
  double get_at_least(std::string_view key, double fallback, double low, double high = kLargestNumber) const;
  double get_positive(std::string_view key, double fallback, double high = kLargestNumber) const;
  double get_fraction(std::string_view key, double fallback) const;  ///< in [0, 1)
  Index get_at_least(std::string_view key, Index fallback, Index low, Index high = kLargestCount) const;
  /// A list whose items all lie in low..high; the message names the item.
  std::vector<double> get_list(std::string_view key, const std::vector<double>& fallback, double low,
                               double high = kLargestNumber) const;
  std::vector<Index> get_list(std::string_view key, const std::vector<Index>& fallback, Index low,
                              Index high = kLargestCount) const;
  /// One of `allowed`; an unknown word suggests the nearest.
  std::string get_choice(std::string_view key, const std::string& fallback,
                         const std::vector<std::string>& allowed) const;
  /// The value that the word stands for.
  template <class Enum>
  Enum get_choice(std::string_view key, const std::string& fallback,
                  const std::vector<std::pair<std::string, Enum>>& table) const {
    std::vector<std::string> words;
    for (const auto& row : table) words.push_back(row.first);
    const std::string word = get_choice(key, fallback, words);
    return std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.first == word; })->second;
  }
  /// An integer, or the word `word` (which gives `word_value`): "gradient_samples: all | N".
  Index get_or_word(std::string_view key, Index fallback, std::string_view word, Index word_value, Index low,
                    Index high = kLargestCount) const;

  Config section(std::string_view key) const;            ///< a nested mapping; an empty one if absent
  std::vector<Config> list(std::string_view key) const;  ///< a list of mappings; empty if absent

  /// A path value: relative paths are taken from the folder of the file that states it, unless they exist in the
  /// working directory only. Empty if absent. `~` is expanded. The resolved form is absolute.
  std::filesystem::path get_path(std::string_view key) const;
  std::vector<std::filesystem::path> get_paths(std::string_view key) const;

  /// Throws ConfigError at the position of `key` (or of this mapping): for checks that only the caller can make.
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;
  /// "file.yaml:12:3: rfm.ridge" for messages of others.
  std::string where(std::string_view key) const;

  /// Call on the root when all has been read: an unread key anywhere is an error that names the nearest key that was
  /// asked for in the same mapping.
  void finish() const;

  /// All that was read, defaults included, as YAML that gives the same run again (root only; keys in reading order).
  /// Read through the same calls it gives the same values and the same text. Absent keys whose fallback is empty are
  /// left out.
  std::string resolved_yaml() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
  static Config from_tree(detail::ConfigNode root, const std::vector<std::string>& overrides);
  explicit Config(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
};

}  // namespace ansatz
