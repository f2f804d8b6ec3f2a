// `ansatz data`: where a data set is looked for, what is there, how to get it; and getting it.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/data/formats/find_files.h"
#include "core/data/loading/load_dataset.h"
#include "experiments/cli/commands.h"
#include "experiments/download/download.h"

namespace ansatz::experiments {
namespace {

namespace fs = std::filesystem;

const DatasetInfo& find_info(const std::string& name) {
  std::vector<std::string> names;
  for (const DatasetInfo& info : dataset_table()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  const std::string near = nearest(name, names);
  throw ConfigError("there is no data set \"" + name + "\"; " +
                    (near.empty() ? "`ansatz list datasets` names them" : "did you mean " + near + "?"));
}

std::optional<fs::path> find_folder(const std::string& name) {
  try {
    return find_dataset(name, {});
  } catch (const DataError&) {
    return std::nullopt;
  }
}

/// 182040794 as 182,040,794.
std::string grouped(Index number) {
  std::string digits = std::to_string(number);
  for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}

std::string state_in_words(const fs::path& folder, const OfficialFile& file) {
  std::error_code ignored;
  switch (check_official(folder, file)) {
    case FileState::missing:
      return "not there";
    case FileState::other_size:
      return fmt::format("{} bytes, where the official file has {}: an excerpt, repacked, or cut short",
                         grouped(static_cast<Index>(fs::file_size(folder / file.name, ignored))), grouped(file.bytes));
    case FileState::other_content:
      return "not the official file, whose MD5 is " + file.md5;
    case FileState::official:
      return "the official file (size and MD5)";
    case FileState::size_only:
      return "the official size";
    case FileState::repacked:
      return "the official data, packed again by " + file.repacked.front().by;
  }
  return "";
}

void print_files_there(const OfficialFiles& set, fs::path folder) {
  const std::vector<OfficialFile>& files = set.files.empty() ? set.downloads : set.files;
  // `folder` may be the sub-folder that the archive unpacks to.
  if (const fs::path inner = fs::path(files.front().name).parent_path(); !inner.empty() && folder.filename() == inner)
    folder = folder.parent_path();
  for (const OfficialFile& file : files) {
    std::printf("  %s: %s\n", file.name.c_str(), state_in_words(folder, file).c_str());
  }
  if (set.image_folder.empty()) return;
  const fs::path images = folder / set.image_folder;
  std::error_code error;
  const Index count = fs::is_directory(images, error) ? static_cast<Index>(visible_files(images).size()) : 0;
  std::printf("  %s: %s of %s images\n", set.image_folder.c_str(), grouped(count).c_str(), grouped(set.images).c_str());
}

void print_official(const OfficialFiles& set) {
  std::printf("official files%s%s:\n", set.url.empty() ? "" : ", from ", set.url.c_str());
  for (const OfficialFile& file : set.downloads)
    std::printf("  %s, %s bytes, MD5 %s\n", file.name.c_str(), grouped(file.bytes).c_str(), file.md5.c_str());
}

void describe(const DatasetInfo& info) {
  std::printf("%s: %s\n", info.name.c_str(), info.summary.c_str());
  for (const std::string& other : info.made_from) {
    std::printf("\nmade of: ");
    describe(find_info(other));
  }
  if (!info.files.empty()) std::printf("files:\n");
  for (const std::string& file : info.files) std::printf("  %s\n", file.c_str());
  if (!info.searched.empty()) std::printf("looked for in (after the config's dataset.path):\n");
  for (const fs::path& folder : info.searched)
    std::printf("  %s%s\n", folder.c_str(), fs::exists(folder) ? "" : "   (not there)");
  const OfficialFiles* const official = official_files(info.name);
  if (!info.searched.empty()) {
    const std::optional<fs::path> folder = find_folder(info.name);
    std::printf("found: %s\n", folder ? folder->c_str() : "no");
    if (folder && official) print_files_there(*official, *folder);
  }
  if (!info.how_to_get.empty()) std::printf("how to get it: %s\n", info.how_to_get.c_str());
  if (official) {
    print_official(*official);
    std::printf("or by: ansatz data %s --download%s\n", info.name.c_str(), official->url.empty() ? " --from URL" : "");
  }
}

void download_dataset(const DatasetInfo& info, const DataArguments& arguments) {
  if (!info.made_from.empty()) {
    throw ConfigError(fmt::format("{} is made of {}; download {}: ansatz data {} --download", info.name,
                                  fmt::join(info.made_from, " and "), info.made_from.size() > 1 ? "those" : "that",
                                  info.made_from.front()));
  }
  const OfficialFiles* const set = official_files(info.name);
  if (!set) throw ConfigError(info.name + " is not a published data set; there is nothing to download");
  if (set->url.empty() && arguments.from.empty()) {
    throw ConfigError(info.name +
                      " has no plain download address; name the folder of a server that has its files with " +
                      "--from URL, or: " + info.how_to_get);
  }
  fs::path into = arguments.into;
  if (into.empty()) {
    const char* data = std::getenv("ANSATZ_DATA");
    if (!data || !*data) throw ConfigError("where to? Set ANSATZ_DATA, or say --into FOLDER");
    into = fs::path(data) / info.name;
  }
  download(*set, arguments.from.empty() ? set->url : arguments.from, into);
  std::printf("%s is in %s\n", info.name.c_str(), into.c_str());
}

}  // namespace

void data_command(const DataArguments& arguments) {
  const DatasetInfo& info = find_info(arguments.name);
  if (arguments.download) return download_dataset(info, arguments);
  if (!arguments.from.empty() || !arguments.into.empty()) throw ConfigError("--from and --into go with --download");
  describe(info);
}

}  // namespace ansatz::experiments
