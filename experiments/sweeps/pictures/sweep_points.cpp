#include "experiments/sweeps/pictures/sweep_points.h"

namespace ansatz::experiments {
namespace {

bool is_of_seeds(const SweepAxis& axis) { return axis.keys.size() == 1 && axis.keys.front() == "seed"; }

}  // namespace

SweepPoints::SweepPoints(const SweepRecord& sweep) : sweep_(sweep) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    if (is_of_seeds(sweep.axes[i])) continue;
    axes_.push_back(&sweep.axes[i]);
    shown.push_back(i);
  }
  for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell) {
    Places point;
    for (const std::size_t axis : shown) point.push_back(sweep.cells[cell].places[axis]);
    cells_[point].push_back(cell);
  }
}

bool SweepPoints::is_grid() const {
  std::size_t all = 1;
  for (const SweepAxis* axis : axes_) all *= axis->values.size();
  return all == cells_.size();
}

std::vector<SweepPoints::Places> SweepPoints::points() const {
  std::vector<Places> points;
  for (const auto& [point, cells] : cells_) points.push_back(point);
  return points;
}

std::vector<const SweepRun*> SweepPoints::done(const Places& point) const {
  std::vector<const SweepRun*> runs;
  const auto found = cells_.find(point);
  if (found == cells_.end()) return runs;
  for (const std::size_t cell : found->second)
    for (const SweepRun& run : sweep_.cells[cell].runs)
      if (run.status == SweepStatus::done) runs.push_back(&run);
  return runs;
}

SweepValue SweepPoints::value(const Places& point, std::size_t number) const {
  std::vector<double> numbers;
  for (const SweepRun* run : done(point)) numbers.push_back(run->numbers[number]);
  return sweep_value(numbers);
}

SweepValue SweepPoints::lead(const Places& point, std::size_t number, std::size_t other) const {
  std::vector<double> leads;
  for (const SweepRun* run : done(point)) leads.push_back(run->numbers[number] - run->numbers[other]);
  return sweep_value(leads);
}

}  // namespace ansatz::experiments
