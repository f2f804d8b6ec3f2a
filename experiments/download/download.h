// Fetching the official files of a data set, by the programs curl, md5sum, tar and unzip.
#pragma once

#include <filesystem>

#include "core/data/loading/official_files.h"

namespace ansatz::experiments {

/// The MD5 of a file, hexadecimal (md5sum); empty if it cannot be had.
std::string md5_of(const std::filesystem::path& path);

/// size_only: no checksum published; repacked: the same data, compressed again by somebody who distributes them
enum class FileState { missing, other_size, other_content, official, size_only, repacked };
FileState check_official(const std::filesystem::path& folder, const OfficialFile& file);

/// Fetches set.downloads from `base_url` into the folder `into`, which is made. Each arrives as ".<name>.part", from
/// which a later call goes on; it gets its name when size and checksum are right. Archives are unpacked and removed.
/// What is there already is left alone. DataError: not on the server, server not reached, cut off, not the official
/// content; ConfigError: no curl; OutputError: a file of that name with other content is there, disk full.
void download(const OfficialFiles& set, std::string base_url, const std::filesystem::path& into);

}  // namespace ansatz::experiments
