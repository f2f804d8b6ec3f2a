// Cells of a CSV file that we write.
#pragma once

#include <optional>
#include <string>

namespace ansatz {

/// In quotes where it holds a comma, a quote or a line's end.
std::string csv_cell(const std::string& text);
/// The shortest text that reads back as the same double; nothing where there is none.
std::string csv_cell(const std::optional<double>& value);

}  // namespace ansatz
