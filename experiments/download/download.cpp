#include "experiments/download/download.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/base/error.h"
#include "core/files/files.h"
#include "experiments/jobs/child_process.h"

namespace ansatz::experiments {
namespace {

namespace fs = std::filesystem;

enum CurlExit {  // man curl, EXIT CODES
  kNoHost = 6,
  kNoConnection = 7,
  kPartial = 18,
  kHttpError = 22,
  kWriteError = 23,
  kTimeout = 28,
  kNoRanges = 33,
  kReceiveError = 56,
};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Index size_of(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : static_cast<Index>(size);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Throws what an exit code of curl means to a person.
[[noreturn]] void fail(const ChildResult& curl, const std::string& url, const fs::path& part) {
  const std::string status = curl.out.substr(0, 3);
  const bool reached = size_of(part) > 0 || status != "000";
  switch (curl.exit_code == kTimeout && !reached ? kNoConnection : curl.exit_code) {
    case kHttpError:
      if (status == "404")
        throw DataError(url + ": not there (404); name the folder it is in with --from, or get the file by hand");
      throw DataError(fmt::format("{}: the server answered {}; try again later, or another --from", url, status));
    case kNoHost:
    case kNoConnection:
      throw DataError(url + ": the server cannot be reached; check the address and the network");
    case kWriteError:
      throw OutputError(part.string() + ": cannot be written; is the disk full?");
    case kPartial:
    case kTimeout:
    case kReceiveError:
      throw DataError(
          fmt::format("{}: cut off after {} bytes; the same command goes on from there", url, size_of(part)));
    default:
      throw DataError(fmt::format("{}: curl failed ({}) {}", url, curl.exit_code, first_line(curl.errors)));
  }
}

ChildResult run_curl(const std::string& url, const fs::path& part) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::vector<std::string> arguments = {
      "curl", "--fail",        "--location", "--retry",  "2",           "--speed-limit", "1",           "--speed-time",
      "60",   "--continue-at", "-",          "--output", part.string(), "--write-out",   "%{http_code}"};
  if (terminal)
    arguments.push_back("--progress-bar");
  else
    arguments.insert(arguments.end(), {"--silent", "--show-error"});
  arguments.push_back(url);
  return run_child(arguments, !terminal);
}

void sync(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY);
  const bool synced = file >= 0 && fsync(file) == 0;
  if (file >= 0) close(file);
  if (!synced) throw OutputError(path.string() + ": cannot be written to the disk");
}

/// Fetches one file; it has its name when it is right.
void fetch(const std::string& url, const OfficialFile& file, const fs::path& target) {
  const fs::path part = target.parent_path() / ("." + target.filename().string() + ".part");
  if (const Index there = size_of(part); there > 0)
    std::printf("%s: %ld bytes are there from an earlier try\n", file.name.c_str(), static_cast<long>(there));
  if (size_of(part) < file.bytes) {
    ChildResult curl = run_curl(url, part);
    if (curl.exit_code == kNoRanges) {  // the server cannot go on from the middle
      fs::remove(part);
      curl = run_curl(url, part);
    }
    if (curl.exit_code != 0) fail(curl, url, part);
  }
  const Index bytes = size_of(part);
  const std::string md5 = file.md5.empty() || bytes != file.bytes ? "" : md5_of(part);
  if (bytes != file.bytes || md5 != file.md5) {
    fs::remove(part);
    throw DataError(
        bytes != file.bytes
            ? fmt::format("{}: {} bytes arrived, the official file has {}; they were removed", url, bytes, file.bytes)
            : fmt::format("{}: MD5 {} instead of the official {}; it was removed", url, md5, file.md5));
  }
  sync(part);
  fs::rename(part, target);
}

bool is_archive(const OfficialFile& file) { return ends_with(file.name, ".tar.gz") || ends_with(file.name, ".zip"); }

/// Commands that unpack the archive, any of which will do; `archive` and `into` may be empty.
std::vector<std::vector<std::string>> ways_to_unpack(const fs::path& archive, const fs::path& into) {
  if (!ends_with(archive.string(), ".zip")) return {{"tar", "-xzf", archive.string(), "-C", into.string()}};
  return {{"unzip", "-q", archive.string(), "-d", into.string()},
          {"python3", "-m", "zipfile", "-e", archive.string(), into.string()}};
}

bool is_installed(const std::string& program) { return run_child({program, "--help"}, true).exit_code != 127; }

/// Before gigabytes are fetched that cannot be unpacked.
void require_programs(const OfficialFiles& set) {
  if (!is_installed("curl")) throw ConfigError("--download needs the program curl (apt-get install curl)");
  if (!is_installed("md5sum")) throw ConfigError("--download needs the program md5sum (apt-get install coreutils)");
  for (const OfficialFile& file : set.downloads) {
    if (!is_archive(file)) continue;
    const auto ways = ways_to_unpack(file.name, "");
    if (std::none_of(ways.begin(), ways.end(), [](const auto& way) { return is_installed(way.front()); }))
      throw ConfigError(fmt::format("{} is unpacked by the program {}, which is not here; install it", file.name,
                                    ways.front().front()));
  }
}

/// Unpacks beside, then moves what came out into place.
void unpack(const fs::path& archive, const fs::path& into) {
  const fs::path scratch = into / ("." + archive.filename().string() + ".unpacked");
  fs::remove_all(scratch);
  make_folder(scratch);
  ChildResult result;
  for (const std::vector<std::string>& way : ways_to_unpack(archive, scratch)) {
    result = run_child(way, true);
    if (result.exit_code != 127) break;
  }
  if (result.exit_code != 0) {
    fs::remove_all(scratch);
    throw OutputError(archive.string() + ": cannot be unpacked: " + first_line(result.errors));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(scratch)) {
    fs::rename(entry.path(), into / entry.path().filename());
  }
  fs::remove_all(scratch);
  fs::remove(archive);
}

/// Whether what an archive holds is in place already. OutputError if something else is in its place.
bool is_unpacked(const OfficialFiles& set, const OfficialFile& archive, const fs::path& into) {
  const bool images = !set.image_folder.empty() && archive.name == set.image_folder + ".zip";
  const fs::path folder = into / (images ? fs::path(set.image_folder) : *fs::path(set.files.front().name).begin());
  if (!fs::exists(folder)) return false;
  const bool complete = images || std::all_of(set.files.begin(), set.files.end(), [&](const OfficialFile& file) {
                          return size_of(into / file.name) == file.bytes;
                        });
  if (complete) return true;
  throw OutputError(folder.string() +
                    ": is there, but does not hold the official files; remove it, or choose another " +
                    "folder with --into");
}

}  // namespace

std::string md5_of(const fs::path& path) {
  const ChildResult result = run_child({"md5sum", "--", path.string()}, true);
  // A name with a backslash or newline makes md5sum put a backslash first.
  const std::size_t begin = result.out.rfind('\\', 0) == 0 ? 1 : 0;
  return result.exit_code == 0 ? result.out.substr(begin, 32) : "";
}

FileState check_official(const fs::path& folder, const OfficialFile& file) {
  const fs::path path = folder / file.name;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return FileState::missing;
  for (const RepackedFile& repacked : file.repacked)
    if (size_of(path) == repacked.bytes && md5_of(path) == repacked.md5) return FileState::repacked;
  if (size_of(path) != file.bytes) return FileState::other_size;
  if (file.md5.empty()) return FileState::size_only;
  return md5_of(path) == file.md5 ? FileState::official : FileState::other_content;
}

void download(const OfficialFiles& set, std::string base_url, const fs::path& into) {
  if (!ends_with(base_url, "/")) base_url += "/";
  require_programs(set);
  make_folder(into);
  for (const OfficialFile& file : set.downloads) {
    const bool archive = is_archive(file);
    if (archive && is_unpacked(set, file, into)) {
      std::printf("%s: what it holds is there\n", file.name.c_str());
      continue;
    }
    const FileState state = check_official(into, file);
    if (state == FileState::other_size || state == FileState::other_content) {
      throw OutputError((into / file.name).string() +
                        ": is there, but is not the official file; remove it, or choose another folder with --into");
    }
    if (state == FileState::missing) {
      std::printf("%s: %ld bytes from %s\n", file.name.c_str(), static_cast<long>(file.bytes), base_url.c_str());
      std::fflush(stdout);
      fetch(base_url + file.name, file, into / file.name);
    }
    if (archive) unpack(into / file.name, into);
    std::printf("%s: %s\n", file.name.c_str(), archive ? "complete, unpacked" : "complete");
  }
}

}  // namespace ansatz::experiments
