// Plots of a sweep's numbers over its keys.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/sweep/sweep_families.h"
#include "experiments/pictures/axis_positions.h"
#include "experiments/sweeps/pictures/sweep_points.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {

/// Which axis is across, which gives lines, and which give panels; and the plots that follow.
class SweepPlots {
 public:
  /// Keeps a reference to the points, which have at least one axis.
  explicit SweepPlots(const SweepPoints& points);

  std::size_t x() const { return x_; }                                ///< the first axis of numbers, or the first
  const std::optional<std::size_t>& lines() const { return lines_; }  ///< the first of the others
  const std::vector<std::size_t>& panels() const { return panels_; }  ///< the rest

  viz::LinePlot empty_plot(const SweepFamily& family, const std::string& title) const;
  /// Along x, with the other axes at `places`; in ascending order of x.
  viz::Series series(const std::string& label, SweepPoints::Places places, const SweepMember& member,
                     double unit) const;
  /// A line for each value of lines().
  viz::LinePlot with_lines(const SweepFamily& family, const SweepMember& member, SweepPoints::Places places,
                           const std::string& title) const;
  /// All points over one axis, a colour a member.
  viz::LinePlot scatter(const SweepFamily& family, std::size_t axis) const;

  std::vector<SweepPoints::Places> panel_places() const;  ///< all combinations, the last axis running fastest
  std::string panel_title(const SweepPoints::Places& places) const;
  std::string lines_left_out() const;  ///< " (8 of 12 values)", or nothing

 private:
  std::vector<std::size_t> shown_lines() const;
  std::string value_name(std::size_t axis, std::size_t place) const;  ///< "ridge = 0.1"

  const SweepPoints& points_;
  std::vector<AxisPositions> positions_;  ///< one an axis
  std::size_t x_ = 0;
  std::optional<std::size_t> lines_;
  std::vector<std::size_t> panels_;
};

/// Where values on an axis stand: of several keys by the values of the first one.
AxisPositions positions_on(const SweepAxis& axis);
/// The places of an axis by value; words as they are listed.
std::vector<std::size_t> ascending(const AxisPositions& positions);

bool has_values(const viz::LinePlot& plot);
/// Over words, moves the markers of several series apart.
void keep_apart(viz::LinePlot& plot);
/// Gives all the same range of y.
void share_scale(std::vector<viz::LinePlot>& plots);

}  // namespace ansatz::experiments
