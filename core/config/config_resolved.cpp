// After a config has been read, it can be written out with its defaults.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "core/config/config_impl.h"

namespace ansatz {
namespace {

constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/";
constexpr std::string_view kOther = "0123456789.+-";

/// Of letters that mean nothing to YAML within a word.
bool is_harmless(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return kFirst.find(c) != std::string_view::npos || kOther.find(c) != std::string_view::npos;
  });
}

bool is_word(const std::string& text) { return is_harmless(text) && kFirst.find(text[0]) != std::string_view::npos; }

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

std::string detail::yaml_flow(const ConfigNode& node) {
  std::string text;
  switch (node.kind) {
    case ConfigNode::Kind::null:
      return "null";
    case ConfigNode::Kind::scalar:  // one dash or more would begin something else
      return !node.quoted && is_harmless(node.text) && node.text.find_first_not_of('-') != std::string::npos
                 ? node.text
                 : quoted(node.text);
    case ConfigNode::Kind::list:
      for (const ConfigNode& item : node.items) text += (text.empty() ? "" : ", ") + yaml_flow(item);
      return "[" + text + "]";
    case ConfigNode::Kind::mapping:
      break;
  }
  for (const ConfigEntry& entry : node.entries)
    text += (text.empty() ? "" : ", ") + yaml_string(entry.key) + ": " + yaml_flow(entry.value);
  return "{" + text + "}";
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

std::string Config::resolved_yaml() const { return impl_->resolved(0); }

}  // namespace ansatz
