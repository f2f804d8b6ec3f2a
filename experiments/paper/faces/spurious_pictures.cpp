#include "experiments/paper/faces/spurious_pictures.h"

#include <fmt/format.h>

#include <utility>

#include "experiments/paper/image_regions.h"
#include "experiments/pictures/feature_cells.h"

namespace ansatz::experiments {
namespace {

viz::PanelCell pasted_cell(const Vector<double>& diagonal, const ImageShape& shape, const char* title,
                           const Pasting& mask, const Scores& before, const Scores& after) {
  viz::PanelCell cell = diagonal_cell(diagonal, shape);
  cell.title = title;
  cell.captions = {fmt::format("{} pasted:", mask.label),
                   fmt::format("{:.1f} % to {:.1f} %", before.accuracy, after.accuracy)};
  return cell;
}

/// White where something is pasted.
viz::PanelCell pixels_cell(const Pasting& pasting, const ImageShape& shape) {
  viz::PanelCell cell;
  cell.values = Matrix<double>::Zero(shape.height, shape.width);
  for (const Index pixel : pasting.pixels) cell.values(pixel / shape.width, pixel % shape.width) = 1;
  cell.low = 0;
  cell.high = 1;
  cell.palette = viz::Palette::gray;
  cell.title = pasting.label;
  cell.captions = {fmt::format("{:.1f} % of pixels", pixel_share(pasting.pixels, shape))};
  return cell;
}

}  // namespace

Figure draw_masks(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests, const RunContext& run) {
  viz::Panel panel;
  panel.title = "Where both models look, and what is pasted there";
  panel.note =
      "Diagonals: mean over the colour channels, each on its own linear scale. White: pixels replaced by the "
      "template's. "
      "Percentages below the diagonals: test accuracy before and after.";
  panel.color_bars = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SpuriousDigest& digest = digests[i];
    const Pasting &untouched = digest.pastings[0], &mask = digest.pastings[1], &compared = digest.pastings[2];
    panel.row_labels.push_back(readable(parts[i]));
    panel.rows.push_back(
        {pasted_cell(digest.network, digest.shape, "network: diagonal", mask, untouched.network, mask.network),
         pasted_cell(digest.rfm, digest.shape, "RFM: diagonal", mask, untouched.rfm, mask.rfm),
         pixels_cell(mask, digest.shape), pixels_cell(compared, digest.shape)});
  }
  viz::draw_panel(panel, run.directory.path() / "images/mask");
  return {"mask", "Diagonals of both feature matrices, and the mask",
          "Diagonals of the network's W₁ᵀW₁ and the RFM's feature matrix, the mask (where the latter is large, without "
          "the region of the attribute itself) and the region it is compared with."};
}

Figure draw_examples(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests,
                     const RunContext& run) {
  viz::Panel panel;
  panel.title = "Test images before and after";
  panel.note = "Below each image: whether the network says that it has the attribute.";
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t kind = 0; kind < digests[i].examples.size(); ++kind) {
      const std::string what = digests[i].pastings[kind].label;
      panel.row_labels.push_back(kind == 0 ? readable(parts[i]) + ": " + what : what + " pasted");
      panel.rows.push_back(digests[i].examples[kind]);
    }
  viz::draw_panel(panel, run.directory.path() / "images/before_after");
  Figure figure{"before_after", "Test images before and after",
                "The template, and test images with and without the attribute: as they are, with the mask pasted, and "
                "with the compared region pasted."};
  figure.shows_data = true;
  return figure;
}

Figure draw_accuracies(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests,
                       const RunContext& run) {
  std::vector<viz::BarPlot> plots;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    viz::BarPlot plot;
    plot.title = readable(parts[i]);
    plot.x_label = "pasted into the test images";
    plot.y_label = "test accuracy (%)";
    viz::Series network{"network"}, rfm{"RFM"};
    for (const Pasting& pasting : digests[i].pastings) {
      plot.categories.push_back(pasting.name == "untouched" ? "nothing" : pasting.label);
      network.y.push_back(pasting.network.accuracy);
      rfm.y.push_back(pasting.rfm.accuracy);
    }
    plot.series = {std::move(network), std::move(rfm)};
    plots.push_back(std::move(plot));
  }
  viz::draw_bars(plots, run.directory.path() / "images/accuracies");
  return {
      "accuracies", "Test accuracy by what is pasted",
      "Test accuracy with nothing pasted, the mask, the compared region, and as many random pixels as the mask has."};
}

}  // namespace ansatz::experiments
