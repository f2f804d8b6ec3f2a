// Grokking: the test accuracy rises when training has nearly fitted already (paper, Section 4.2 and Fig. 7).
//
// Each part trains a network and a diagonal RFM on marked photographs (dataset: starred_planes_trucks). The test set
// is looked at on the way, nothing is chosen by it. Findings, a part each: RFM test accuracy before and after one
// update, share of both diagonals on the marker, the epoch at which the network fits and the one at which it
// generalises. Figure: both courses with the diagonals as insets.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/composed/starred_images.h"
#include "experiments/parts.h"
#include "experiments/results/score_findings.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kFits = 100;  // per cent

/// Accuracies in per cent. The paper: "reaches near 100% training accuracy", then the test accuracy rises from 80 %.
struct GrokkingOptions {
  double nearly_fits = 98;  ///< on the training set
  double generalizes = 95;  ///< on the test set
};

const char* const kFindings[] = {"rfm_test_accuracy_before",   "rfm_test_accuracy_after_one",
                                 "rfm_marker_share",           "network_fit_epoch",
                                 "network_nearly_fit_epoch",   "network_grok_epoch",
                                 "network_grok_delay",         "network_test_accuracy_nearly_fit",
                                 "network_test_accuracy_last", "network_marker_share"};

std::vector<std::string> finding_names(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts)
    for (const char* name : kFindings) names.push_back(part.name + "." + name);
  return names;
}

/// Accuracies in per cent, by epoch or iteration.
struct Course {
  std::vector<double> steps, train, test;
};

Course course_of(const NetworkRecord& network) {
  Course course;
  for (const Observation& observation : network.observations) {
    const auto record = std::find_if(network.epochs.begin(), network.epochs.end(),
                                     [&](const EpochRecord& r) { return r.epoch == observation.epoch; });
    course.steps.push_back(static_cast<double>(observation.epoch));
    course.train.push_back(percent(record->train));
    course.test.push_back(percent(std::get<Metrics>(observation.seen)));
  }
  return course;
}

Course course_of(const RfmRecord& rfm) {
  Course course;
  for (const RfmIteration& it : rfm.iterations) {
    course.steps.push_back(static_cast<double>(it.iteration));
    course.train.push_back(percent(it.train));
    course.test.push_back(percent(it.test));
  }
  return course;
}

/// The first step from which on `values` is seen at `level` or more; as many as there are if never.
std::size_t first_at(const std::vector<double>& values, double level) {
  const auto found = std::find_if(values.begin(), values.end(), [&](double v) { return v >= level; });
  return static_cast<std::size_t>(found - values.begin());
}

double at_or_nan(const std::vector<double>& values, std::size_t i) { return i < values.size() ? values[i] : kNaN; }

double marker_share(const Part& part, const ImageShape& shape, const Vector<double>& diagonal) {
  double on = 0;
  for (const Index i : marker_coordinates(part.options.dataset.starred.marker, shape)) on += diagonal(i);
  return 100 * on / diagonal.sum();
}

Vector<double> snapshot(const NetworkRecord& network, Index i) { return network.snapshot_diagonals.row(i).transpose(); }

void add_findings(const GrokkingOptions& options, const Part& part, const RunRecord& record,
                  std::vector<Finding>& findings) {
  const auto add = [&](const char* name, const std::string& meaning, double value, const char* unit) {
    findings.push_back({part.name + "." + name, part.name + ": " + meaning, value, unit});
  };
  const ImageShape& shape = *record.data->image_shape;
  const Course rfm = course_of(*record.rfm), network = course_of(*record.network);
  const FeatureRecord& last = *record.find(FeatureId::rfm(record.rfm->iterations.back().iteration));
  add("rfm_test_accuracy_before", "RFM test accuracy at iteration 0, the plain kernel", at_or_nan(rfm.test, 0), "%");
  add("rfm_test_accuracy_after_one", "RFM test accuracy after one feature update", at_or_nan(rfm.test, 1), "%");
  add("rfm_marker_share", "share of the RFM's last diagonal on the marker", marker_share(part, shape, last.diagonal),
      "%");
  const std::size_t nearly = first_at(network.train, options.nearly_fits);
  const double nearly_epoch = at_or_nan(network.steps, nearly);
  const double grok_epoch = at_or_nan(network.steps, first_at(network.test, options.generalizes));
  add("network_fit_epoch", "epoch at which the network's train accuracy reaches 100 %",
      at_or_nan(network.steps, first_at(network.train, kFits)), "");
  add("network_nearly_fit_epoch", fmt::format("epoch at which it reaches {:g} %", options.nearly_fits), nearly_epoch,
      "");
  add("network_grok_epoch", fmt::format("epoch at which its test accuracy reaches {:g} %", options.generalizes),
      grok_epoch, "");
  add("network_grok_delay", "the last over the one before", grok_epoch / std::max(nearly_epoch, 1.0), "");
  add("network_test_accuracy_nearly_fit",
      fmt::format("network test accuracy when train accuracy reaches {:g} %", options.nearly_fits),
      at_or_nan(network.test, nearly), "%");
  add("network_test_accuracy_last", "network test accuracy at the last epoch", network.test.back(), "%");
  const Index snapshots = record.network->snapshot_diagonals.rows();
  add("network_marker_share", "share of the diagonal of W₁ᵀW₁ on the marker, last epoch",
      snapshots > 0 ? marker_share(part, shape, snapshot(*record.network, snapshots - 1)) : kNaN, "%");
}

viz::Image picture(const Vector<double>& diagonal, const ImageShape& shape) {
  const Matrix<double> plane = viz::mean_plane(diagonal, shape);
  return viz::colorize(plane, plane.minCoeff(), plane.maxCoeff(), viz::Palette::viridis);
}

/// The snapshots nearest to the start, to fitting, to generalising and to the end.
std::vector<Index> telling_snapshots(const GrokkingOptions& options, const NetworkRecord& network,
                                     const Course& course) {
  const std::vector<Index>& epochs = network.snapshot_epochs;
  std::vector<Index> chosen;
  if (epochs.empty()) return chosen;
  const double fit = at_or_nan(course.steps, first_at(course.train, options.nearly_fits));
  const double grok = at_or_nan(course.steps, first_at(course.test, options.generalizes));
  for (const double epoch : {0.0, fit, grok, course.steps.back()}) {
    if (!std::isfinite(epoch)) continue;
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
  const Course course = course_of(network);
  viz::LinePlot plot = accuracy_plot("Network", "epoch (from 1, logarithmic)", course, false);
  plot.log_x = true;
  for (const Index i : telling_snapshots(options, network, course)) {
    const Index epoch = network.snapshot_epochs[static_cast<std::size_t>(i)];
    const double least = course.steps.size() > 1 ? course.steps[1] : 1;  // epoch 0 has no place on the axis
    plot.insets.push_back({std::max(static_cast<double>(epoch), least), picture(snapshot(network, i), shape),
                           fmt::format("epoch {}", epoch)});
  }
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

Figure draw_courses(const GrokkingOptions& options, const Part& part, const RunRecord& record, const RunContext& run) {
  const ImageShape& shape = *record.data->image_shape;
  const std::string file = "grokking_" + part.name;
  viz::draw_lines({network_plot(options, *record.network, shape), rfm_plot(record, shape)},
                  run.directory.path() / "images" / file);
  return {
      file, part.name + ": accuracy over training, with the features",
      fmt::format("{}: train and test accuracy of network and RFM. Insets: the diagonals of W₁ᵀW₁ and of M, mean over "
                  "the colour channels, each on its own scale.",
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
    add_findings(options, parts[i], digests[i].record, summary.findings);
    if (!parts[i].options.save.images) continue;
    summary.figures.push_back(draw_samples(parts[i], digests[i].samples, run));
    summary.figures.push_back(draw_courses(options, parts[i], digests[i].record, run));
  }
  return summary;
}

GrokkingOptions parse_grokking(const Config& own) {
  GrokkingOptions options;
  options.nearly_fits = own.get_at_least("nearly_fits", options.nearly_fits, 0.0, 100.0);
  options.generalizes = own.get_at_least("generalizes", options.generalizes, 0.0, 100.0);
  return options;
}

}  // namespace

PreparedExperiment prepare_grokking(const Config& root, const CommonOptions& common) {
  const GrokkingOptions grokking = parse_grokking(root.section("grokking"));
  std::vector<Part> parts = parse_parts(root, common);
  for (Part& part : parts) {
    FeatureComparisonOptions& options = part.options;
    if (options.dataset.name != "starred_planes_trucks")
      root.fail("parts", "experiment grokking needs dataset: {name: starred_planes_trucks}");
    if (!options.network || !options.network->train || !options.rfm || options.rfm->iterations < 1)
      root.fail("parts", "experiment grokking trains a network and an RFM of at least one iteration");
    options.network->observed = Observed::test_metrics;
  }
  PartsExperiment<Digest> experiment{parts, parse_expectations(root, finding_names(parts)), digest, {}};
  experiment.summarize = [grokking](const auto& all, const auto& digests, const RunContext& run) {
    return summarize(grokking, all, digests, run);
  };
  return prepare_parts(common, experiment);
}

}  // namespace ansatz::experiments
