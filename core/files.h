// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace ansatz {

/// Calls `write` on a stream to a temporary file beside `path`, then fsyncs and renames. On any failure (disk full, read-only,
/// an exception of `write`) the temporary is removed and OutputError thrown, naming path and cause.
void write_file_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// The whole file; DataError if it cannot be read. ".gz" is not special here.
std::string read_file(const std::filesystem::path& path);
/// The whole file, unpacked if it starts with the gzip magic; DataError if truncated or corrupt (zlib).
std::string read_file_or_gzip(const std::filesystem::path& path);

}  // namespace ansatz
