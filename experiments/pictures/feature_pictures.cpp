#include "experiments/pictures/feature_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/files/files.h"
#include "core/record/feature_ranking.h"
#include "experiments/pictures/curve_pictures.h"
#include "experiments/pictures/feature_cells.h"
#include "experiments/pictures/feature_labels.h"
#include "experiments/pictures/tuning_pictures.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using Features = std::vector<const FeatureRecord*>;

std::string test_line(const std::optional<Metrics>& test) { return test ? "\ntest " + describe(*test) : ""; }

/// The feature matrices that deserve a row: the network's, the RFM's, then the truth or the initial weights as a
/// baseline.
Features main_rows(const RunRecord& record) {
  std::vector<FeatureId> ids = {FeatureId::nfm()};
  if (const std::optional<FeatureId> learned = learned_by_rfm(record)) ids.push_back(*learned);
  ids.push_back(FeatureId::truth());
  ids.push_back(FeatureId::initial_nfm());
  Features rows;
  for (const FeatureId& id : ids) {
    if (const FeatureRecord* features = record.find(id)) rows.push_back(features);
  }
  return rows;
}

/// How this row compares with the RFM that the headline speaks of; null: it does not.
const FeatureComparison* against_learned(const FeatureId& id, const RunRecord& record) {
  for (const FeaturePair& pair : record.pairs) {
    const bool learned = pair.b.kind == FeatureId::Kind::rfm && pair.b == record.pairs.front().b;
    if (learned && pair.a == id) return &pair.values;
  }
  return nullptr;
}

/// The leading eigenvectors (k x d), each with the sign that agrees with the reference's: their own is arbitrary.
Matrix<double> aligned_eigenvectors(const FeatureRecord& row, const FeatureRecord& reference) {
  Matrix<double> vectors = row.eigenvectors;
  for (Index i = 0; i < vectors.rows(); ++i) {
    if (reference.eigenvectors.row(i).dot(vectors.row(i)) < 0) vectors.row(i) *= -1;
  }
  return vectors;
}

std::vector<viz::PanelCell> feature_row(const FeatureRecord& row, const Matrix<double>& eigenvectors,
                                        const RunRecord& record, const ImageShape& shape) {
  const FeatureComparison* likeness = against_learned(row.id, record);
  std::vector<viz::PanelCell> cells = feature_cells(row.diagonal, eigenvectors, shape);
  if (likeness != nullptr)
    cells.front().captions.push_back("r = " + correlation_text(likeness->diagonal_pearson) + " with the RFM");
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    viz::PanelCell& cell = cells[i + 1];
    if (likeness != nullptr && i < likeness->top_eigenvector_pearson.size())
      cell.captions.push_back("|r| = " + correlation_text(likeness->top_eigenvector_pearson[i]));
    const double value = row.eigenvalues[static_cast<Index>(i)];
    cell.captions.push_back(fmt::format("{:.1f} % of the trace", 100 * value / row.trace));
  }
  return cells;
}

/// The initial weights' diagonal on the learned one's scale: its own would show noise as strongly as features.
void share_scale(viz::PanelCell& learned, viz::PanelCell& initial) {
  learned.low = initial.low = std::min(learned.values.minCoeff(), initial.values.minCoeff());
  learned.high = initial.high = learned.values.maxCoeff();
  initial.captions.push_back("scale as for the learned one");
}

void draw_features(const Features& rows, const RunRecord& record, const ImageShape& shape,
                   const std::filesystem::path& images) {
  viz::Panel panel;
  panel.title = "What the models look at";
  panel.note = shape.channels > 1
                   ? "Mean over the colour channels. Each picture has its own linear scale but where said; "
                     "eigenvectors are signed, 0 is white."
                   : "Each picture has its own linear scale but where said; eigenvectors are signed, 0 is white.";
  for (const FeatureRecord* row : rows) {
    std::string label = row->id.label();
    if (row->id == FeatureId::nfm()) label += test_line(record.network->metrics.test);
    if (record.rfm && row->id.kind == FeatureId::Kind::rfm)
      label += test_line(record.rfm->iterations[static_cast<std::size_t>(row->id.iteration)].test);
    panel.row_labels.push_back(label);
    panel.rows.push_back(feature_row(*row, aligned_eigenvectors(*row, *rows.front()), record, shape));
    if (row->id == FeatureId::initial_nfm()) share_scale(panel.rows.front().front(), panel.rows.back().front());
  }
  viz::draw_panel(panel, images / "features");
}

void draw_channels(const Features& rows, const ImageShape& shape, const std::filesystem::path& images) {
  static const char* const names[] = {"red", "green", "blue"};
  viz::Panel panel;
  panel.title = "Diagonals by colour channel";
  panel.note =
      "All: the three channels as one RGB picture, one joint min-max scale. Channels of a row share one linear scale.";
  for (const FeatureRecord* row : rows) {
    const Vector<double>& diagonal = row->diagonal;
    viz::PanelCell all;
    all.title = "all";
    all.rgb = viz::rgb_image(diagonal, shape);
    std::vector<viz::PanelCell> cells = {all};
    const std::vector<Matrix<double>> planes = viz::planes(diagonal, shape);
    for (std::size_t c = 0; c < planes.size(); ++c) {
      viz::PanelCell cell;
      cell.title = names[c];
      cell.values = planes[c];
      cell.low = diagonal.minCoeff();
      cell.high = diagonal.maxCoeff();
      cells.push_back(std::move(cell));
    }
    panel.row_labels.push_back(row->id.label());
    panel.rows.push_back(std::move(cells));
  }
  viz::draw_panel(panel, images / "channels");
}

void draw_diagonals(const Features& rows, const DataRecord& data, const std::filesystem::path& images) {
  const bool named = !data.feature_names.empty();
  viz::BarPlot plot{
      "Diagonals of the feature matrices", named ? "" : "input coordinate", "share of the largest entry", {}, {}};
  const Index d = rows.front()->diagonal.size();
  if (named) plot.categories = feature_labels(data, d);
  for (Index i = 1; i <= d && !named; ++i) plot.categories.push_back(std::to_string(i));
  for (const FeatureRecord* row : rows) {
    if (row->id == FeatureId::initial_nfm()) continue;  // flat, and hides the others
    const Vector<double>& diagonal = row->diagonal;
    const double largest = std::max(diagonal.maxCoeff(), std::numeric_limits<double>::min());
    viz::Series series;
    series.label = row->id.label();
    for (Index i = 0; i < d; ++i) series.y.push_back(diagonal(i) / largest);
    plot.series.push_back(std::move(series));
  }
  viz::draw_bars({plot}, images / "diagonals");
}

void draw_matrices(const Features& rows, const DataRecord& data, const std::filesystem::path& images) {
  std::vector<viz::HeatMap> maps;
  for (const FeatureRecord* row : rows) {
    const Index d = row->diagonal.size(), side = row->corner.rows();
    std::string title = row->id.label();
    if (side < d) title += fmt::format(", first {} of {} coordinates", side, d);
    std::vector<std::string> names;
    if (!data.feature_names.empty()) names = feature_labels(data, side);
    maps.push_back({title, row->corner, viz::Palette::diverging, names, names});
  }
  viz::draw_heat_maps(maps, images / "matrices");
}

void draw_spectra(const Features& rows, const std::filesystem::path& images) {
  viz::LinePlot plot;
  plot.title = "Spectra of the feature matrices";
  plot.x_label = "eigenvalue number";
  plot.y_label = "eigenvalue / largest";
  plot.log_y = true;
  for (const FeatureRecord* row : rows) {
    const Vector<double>& values = row->eigenvalues;
    viz::Series series;
    series.label = row->id.label();
    series.points = true;
    for (Index i = 0; i < std::min(kSpectrumLength, values.size()); ++i) {
      const double value = values(i) / values(0);
      series.x.push_back(static_cast<double>(i + 1));
      series.y.push_back(value > 1e-7 ? value : kNaN);  // below: rounding, not spectrum
    }
    plot.series.push_back(std::move(series));
  }
  viz::draw_lines({plot}, images / "spectra");
}

void animate_diagonal(const NetworkRecord& network, const ImageShape& shape, const std::filesystem::path& images) {
  constexpr int kSide = 288;
  const int factor = std::max<int>(1, kSide / static_cast<int>(std::max(shape.height, shape.width)));
  const double low = network.snapshot_diagonals.minCoeff();
  const double high = network.snapshot_diagonals.maxCoeff();  // one scale, so that growth is seen
  std::vector<viz::Image> frames;
  for (Index i = 0; i < network.snapshot_diagonals.rows(); ++i) {
    const Vector<double> diagonal = network.snapshot_diagonals.row(i).transpose();
    frames.push_back(viz::enlarge(viz::rgb_image(diagonal, shape, low, high), factor));
  }
  viz::write_animation(frames, 0.15, images / "evolution_diagonal.png");
}

}  // namespace

void draw_pictures(const RunRecord& record, const std::filesystem::path& images) {
  constexpr Index kMostBars = 64;
  make_folder(images);
  const Features rows = main_rows(record);
  const std::optional<NetworkRecord>& network = record.network;
  if (!rows.empty()) {
    const std::optional<ImageShape>& shape = record.data->image_shape;
    if (shape) draw_features(rows, record, *shape, images);
    if (shape && shape->channels == 3) draw_channels(rows, *shape, images);
    if (!shape && record.data->dimension <= kMostBars) draw_diagonals(rows, *record.data, images);
    if (record.top_features) {
      const std::vector<std::string> labels = labels_of(*record.top_features);
      draw_top_features(labels, *record.top_features, images / "top_features");
      draw_loadings(labels, *record.top_features, images / "loadings");
    }
    draw_matrices(rows, *record.data, images);
    draw_spectra(rows, images);
    if (shape && network && network->snapshot_epochs.size() > 1) animate_diagonal(*network, *shape, images);
  }
  if (record.tuning) {
    draw_tuning(*record.tuning, images / "tuning");
    draw_tuning_map(*record.tuning, images / "tuning_map");
  }
  draw_training(record, images / "training");
  draw_solver_progress(record, images / "solvers");
  if (record.evolution) draw_evolution(*record.evolution, images / "evolution");
}

}  // namespace ansatz::experiments
