// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace ansatz {

/// Calls `write` on a stream to a temporary file beside `path`, then fsyncs and renames; a symbolic link is followed.
/// On any failure (disk full, read-only, no such folder, not a regular file, an exception of `write`) the temporary is
/// removed, the old file left as it was, and OutputError thrown, naming path and cause. An ansatz::Error thrown by
/// `write` passes unchanged.
void write_file_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// Appends `line` and a newline in a single write, creating the file. After a crash the last line may be missing or
/// cut, the others are whole. OutputError as above.
void append_line(const std::filesystem::path& path, std::string_view line);

/// Creates the folder and its parents; nothing to do if it is there. OutputError naming path and cause.
void make_folder(const std::filesystem::path& path);

/// True for the names of temporary files that a killed process leaves behind (".<name>.<process>-<count>.tmp").
bool is_temporary_file(const std::filesystem::path& path);

/// The whole file; DataError if it cannot be read. ".gz" is not special here.
std::string read_file(const std::filesystem::path& path);
/// The whole file, unpacked if it starts with the gzip magic; DataError if truncated or corrupt (zlib).
std::string read_file_or_gzip(const std::filesystem::path& path);

}  // namespace ansatz
