#include "experiments/sweeps/pictures/sweep_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/files/files.h"
#include "core/record/sweep/sweep_families.h"
#include "experiments/sweeps/pictures/sweep_maps.h"
#include "experiments/sweeps/pictures/sweep_plots.h"
#include "experiments/sweeps/pictures/sweep_winners.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

constexpr std::size_t kMostPanels = 12, kMostMembers = 9;

/// What a figure has in common, for its caption.
constexpr const char* kErrors = " Means over the seeds; around them one standard error, where there are several.";

class Pictures {
 public:
  Pictures(const SweepRecord& sweep, std::filesystem::path images)
      : sweep_(sweep), points_(sweep), plots_(points_), images_(std::move(images)) {}

  std::vector<Figure> draw() {
    if (points_.axes().empty()) return {};
    for (SweepFamily& family : families_of(sweep_)) {
      if (family.members.size() > kMostMembers) family.members.resize(kMostMembers);
      if (!points_.is_grid()) {
        draw_scatter(family);
      } else if (!plots_.lines()) {
        draw_single(family);
      } else {
        plots_.panels().empty() ? draw_panel_a_member(family) : draw_figure_a_member(family);
        draw_map(family);
        draw_winners(family);
      }
    }
    return figures_;
  }

 private:
  std::string x_name() const { return points_.axes()[plots_.x()]->name(); }

  void add(const std::string& name, std::vector<viz::LinePlot> plots, bool one_scale, const std::string& title,
           const std::string& caption) {
    plots.erase(std::remove_if(plots.begin(), plots.end(), [](const auto& plot) { return !has_values(plot); }),
                plots.end());
    if (plots.empty()) return;
    if (one_scale) share_scale(plots);
    make_folder(images_);
    viz::draw_lines(plots, images_ / name);
    figures_.push_back({name, title, caption, false});
  }

  /// One key: the members are the lines.
  void draw_single(const SweepFamily& family) {
    std::vector<viz::LinePlot> plots;
    for (const SweepMember& member : family.members) {
      if (plots.empty() || !family.one_scale)
        plots.push_back(plots_.empty_plot(family, family.one_scale ? "" : member.label));
      plots.back().series.push_back(plots_.series(family.one_scale ? member.label : "", {0}, member, family.unit));
    }
    for (viz::LinePlot& plot : plots) keep_apart(plot);
    add("sweep." + family.name, std::move(plots), family.one_scale, family.title,
        family.title + " over " + x_name() + "." + kErrors);
  }

  void draw_panel_a_member(const SweepFamily& family) {
    std::vector<viz::LinePlot> plots;
    for (const SweepMember& member : family.members)
      plots.push_back(plots_.with_lines(family, member, SweepPoints::Places(points_.axes().size(), 0), member.label));
    add("sweep." + family.name, std::move(plots), family.one_scale, family.title,
        fmt::format("{} over {}, a line for each {}{}.{}", family.title, x_name(),
                    points_.axes()[*plots_.lines()]->name(), plots_.lines_left_out(), kErrors));
  }

  void draw_figure_a_member(const SweepFamily& family) {
    const std::vector<SweepPoints::Places> all = plots_.panel_places();
    const std::size_t shown = std::min(all.size(), kMostPanels);
    for (std::size_t i = 0; i < family.members.size(); ++i) {
      const SweepMember& member = family.members[i];
      std::vector<viz::LinePlot> plots;
      for (std::size_t panel = 0; panel < shown; ++panel)
        plots.push_back(plots_.with_lines(family, member, all[panel], plots_.panel_title(all[panel])));
      const std::string title = family.title + ", " + member.label;
      const std::string left_out =
          shown < all.size() ? fmt::format(" The first {} of {} panels.", shown, all.size()) : "";
      add(fmt::format("sweep.{}.{}", family.name, i + 1), std::move(plots), true, title,
          fmt::format("{}, over {}, a line for each {}{}.{}{}", title, x_name(),
                      points_.axes()[*plots_.lines()]->name(), plots_.lines_left_out(), left_out, kErrors));
    }
  }

  /// Of a random search: every point over each key.
  void draw_scatter(const SweepFamily& family) {
    std::vector<viz::LinePlot> plots;
    for (std::size_t axis = 0; axis < points_.axes().size(); ++axis) plots.push_back(plots_.scatter(family, axis));
    add("sweep." + family.name, std::move(plots), family.one_scale, family.title,
        family.title + " of every cell, over each key." + kErrors);
  }

  void draw_map(const SweepFamily& family) {
    const std::vector<viz::HeatMap> maps = heat_maps(points_, family);
    if (maps.empty()) return;
    make_folder(images_);
    viz::draw_heat_maps(maps, images_ / ("sweep." + family.name + ".map"));
    figures_.push_back({"sweep." + family.name + ".map", family.title + " as a map",
                        fmt::format("{} as a map: {} down, {} across. Means over the seeds.", family.title,
                                    points_.axes()[0]->name(), points_.axes()[1]->name()),
                        false});
  }

  void draw_winners(const SweepFamily& family) {
    const std::vector<viz::WinnerMap> maps = winner_maps(points_, plots_, family);
    if (maps.empty()) return;
    make_folder(images_);
    viz::draw_winner_maps(maps, images_ / "sweep.winners");
    figures_.push_back(
        {"sweep.winners", "Who is best: " + family.title,
         fmt::format("The model with the best {} at each point, and that score. Filled: it is ahead of the "
                     "next by more than two standard errors of their difference over the seeds. None: no model is "
                     "better than a constant.",
                     family.title),
         false});
  }

  const SweepRecord& sweep_;
  const SweepPoints points_;
  const SweepPlots plots_;
  const std::filesystem::path images_;
  std::vector<Figure> figures_;
};

}  // namespace

std::vector<Figure> draw_sweep(const SweepRecord& sweep, const std::filesystem::path& images) {
  return Pictures(sweep, images).draw();
}

}  // namespace ansatz::experiments
