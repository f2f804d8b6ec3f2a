// The few numbers an experiment stands for, each beside the paper's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/record/run_record.h"

namespace ansatz::experiments {

/// What the config says of the finding of that name, which the experiment has fixed.
struct ExpectedFinding : Expectation {
  std::string name;
};

/// Of a whole experiment; section `findings`:
///   findings:
///     differs: 1,080 training images of a subset, not 40,000
///     expected:
///       - {name: eyeglasses.diagonal_pearson, source: "Fig. 2b: above 0.8", at_least: 0.8,
///          at_this_size: {at_least: 0.7}}
/// `at_least` and `at_most` are the sentence's own; a bound that only the size of this run allows stands beside them.
struct Expectations {
  std::vector<ExpectedFinding> findings;
  std::string differs;  ///< which sizes, data and conventions differ from the paper's, in words
};

/// `names`: those the experiment will find. ConfigError on another, naming the nearest; on bounds that nothing meets;
/// on `at_this_size` without the sentence's own bound, or one that asks for more.
Expectations parse_expectations(const Config& root, const std::vector<std::string>& names);

/// The findings with what is expected of them, each judged. One that nobody expects stands alone; one that is expected
/// but was not found has no value (NaN), and differs from any bound.
FindingsRecord judged(const std::vector<Finding>& findings, const Expectations& expectations);

/// The findings of a finished run judged by what `root` expects now, so that a bound or a word can be mended without
/// running again; values and errors are the run's. What is expected but was not found in that run is left out.
FindingsRecord judged_anew(const FindingsRecord& found, const Config& root);

/// "5 of 9 hold, 1 differs, 3 are unclear": of the findings with a bound, by the sentences' own. Empty without any.
std::string count_verdicts(const FindingsRecord& findings);

/// A row a finding: meaning, ours ± standard error, the paper's, the verdict; then what differs. `width`: columns of
/// the terminal; 0: as wide as it is.
std::string findings_table(const FindingsRecord& findings, std::size_t width = 0);

}  // namespace ansatz::experiments
