#include "experiments/paper/depth_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "experiments/pictures/feature_cells.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

std::string depth_name(Index depth) { return fmt::format("{} hidden layer{}", depth, depth == 1 ? "" : "s"); }

Figure draw_corners(const std::vector<DepthDigest>& digests, const std::filesystem::path& images) {
  std::vector<viz::HeatMap> maps;
  for (const DepthDigest& digest : digests) {
    viz::HeatMap map;
    map.title = depth_name(digest.depth);
    map.values = digest.corner;
    maps.push_back(std::move(map));
  }
  viz::draw_heat_maps(maps, images / "corners");
  return {"corners", "W₁ᵀW₁ by depth", "The top-left corner of W₁ᵀW₁ of networks of growing depth (as in Fig. 10a)."};
}

Figure draw_bars_by_depth(const std::vector<DepthDigest>& digests, const std::filesystem::path& images) {
  viz::BarPlot plot{"Diagonals of W₁ᵀW₁ by depth", "input coordinate", "share of the largest entry", {}, {}};
  const Index shown = std::min(kCorner, digests.front().nfm.size());
  for (Index i = 1; i <= shown; ++i) plot.categories.push_back(std::to_string(i));
  for (const DepthDigest& digest : digests) {
    viz::Series series;
    series.label = depth_name(digest.depth);
    for (Index j = 0; j < shown; ++j) series.y.push_back(digest.nfm(j) / digest.nfm.maxCoeff());
    plot.series.push_back(std::move(series));
  }
  viz::draw_bars({plot}, images / "diagonals_by_depth");
  return {"diagonals_by_depth", "Normalised diagonals by depth",
          "The first entries of diag(W₁ᵀW₁), each diagonal divided by its largest (as in Fig. 10b)."};
}

/// Rows: the kinds of diagonals; columns: depths.
Figure draw_features(const std::vector<DepthDigest>& digests, const std::filesystem::path& images) {
  viz::Panel panel;
  panel.title = "Features of the first layer by depth";
  panel.note = "Diagonals, mean over the colour channels; each picture has its own linear scale.";
  panel.color_bars = false;
  using Kind = std::pair<const char*, Vector<double> DepthDigest::*>;
  for (const auto& [label, member] :
       {Kind("W₁ᵀW₁", &DepthDigest::nfm), Kind("what training added", &DepthDigest::learned),
        Kind("centred AGOP", &DepthDigest::agop)}) {
    if ((digests.front().*member).size() == 0) continue;
    panel.row_labels.push_back(label);
    panel.rows.emplace_back();
    for (const DepthDigest& digest : digests) {
      viz::PanelCell cell = diagonal_cell(digest.*member, *digest.shape);
      cell.title = panel.rows.size() == 1 ? depth_name(digest.depth) : "";
      panel.rows.back().push_back(std::move(cell));
    }
  }
  viz::draw_panel(panel, images / "features_by_depth");
  return {"features_by_depth", "Features of the first layer by depth",
          "Diagonals of W₁ᵀW₁, of (W₁−W₀)ᵀ(W₁−W₀) and of the centred AGOP of networks of growing depth (Figs 12, 13)."};
}

/// How fast the entries fall off: features are amplified where they do so faster.
Figure draw_sorted(const std::vector<DepthDigest>& digests, const std::filesystem::path& images) {
  std::vector<viz::LinePlot> plots;
  using Kind = std::pair<const char*, Vector<double> DepthDigest::*>;
  for (const auto& [title, member] :
       {Kind("W₁ᵀW₁", &DepthDigest::nfm), Kind("What training added", &DepthDigest::learned)}) {
    if ((digests.front().*member).size() == 0) continue;
    viz::LinePlot plot;
    plot.title = title;
    plot.x_label = "entries of the diagonal, largest first";
    plot.y_label = "share of the largest";
    plot.log_x = true;
    for (const DepthDigest& digest : digests) {
      Vector<double> sorted = digest.*member;
      std::sort(sorted.data(), sorted.data() + sorted.size(), std::greater<>());
      viz::Series series;
      series.label = depth_name(digest.depth);
      for (Index i = 0; i < sorted.size(); ++i) {
        series.x.push_back(static_cast<double>(i + 1));
        series.y.push_back(sorted(i) / sorted(0));
      }
      plot.series.push_back(std::move(series));
    }
    plots.push_back(std::move(plot));
  }
  viz::draw_lines(plots, images / "sorted_diagonals");
  return {"sorted_diagonals", "Sorted diagonals by depth",
          "The entries of each diagonal, largest first and divided by the largest: the faster they fall off, the more "
          "the features stand out (App. F)."};
}

viz::LinePlot score_plot(const std::vector<DepthDigest>& digests, Score score) {
  static const char* const titles[] = {"Test accuracy", "Test error", "Test R²"};
  static const char* const units[] = {"%", "mean squared error", "R²"};
  viz::LinePlot plot;
  plot.title = titles[static_cast<int>(score)];
  plot.x_label = "hidden layers";
  plot.y_label = units[static_cast<int>(score)];
  for (const DepthDigest& digest : digests)
    for (const ModelScores& model : digest.scores) {
      auto series = std::find_if(plot.series.begin(), plot.series.end(),
                                 [&](const viz::Series& s) { return s.label == model.model; });
      if (series == plot.series.end()) series = plot.series.insert(series, {model.model, {}, {}, true});
      series->x.push_back(static_cast<double>(digest.depth));
      series->y.push_back(value_of(score, model.metrics.test));
    }
  for (viz::Series& series : plot.series) {  // one that depth does not change: a level
    if (series.x.size() > 1 || digests.size() == 1) continue;
    series.x.push_back(static_cast<double>(digests.back().depth));
    series.y.push_back(series.y.front());
  }
  return plot;
}

Figure draw_scores(const std::vector<DepthDigest>& digests, const std::filesystem::path& images) {
  const Score score = main_score(digests);
  std::vector<viz::LinePlot> plots = {score_plot(digests, score)};
  if (score == Score::accuracy) plots.push_back(score_plot(digests, Score::mse));
  viz::draw_lines(plots, images / "scores_by_depth");
  return {"scores_by_depth", "Test results by depth",
          "The networks and kernel machines, with and without the metric W₁ᵀW₁, by depth (as in Figs 10c, 11, 14)."};
}

}  // namespace

Score main_score(const std::vector<DepthDigest>& digests) {
  const std::optional<Metrics>& test = digests.front().scores.front().metrics.test;
  return test && test->accuracy ? Score::accuracy : Score::r2;
}

std::vector<Figure> draw_depths(const std::vector<DepthDigest>& digests, const std::filesystem::path& images) {
  if (digests.front().shape)
    return {draw_features(digests, images), draw_sorted(digests, images), draw_scores(digests, images)};
  return {draw_corners(digests, images), draw_bars_by_depth(digests, images), draw_scores(digests, images)};
}

}  // namespace ansatz::experiments
