#include "core/config/config.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/config/config_impl.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;
using detail::ConfigNode;
using detail::locate;

[[noreturn]] void refuse(const ConfigNode& node, const std::string& path, const std::string& wanted) {
  throw ConfigError(locate(node.position, path) + ": must be " + wanted + ", is " + node.describe());
}

template <class Number>
std::optional<Number> parse_plain(const ConfigNode& node) {
  if (node.kind != ConfigNode::Kind::scalar || node.quoted) return std::nullopt;
  const char* begin = node.text.data();
  const char* const end = begin + node.text.size();
  if (begin + 1 < end && *begin == '+' && begin[1] != '-') ++begin;
  Number value{};
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

double as_number(const ConfigNode& node, const std::string& path) {
  const std::optional<double> value = parse_plain<double>(node);
  if (!value) refuse(node, path, "a number");
  if (!std::isfinite(*value)) refuse(node, path, "a finite number");
  return *value;
}

std::optional<Index> integer(const ConfigNode& node) {
  if (const std::optional<Index> value = parse_plain<Index>(node)) return value;
  const std::optional<double> value = parse_plain<double>(node);  // 1e4
  constexpr double kExact = 9007199254740992.0;                   // 2^53
  if (!value || !(std::abs(*value) <= kExact) || *value != std::floor(*value)) return std::nullopt;
  return static_cast<Index>(*value);
}

Index as_integer(const ConfigNode& node, const std::string& path) {
  const std::optional<Index> value = integer(node);
  if (!value) refuse(node, path, "an integer");
  return *value;
}

std::string integer_text(Index value) { return std::to_string(value); }
std::string number_text(double value) { return detail::yaml_number(value); }
std::string number_text(Index value) { return integer_text(value); }

template <class Number>
Number within(const ConfigNode& node, const std::string& path, Number value, Number low, Number high) {
  if (value < low) refuse(node, path, "at least " + number_text(low));
  if (value > high) refuse(node, path, "at most " + number_text(high));
  return value;
}

bool as_bool(const ConfigNode& node, const std::string& path) {
  const bool plain = node.kind == ConfigNode::Kind::scalar && !node.quoted;
  for (const char* word : {"true", "True", "TRUE"})
    if (plain && node.text == word) return true;
  for (const char* word : {"false", "False", "FALSE"})
    if (plain && node.text == word) return false;
  refuse(node, path, "true or false");
}

std::string as_text(const ConfigNode& node, const std::string& path) {
  if (node.kind != ConfigNode::Kind::scalar) refuse(node, path, "text");
  return node.text;
}

/// With what stands for the home folder, or for the folder of data sets, put in its place.
fs::path expanded(const std::string& text, const std::string& path) {
  constexpr std::string_view kData = "$ANSATZ_DATA/";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && (text == "~" || text.compare(0, 2, "~/") == 0)) return home + text.substr(1);
  if (text.compare(0, kData.size(), kData) != 0) return text;
  const char* const data = std::getenv("ANSATZ_DATA");
  if (data == nullptr || *data == '\0')
    throw DataError(fmt::format(
        "{}: {}: ANSATZ_DATA is not set; set it to the folder of data sets, or give another path", path, text));
  return fs::absolute(data) / text.substr(kData.size());
}

fs::path as_path(const ConfigNode& node, const std::string& path) {
  const std::string text = as_text(node, path);
  if (text.empty()) return {};
  fs::path file = expanded(text, path);
  std::error_code error;
  if (file.is_relative() && !node.folder.empty()) {
    const fs::path beside = node.folder / file;  // also taken if neither exists, so that an error names this one
    if (fs::exists(beside, error) || !fs::exists(file, error)) file = beside;
  }
  return fs::absolute(file).lexically_normal();
}

template <class T, class Convert>
std::vector<T> as_list(const ConfigNode& node, const std::string& path, const char* wanted, Convert convert) {
  if (node.kind != ConfigNode::Kind::list) refuse(node, path, wanted);
  std::vector<T> values;
  for (const ConfigNode& item : node.items) values.push_back(convert(item, path + "." + std::to_string(values.size())));
  return values;
}

template <class T, class Format>
std::string flow_list(const std::vector<T>& values, Format format) {
  std::string text = "[";
  for (const T& value : values) text += (text.size() > 1 ? ", " : "") + format(value);
  return text + "]";
}

std::string words(const std::vector<std::string>& allowed) {
  std::string text;
  for (const std::string& word : allowed) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string path_text(const fs::path& path) { return detail::yaml_string(path.string()); }

/// What every getter does: converts the value in the document, or takes the fallback, and records the result. A
/// fallback that is empty or not finite is not written into the resolved config.
template <class Impl, class T, class Convert, class Format>
T read_value(Impl& impl, std::string_view key, T fallback, Convert convert, Format format) {
  const ConfigNode* const node = impl.find(key);
  const T value = node ? convert(*node, impl.full(key)) : std::move(fallback);
  bool written = node != nullptr;
  if constexpr (std::is_floating_point_v<T>)
    written |= std::isfinite(value);
  else if constexpr (std::is_arithmetic_v<T>)
    written = true;
  else
    written |= !value.empty();
  impl.note_value(key, written ? format(value) : "");
  return value;
}

template <class Impl, class Number, class Convert>
std::vector<Number> read_numbers(Impl& impl, std::string_view key, const std::vector<Number>& fallback,
                                 const char* wanted, Convert convert_item) {
  const auto convert = [&](const ConfigNode& node, const std::string& path) {
    return as_list<Number>(node, path, wanted, convert_item);
  };
  const auto format = [](const std::vector<Number>& values) {
    return flow_list(values, [](Number value) { return number_text(value); });
  };
  return read_value(impl, key, fallback, convert, format);
}

}  // namespace

bool Config::has(std::string_view key) const {
  if (!impl_->asked_for(key)) impl_->presence_asked.emplace_back(key);
  return impl_->find(key) != nullptr;
}

bool Config::is_list(std::string_view key) const {
  const ConfigNode* const node = impl_->find(key);
  return node != nullptr && node->kind == ConfigNode::Kind::list;
}

bool Config::present() const {
  impl_->own_presence_asked = true;
  return impl_->node != nullptr;
}

double Config::get(std::string_view key, double fallback) const {
  return read_value(*impl_, key, fallback, as_number, detail::yaml_number);
}

Index Config::get(std::string_view key, Index fallback) const {
  return read_value(*impl_, key, fallback, as_integer, integer_text);
}

bool Config::get(std::string_view key, bool fallback) const {
  return read_value(*impl_, key, fallback, as_bool, [](bool value) { return std::string(value ? "true" : "false"); });
}

std::string Config::get(std::string_view key, const std::string& fallback) const {
  return read_value(*impl_, key, fallback, as_text, detail::yaml_string);
}

std::vector<double> Config::get(std::string_view key, const std::vector<double>& fallback) const {
  return read_numbers(*impl_, key, fallback, "a list of numbers", as_number);
}

std::vector<Index> Config::get(std::string_view key, const std::vector<Index>& fallback) const {
  return read_numbers(*impl_, key, fallback, "a list of integers", as_integer);
}

std::vector<std::string> Config::get(std::string_view key, const std::vector<std::string>& fallback) const {
  const auto convert = [](const ConfigNode& node, const std::string& path) {
    return as_list<std::string>(node, path, "a list of texts", as_text);
  };
  return read_value(*impl_, key, fallback, convert, [](const auto& v) { return flow_list(v, detail::yaml_string); });
}

std::string Config::require(std::string_view key) const {
  const std::string value = get(key, std::string());
  if (value.empty()) fail(key, "is needed");
  return value;
}

double Config::get_at_least(std::string_view key, double fallback, double low, double high) const {
  const double value = get(key, fallback);
  const ConfigNode* const node = impl_->find(key);
  return node ? within(*node, impl_->full(key), value, low, high) : value;
}

double Config::get_positive(std::string_view key, double fallback, double high) const {
  const double value = get(key, fallback);
  const ConfigNode* const node = impl_->find(key);
  if (node && !(value > 0)) refuse(*node, impl_->full(key), "greater than 0");
  return node ? within(*node, impl_->full(key), value, 0.0, high) : value;
}

double Config::get_fraction(std::string_view key, double fallback) const {
  const double value = get(key, fallback);
  if (impl_->find(key) && !(value >= 0 && value < 1))
    fail(key, "must be at least 0 and less than 1, is " + impl_->find(key)->describe());
  return value;
}

Index Config::get_at_least(std::string_view key, Index fallback, Index low, Index high) const {
  const Index value = get(key, fallback);
  const ConfigNode* const node = impl_->find(key);
  return node ? within(*node, impl_->full(key), value, low, high) : value;
}

std::vector<double> Config::get_list(std::string_view key, const std::vector<double>& fallback, double low,
                                     double high) const {
  return read_numbers(*impl_, key, fallback, "a list of numbers", [&](const ConfigNode& node, const std::string& path) {
    return within(node, path, as_number(node, path), low, high);
  });
}

std::vector<Index> Config::get_list(std::string_view key, const std::vector<Index>& fallback, Index low,
                                    Index high) const {
  return read_numbers(*impl_, key, fallback, "a list of integers",
                      [&](const ConfigNode& node, const std::string& path) {
                        return within(node, path, as_integer(node, path), low, high);
                      });
}

std::string Config::get_choice(std::string_view key, const std::string& fallback,
                               const std::vector<std::string>& allowed) const {
  const std::string value = get(key, fallback);
  if (!impl_->find(key) || std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return value;
  std::string near;
  for (const auto& [word, meant] : impl_->document->synonyms.words)
    if (word == value && std::find(allowed.begin(), allowed.end(), meant) != allowed.end()) near = meant;
  if (near.empty()) near = nearest(value, allowed);
  fail(key, "must be one of " + words(allowed) + ", is \"" + value + "\"" +
                (near.empty() ? "" : "; did you mean " + near + "?"));
}

Index Config::get_or_word(std::string_view key, Index fallback, std::string_view word, Index word_value, Index low,
                          Index high) const {
  const auto convert = [&](const ConfigNode& node, const std::string& path) {
    if (node.kind == ConfigNode::Kind::scalar && node.text == word) return word_value;
    const std::optional<Index> value = integer(node);
    if (!value || *value < low)
      refuse(node, path, "an integer of at least " + std::to_string(low) + ", or " + std::string(word));
    return within(node, path, *value, low, high);
  };
  const auto format = [&](Index value) {
    return value == word_value ? detail::yaml_string(std::string(word)) : number_text(value);
  };
  return read_value(*impl_, key, fallback, convert, format);
}

std::vector<std::string> Config::get_values(std::string_view key) const {
  const auto convert = [](const ConfigNode& node, const std::string& path) {
    return as_list<std::string>(node, path, "a list of values",
                                [](const ConfigNode& item, const std::string&) { return detail::yaml_flow(item); });
  };
  return read_value(*impl_, key, std::vector<std::string>(), convert,
                    [](const auto& v) { return flow_list(v, [](const std::string& value) { return value; }); });
}

Config Config::section(std::string_view key) const {
  const ConfigNode* const node = impl_->find(key);
  if (node && node->kind != ConfigNode::Kind::mapping)
    refuse(*node, impl_->full(key), "a mapping (`key: value` lines)");
  Impl::Record& record = impl_->note(key, Impl::Record::Kind::section);
  if (record.children.empty()) record.children.push_back(impl_->child(node, impl_->full(key)));
  return Config(record.children.front());
}

std::vector<Config> Config::list(std::string_view key) const {
  const ConfigNode* const node = impl_->find(key);
  const std::string path = impl_->full(key);
  if (node && node->kind != ConfigNode::Kind::list) refuse(*node, path, "a list of mappings");
  Impl::Record& record = impl_->note(key, Impl::Record::Kind::list);
  std::vector<Config> items;
  for (std::size_t i = 0; node && i < node->items.size(); ++i) {
    const std::string item_path = path + "." + std::to_string(i);
    if (node->items[i].kind != ConfigNode::Kind::mapping)
      refuse(node->items[i], item_path, "a mapping (`key: value` lines)");
    if (record.children.size() <= i) record.children.push_back(impl_->child(&node->items[i], item_path));
    items.push_back(Config(record.children[i]));
  }
  return items;
}

fs::path Config::get_path(std::string_view key) const {
  return read_value(*impl_, key, fs::path(), as_path, path_text);
}

std::vector<fs::path> Config::get_paths(std::string_view key) const {
  const auto convert = [](const ConfigNode& node, const std::string& path) {
    return as_list<fs::path>(node, path, "a list of file names", as_path);
  };
  return read_value(*impl_, key, std::vector<fs::path>(), convert,
                    [](const auto& v) { return flow_list(v, path_text); });
}

void Config::fail(std::string_view key, const std::string& message) const {
  throw ConfigError(where(key) + ": " + message);
}

std::string Config::where(std::string_view key) const { return impl_->where(key); }

}  // namespace ansatz
