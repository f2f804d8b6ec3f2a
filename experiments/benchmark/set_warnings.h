// What is warned of while a set is run: hundreds of lines that differ in a number, for a reader one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/run/run_directory.h"

namespace ansatz::experiments {

/// One line for those that are the same but for numbers, in the order in which the first of each came, with how many
/// they are and from where to where their numbers go: "40 times: system of 250 to 500 rows, ridge 0.001: ...". A number
/// within a word (float64) is a part of the word.
std::vector<std::string> summarized(const std::vector<std::string>& warnings);

/// Runs `body` and keeps the warnings of this process from the terminal meanwhile. After it, however it ends, their
/// summary is said, each line with the name of the set before it, and all of them are in warnings.txt, below those that
/// a run which was cut off left there.
void run_with_summarized_warnings(const std::string& set, const RunDirectory& directory,
                                  const std::function<void()>& body);

}  // namespace ansatz::experiments
