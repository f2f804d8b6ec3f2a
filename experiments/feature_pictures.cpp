#include "experiments/feature_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/figures.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class Scalar>
struct Row {
  const NamedFeatures<Scalar>* features;
  EigenPairs<double> top;
};

std::string test_line(const std::optional<Metrics>& test) {
  if (!test) return "";
  return test->accuracy ? fmt::format("test {:.2f} %", 100 * *test->accuracy) : fmt::format("test R² {:.4f}", test->r2);
}

/// The feature matrices that deserve a row: the network's, the RFM's, then the truth or the initial weights as a
/// baseline.
template <class Scalar>
std::vector<Row<Scalar>> main_rows(const ComparisonResult<Scalar>& comparison,
                                   const std::optional<RfmResult<Scalar>>& rfm, Index k) {
  std::vector<std::string> names = {"network.nfm"};
  if (rfm && rfm->feature_iteration() > 0) names.push_back(fmt::format("rfm.M{}", rfm->feature_iteration()));
  names.push_back("truth");
  names.push_back("network.nfm0");
  std::vector<Row<Scalar>> rows;
  for (const std::string& name : names) {
    const NamedFeatures<Scalar>* f = comparison.find(name);
    if (f == nullptr) continue;
    const EigenPairs<Scalar> top = f->matrix.top_eigenpairs(k);
    rows.push_back({f, {top.values.template cast<double>(), top.vectors.template cast<double>()}});
  }
  return rows;
}

/// How this row compares with the row above it all: the network's W'W with the RFM, the others likewise.
template <class Scalar>
const FeatureComparison* against_learned(const std::string& name, const ComparisonResult<Scalar>& comparison) {
  for (const NamedComparison& pair : comparison.pairs) {
    const bool learned = pair.b.rfind("rfm.M", 0) == 0 && pair.b == comparison.pairs.front().b;
    if (learned && pair.a == name) return &pair.values;
  }
  return nullptr;
}

Matrix<double> mean_plane(const Vector<double>& values, const ImageShape& shape) {
  const std::vector<Matrix<double>> channels = viz::planes(values, shape);
  Matrix<double> mean = channels.front();
  for (std::size_t c = 1; c < channels.size(); ++c) mean += channels[c];
  return mean / static_cast<double>(channels.size());
}

viz::PanelCell diagonal_cell(const Vector<double>& diagonal, const ImageShape& shape) {
  viz::PanelCell cell;
  cell.title = "diagonal";
  cell.values = mean_plane(diagonal, shape);
  cell.palette = viz::Palette::viridis;
  return cell;
}

viz::PanelCell eigenvector_cell(const Vector<double>& vector, const ImageShape& shape, Index number) {
  viz::PanelCell cell;
  cell.title = fmt::format("eigenvector {}", number);
  cell.values = mean_plane(vector, shape);
  cell.palette = viz::Palette::diverging;
  const double largest = cell.values.cwiseAbs().maxCoeff();
  cell.low = -largest;
  cell.high = largest;
  return cell;
}

/// Eigenvectors are shown with the sign that agrees with the first row's, since their own sign is arbitrary.
void align_signs(const EigenPairs<double>& reference, EigenPairs<double>& pairs) {
  for (Index i = 0; i < std::min(reference.vectors.rows(), pairs.vectors.rows()); ++i) {
    if (reference.vectors.row(i).dot(pairs.vectors.row(i)) < 0) pairs.vectors.row(i) *= -1;
  }
}

template <class Scalar>
std::vector<viz::PanelCell> feature_row(const Row<Scalar>& row, const ComparisonResult<Scalar>& comparison,
                                        const ImageShape& shape) {
  const FeatureComparison* likeness = against_learned(row.features->name, comparison);
  const double trace = row.features->matrix.trace();
  std::vector<viz::PanelCell> cells = {diagonal_cell(row.features->matrix.diagonal().template cast<double>(), shape)};
  if (likeness != nullptr)
    cells.front().captions.push_back(fmt::format("r = {:.3f} with the RFM", likeness->diagonal_pearson));
  for (Index i = 0; i < row.top.vectors.rows(); ++i) {
    viz::PanelCell cell = eigenvector_cell(row.top.vectors.row(i).transpose(), shape, i + 1);
    const std::string share = fmt::format("{:.1f} % of the trace", 100 * row.top.values(i) / trace);
    const std::size_t at = static_cast<std::size_t>(i);
    if (likeness != nullptr && at < likeness->top_eigenvector_pearson.size()) {
      cell.captions.push_back(fmt::format("|r| = {:.3f}", likeness->top_eigenvector_pearson[at]));
    }
    cell.captions.push_back(share);
    cells.push_back(std::move(cell));
  }
  return cells;
}

template <class Scalar>
void draw_features(std::vector<Row<Scalar>> rows, const std::optional<NetworkResult<Scalar>>& network,
                   const std::optional<RfmResult<Scalar>>& rfm, const ComparisonResult<Scalar>& comparison,
                   const ImageShape& shape, const std::filesystem::path& images) {
  viz::Panel panel;
  panel.title = "What the models look at";
  panel.note =
      shape.channels > 1
          ? "Mean over the colour channels. Each picture has its own linear scale; eigenvectors are signed, 0 is white."
          : "Each picture has its own linear scale; eigenvectors are signed, 0 is white.";
  for (Row<Scalar>& row : rows) {
    align_signs(rows.front().top, row.top);
    std::string label = row.features->label;
    if (row.features->name == "network.nfm" && network->test) label += "\n" + test_line(network->test);
    if (row.features->name.rfind("rfm.M", 0) == 0) {
      label += "\n" + test_line(rfm->trace.iterations[static_cast<std::size_t>(rfm->feature_iteration())].test);
    }
    panel.row_labels.push_back(label);
    panel.rows.push_back(feature_row(row, comparison, shape));
  }
  viz::draw_panel(panel, images / "features");
}

template <class Scalar>
void draw_channels(const std::vector<Row<Scalar>>& rows, const ImageShape& shape, const std::filesystem::path& images) {
  static const char* const names[] = {"red", "green", "blue"};
  viz::Panel panel;
  panel.title = "Diagonals by colour channel";
  panel.note =
      "All: the three channels as one RGB picture, one joint min-max scale. Channels of a row share one linear scale.";
  for (const Row<Scalar>& row : rows) {
    const Vector<double> diagonal = row.features->matrix.diagonal().template cast<double>();
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
    panel.row_labels.push_back(row.features->label);
    panel.rows.push_back(std::move(cells));
  }
  viz::draw_panel(panel, images / "channels");
}

template <class Scalar>
void draw_diagonals(const std::vector<Row<Scalar>>& rows, const std::filesystem::path& images) {
  viz::BarPlot plot{"Diagonals of the feature matrices", "input coordinate", "share of the largest entry", {}, {}};
  const Index d = rows.front().features->matrix.dimension();
  for (Index i = 1; i <= d; ++i) plot.categories.push_back(std::to_string(i));
  for (const Row<Scalar>& row : rows) {
    if (row.features->name == "network.nfm0") continue;  // flat, and hides the others
    const Vector<double> diagonal = row.features->matrix.diagonal().template cast<double>();
    const double largest = std::max(diagonal.maxCoeff(), std::numeric_limits<double>::min());
    viz::Series series;
    series.label = row.features->label;
    for (Index i = 0; i < d; ++i) series.y.push_back(diagonal(i) / largest);
    plot.series.push_back(std::move(series));
  }
  viz::draw_bars({plot}, images / "diagonals");
}

template <class Scalar>
void draw_matrices(const std::vector<Row<Scalar>>& rows, const std::filesystem::path& images) {
  constexpr Index kWhole = 1024, kBlock = 32;
  std::vector<viz::HeatMap> maps;
  for (const Row<Scalar>& row : rows) {
    const Index d = row.features->matrix.dimension();
    const Index side = d <= kWhole ? d : kBlock;
    std::string title = row.features->label;
    if (side < d) title += fmt::format(", first {} of {} coordinates", side, d);
    maps.push_back({title, row.features->matrix.top_left_block(side).template cast<double>(), viz::Palette::diverging});
  }
  viz::draw_heat_maps(maps, images / "matrices");
}

template <class Scalar>
void draw_spectra(const std::vector<Row<Scalar>>& rows, const std::filesystem::path& images) {
  constexpr Index kCount = 20;
  viz::LinePlot plot;
  plot.title = "Spectra of the feature matrices";
  plot.x_label = "eigenvalue number";
  plot.y_label = "eigenvalue / largest";
  plot.log_y = true;
  for (const Row<Scalar>& row : rows) {
    const EigenPairs<Scalar> top = row.features->matrix.top_eigenpairs(kCount);
    viz::Series series;
    series.label = row.features->label;
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

double score(const std::optional<Metrics>& metrics) {
  if (!metrics) return kNaN;
  return metrics->accuracy ? 100 * *metrics->accuracy : metrics->r2;
}

viz::LinePlot network_curves(const std::vector<nets::EpochRecord>& history, const std::string& y_label) {
  viz::LinePlot plot;
  plot.title = "Network";
  plot.x_label = "epoch";
  plot.y_label = y_label;
  viz::Series train{"train", {}, {}, false}, validation{"validation", {}, {}, false};
  for (const nets::EpochRecord& record : history) {
    if (!record.train) continue;
    train.x.push_back(static_cast<double>(record.epoch));
    train.y.push_back(score(record.train));
    validation.x.push_back(static_cast<double>(record.epoch));
    validation.y.push_back(score(record.validation));
  }
  plot.series.push_back(train);
  if (history.back().validation) plot.series.push_back(validation);
  return plot;
}

viz::LinePlot loss_curve(const std::vector<nets::EpochRecord>& history) {
  viz::LinePlot plot;
  plot.title = "Network, training loss";
  plot.x_label = "epoch";
  plot.y_label = "squared error";
  plot.log_y = true;
  viz::Series loss{"loss", {}, {}, false};
  for (const nets::EpochRecord& record : history) {
    loss.x.push_back(static_cast<double>(record.epoch));
    loss.y.push_back(record.train_loss);
  }
  plot.series.push_back(loss);
  return plot;
}

viz::LinePlot rfm_curves(const std::vector<rfm::RfmIteration>& iterations,
                         const std::vector<KernelMachineResult>& kernels, const std::string& y_label) {
  viz::LinePlot plot;
  plot.title = "RFM (levels: fixed kernels, test)";
  plot.x_label = "iteration (0: plain kernel)";
  plot.y_label = y_label;
  viz::Series train{"train", {}, {}, true}, validation{"validation", {}, {}, true}, test{"test", {}, {}, true};
  for (const rfm::RfmIteration& it : iterations) {
    for (viz::Series* series : {&train, &validation, &test}) series->x.push_back(static_cast<double>(it.iteration));
    train.y.push_back(score(it.train));
    validation.y.push_back(score(it.validation));
    test.y.push_back(score(it.test));
  }
  plot.series.push_back(train);
  if (iterations.back().validation) plot.series.push_back(validation);
  if (iterations.back().test) plot.series.push_back(test);
  const double last = static_cast<double>(std::max<std::size_t>(iterations.size(), 2) - 1);
  for (const KernelMachineResult& kernel : kernels) {
    if (kernel.test) plot.series.push_back({kernel.label, {0, last}, {score(kernel.test), score(kernel.test)}, false});
  }
  return plot;
}

void draw_evolution(const FeatureEvolution& evolution, const std::filesystem::path& images) {
  viz::LinePlot plot;
  plot.title = "How the network's features came about";
  plot.x_label = "epoch";
  plot.y_label = "Pearson r of diag W₁ᵀW₁ with";
  const auto add = [&](const char* label, const std::vector<double>& y) {
    if (std::any_of(y.begin(), y.end(), [](double v) { return std::isfinite(v); }))
      plot.series.push_back({label, evolution.epochs, y, true});
  };
  add("the RFM's M", evolution.with_rfm);
  add("its initial value", evolution.with_initial);
  add("the expected AGOP", evolution.with_truth);
  if (!plot.series.empty()) viz::draw_lines({plot}, images / "evolution");
}

template <class Scalar>
void animate_diagonal(const NetworkResult<Scalar>& network, const ImageShape& shape,
                      const std::filesystem::path& images) {
  constexpr int kSide = 576;
  const int factor = std::max<int>(1, kSide / static_cast<int>(std::max(shape.height, shape.width)));
  std::vector<viz::Image> frames;
  for (Index i = 0; i < network.snapshot_diagonals.rows(); ++i) {
    const Vector<double> diagonal = network.snapshot_diagonals.row(i).template cast<double>().transpose();
    frames.push_back(viz::enlarge(viz::rgb_image(diagonal, shape), factor));
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
  std::filesystem::create_directories(images);
  const std::vector<Row<Scalar>> rows = main_rows(comparison, rfm, top_eigenvectors);
  if (!rows.empty()) {
    const std::optional<ImageShape>& shape = split.train.image_shape;
    if (shape) draw_features(rows, network, rfm, comparison, *shape, images);
    if (shape && shape->channels == 3) draw_channels(rows, *shape, images);
    if (!shape && split.train.dimension() <= kMostBars) draw_diagonals(rows, images);
    draw_matrices(rows, images);
    draw_spectra(rows, images);
    if (shape && network && network->snapshot_epochs.size() > 1) animate_diagonal(*network, *shape, images);
  }
  const std::string y_label = split.train.task == Task::classification ? "accuracy (%)" : "R²";
  std::vector<viz::LinePlot> curves;
  if (network && !network->history.empty()) {
    curves.push_back(loss_curve(network->history));
    curves.push_back(network_curves(network->history, y_label));
  }
  if (rfm) curves.push_back(rfm_curves(rfm->trace.iterations, kernels, y_label));
  if (!curves.empty()) viz::draw_lines(curves, images / "training");
  if (comparison.evolution) draw_evolution(*comparison.evolution, images);
}

template void draw_pictures(const std::optional<NetworkResult<float>>&, const std::optional<RfmResult<float>>&,
                            const std::vector<KernelMachineResult>&, const ComparisonResult<float>&,
                            const Split<float>&, Index, const RunContext&);
template void draw_pictures(const std::optional<NetworkResult<double>>&, const std::optional<RfmResult<double>>&,
                            const std::vector<KernelMachineResult>&, const ComparisonResult<double>&,
                            const Split<double>&, Index, const RunContext&);

}  // namespace ansatz::experiments
