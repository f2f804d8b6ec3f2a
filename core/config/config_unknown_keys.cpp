// After a config has been read, keys that were not read are errors, which name what may be meant.
#include <algorithm>
#include <cctype>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/config/config_impl.h"

namespace ansatz {
namespace {

/// Weight-Decay and weight_decay are the same word.
std::string plain_word(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return c == '-' ? '_' : std::tolower(c); });
  return word;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::vector<std::string> Config::Impl::known_keys() const {
  std::vector<std::string> known = presence_asked;
  for (const Record& r : records) known.push_back(r.key);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return known;
}

void Config::Impl::add_paths_of(const std::string& key, std::vector<std::string>& paths) const {
  for (const std::string& known : known_keys())
    if (plain_word(known) == key) paths.push_back(full(known));
  for (const Record& r : records)
    if (!r.children.empty()) r.children.front()->add_paths_of(key, paths);
}

void Config::Impl::refuse_unknown(const detail::ConfigEntry& entry, const Impl& root) const {
  const std::string where = detail::locate(entry.position, full(entry.key)), word = plain_word(entry.key);
  const auto suggest = [&](const std::string& meant) {
    throw ConfigError(where + ": unknown key; did you mean " + meant + "?");
  };
  for (const auto& [known, meant] : document->synonyms.keys)
    if (known == word && full(entry.key) != meant) suggest(meant);
  for (const auto& [known, sentence] : document->synonyms.absent)
    if (known == word) throw ConfigError(where + ": unknown key; " + sentence);
  const std::string near = nearest(entry.key, known_keys());
  if (!near.empty()) suggest(near);
  std::vector<std::string> paths;
  add_paths_of(word, paths);
  if (paths.empty()) root.add_paths_of(word, paths);
  if (!paths.empty()) suggest(listed(paths));
  const std::vector<std::string> known = known_keys();
  throw ConfigError(where + ": unknown key" + (known.empty() ? "" : "; known here: " + listed(known)));
}

void Config::Impl::check_all_read(const Impl& root) const {
  if (node == nullptr) return;
  for (const detail::ConfigEntry& entry : node->entries) {
    if (record(entry.key) != nullptr || std::find(dropped.begin(), dropped.end(), entry.key) != dropped.end()) continue;
    const bool asked = asked_for(entry.key);
    if (asked && entry.value.kind == detail::ConfigNode::Kind::null) continue;
    if (asked)
      throw ConfigError(detail::locate(entry.position, full(entry.key)) +
                        ": is not used together with the other settings; remove it");
    refuse_unknown(entry, root);
  }
  for (const Record& r : records)
    for (const std::shared_ptr<Impl>& child : r.children) child->check_all_read(root);
}

void Config::finish() const { impl_->check_all_read(*impl_); }

}  // namespace ansatz
