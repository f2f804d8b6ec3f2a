// After a config has been read: keys that were not read are errors, and the config can be written out with its
// defaults.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/config/config_impl.h"

namespace ansatz {
namespace {

bool is_word(const std::string& text) {
  constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/";
  constexpr std::string_view kOther = "0123456789.+-";
  return !text.empty() && kFirst.find(text[0]) != std::string_view::npos &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return kFirst.find(c) != std::string_view::npos || kOther.find(c) != std::string_view::npos;
         });
}

/// Words that some YAML reader takes for something other than text.
bool is_reserved(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  static const std::array<std::string_view, 13> words = {"true", "false", "null", "yes", "no",       "on", "off",
                                                         "y",    "n",     "nan",  "inf", "infinity", "~"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string quoted(const std::string& text) {
  static const char* const digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string detail::yaml_string(const std::string& text) {
  return is_word(text) && !is_reserved(text) ? text : quoted(text);
}

std::string detail::yaml_number(double value) {
  std::array<char, 40> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

void Config::Impl::check_all_read() const {
  if (node == nullptr) return;
  for (const detail::ConfigEntry& entry : node->entries) {
    if (record(entry.key) != nullptr) continue;
    const bool asked = asked_for(entry.key);
    if (asked && entry.value.kind == detail::ConfigNode::Kind::null) continue;
    const std::string where = detail::locate(entry.position, full(entry.key));
    if (asked) throw ConfigError(where + ": is not used together with the other settings; remove it");
    std::vector<std::string> known = presence_asked;
    for (const Record& r : records) known.push_back(r.key);
    std::string hint = nearest(entry.key, known);
    if (!hint.empty()) throw ConfigError(where + ": unknown key; did you mean " + hint + "?");
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (const std::string& key : known) hint += (hint.empty() ? "; known here: " : ", ") + key;
    throw ConfigError(where + ": unknown key" + hint);
  }
  for (const Record& r : records)
    for (const std::shared_ptr<Impl>& child : r.children) child->check_all_read();
}

std::string Config::Impl::resolved(std::size_t indent) const {
  const std::string margin(indent, ' ');
  std::string out;
  for (const Record& r : records) {
    const std::string key = margin + detail::yaml_string(r.key) + ":";
    // has() must give the same answer when it is asked of the resolved config.
    const bool decided_by_absence = find(r.key) == nullptr && asked_for(r.key);
    if (decided_by_absence) continue;
    if (r.kind == Record::Kind::value) {
      if (!r.text.empty()) out += key + " " + r.text + "\n";
    } else if (r.kind == Record::Kind::section) {
      const Impl& child = *r.children.front();
      const std::string body = child.resolved(indent + 2);
      if (child.node == nullptr && (child.own_presence_asked || body.empty())) continue;
      out += key + (body.empty() ? " {}\n" : "\n" + body);
    } else if (find(r.key) != nullptr) {
      out += key + (r.children.empty() ? " []\n" : "\n");
      for (const std::shared_ptr<Impl>& child : r.children) {
        std::string body = child->resolved(indent + 4);
        if (body.empty()) body = std::string(indent + 4, ' ') + "{}\n";
        body[indent + 2] = '-';
        out += body;
      }
    }
  }
  return out;
}

void Config::finish() const { impl_->check_all_read(); }

std::string Config::resolved_yaml() const { return impl_->resolved(0); }

}  // namespace ansatz
