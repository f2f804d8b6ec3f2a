#include "experiments/paper/grokking_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/data/composed/starred_images.h"
#include "core/features/region_share.h"
#include "experiments/results/score_findings.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kFits = 100;  // per cent
constexpr const char* kWhenFitted = "when balanced train accuracy reaches 100 %";

const char* const kRfmFindings[] = {"marker_area",
                                    "rfm_train_accuracy_least",
                                    "rfm_test_accuracy_before",
                                    "rfm_test_accuracy_after_one",
                                    "rfm_test_accuracy_last",
                                    "rfm_marker_share"};
const char* const kNetworkFindings[] = {"network_fit_epoch",          "network_grok_epoch",
                                        "network_grok_delay",         "network_test_accuracy_at_fit",
                                        "network_test_accuracy_last", "network_test_gain"};
const char* const kShareFindings[] = {"marker_share_at_fit", "marker_share", "marker_growth", "other_share",
                                      "marker_lead"};

/// Findings of one part, as they are found.
class PartFindings {
 public:
  PartFindings(std::string part, Index test_rows) : part_(std::move(part)), test_rows_(test_rows) {}
  void add(const std::string& name, const std::string& meaning, double value, const char* unit) {
    found_.push_back({part_ + "." + name, part_ + ": " + meaning, value, unit});
  }
  void add_test_accuracy(const std::string& name, const std::string& meaning, double percent) {
    found_.push_back(accuracy_finding(part_ + "." + name, part_ + ": " + meaning, percent, test_rows_));
  }
  void add_gain(const std::string& name, const std::string& meaning, double percent, double before) {
    found_.push_back(gain_finding(part_ + "." + name, part_ + ": " + meaning, percent, before, test_rows_));
  }
  std::vector<Finding> found() const { return found_; }

 private:
  std::string part_;
  Index test_rows_;
  std::vector<Finding> found_;
};

double at_or_nan(const std::vector<double>& values, std::size_t i) { return i < values.size() ? values[i] : kNaN; }

/// The first step at which `values` is seen at `level` or more; as many as there are if never.
std::size_t first_at(const std::vector<double>& values, double level) {
  const auto found = std::find_if(values.begin(), values.end(), [&](double v) { return v >= level; });
  return static_cast<std::size_t>(found - values.begin());
}

void add_rfm(const Part& part, const RunRecord& record, PartFindings& findings) {
  const ImageShape& shape = *record.data->image_shape;
  const std::vector<Index> marker = marker_coordinates(part.options.dataset.starred.marker, shape);
  const Course rfm = course_of(*record.rfm);
  const FeatureRecord& last = *record.find(FeatureId::rfm(record.rfm->iterations.back().iteration));
  findings.add("marker_area", "the marker's share of the image",
               100 * static_cast<double>(marker.size()) / static_cast<double>(shape.size()), "%");
  findings.add("rfm_train_accuracy_least", "RFM train accuracy, least over the iterations",
               *std::min_element(rfm.train.begin(), rfm.train.end()), "%");
  findings.add_test_accuracy("rfm_test_accuracy_before", "RFM test accuracy at iteration 0, the plain kernel",
                             at_or_nan(rfm.test, 0));
  findings.add_test_accuracy("rfm_test_accuracy_after_one", "RFM test accuracy after one feature update",
                             at_or_nan(rfm.test, 1));
  findings.add_test_accuracy("rfm_test_accuracy_last", "RFM test accuracy at the last iteration", rfm.test.back());
  findings.add("rfm_marker_share", "share of the RFM's last diagonal on the marker",
               100 * region_share(last.diagonal, {shape.height, shape.width}, marker).region, "%");
}

void add_accuracies(const GrokkingOptions& options, const NetworkCourse& course, PartFindings& findings) {
  const std::size_t fit = fit_of(course);
  const double fit_epoch = at_or_nan(course.steps, fit), grok_epoch = at_or_nan(course.steps, grok_of(course, options));
  findings.add("network_fit_epoch", "epoch at which the network's balanced train accuracy reaches 100 %", fit_epoch,
               "");
  findings.add("network_grok_epoch",
               fmt::format("epoch at which its test accuracy reaches {:g} %", options.generalizes), grok_epoch, "");
  findings.add("network_grok_delay",
               fmt::format("epoch at which test accuracy reaches {:g} %, by that at which balanced train accuracy "
                           "reaches 100 %",
                           options.generalizes),
               grok_epoch / fit_epoch, "");
  findings.add_test_accuracy("network_test_accuracy_at_fit", fmt::format("network test accuracy {}", kWhenFitted),
                             at_or_nan(course.test, fit));
  findings.add_test_accuracy("network_test_accuracy_last", "network test accuracy at the last epoch",
                             course.test.back());
  findings.add_gain("network_test_gain",
                    fmt::format("network test accuracy at the last epoch less that {}, points", kWhenFitted),
                    course.test.back(), at_or_nan(course.test, fit));
}

/// `prefix`: of the findings' names; `diagonal`: whose shares they are.
void add_shares(const std::string& prefix, const std::string& diagonal, const ShareCourse& shares, std::size_t fit,
                PartFindings& findings) {
  const double at_fit = at_or_nan(shares.marker, fit), last = shares.marker.back(), other = shares.largest_other.back();
  const std::string share = "share of diag " + diagonal + " on the marker", last_share = share + ", last epoch";
  findings.add(prefix + "marker_share_at_fit", fmt::format("{} {}", share, kWhenFitted), at_fit, "%");
  findings.add(prefix + "marker_share", last_share, last, "%");
  findings.add(prefix + "marker_growth", fmt::format("{}, by that {}", last_share, kWhenFitted), last / at_fit, "");
  findings.add(prefix + "other_share", "share of diag " + diagonal + " on the marker's outline elsewhere, the largest",
               other, "%");
  findings.add(prefix + "marker_lead", last_share + ", by the largest on the marker's outline elsewhere", last / other,
               "");
}

}  // namespace

NetworkCourse course_of(const NetworkRecord& network) {
  NetworkCourse course;
  const auto add_share = [](const RegionShare& share, ShareCourse& shares) {
    shares.marker.push_back(100 * share.region);
    shares.largest_other.push_back(100 * share.largest_other);
  };
  for (const Observation& observation : network.observations) {
    const auto& seen = std::get<Generalization>(observation.seen);
    course.steps.push_back(static_cast<double>(observation.epoch));
    course.train.push_back(100 * seen.train_balanced_accuracy);
    course.test.push_back(percent(seen.test));
    add_share(seen.weights, course.weights);
    add_share(seen.learned, course.learned);
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

std::size_t fit_of(const NetworkCourse& course) { return first_at(course.train, kFits); }

std::size_t grok_of(const NetworkCourse& course, const GrokkingOptions& options) {
  return first_at(course.test, options.generalizes);
}

std::vector<std::string> grokking_names(const Part& part) {
  std::vector<std::string> names;
  for (const char* name : kRfmFindings) names.push_back(part.name + "." + name);
  if (!part.options.network) return names;
  for (const char* name : kNetworkFindings) names.push_back(part.name + "." + name);
  for (const char* diagonal : {"network_", "learned_"})
    for (const char* name : kShareFindings) names.push_back(part.name + "." + diagonal + name);
  return names;
}

std::vector<Finding> grokking_findings(const GrokkingOptions& options, const Part& part, const RunRecord& record) {
  PartFindings findings(part.name, record.data->test_size);
  add_rfm(part, record, findings);
  if (!record.network) return findings.found();
  const NetworkCourse course = course_of(*record.network);
  add_accuracies(options, course, findings);
  add_shares("network_", "W₁ᵀW₁", course.weights, fit_of(course), findings);
  add_shares("learned_", "(W₁−W₀)ᵀ(W₁−W₀)", course.learned, fit_of(course), findings);
  return findings.found();
}

}  // namespace ansatz::experiments
