// Reads a YAML mapping strictly. Every value is checked as it is read, and finish() refuses keys that nobody has read.
// An error message says where the value stands (file:line:column, or --set) and which key it has.
// Only the sources of this folder include yaml-cpp.
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

/// What people write for something else. `keys`: for a key, {"lr", "network.optimizer.learning_rate"}, in small letters
/// and underscores. `words`: for a word that a key takes, {"gpu", "cuda"}. `absent`: keys that there are none of, each
/// with what to say instead.
struct Synonyms {
  std::vector<std::pair<std::string, std::string>> keys, words, absent;
};

/// One mapping of the document, or one that the document lacks and that yields defaults only. Cheap to copy; copies
/// share the record of which keys were read. All getters throw ConfigError, with messages such as
/// "file.yaml:12:3: rfm.ridge: must be at least 0, is -1".
class Config {
 public:
  /// Reads `path` in these steps; every error in them is a ConfigError.
  /// - `include: other.yaml` is resolved relative to the including file. Mappings are merged and anything else is
  ///   replaced; the including file wins, and of a list of includes the later file. A cycle of includes or a file that
  ///   is not there is an error, as are a syntax error and a key given twice.
  /// - Then the overrides "key.path=value" are applied, whose values are YAML. One replaces what stands there and
  ///   creates missing mappings; a number names an element of a list (kernel_machines.0.ridge). Errors in an override
  ///   name "--set key.path" instead of a file and line.
  static Config from_file(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});
  static Config from_string(std::string_view yaml, std::string_view label = "<string>",
                            const std::vector<std::string>& overrides = {});

  /// The document (of any of its mappings) with "key.path=value" applied, as if nothing of it had been read. Errors
  /// name `source` where the values of overrides stand.
  Config with(const std::vector<std::string>& assignments, const std::string& source) const;

  void know(Synonyms synonyms) const;  ///< for the errors of the whole document

  /// Whether the key is present and not null. This does not count as reading it. An absent key stays out of the
  /// resolved config once it was asked for in this way, so that the resolved config gives the same answer.
  bool has(std::string_view key) const;
  bool present() const;  ///< the same for this mapping itself: whether it stands in the document
  /// Whether the value is a list, for keys that take a list or something else. This neither counts as reading it nor
  /// as asking for its presence.
  bool is_list(std::string_view key) const;

  std::vector<std::string> keys() const;  ///< of this mapping, in their order; null ones too
  enum class Form { absent, scalar, list, mapping };
  Form form(std::string_view key) const;  ///< does not count as reading it either

  /// A key that another key makes useless, such as the parameter of a kernel that is not the chosen one, is no mistake
  /// where it comes from a lower layer than the choice: from an included file, or from the file where an override
  /// chooses. Such a key counts as not written from now on, and a note says so: "<where> <why> (<where the choice
  /// stands>): it is left out". Returns whether the key is absent now.
  bool drop_inherited(std::string_view key, std::string_view chosen, const std::string& why) const;
  const std::vector<std::string>& notes() const;  ///< of the whole document
  void note(const std::string& text) const;       ///< one more, if it is not there yet

  // Typed getters: value or fallback. `null` counts as absent.
  double get(std::string_view key, double fallback) const;  ///< finite; "3" in quotes is text, not a number
  Index get(std::string_view key, Index fallback) const;  ///< integers only: 3.5, "3" and true are errors; 1e4 is 10000
  Index get(std::string_view key, int fallback) const { return get(key, Index{fallback}); }
  bool get(std::string_view key, bool fallback) const;  ///< true or false; yes, 1 and "true" are errors
  std::string get(std::string_view key, const std::string& fallback) const;
  std::string get(std::string_view key, const char* fallback) const { return get(key, std::string(fallback)); }
  std::vector<double> get(std::string_view key, const std::vector<double>& fallback) const;
  std::vector<Index> get(std::string_view key, const std::vector<Index>& fallback) const;
  std::vector<std::string> get(std::string_view key, const std::vector<std::string>& fallback) const;
  std::string require(std::string_view key) const;  ///< a string that must be there

  // Checked getters: a value that is read must lie in a range, so that products and sums of such values cannot
  // overflow. Fallbacks are not checked.
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
  /// One of the words in `allowed`; the error at another word suggests the nearest of these.
  std::string get_choice(std::string_view key, const std::string& fallback,
                         const std::vector<std::string>& allowed) const;
  /// The same for a table of words and values: returns the value that the word stands for.
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

  /// The items of a list, each as YAML on one line: values for other keys. Empty if absent.
  std::vector<std::string> get_values(std::string_view key) const;

  Config section(std::string_view key) const;            ///< a nested mapping; an empty one if absent
  std::vector<Config> list(std::string_view key) const;  ///< a list of mappings; empty if absent

  /// A path, made absolute; empty if absent. A relative path is taken from the folder of the config file that states
  /// it, or from the working directory if only there something has that name. `~` is expanded, and $ANSATZ_DATA/
  /// at the beginning: DataError if that is not set.
  std::filesystem::path get_path(std::string_view key) const;
  std::vector<std::filesystem::path> get_paths(std::string_view key) const;

  /// Throws ConfigError at the position of `key` (or of this mapping): for checks that only the caller can make.
  [[noreturn]] void fail(std::string_view key, const std::string& message) const;
  /// "file.yaml:12:3: rfm.ridge", for messages that others compose.
  std::string where(std::string_view key) const;

  /// Call on the root when everything has been read. Throws ConfigError at a key that was not read, in any mapping that
  /// was; the message names what may be meant: by the synonyms, the nearest known key, the same key elsewhere in the
  /// config, or all keys known there. A key of which only has() was asked counts as not read.
  void finish() const;

  /// Everything that was read, defaults included, in the order of reading: YAML that gives the same run again. Reading
  /// it through the same calls gives the same values and the same text. Left out are absent keys whose fallback is
  /// empty or not finite, and those whose presence was asked for (has() and present()). For the root only.
  std::string resolved_yaml() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
  static Config from_tree(detail::ConfigNode root, const std::vector<std::string>& overrides);
  explicit Config(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
};

}  // namespace ansatz
