#include "core/record/tuning/tuning_remarks.h"

#include <fmt/format.h>

#include <algorithm>

namespace ansatz {
namespace {

bool equally_good(const TuningCell& a, const TuningCell& b) {
  return a.validation && b.validation && at_least_as_good(*a.validation, *b.validation) &&
         at_least_as_good(*b.validation, *a.validation);
}

}  // namespace

std::vector<std::string> tuning_remarks(const TuningRecord& tuning) {
  std::vector<std::string> remarks;
  const auto as_good = std::count_if(tuning.cells.begin(), tuning.cells.end(), [&](const TuningCell& cell) {
    return &cell != &tuning.chosen_cell() && equally_good(cell, tuning.chosen_cell());
  });
  if (as_good > 0)
    remarks.push_back(fmt::format("{} other setting{} just as good on the validation rows; the first is taken", as_good,
                                  as_good == 1 ? " is" : "s are"));
  const auto failed =
      std::count_if(tuning.cells.begin(), tuning.cells.end(), [](const auto& c) { return !c.validation; });
  if (failed > 0) remarks.push_back(fmt::format("{} of {} settings failed", failed, tuning.cells.size()));
  return remarks;
}

}  // namespace ansatz
