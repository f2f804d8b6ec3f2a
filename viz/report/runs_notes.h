// What stands in the way of holding numbers of several runs against one another.
#pragma once

#include <string>
#include <vector>

#include "core/run/finished_run.h"

namespace ansatz::viz {

/// A sentence each: one folder twice; test rows that are not the same; classifications beside regressions; and what
/// each run warns of. Empty where there is nothing to say.
std::vector<std::string> notes_on(const std::vector<FinishedRun>& runs);

/// The first input that has another name in `b` than in `a`: "number 1 is age in x and income in y". Empty where all
/// have the same, or one of the runs has no names, or another number of inputs.
std::string difference_of_inputs(const FinishedRun& a, const FinishedRun& b);

/// "the inputs of a and b are not the same: number 1 is ..." of each run whose inputs are not those of the first.
std::vector<std::string> notes_on_inputs(const std::vector<FinishedRun>& runs);

}  // namespace ansatz::viz
