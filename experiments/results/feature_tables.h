// What every feature matrix gives to every input coordinate, by name, as tables for spreadsheets and pandas.
#pragma once

#include <string>

#include "core/record/run_record.h"

namespace ansatz::experiments {

/// One row a coordinate, the largest entry first: rank, feature (its name), index (from 0, that of the rows of
/// matrices/*.npy), then a column for each feature matrix's diagonal, the network's W₁ᵀW₁ first, by which the rows are
/// sorted, then the RFM's learned M. Entries have 9 digits: the arrays have all of them.
std::string features_csv(const RunRecord& record);

/// The same with one row a variable, where one-hot columns are added up; index is that of its first coordinate.
std::string columns_csv(const RunRecord& record);

}  // namespace ansatz::experiments
