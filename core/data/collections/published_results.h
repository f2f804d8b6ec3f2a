// What others have measured on the sets of a collection.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// The table of a study: one row a set, one column a method.
struct PublishedResults {
  std::vector<std::string> sets, methods;
  Matrix<double> accuracy;  ///< sets x methods, in percent; NaN where the study has no result
};

/// Reads the study's results.txt: a header line of "problema", the methods, and min, max, mean, std; a line a set, "--"
/// for no result; then a rule of dashes and the lines mean and std. The four last columns and the lines after the rule
/// repeat what the table says and are only checked for their lengths. Throws DataError naming file and line: a line of
/// another length, a set or method that is there twice, a value that is no percentage.
PublishedResults read_published_results(const std::filesystem::path& path);

}  // namespace ansatz
