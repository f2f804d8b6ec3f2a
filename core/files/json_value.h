// Values of a JSON file that may have been damaged or edited: everything read is checked, and every error names the
// file and the key.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

using Json = nlohmann::ordered_json;

/// A value together with its place, such as "runs/a/metrics.json: models.rfm.test". Copies share the file's contents.
/// Every function throws DataError if the value is not of the kind asked for.
class JsonValue {
 public:
  /// DataError if the file cannot be read, is not JSON, or is nested more than 64 deep.
  static JsonValue read(const std::filesystem::path& file);
  /// The same of a text, found in `file`.
  static JsonValue parse(const std::string& text, const std::filesystem::path& file);
  /// `value`, found in `file`.
  JsonValue(Json value, const std::filesystem::path& file);

  bool has(const std::string& key) const;                          ///< of an object
  JsonValue at(const std::string& key) const;                      ///< of an object; DataError if it is not there
  std::optional<JsonValue> find(const std::string& key) const;     ///< of an object; none if it is not there
  std::vector<std::pair<std::string, JsonValue>> members() const;  ///< of an object, in the file's order
  std::vector<JsonValue> list() const;                             ///< of an array

  std::string text() const;
  bool truth() const;
  double number() const;                             ///< null is NaN: JSON has no other way to say it
  Index integer(Index lowest, Index highest) const;  ///< DataError out of that range, too
  bool is_number() const;                            ///< a number and not null

  /// Of an object: the member, or `fallback` if it is not there.
  std::string text(const std::string& key, const std::string& fallback) const;
  double number(const std::string& key, double fallback) const;

  const Json& json() const { return *value_; }  ///< the value, whatever its kind
  const std::string& file() const { return *file_; }
  /// DataError: "<file>: <key> <what>; the file is damaged, or of another version of ansatz".
  [[noreturn]] void fail(const std::string& what) const;

 private:
  JsonValue(std::shared_ptr<const Json> value, std::shared_ptr<const std::string> file, std::string key);
  JsonValue member(const std::string& key, const Json& value) const;

  std::shared_ptr<const Json> value_;  ///< part of the file's contents, which it keeps alive
  std::shared_ptr<const std::string> file_;
  std::string key_;  ///< "models.rfm", "" for the whole
};

}  // namespace ansatz
