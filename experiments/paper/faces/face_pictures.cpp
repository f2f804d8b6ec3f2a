#include "experiments/paper/faces/face_pictures.h"

#include <fmt/format.h>

#include <utility>

#include "experiments/pictures/feature_cells.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

std::string accuracy_caption(double accuracy) { return fmt::format("test {:.2f} %", accuracy); }

/// Top eigenvectors, then diagonals, the network's beside the RFM's (Figs 1 and 2).
std::vector<viz::PanelCell> main_row(const FaceDigest& digest) {
  const auto network = feature_cells(digest.network.diagonal, digest.network.eigenvectors.topRows(1), digest.shape);
  const auto rfm = feature_cells(digest.rfm.diagonal, digest.rfm.eigenvectors.topRows(1), digest.shape);
  std::vector<viz::PanelCell> cells = {network[1], rfm[1], network[0], rfm[0]};
  const char* const titles[] = {"network: top eigenvector", "RFM: top eigenvector", "network: diagonal",
                                "RFM: diagonal"};
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i].title = titles[i];
  cells[0].captions = {accuracy_caption(digest.network_accuracy)};
  cells[1].captions = {"|r| = " + correlation_text(digest.likeness.top_eigenvector_pearson.front()),
                       accuracy_caption(digest.rfm_accuracy), fmt::format("RFM-T {:.2f} %", digest.rfm_t_accuracy)};
  cells[3].captions = {"r = " + correlation_text(digest.likeness.diagonal_pearson)};
  return cells;
}

/// Which of the network's eigenvectors the RFM's is matched with.
std::string match_caption(const FaceDigest& digest, Index of_rfm) {
  for (std::size_t i = 0; i < digest.matches.size(); ++i)
    if (digest.matches[i] == of_rfm)
      return fmt::format("|r| = {:.3f} with v{}", digest.eigenvector_likeness(static_cast<Index>(i), of_rfm), i + 1);
  return "no match";
}

/// All eigenvectors compared, the network's, then the RFM's (Fig. 15).
std::vector<viz::PanelCell> eigenvector_row(const FaceDigest& digest) {
  std::vector<viz::PanelCell> cells;
  for (const bool network : {true, false}) {
    const FaceFeatures& features = network ? digest.network : digest.rfm;
    std::vector<viz::PanelCell> own = feature_cells(features.diagonal, features.eigenvectors, digest.shape);
    for (std::size_t i = 1; i < own.size(); ++i) {
      own[i].title = fmt::format("{} v{}", network ? "network" : "RFM", i);
      own[i].captions = {fmt::format("{:.1f} % of trace", 100 * features.shares(static_cast<Index>(i) - 1))};
      if (!network) own[i].captions.push_back(match_caption(digest, static_cast<Index>(i) - 1));
      cells.push_back(std::move(own[i]));
    }
  }
  return cells;
}

/// One row an attribute; the titles above the first only.
Figure draw_rows(const std::vector<Part>& parts, const std::vector<FaceDigest>& digests,
                 std::vector<viz::PanelCell> (*row)(const FaceDigest&), Figure figure, const RunContext& run) {
  viz::Panel panel;
  panel.title = figure.title;
  panel.note =
      "Mean over the colour channels. Each picture has its own linear scale; eigenvectors are signed, 0 is white.";
  panel.color_bars = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    panel.row_labels.push_back(readable(parts[i]));
    panel.rows.push_back(row(digests[i]));
    if (i == 0) continue;
    for (viz::PanelCell& cell : panel.rows.back()) cell.title.clear();
  }
  viz::draw_panel(panel, run.directory.path() / "images" / figure.file);
  return figure;
}

}  // namespace

Figure draw_features(const std::vector<Part>& parts, const std::vector<FaceDigest>& digests, const RunContext& run) {
  return draw_rows(
      parts, digests, main_row,
      {"features", "What network and RFM look at, task by task",
       "Top eigenvectors and diagonals of the network's W₁ᵀW₁ and the RFM's feature matrix, one attribute a row."},
      run);
}

Figure draw_eigenvectors(const std::vector<Part>& parts, const std::vector<FaceDigest>& digests,
                         const RunContext& run) {
  return draw_rows(parts, digests, eigenvector_row,
                   {"eigenvectors", "Leading eigenvectors, task by task",
                    "Leading eigenvectors of both feature matrices with their share of the trace, one attribute a row; "
                    "below the RFM's, which of the network's each is most like."},
                   run);
}

Figure draw_evolutions(const std::vector<Part>& parts, const std::vector<FaceDigest>& digests, const RunContext& run) {
  viz::LinePlot diagonals, eigenvectors;
  diagonals.title = "Diagonals", eigenvectors.title = "Top eigenvectors";
  diagonals.y_label = "Pearson r with the RFM's", eigenvectors.y_label = "|Pearson r| with the RFM's";
  for (viz::LinePlot* plot : {&diagonals, &eigenvectors}) plot->x_label = "epoch", plot->y_high = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const FeatureEvolution& evolution = *digests[i].evolution;
    diagonals.series.push_back({readable(parts[i]), evolution.epochs, evolution.with_rfm});
    if (!evolution.top_with_rfm.empty())
      eigenvectors.series.push_back({readable(parts[i]), evolution.epochs, evolution.top_with_rfm});
  }
  std::vector<viz::LinePlot> plots = {diagonals};
  if (!eigenvectors.series.empty()) plots.push_back(eigenvectors);
  viz::draw_lines(plots, run.directory.path() / "images/over_epochs");
  return {"over_epochs", "How the network's features became the RFM's",
          "Likeness of the network's W₁ᵀW₁ to the RFM's feature matrix over epochs, one curve an attribute."};
}

Figure draw_tasks(const std::vector<Part>& parts, const TaskLikeness& likeness, const RunContext& run) {
  std::vector<std::string> tasks;
  for (const Part& part : parts) tasks.push_back(readable(part));
  const auto map = [&](const char* title, const Matrix<double>& values) {
    return viz::HeatMap{title, values, viz::Palette::diverging, tasks, tasks};
  };
  viz::draw_heat_maps(
      {map("r of the diagonals", likeness.diagonals), map("|r| of the top eigenvectors", likeness.top_eigenvectors)},
      run.directory.path() / "images/tasks");
  return {"tasks", "The network's features of each task against the RFM's of each task",
          "r of the network's features of one task (row) with the RFM's of another (column). Off the diagonal only "
          "related tasks are alike."};
}

}  // namespace ansatz::experiments
