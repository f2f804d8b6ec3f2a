// Grokking: the test accuracy rises when the training rows are fitted already (paper, Section 4.2 and Fig. 7).
//
// Each part fits a diagonal RFM to marked photographs (dataset: starred_planes_trucks), and most train a network. The
// test set is looked at on the way, nothing is chosen by it. Findings, a part each (grokking_findings.h): test accuracy
// before and after the RFM's updates, when the network fits both classes and when it generalises, and how much of the
// diagonals lies on the marker meanwhile. Figure: both courses with the diagonals as insets, and the marker's shares.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/data/composed/starred_images.h"
#include "experiments/paper/grokking_findings.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

Vector<double> snapshot(const NetworkRecord& network, Index i) { return network.snapshot_diagonals.row(i).transpose(); }

viz::Image picture(const Vector<double>& diagonal, const ImageShape& shape) {
  const Matrix<double> plane = viz::mean_plane(diagonal, shape);
  return viz::colorize(plane, plane.minCoeff(), plane.maxCoeff(), viz::Palette::viridis);
}

/// The snapshots nearest to the start, to fitting, to generalising and to the end.
std::vector<Index> telling_snapshots(const GrokkingOptions& options, const NetworkRecord& network,
                                     const NetworkCourse& course) {
  const std::vector<Index>& epochs = network.snapshot_epochs;
  std::vector<Index> chosen;
  if (epochs.empty()) return chosen;
  const std::size_t last = course.steps.size() - 1;
  for (const std::size_t i : {std::size_t{0}, fit_of(course), grok_of(course, options), last}) {
    const double epoch = course.steps[std::min(i, last)];
    const auto nearest = std::min_element(epochs.begin(), epochs.end(), [&](Index a, Index b) {
      return std::fabs(static_cast<double>(a) - epoch) < std::fabs(static_cast<double>(b) - epoch);
    });
    chosen.push_back(static_cast<Index>(nearest - epochs.begin()));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

viz::LinePlot accuracy_plot(const std::string& title, const std::string& x_label, const Course& course, bool points) {
  viz::LinePlot plot;
  plot.title = title;
  plot.x_label = x_label;
  plot.y_label = "accuracy (%)";
  plot.y_low = 0, plot.y_high = 103;
  plot.series = {{"train", course.steps, course.train, points}, {"test", course.steps, course.test, points}};
  return plot;
}

viz::LinePlot network_plot(const GrokkingOptions& options, const NetworkRecord& network, const ImageShape& shape) {
  const NetworkCourse course = course_of(network);
  viz::LinePlot plot = accuracy_plot("Network", "epoch (from 1, logarithmic)", course, false);
  plot.series.front().label = "train, mean over classes";
  plot.log_x = true;
  for (const Index i : telling_snapshots(options, network, course)) {
    const Index epoch = network.snapshot_epochs[static_cast<std::size_t>(i)];
    const double least = course.steps.size() > 1 ? course.steps[1] : 1;  // epoch 0 has no place on the axis
    plot.insets.push_back({std::max(static_cast<double>(epoch), least), picture(snapshot(network, i), shape),
                           fmt::format("epoch {}", epoch)});
  }
  return plot;
}

viz::LinePlot shares_plot(const NetworkCourse& course, double area) {
  viz::LinePlot plot;
  plot.title = "The marker's share of diagonals";
  plot.x_label = "epoch (from 1, logarithmic)";
  plot.y_label = "share (%)";
  plot.log_x = plot.log_y = true;
  plot.series = {{"(W₁−W₀)ᵀ(W₁−W₀)", course.steps, course.learned.marker},
                 {"(W₁−W₀)ᵀ(W₁−W₀), largest elsewhere", course.steps, course.learned.largest_other},
                 {"W₁ᵀW₁", course.steps, course.weights.marker},
                 {"W₁ᵀW₁, largest elsewhere", course.steps, course.weights.largest_other},
                 {"area", course.steps, std::vector<double>(course.steps.size(), area)}};
  plot.series.back().level = true;
  return plot;
}

viz::LinePlot rfm_plot(const RunRecord& record, const ImageShape& shape) {
  viz::LinePlot plot = accuracy_plot("RFM", "iteration (0: plain kernel)", course_of(*record.rfm), true);
  for (std::size_t t = 1; t < record.rfm->iterations.size(); ++t)
    plot.insets.push_back({static_cast<double>(t),
                           picture(record.find(FeatureId::rfm(static_cast<Index>(t)))->diagonal, shape),
                           fmt::format("M, iteration {}", t)});
  return plot;
}

std::vector<viz::LinePlot> plots_of(const GrokkingOptions& options, const Part& part, const RunRecord& record) {
  const ImageShape& shape = *record.data->image_shape;
  if (!record.network) return {rfm_plot(record, shape)};
  const auto marked = static_cast<double>(marker_coordinates(part.options.dataset.starred.marker, shape).size());
  return {network_plot(options, *record.network, shape),
          shares_plot(course_of(*record.network), 100 * marked / static_cast<double>(shape.size())),
          rfm_plot(record, shape)};
}

Figure draw_courses(const GrokkingOptions& options, const Part& part, const RunRecord& record, const RunContext& run) {
  const std::string file = "grokking_" + part.name;
  viz::draw_lines(plots_of(options, part, record), run.directory.path() / "images" / file);
  return {file, part.name + ": accuracy over training, with the features",
          fmt::format(
              "{}: train and test accuracy. Insets: the diagonals of W₁ᵀW₁ and of M, mean over the colour channels, "
              "each on its own scale. Shares: of the diagonals' sums, on the marker and, where it is largest, on "
              "the marker's outline moved elsewhere.",
              part.name)};
}

/// The first training images of both classes.
std::vector<viz::PanelCell> samples_of(const RunRecord& record, const Models& models) {
  constexpr int kEach = 3;
  const std::vector<Index> classes = models.classes(Rows::train);
  std::vector<viz::PanelCell> samples;
  for (const Index label : {0, 1}) {
    int shown = 0;
    for (std::size_t i = 0; i < classes.size() && shown < kEach; ++i) {
      if (classes[i] != label) continue;
      viz::PanelCell cell;
      cell.title = record.data->class_names[static_cast<std::size_t>(label)];
      const Matrix<double> image = models.inputs(Rows::train, {static_cast<Index>(i)});
      cell.rgb = viz::rgb_image(image.row(0).transpose(), *record.data->image_shape, 0, 1);
      samples.push_back(std::move(cell));
      ++shown;
    }
  }
  return samples;
}

Figure draw_samples(const Part& part, const std::vector<viz::PanelCell>& samples, const RunContext& run) {
  viz::Panel panel;
  panel.title = "Training images";
  panel.rows = {samples};
  const std::string file = "samples_" + part.name;
  viz::draw_panel(panel, run.directory.path() / "images" / file);
  return {file, part.name + ": training images",
          part.name + ": training images; the marker in the upper left corner gives the class away."};
}

struct Digest {
  RunRecord record;
  std::vector<viz::PanelCell> samples;
};

Digest digest(const Part&, const RunRecord& record, const Models& models, const RunContext&) {
  return {record, samples_of(record, models)};
}

ExperimentSummary summarize(const GrokkingOptions& options, const std::vector<Part>& parts,
                            const std::vector<Digest>& digests, const RunContext& run) {
  ExperimentSummary summary;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<Finding> found = grokking_findings(options, parts[i], digests[i].record);
    summary.findings.insert(summary.findings.end(), found.begin(), found.end());
    if (!parts[i].options.save.images) continue;
    summary.figures.push_back(draw_samples(parts[i], digests[i].samples, run));
    summary.figures.push_back(draw_courses(options, parts[i], digests[i].record, run));
  }
  return summary;
}

void require_marked_images(const Config& root, const FeatureComparisonOptions& options) {
  if (options.dataset.name != "starred_planes_trucks")
    root.fail("parts", "experiment grokking needs dataset: {name: starred_planes_trucks}");
  if (!options.rfm || options.rfm->iterations < 1)
    root.fail("parts", "experiment grokking fits an RFM of at least one iteration");
  if (options.network && !options.network->train) root.fail("parts", "experiment grokking trains its networks");
}

void watch_marker(FeatureComparisonOptions& options) {
  options.network->observed = Observed::generalization;
  options.network->watched = [marker = options.dataset.starred.marker](const ImageShape& shape) {
    return marker_coordinates(marker, shape);
  };
}

GrokkingOptions parse_grokking(const Config& own) {
  GrokkingOptions options;
  options.generalizes = own.get_at_least("generalizes", options.generalizes, 0.0, 100.0);
  return options;
}

}  // namespace

PreparedExperiment prepare_grokking(const Config& root, const CommonOptions& common) {
  const GrokkingOptions grokking = parse_grokking(root.section("grokking"));
  std::vector<Part> parts = parse_parts(root, common);
  std::vector<std::string> names;
  for (Part& part : parts) {
    require_marked_images(root, part.options);
    if (part.options.network) watch_marker(part.options);
    const std::vector<std::string> own = grokking_names(part);
    names.insert(names.end(), own.begin(), own.end());
  }
  PartsExperiment<Digest> experiment{parts, parse_expectations(root, names), digest, {}};
  experiment.summarize = [grokking](const auto& all, const auto& digests, const RunContext& run) {
    return summarize(grokking, all, digests, run);
  };
  return prepare_parts(common, experiment);
}

}  // namespace ansatz::experiments
