// Whether a .mat file of version 5 is whole: matio reports neither a short read nor a checksum that does not fit.
#pragma once

#include <filesystem>
#include <string>

namespace ansatz::detail {

/// Walks the elements of the file from one length to the next, and checks the one that holds `array`: what a compressed
/// one unpacks to, its checksum (Adler-32), and that it holds as many values as its dimensions say. `whole` false: only
/// that the element could hold them, without unpacking it. DataError naming the file, also where it ends within an
/// element or holds no such array. Files of another version pass.
void check_mat5(const std::filesystem::path& path, const std::string& array, bool whole);

}  // namespace ansatz::detail
