#include "experiments/pictures/feature_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/files/files.h"
#include "experiments/pictures/curve_pictures.h"
#include "experiments/pictures/feature_cells.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class Scalar>
using Rows = std::vector<const IdentifiedFeatures<Scalar>*>;

std::string test_line(const std::optional<Metrics>& test) { return test ? "\ntest " + describe(*test) : ""; }

/// The feature matrices that deserve a row: the network's, the RFM's, then the truth or the initial weights as a
/// baseline.
template <class Scalar>
Rows<Scalar> main_rows(const ComparisonResult<Scalar>& comparison, const std::optional<RfmResult<Scalar>>& rfm) {
  std::vector<FeatureId> ids = {FeatureId::nfm()};
  if (rfm && rfm->feature_iteration() > 0) ids.push_back(rfm->feature_id());
  ids.push_back(FeatureId::truth());
  ids.push_back(FeatureId::initial_nfm());
  Rows<Scalar> rows;
  for (const FeatureId& id : ids) {
    if (const IdentifiedFeatures<Scalar>* features = comparison.find(id)) rows.push_back(features);
  }
  return rows;
}

/// How this row compares with the row above it all: the network's W'W with the RFM, the others likewise.
template <class Scalar>
const FeatureComparison* against_learned(const FeatureId& id, const ComparisonResult<Scalar>& comparison) {
  for (const IdentifiedComparison& pair : comparison.pairs) {
    const bool learned = pair.b.kind == FeatureId::Kind::rfm && pair.b == comparison.pairs.front().b;
    if (learned && pair.a == id) return &pair.values;
  }
  return nullptr;
}

/// The leading eigenvectors (k x d), each with the sign that agrees with the reference's: their own is arbitrary.
template <class Scalar>
Matrix<double> aligned_eigenvectors(const IdentifiedFeatures<Scalar>& row, const IdentifiedFeatures<Scalar>& reference,
                                    Index k) {
  Matrix<double> vectors = row.summary.top().first(k).vectors.template cast<double>();
  const Matrix<double> others = reference.summary.top().first(k).vectors.template cast<double>();
  for (Index i = 0; i < vectors.rows(); ++i) {
    if (others.row(i).dot(vectors.row(i)) < 0) vectors.row(i) *= -1;
  }
  return vectors;
}

template <class Scalar>
std::vector<viz::PanelCell> feature_row(const IdentifiedFeatures<Scalar>& row, const Matrix<double>& eigenvectors,
                                        const ComparisonResult<Scalar>& comparison, const ImageShape& shape) {
  const FeatureComparison* likeness = against_learned(row.id, comparison);
  const double trace = row.matrix().trace();
  std::vector<viz::PanelCell> cells = feature_cells(row.summary.diagonal(), eigenvectors, shape);
  if (likeness != nullptr)
    cells.front().captions.push_back(fmt::format("r = {:.3f} with the RFM", likeness->diagonal_pearson));
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    viz::PanelCell& cell = cells[i + 1];
    if (likeness != nullptr && i < likeness->top_eigenvector_pearson.size())
      cell.captions.push_back(fmt::format("|r| = {:.3f}", likeness->top_eigenvector_pearson[i]));
    const double value = static_cast<double>(row.summary.top().values[static_cast<Index>(i)]);
    cell.captions.push_back(fmt::format("{:.1f} % of the trace", 100 * value / trace));
  }
  return cells;
}

/// The initial weights' diagonal on the learned one's scale: its own would show noise as strongly as features.
void share_scale(viz::PanelCell& learned, viz::PanelCell& initial) {
  learned.low = initial.low = std::min(learned.values.minCoeff(), initial.values.minCoeff());
  learned.high = initial.high = learned.values.maxCoeff();
  initial.captions.push_back("scale as for the learned one");
}

template <class Scalar>
void draw_features(const Rows<Scalar>& rows, Index top, const std::optional<NetworkResult<Scalar>>& network,
                   const std::optional<RfmResult<Scalar>>& rfm, const ComparisonResult<Scalar>& comparison,
                   const ImageShape& shape, const std::filesystem::path& images) {
  viz::Panel panel;
  panel.title = "What the models look at";
  panel.note = shape.channels > 1
                   ? "Mean over the colour channels. Each picture has its own linear scale but where said; "
                     "eigenvectors are signed, 0 is white."
                   : "Each picture has its own linear scale but where said; eigenvectors are signed, 0 is white.";
  for (const IdentifiedFeatures<Scalar>* row : rows) {
    std::string label = row->id.label();
    if (row->id == FeatureId::nfm() && network->test) label += test_line(network->test);
    if (row->id.kind == FeatureId::Kind::rfm) {
      label += test_line(rfm->trace.iterations[static_cast<std::size_t>(rfm->feature_iteration())].test);
    }
    panel.row_labels.push_back(label);
    panel.rows.push_back(feature_row(*row, aligned_eigenvectors(*row, *rows.front(), top), comparison, shape));
    if (row->id == FeatureId::initial_nfm()) share_scale(panel.rows.front().front(), panel.rows.back().front());
  }
  viz::draw_panel(panel, images / "features");
}

template <class Scalar>
void draw_channels(const Rows<Scalar>& rows, const ImageShape& shape, const std::filesystem::path& images) {
  static const char* const names[] = {"red", "green", "blue"};
  viz::Panel panel;
  panel.title = "Diagonals by colour channel";
  panel.note =
      "All: the three channels as one RGB picture, one joint min-max scale. Channels of a row share one linear scale.";
  for (const IdentifiedFeatures<Scalar>* row : rows) {
    const Vector<double> diagonal = row->summary.diagonal();
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

template <class Scalar>
void draw_diagonals(const Rows<Scalar>& rows, const std::filesystem::path& images) {
  viz::BarPlot plot{"Diagonals of the feature matrices", "input coordinate", "share of the largest entry", {}, {}};
  const Index d = rows.front()->matrix().dimension();
  for (Index i = 1; i <= d; ++i) plot.categories.push_back(std::to_string(i));
  for (const IdentifiedFeatures<Scalar>* row : rows) {
    if (row->id == FeatureId::initial_nfm()) continue;  // flat, and hides the others
    const Vector<double> diagonal = row->summary.diagonal();
    const double largest = std::max(diagonal.maxCoeff(), std::numeric_limits<double>::min());
    viz::Series series;
    series.label = row->id.label();
    for (Index i = 0; i < d; ++i) series.y.push_back(diagonal(i) / largest);
    plot.series.push_back(std::move(series));
  }
  viz::draw_bars({plot}, images / "diagonals");
}

template <class Scalar>
void draw_matrices(const Rows<Scalar>& rows, const std::filesystem::path& images) {
  constexpr Index kWhole = 1024, kBlock = 32;
  std::vector<viz::HeatMap> maps;
  for (const IdentifiedFeatures<Scalar>* row : rows) {
    const Index d = row->matrix().dimension();
    const Index side = d <= kWhole ? d : kBlock;
    std::string title = row->id.label();
    if (side < d) title += fmt::format(", first {} of {} coordinates", side, d);
    maps.push_back({title, row->matrix().top_left_block(side).template cast<double>(), viz::Palette::diverging});
  }
  viz::draw_heat_maps(maps, images / "matrices");
}

template <class Scalar>
void draw_spectra(const Rows<Scalar>& rows, const std::filesystem::path& images) {
  viz::LinePlot plot;
  plot.title = "Spectra of the feature matrices";
  plot.x_label = "eigenvalue number";
  plot.y_label = "eigenvalue / largest";
  plot.log_y = true;
  for (const IdentifiedFeatures<Scalar>* row : rows) {
    const EigenPairs<Scalar> top = row->summary.top().first(kSpectrumLength);
    viz::Series series;
    series.label = row->id.label();
    series.points = true;
    for (Index i = 0; i < top.values.size(); ++i) {
      const double value = static_cast<double>(top.values(i)) / static_cast<double>(top.values(0));
      series.x.push_back(static_cast<double>(i + 1));
      series.y.push_back(value > 1e-7 ? value : kNaN);  // below: rounding, not spectrum
    }
    plot.series.push_back(std::move(series));
  }
  viz::draw_lines({plot}, images / "spectra");
}

template <class Scalar>
void animate_diagonal(const NetworkResult<Scalar>& network, const ImageShape& shape,
                      const std::filesystem::path& images) {
  constexpr int kSide = 288;
  const int factor = std::max<int>(1, kSide / static_cast<int>(std::max(shape.height, shape.width)));
  const double low = static_cast<double>(network.snapshot_diagonals.minCoeff());
  const double high = static_cast<double>(network.snapshot_diagonals.maxCoeff());  // one scale, so that growth is seen
  std::vector<viz::Image> frames;
  for (Index i = 0; i < network.snapshot_diagonals.rows(); ++i) {
    const Vector<double> diagonal = network.snapshot_diagonals.row(i).template cast<double>().transpose();
    frames.push_back(viz::enlarge(viz::rgb_image(diagonal, shape, low, high), factor));
  }
  viz::write_animation(frames, 0.15, images / "evolution_diagonal.png");
}

}  // namespace

template <class Scalar>
void draw_pictures(const std::optional<NetworkResult<Scalar>>& network, const std::optional<RfmResult<Scalar>>& rfm,
                   const std::vector<KernelMachineResult>& kernels, const ComparisonResult<Scalar>& comparison,
                   const Split<Scalar>& split, Index top_eigenvectors, const RunContext& run) {
  constexpr Index kMostBars = 64;
  const std::filesystem::path images = run.directory.path() / "images";
  make_folder(images);
  const Rows<Scalar> rows = main_rows(comparison, rfm);
  if (!rows.empty()) {
    const std::optional<ImageShape>& shape = split.train.image_shape;
    if (shape) draw_features(rows, top_eigenvectors, network, rfm, comparison, *shape, images);
    if (shape && shape->channels == 3) draw_channels(rows, *shape, images);
    if (!shape && split.train.dimension() <= kMostBars) draw_diagonals(rows, images);
    draw_matrices(rows, images);
    draw_spectra(rows, images);
    if (shape && network && network->snapshot_epochs.size() > 1) animate_diagonal(*network, *shape, images);
  }
  const std::string y_label = split.train.task == Task::classification ? "accuracy (%)" : "R²";
  const auto iterations = rfm ? rfm->trace.iterations : std::vector<rfm::RfmIteration>();
  draw_training(network ? network->history : std::vector<nets::EpochRecord>(), iterations, kernels, y_label,
                images / "training");
  draw_solver_progress(iterations, kernels, images / "solvers");
  if (comparison.evolution) draw_evolution(*comparison.evolution, images / "evolution");
}

template void draw_pictures(const std::optional<NetworkResult<float>>&, const std::optional<RfmResult<float>>&,
                            const std::vector<KernelMachineResult>&, const ComparisonResult<float>&,
                            const Split<float>&, Index, const RunContext&);
template void draw_pictures(const std::optional<NetworkResult<double>>&, const std::optional<RfmResult<double>>&,
                            const std::vector<KernelMachineResult>&, const ComparisonResult<double>&,
                            const Split<double>&, Index, const RunContext&);

}  // namespace ansatz::experiments
