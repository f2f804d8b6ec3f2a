// The few coordinates an RFM looks at suffice: prune the others, train again (paper, Section 4.1 and Fig. 6).
//
// Section lottery_tickets: `attributes` (parts on dataset celeba) or the list `parts`; `threshold`, and `thresholds`
// for the curve. RFM-T is the RFM's own kernel, bandwidth and ridge on the coordinates kept, rows brought back to
// length 1 where the data set is unit_norm. Findings, a part each: share of coordinates and of pixels kept, test
// accuracies of the RFM, of RFM-T, their difference, and of as many coordinates drawn at random; over all parts the
// largest share of coordinates kept and the mean difference. Figures: the diagonals before and after (Fig. 6), test
// accuracy against the share kept. sweep.csv: the curve's numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "experiments/paper/image_regions.h"
#include "experiments/paper/thresholded_rfm.h"
#include "experiments/parts.h"
#include "experiments/pictures/feature_cells.h"
#include "experiments/results/score_findings.h"

namespace ansatz::experiments {
namespace {

struct LotteryOptions {
  double threshold = 0.05;
  std::vector<double> thresholds;  ///< of the curve
};

struct Ticket {
  double threshold = 0;
  ThresholdedRfm rfm_t;
};

struct Digest {
  std::optional<ImageShape> shape;
  Vector<double> diagonal;
  ThresholdedRfm ticket;       ///< at options.threshold
  std::vector<Ticket> sweep;   ///< at options.thresholds
  double rfm = 0, random = 0;  ///< test accuracies, %
  double kept = 0;             ///< % of the coordinates
  Finding gain;                ///< of RFM-T over the RFM
  std::vector<Finding> findings;
};

std::vector<std::string> finding_names(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    for (const char* what : {"coordinates_kept", "pixels_kept", "rfm_t_accuracy", "rfm_t_gain", "random_accuracy"})
      names.push_back(part.name + "." + what);
    for (std::string& name : accuracy_names(part.name + ".", part.options)) names.push_back(std::move(name));
  }
  names.insert(names.end(), {"largest_coordinates_kept", "mean_rfm_t_gain"});
  return names;
}

double share(std::size_t count, Index of) { return 100 * static_cast<double>(count) / static_cast<double>(of); }

/// Image positions of which some channel is kept, in percent; coordinates where there is no image.
double pixels_kept(const std::vector<Index>& kept, const std::optional<ImageShape>& shape, Index d) {
  return shape ? pixel_share(pixels_of(kept, *shape), *shape) : share(kept.size(), d);
}

std::vector<Finding> findings_of(const Part& part, const RunRecord& record, const Digest& digest) {
  const Index d = digest.diagonal.size();
  const std::string of = part.name + ": ";
  std::vector<Finding> findings = {{part.name + ".coordinates_kept", of + "coordinates kept", digest.kept, "%"},
                                   {part.name + ".pixels_kept", of + "pixels of which a channel is kept",
                                    pixels_kept(digest.ticket.kept, digest.shape, d), "%"}};
  for (Finding& finding : accuracy_findings(part.name + ".", of, record)) findings.push_back(std::move(finding));
  const Index rows = record.data->test_size;
  findings.push_back(
      accuracy_finding(part.name + ".rfm_t_accuracy", of + "test accuracy, RFM-T", digest.ticket.accuracy, rows));
  findings.push_back(digest.gain);
  findings.push_back(accuracy_finding(part.name + ".random_accuracy",
                                      of + "test accuracy, as many coordinates at random", digest.random, rows));
  return findings;
}

Digest digest(const LotteryOptions& options, const Part& part, const RunRecord& record, const Models& models,
              const RunContext& run) {
  Digest digest;
  digest.shape = record.data->image_shape;
  digest.diagonal = record.find(record.rfm->feature_id())->diagonal;
  digest.rfm = percent(record.rfm->reported_iteration().test);
  digest.ticket = threshold_rfm(digest.diagonal, options.threshold, part, models, run);
  digest.kept = share(digest.ticket.kept.size(), digest.diagonal.size());
  digest.gain = paired_gain_finding(part.name + ".rfm_t_gain", part.name + ": RFM-T less RFM, points",
                                    digest.ticket.right, models.rfm_right());
  for (const double threshold : options.thresholds)
    digest.sweep.push_back({threshold, threshold_rfm(digest.diagonal, threshold, part, models, run)});
  RandomStream random = run.stream.named("lottery/random coordinates");
  digest.random = retrain_on(random.sample(digest.diagonal.size(), static_cast<Index>(digest.ticket.kept.size())), part,
                             models, "random_coordinates", run)
                      .accuracy;
  digest.findings = findings_of(part, record, digest);
  return digest;
}

/// Of all parts together. The mean's error is that of independent parts, each with its own test rows.
std::vector<Finding> findings_over_parts(const std::vector<Digest>& digests) {
  Finding kept{"largest_coordinates_kept", "coordinates kept, the most of any part", 0, "%"};
  Finding gain{"mean_rfm_t_gain", "RFM-T less RFM, points, mean over the parts", 0, "%", 0.0};
  double squares = 0;
  for (const Digest& digest : digests) {
    kept.value = std::max(kept.value, digest.kept);
    gain.value += digest.gain.value / static_cast<double>(digests.size());
    squares += std::pow(*digest.gain.standard_error, 2);
  }
  gain.standard_error = std::sqrt(squares) / static_cast<double>(digests.size());
  return {kept, gain};
}

/// The diagonal with 0 where it was pruned.
Vector<double> pruned(const Digest& digest) {
  Vector<double> values = Vector<double>::Zero(digest.diagonal.size());
  for (const Index i : digest.ticket.kept) values(i) = digest.diagonal(i);
  return values;
}

/// A column a part: the diagonal, what is left of it, and the accuracies (Fig. 6).
Figure draw_tickets(const std::vector<Part>& parts, const std::vector<Digest>& digests, const RunContext& run) {
  viz::Panel panel;
  panel.title = "The coordinates that are kept";
  panel.note = "Colour channels as red, green and blue, one joint scale.";
  panel.row_labels = {"RFM diagonal", "kept"};
  panel.rows.resize(2);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Digest& digest = digests[i];
    viz::PanelCell all, kept;
    all.title = parts[i].name;
    all.rgb = viz::rgb_image(digest.diagonal, *digest.shape);
    kept.rgb = viz::rgb_image(pruned(digest), *digest.shape);
    all.captions = {fmt::format("RFM {:.2f} %", digest.rfm)};
    kept.captions = {fmt::format("RFM-T {:.2f} %", digest.ticket.accuracy), fmt::format("{:.2f} % kept", digest.kept),
                     fmt::format("random {:.2f} %", digest.random)};
    panel.rows[0].push_back(std::move(all));
    panel.rows[1].push_back(std::move(kept));
  }
  viz::draw_panel(panel, run.directory.path() / "images/tickets");
  return {"tickets", "RFM diagonals before and after the threshold",
          "The RFM's diagonal, and the coordinates above the threshold on which the kernel is trained again (RFM-T)."};
}

Figure draw_sweep(const std::vector<Part>& parts, const std::vector<Digest>& digests, const RunContext& run) {
  viz::LinePlot plot;
  plot.title = "Fewer coordinates";
  plot.x_label = "coordinates kept (%)";
  plot.y_label = "test accuracy (%)";
  plot.log_x = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    viz::Series series{parts[i].name, {}, {}, true};
    for (const Ticket& ticket : digests[i].sweep) {
      series.x.push_back(share(ticket.rfm_t.kept.size(), digests[i].diagonal.size()));
      series.y.push_back(ticket.rfm_t.accuracy);
    }
    plot.series.push_back(std::move(series));
  }
  viz::draw_lines({plot}, run.directory.path() / "images/sweep");
  return {"sweep", "Test accuracy against the share of coordinates kept",
          "Test accuracy of the kernel trained again on the coordinates above each threshold."};
}

std::string sweep_csv(const std::vector<Part>& parts, const std::vector<Digest>& digests) {
  std::string text = "part,threshold,coordinates_kept_percent,test_accuracy_percent\n";
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const Ticket& ticket : digests[i].sweep)
      text += fmt::format("{},{},{},{}\n", parts[i].name, ticket.threshold,
                          share(ticket.rfm_t.kept.size(), digests[i].diagonal.size()), ticket.rfm_t.accuracy);
  return text;
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<Digest>& digests, const RunContext& run) {
  ExperimentSummary summary;
  bool images = parts.front().options.save.images;
  for (const Digest& digest : digests) {
    summary.findings.insert(summary.findings.end(), digest.findings.begin(), digest.findings.end());
    images = images && digest.shape.has_value();
  }
  for (Finding& finding : findings_over_parts(digests)) summary.findings.push_back(std::move(finding));
  run.directory.write_table("sweep.csv", sweep_csv(parts, digests));
  if (images) summary.figures.push_back(draw_tickets(parts, digests, run));
  if (parts.front().options.save.images && !digests.front().sweep.empty())
    summary.figures.push_back(draw_sweep(parts, digests, run));
  return summary;
}

LotteryOptions parse_lottery(const Config& own) {
  LotteryOptions options;
  options.threshold = own.get_fraction("threshold", 0.05);
  options.thresholds = own.get_list("thresholds", std::vector<double>{0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4}, 0);
  for (const double threshold : options.thresholds)
    if (!(threshold >= 0 && threshold < 1)) own.fail("thresholds", "must lie in [0, 1), of the scaled diagonal");
  return options;
}

}  // namespace

PreparedExperiment prepare_lottery_tickets(const Config& root, const CommonOptions& common) {
  const Config own = root.section("lottery_tickets");
  const std::vector<Part> parts =
      own.has("attributes") ? parse_attribute_parts(root, own, common) : parse_parts(root, common);
  const LotteryOptions options = parse_lottery(own);
  for (const Part& part : parts) {
    if (!part.options.rfm || part.options.rfm->iterations < 1)
      root.fail("rfm", "lottery_tickets prunes by an RFM's features: rfm with iterations: 1 or more is needed");
    if (part.options.dataset.task != Task::classification)
      root.fail("dataset", "lottery_tickets compares accuracies: the data set must be a classification");
  }
  PartsExperiment<Digest> experiment{parts, parse_expectations(root, finding_names(parts)), {}, summarize};
  experiment.digest = [options](const Part& part, const RunRecord& record, const Models& models,
                                const RunContext& run) { return digest(options, part, record, models, run); };
  return prepare_parts(common, experiment);
}

}  // namespace ansatz::experiments
