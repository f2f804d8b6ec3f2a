#include "experiments/paper/faces/spurious_pictures.h"

#include <fmt/format.h>

#include <utility>

#include "experiments/paper/image_regions.h"
#include "experiments/pictures/feature_cells.h"

namespace ansatz::experiments {
namespace {

viz::PanelCell pasted_cell(const Vector<double>& diagonal, const ImageShape& shape, const char* title,
                           const Pasting& mask, const Outcome& before, const Outcome& after) {
  viz::PanelCell cell = diagonal_cell(diagonal, shape);
  cell.title = title;
  cell.captions = {fmt::format("{} pasted:", mask.label),
                   fmt::format("{:.1f} % to {:.1f} %", before.accuracy().mean(), after.accuracy().mean())};
  return cell;
}

/// White where something is pasted.
viz::PanelCell pixels_cell(const Pasting& pasting, const ImageShape& shape) {
  viz::PanelCell cell;
  cell.values = Matrix<double>::Zero(shape.height, shape.width);
  for (const Index pixel : pasting.pixels.front()) cell.values(pixel / shape.width, pixel % shape.width) = 1;
  cell.low = 0;
  cell.high = 1;
  cell.palette = viz::Palette::gray;
  cell.title = pasting.label;
  cell.captions = {fmt::format("{:.1f} % of pixels", pixel_share(pasting.pixels.front(), shape))};
  return cell;
}

}  // namespace

Figure draw_masks(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests, const RunContext& run) {
  viz::Panel panel;
  panel.title = "Where both models look, and what is pasted there";
  panel.note =
      "Diagonals: mean over the colour channels, each on its own linear scale. White: pixels replaced by the "
      "template's. "
      "Percentages below the diagonals: test accuracy before and after, the latter the mean over the templates.";
  panel.color_bars = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SpuriousDigest& digest = digests[i];
    const Pasting &untouched = digest.pastings[0], &mask = digest.pastings[1], &compared = digest.pastings[2],
                  &region = digest.pastings.back();
    panel.row_labels.push_back(readable(parts[i]));
    panel.rows.push_back(
        {pasted_cell(digest.network, digest.shape, "network: diagonal", mask, untouched.network, mask.network),
         pasted_cell(digest.rfm, digest.shape, "RFM: diagonal", mask, untouched.rfm, mask.rfm),
         pixels_cell(mask, digest.shape), pixels_cell(compared, digest.shape), pixels_cell(region, digest.shape)});
  }
  viz::draw_panel(panel, run.directory.path() / "images/mask");
  return {
      "mask", "Diagonals of both feature matrices, and the mask",
      "Diagonals of the network's W₁ᵀW₁ and the RFM's feature matrix, the mask (where the latter is large, without "
      "the region of the attribute itself), the region it is compared with, and the first template's random region."};
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
                "The first template, and test images with and without the attribute: as they are, and with its pixels "
                "pasted at the mask and in the compared regions."};
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
      network.y.push_back(pasting.network.accuracy().mean());
      rfm.y.push_back(pasting.rfm.accuracy().mean());
    }
    plot.series = {std::move(network), std::move(rfm)};
    plots.push_back(std::move(plot));
  }
  viz::draw_bars(plots, run.directory.path() / "images/accuracies");
  return {
      "accuracies", "Test accuracy by what is pasted",
      "Test accuracy with nothing pasted, the mask, the compared region, and a random connected region as large as the "
      "mask: means over the templates."};
}

}  // namespace ansatz::experiments
