// Models that predict no better than a constant: what is to be said before any number that is made of their features.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace ansatz {

/// A sentence about a model that has learned nothing that carries over to the test rows (without any: the validation
/// rows); none about others, or where no row was held out.
/// - regression: its R² is below 0, or its error (of several standardised outputs: standardized_mse) no smaller than
///   that of the training targets' mean;
/// - classification: its accuracy is not above that of the training rows' most frequent class by more than two standard
///   errors, sqrt(p (1 - p) / n) with p the latter. Where all rows held out are of that class, nothing can be said.
std::optional<std::string> poor_fit(const RunRecord& record, const ModelScores& model);

/// The sentences about the network, the reported RFM and each fixed kernel; of a model without one, a sentence that
/// names the outputs of which it has learned nothing, if there are any.
std::vector<std::string> poor_fits(const RunRecord& record);

}  // namespace ansatz
