// The paper's theorem and propositions, checked numerically (Table 1, section 5, appendices A and C).
#pragma once

#include "experiments/experiment.h"

namespace ansatz::experiments {

/// Findings: how fast both sides of Theorem 1 and Propositions 3 to 5 approach each other (slope of the error over the
/// width, or over the number of draws for Proposition 3), the error at the largest, Proposition 1's error, and the test
/// errors of Proposition 2 at the largest sample. Figures: error against width, and test error against n, both on log
/// axes. No data, all in double.
PreparedExperiment prepare_theory(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
