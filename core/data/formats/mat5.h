// Checks that a .mat file of version 5 is whole, because matio reports neither a short read nor a wrong checksum.
#pragma once

#include <filesystem>
#include <string>

namespace ansatz::detail {

/// Steps from element to element and checks the one that holds `array`: what it unpacks to if it is compressed, its
/// checksum (Adler-32), and that it holds as many values as its dimensions say. If `whole` is false, checks only that
/// the element could hold so many values, without unpacking it. Throws DataError naming the file if a check fails, if
/// the file ends within an element, or if it holds no such array. Files of another version pass.
void check_mat5(const std::filesystem::path& path, const std::string& array, bool whole);

}  // namespace ansatz::detail
