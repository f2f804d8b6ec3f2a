// A config as a whole: where it comes from, what is put over it, and what is noted about it.
#include <algorithm>
#include <utility>

#include "core/config/config_impl.h"

namespace ansatz {

using detail::ConfigNode;

Config Config::from_tree(detail::ConfigNode root, const std::vector<std::string>& overrides) {
  for (const std::string& assignment : overrides)
    detail::apply_override(root, assignment, "--set " + assignment.substr(0, assignment.find('=')));
  auto impl = std::make_shared<Impl>();
  impl->position = {root.position.source, 0, 0};
  impl->document = std::make_shared<Impl::Document>(Impl::Document{std::move(root), {}, {}});
  impl->node = &impl->document->root;
  return Config(std::move(impl));
}

Config Config::from_file(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return from_tree(detail::read_config_file(path), overrides);
}

Config Config::from_string(std::string_view yaml, std::string_view label, const std::vector<std::string>& overrides) {
  return from_tree(detail::resolve_includes(detail::parse_config(std::string(yaml), std::string(label), {})),
                   overrides);
}

Config Config::with(const std::vector<std::string>& assignments, const std::string& source) const {
  ConfigNode root = impl_->document->root;
  for (const std::string& assignment : assignments) detail::apply_override(root, assignment, source);
  Config changed = from_tree(std::move(root), {});
  changed.impl_->document->synonyms = impl_->document->synonyms;
  return changed;
}

void Config::know(Synonyms synonyms) const { impl_->document->synonyms = std::move(synonyms); }

const std::vector<std::string>& Config::notes() const { return impl_->document->notes; }

void Config::note(const std::string& text) const {
  std::vector<std::string>& notes = impl_->document->notes;
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
}

bool Config::drop_inherited(std::string_view key, std::string_view chosen, const std::string& why) const {
  const ConfigNode* const value = impl_->find(key);
  const detail::ConfigEntry* const by = impl_->node ? impl_->node->entry(chosen) : nullptr;
  if (value == nullptr || by == nullptr || value->layer >= by->value.layer) return value == nullptr;
  note(where(key) + " " + why + " (" + by->value.position.text() + "): it is left out");
  impl_->dropped.emplace_back(key);
  return true;
}

std::vector<std::string> Config::keys() const {
  std::vector<std::string> keys;
  if (impl_->node != nullptr)
    for (const detail::ConfigEntry& entry : impl_->node->entries) keys.push_back(entry.key);
  return keys;
}

Config::Form Config::form(std::string_view key) const {
  const ConfigNode* const node = impl_->find(key);
  if (node == nullptr) return Form::absent;
  if (node->kind == ConfigNode::Kind::scalar) return Form::scalar;
  return node->kind == ConfigNode::Kind::list ? Form::list : Form::mapping;
}

}  // namespace ansatz
