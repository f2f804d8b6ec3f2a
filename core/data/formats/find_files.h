// Finding the files of a data set in a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ansatz {

/// The first of the names "a|b|c" that is a file in `folder`.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder, std::string_view alternatives);

/// As find_file; DataError naming folder and names if none is there.
std::filesystem::path require_file(const std::filesystem::path& folder, std::string_view alternatives);

/// The parts of "a|b|c".
std::vector<std::string> split_alternatives(std::string_view alternatives);

/// The folder's files, or its sub-folders, that are not hidden, sorted by name; DataError if it cannot be listed.
std::vector<std::filesystem::path> visible_files(const std::filesystem::path& folder);
std::vector<std::filesystem::path> visible_folders(const std::filesystem::path& folder);

}  // namespace ansatz
