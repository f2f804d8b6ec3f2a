// The cells of a sweep as points over the keys that are no seeds: what they found is pooled over all seeds.
#pragma once

#include <map>
#include <vector>

#include "core/record/sweep/sweep_record.h"

namespace ansatz::experiments {

/// The axes of the record but one of seeds, and a point for each combination of places on them that has cells.
class SweepPoints {
 public:
  using Places = std::vector<std::size_t>;  ///< one for each of axes()

  /// Keeps a reference to the record.
  explicit SweepPoints(const SweepRecord& sweep);
  const std::vector<const SweepAxis*>& axes() const { return axes_; }
  bool is_grid() const;  ///< whether every combination is there
  std::vector<Places> points() const;
  /// Over all seeds of the point, of those runs that have it; no values where there is no such point.
  SweepValue value(const Places& point, std::size_t number) const;
  /// `number` less `other`, of those runs that have both: models of one seed have the same data.
  SweepValue lead(const Places& point, std::size_t number, std::size_t other) const;

 private:
  std::vector<const SweepRun*> done(const Places& point) const;

  const SweepRecord& sweep_;
  std::vector<const SweepAxis*> axes_;
  std::map<Places, std::vector<std::size_t>> cells_;  ///< of each point
};

}  // namespace ansatz::experiments
