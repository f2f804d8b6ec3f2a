#include "core/config/config_impl.h"

#include <algorithm>
#include <utility>

namespace ansatz {

using detail::ConfigNode;
using detail::locate;

std::string detail::locate(const ConfigPosition& position, const std::string& path) {
  const std::string text = position.text();
  return path.empty() || text == "--set " + path ? text : text + ": " + path;
}

const ConfigNode* Config::Impl::find(std::string_view key) const {
  if (node == nullptr || std::find(dropped.begin(), dropped.end(), key) != dropped.end()) return nullptr;
  return node->find(key);
}

std::string Config::Impl::full(std::string_view key) const {
  if (key.empty()) return path;
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::string Config::Impl::where(std::string_view key) const {
  const ConfigNode* const value = find(key);
  return locate(value ? value->position : position, full(key));
}

bool Config::Impl::asked_for(std::string_view key) const {
  return std::find(presence_asked.begin(), presence_asked.end(), key) != presence_asked.end();
}

const Config::Impl::Record* Config::Impl::record(std::string_view key) const {
  const auto found = std::find_if(records.begin(), records.end(), [&](const Record& r) { return r.key == key; });
  return found == records.end() ? nullptr : &*found;
}

Config::Impl::Record& Config::Impl::note(std::string_view key, Record::Kind kind) {
  if (const Record* const known = record(key)) {
    Record& again = records[static_cast<std::size_t>(known - records.data())];
    if (again.kind != kind) again.children.clear();
    again.kind = kind;
    return again;
  }
  records.push_back({std::string(key), kind, "", {}});
  return records.back();
}

void Config::Impl::note_value(std::string_view key, std::string text) {
  note(key, Record::Kind::value).text = std::move(text);
}

std::shared_ptr<Config::Impl> Config::Impl::child(const ConfigNode* mapping, const std::string& child_path) const {
  auto made = std::make_shared<Impl>();
  made->document = document;
  made->node = mapping;
  made->position = mapping ? mapping->position : position;
  made->path = child_path;
  return made;
}

}  // namespace ansatz
