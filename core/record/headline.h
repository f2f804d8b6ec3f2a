// What a run comes to, and what to beware of in it, in a few sentences for the terminal and the report.
#pragma once

#include <string>

#include "core/record/run_record.h"

namespace ansatz {

/// What is put around the numbers that matter, such as "<b>" and "</b>".
struct Emphasis {
  const char *begin = "", *end = "";
};

/// Whether both models predict at all; how alike diagonals and leading eigenspaces are (single eigenvectors only where
/// the first eigenvalue stands clear of the second); what the same numbers were at the initial weights, and whether
/// training changed them. Empty where the record has no headline.
std::string headline(const RunRecord& record, const Emphasis& emphasis = {});

/// "rfm.bandwidth = 20 is the largest value tried, so a larger one may be better. ", a sentence for each key of which
/// the chosen value is the smallest or the largest of several numbers; "" where there is none.
std::string tuning_edges(const TuningRecord& tuning);

}  // namespace ansatz
