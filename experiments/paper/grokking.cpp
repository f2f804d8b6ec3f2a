#include "experiments/paper/grokking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/composed/starred_images.h"
#include "experiments/parts.h"
#include "experiments/results/score_findings.h"
#include "experiments/stages/metrics_json.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Per cent. The paper: "reaches near 100% training accuracy", then the test accuracy rises from 80 %.
constexpr double kNearlyFits = 98, kFits = 100, kGeneralizes = 95;

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

template <class Scalar>
Course course_of(const NetworkResult<Scalar>& network) {
  Course course;
  for (const Observation& observation : network.observations) {
    const auto record = std::find_if(network.history.begin(), network.history.end(),
                                     [&](const nets::EpochRecord& r) { return r.epoch == observation.epoch; });
    course.steps.push_back(static_cast<double>(observation.epoch));
    course.train.push_back(percent(record->train));
    course.test.push_back(percent(metrics_from_json(observation.seen.at("test"))));
  }
  return course;
}

template <class Scalar>
Course course_of(const RfmResult<Scalar>& rfm) {
  Course course;
  for (const rfm::RfmIteration& it : rfm.trace.iterations) {
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

template <class Scalar>
Vector<double> snapshot(const NetworkResult<Scalar>& network, Index i) {
  return network.snapshot_diagonals.row(i).template cast<double>().transpose();
}

template <class Scalar>
void add_findings(const Part& part, const Results<Scalar>& results, std::vector<Finding>& findings) {
  const auto add = [&](const char* name, const char* meaning, double value, const char* unit) {
    findings.push_back({part.name + "." + name, part.name + ": " + meaning, value, unit});
  };
  const ImageShape& shape = *results.split->train.image_shape;
  const Course rfm = course_of(*results.rfm), network = course_of(*results.network);
  const FeatureMatrix<Scalar>& last = results.rfm->trace.feature_matrices.back();
  add("rfm_test_accuracy_before", "RFM test accuracy at iteration 0, the plain kernel", at_or_nan(rfm.test, 0), "%");
  add("rfm_test_accuracy_after_one", "RFM test accuracy after one feature update", at_or_nan(rfm.test, 1), "%");
  add("rfm_marker_share", "share of the RFM's last diagonal on the marker",
      marker_share(part, shape, last.diagonal_in_double()), "%");
  const std::size_t nearly = first_at(network.train, kNearlyFits);
  const double nearly_epoch = at_or_nan(network.steps, nearly);
  const double grok_epoch = at_or_nan(network.steps, first_at(network.test, kGeneralizes));
  add("network_fit_epoch", "epoch at which the network's train accuracy reaches 100 %",
      at_or_nan(network.steps, first_at(network.train, kFits)), "");
  add("network_nearly_fit_epoch", "epoch at which it reaches 98 %", nearly_epoch, "");
  add("network_grok_epoch", "epoch at which its test accuracy reaches 95 %", grok_epoch, "");
  add("network_grok_delay", "the last over the one before", grok_epoch / std::max(nearly_epoch, 1.0), "");
  add("network_test_accuracy_nearly_fit", "network test accuracy when train accuracy reaches 98 %",
      at_or_nan(network.test, nearly), "%");
  add("network_test_accuracy_last", "network test accuracy at the last epoch", network.test.back(), "%");
  const Index snapshots = results.network->snapshot_diagonals.rows();
  add("network_marker_share", "share of the diagonal of W₁ᵀW₁ on the marker, last epoch",
      snapshots > 0 ? marker_share(part, shape, snapshot(*results.network, snapshots - 1)) : kNaN, "%");
}

viz::Image picture(const Vector<double>& diagonal, const ImageShape& shape) {
  const Matrix<double> plane = viz::mean_plane(diagonal, shape);
  return viz::colorize(plane, plane.minCoeff(), plane.maxCoeff(), viz::Palette::viridis);
}

/// The snapshots nearest to the start, to fitting, to generalising and to the end.
template <class Scalar>
std::vector<Index> telling_snapshots(const NetworkResult<Scalar>& network, const Course& course) {
  const std::vector<Index>& epochs = network.snapshot_epochs;
  std::vector<Index> chosen;
  if (epochs.empty()) return chosen;
  const double fit = at_or_nan(course.steps, first_at(course.train, kNearlyFits));
  const double grok = at_or_nan(course.steps, first_at(course.test, kGeneralizes));
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

template <class Scalar>
viz::LinePlot network_plot(const NetworkResult<Scalar>& network, const ImageShape& shape) {
  const Course course = course_of(network);
  viz::LinePlot plot = accuracy_plot("Network", "epoch (from 1, logarithmic)", course, false);
  plot.log_x = true;
  for (const Index i : telling_snapshots(network, course)) {
    const Index epoch = network.snapshot_epochs[static_cast<std::size_t>(i)];
    const double least = course.steps.size() > 1 ? course.steps[1] : 1;  // epoch 0 has no place on the axis
    plot.insets.push_back({std::max(static_cast<double>(epoch), least), picture(snapshot(network, i), shape),
                           fmt::format("epoch {}", epoch)});
  }
  return plot;
}

template <class Scalar>
viz::LinePlot rfm_plot(const RfmResult<Scalar>& rfm, const ImageShape& shape) {
  viz::LinePlot plot = accuracy_plot("RFM", "iteration (0: plain kernel)", course_of(rfm), true);
  for (std::size_t t = 1; t < rfm.trace.feature_matrices.size(); ++t)
    plot.insets.push_back({static_cast<double>(t), picture(rfm.trace.feature_matrices[t].diagonal_in_double(), shape),
                           fmt::format("M, iteration {}", t)});
  return plot;
}

template <class Scalar>
Figure draw_courses(const Part& part, const Results<Scalar>& results, const RunContext& run) {
  const ImageShape& shape = *results.split->train.image_shape;
  const std::string file = "grokking_" + part.name;
  viz::draw_lines({network_plot(*results.network, shape), rfm_plot(*results.rfm, shape)},
                  run.directory.path() / "images" / file);
  return {
      file, part.name + ": accuracy over training, with the features",
      fmt::format("{}: train and test accuracy of network and RFM. Insets: the diagonals of W₁ᵀW₁ and of M, mean over "
                  "the colour channels, each on its own scale.",
                  part.name)};
}

template <class Scalar>
Figure draw_samples(const Part& part, const Results<Scalar>& results, const RunContext& run) {
  constexpr int kEach = 3;
  const Dataset<Scalar>& train = results.split->train;
  viz::Panel panel;
  panel.title = "Training images";
  panel.rows.resize(1);
  for (Index label : {0, 1}) {
    int shown = 0;
    for (Index i = 0; i < train.size() && shown < kEach; ++i) {
      if (train.targets(i, label) < 0.5) continue;
      viz::PanelCell cell;
      cell.title = train.class_names[static_cast<std::size_t>(label)];
      cell.rgb = viz::rgb_image(train.inputs.row(i).template cast<double>().transpose(), *train.image_shape, 0, 1);
      panel.rows[0].push_back(std::move(cell));
      ++shown;
    }
  }
  const std::string file = "samples_" + part.name;
  viz::draw_panel(panel, run.directory.path() / "images" / file);
  return {file, part.name + ": training images",
          part.name + ": training images; the marker in the upper left corner gives the class away."};
}

template <class Scalar>
PartsSummary summarize(const std::vector<Part>& parts, const AllResults<Scalar>& results, const RunContext& run) {
  PartsSummary summary;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    add_findings(parts[i], *results[i], summary.findings);
    if (!parts[i].options.save.images) continue;
    summary.figures.push_back(draw_samples(parts[i], *results[i], run));
    summary.figures.push_back(draw_courses(parts[i], *results[i], run));
  }
  return summary;
}

/// Test metrics wherever the training metrics are known.
template <class Scalar>
NetworkObserver<Scalar> observe(const Part&, const Split<Scalar>& split, const RunContext&) {
  return {[](const nets::EpochRecord& record) { return record.train.has_value(); },
          [&split](const nets::Mlp<Scalar>& now, const nets::Mlp<Scalar>&) {
            return Json{{"test", to_json(evaluate(now, split.test))}};
          }};
}

}  // namespace

PreparedExperiment prepare_grokking(const Config& root, const CommonOptions& common) {
  std::vector<Part> parts = parse_parts(root, common);
  for (const Part& part : parts) {
    const FeatureComparisonOptions& options = part.options;
    if (options.dataset.name != "starred_planes_trucks")
      root.fail("parts", "experiment grokking needs dataset: {name: starred_planes_trucks}");
    if (!options.network || !options.network->train || !options.rfm || options.rfm->iterations < 1)
      root.fail("parts", "experiment grokking trains a network and an RFM of at least one iteration");
  }
  const Expectations expectations = parse_expectations(root, finding_names(parts));
  return prepare_parts(common, std::move(parts), expectations, {summarize<float>, summarize<double>},
                       {observe<float>, observe<double>});
}

}  // namespace ansatz::experiments
