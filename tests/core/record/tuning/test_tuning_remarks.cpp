#include "core/record/tuning/tuning_remarks.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

using Remarks = std::vector<std::string>;

/// One axis; the cell with the least error is chosen; a negative error: the cell failed.
TuningRecord tuned(const std::vector<std::string>& values, const std::vector<double>& errors) {
  TuningRecord tuning{"rfm", {{"rfm.ridge", values, false}}, {}, 0};
  for (std::size_t i = 0; i < values.size(); ++i) {
    tuning.cells.push_back({{values[i]}, std::nullopt, "", 0});
    if (errors[i] >= 0) tuning.cells.back().validation = Metrics{std::nullopt, errors[i], 0};
    const bool better =
        errors[i] >= 0 && (!tuning.chosen_cell().validation || errors[i] < tuning.chosen_cell().validation->mse);
    if (better) tuning.chosen = static_cast<Index>(i);
  }
  return tuning;
}

}  // namespace

TEST_CASE("tuning: settings as good as the chosen one, and those that failed, are said") {
  CHECK(tuning_remarks(tuned({"1", "2", "3"}, {3, 1, 2})).empty());
  CHECK(tuning_remarks(tuned({"1", "2", "3"}, {1, 1, 2})) ==
        Remarks{"1 other setting is just as good on the validation rows; the first is taken"});
  CHECK(tuning_remarks(tuned({"1", "2", "3", "4"}, {1, 1, 1, 2})).back() ==
        "2 other settings are just as good on the validation rows; the first is taken");
  CHECK(tuning_remarks(tuned({"1", "2", "3"}, {-1, 1, 2})) == Remarks{"1 of 3 settings failed"});
}
