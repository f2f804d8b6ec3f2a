#include "core/data/formats/find_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> visible_entries(const fs::path& folder, bool folders) {
  std::error_code error;
  std::vector<fs::path> entries;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code gone;
    const bool wanted = folders ? entry->is_directory(gone) : entry->is_regular_file(gone);
    if (wanted && entry->path().filename().string().front() != '.') entries.push_back(entry->path());
  }
  if (error) throw DataError(folder.string() + ": cannot be listed: " + error.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

std::vector<std::string> split_alternatives(std::string_view alternatives) {
  std::vector<std::string> names;
  while (!alternatives.empty()) {
    const std::size_t bar = std::min(alternatives.find('|'), alternatives.size());
    names.emplace_back(alternatives.substr(0, bar));
    alternatives.remove_prefix(std::min(bar + 1, alternatives.size()));
  }
  return names;
}

std::optional<fs::path> find_file(const fs::path& folder, std::string_view alternatives) {
  for (const std::string& name : split_alternatives(alternatives)) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  }
  return std::nullopt;
}

fs::path require_file(const fs::path& folder, std::string_view alternatives) {
  if (const std::optional<fs::path> found = find_file(folder, alternatives)) return *found;
  throw DataError(fmt::format("{}: no {} there", folder.string(), fmt::join(split_alternatives(alternatives), " or ")));
}

std::vector<fs::path> visible_files(const fs::path& folder) { return visible_entries(folder, false); }
std::vector<fs::path> visible_folders(const fs::path& folder) { return visible_entries(folder, true); }

}  // namespace ansatz
