#include "viz/report/run_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace ansatz::viz {
namespace {

/// What is known of a model at one epoch or iteration.
struct Moment {
  double step = 0, loss = std::numeric_limits<double>::quiet_NaN();
  std::optional<Metrics> train, validation, test;
};
using Course = std::vector<Moment>;  ///< of one seed
using CoursesOf = std::function<Course(const RunRecord&)>;

/// The epochs of the network; on test rows where the experiment has looked at them.
Course network_course(const RunRecord& record) {
  Course course;
  if (!record.network) return course;
  for (const EpochRecord& epoch : record.network->epochs) {
    course.push_back({static_cast<double>(epoch.epoch), epoch.train_loss, epoch.train, epoch.validation, std::nullopt});
    for (const Observation& observation : record.network->observations)
      if (const auto* test = std::get_if<Generalization>(&observation.seen);
          test != nullptr && observation.epoch == epoch.epoch)
        course.back().test = test->test;
  }
  return course;
}

Course rfm_course(const RunRecord& record) {
  Course course;
  if (!record.rfm) return course;
  for (const RfmIteration& it : record.rfm->iterations)
    course.push_back({static_cast<double>(it.iteration), std::numeric_limits<double>::quiet_NaN(), it.train,
                      it.validation, it.test});
  return course;
}

struct Split {
  const char* name;
  std::optional<Metrics> Moment::*metrics;
};
constexpr std::array<Split, 3> kSplits = {Split{"test", &Moment::test}, Split{"validation", &Moment::validation},
                                          Split{"training", &Moment::train}};

/// Whether that is said of every run with a course, at some moment.
bool known_to_all(const std::vector<FinishedRun>& runs, const CoursesOf& course_of,
                  const std::function<bool(const Moment&)>& known) {
  return std::all_of(runs.begin(), runs.end(), [&](const FinishedRun& run) {
    const Course course = course_of(run.seeds.front());
    return course.empty() || std::any_of(course.begin(), course.end(), known);
  });
}

/// The mean over the seeds at every step that all of them have. Without any, one value that is not finite, so that the
/// run keeps its place in the legend.
Series mean_series(const FinishedRun& run, const CoursesOf& course_of,
                   const std::function<double(const Moment&)>& value) {
  std::map<double, std::vector<double>> values;
  for (const RunRecord& seed : run.seeds)
    for (const Moment& moment : course_of(seed))
      if (const double v = value(moment); std::isfinite(v)) values[moment.step].push_back(v);
  Series series{run.name};
  for (const auto& [step, found] : values) {
    if (found.size() < run.seeds.size()) continue;
    series.x.push_back(step);
    series.y.push_back(spread_of(found).mean);
  }
  if (series.x.empty()) {
    series.x = {0};
    series.y = {std::numeric_limits<double>::quiet_NaN()};
  }
  return series;
}

bool has_values(const LinePlot& plot) {
  return std::any_of(plot.series.begin(), plot.series.end(),
                     [](const Series& s) { return std::isfinite(s.y.front()); });
}

LinePlot plot_of(const std::vector<FinishedRun>& runs, const CoursesOf& course_of, const std::string& title,
                 const char* x_label, const char* y_label, const std::function<double(const Moment&)>& value) {
  LinePlot plot;
  plot.title = title;
  plot.x_label = x_label;
  plot.y_label = y_label;
  for (const FinishedRun& run : runs) plot.series.push_back(mean_series(run, course_of, value));
  return plot;
}

LinePlot score_plot(const std::vector<FinishedRun>& runs, const CoursesOf& course_of, const std::string& model,
                    const char* x_label) {
  const auto split = std::find_if(kSplits.begin(), kSplits.end() - 1, [&](const Split& s) {
    return known_to_all(runs, course_of, [&](const Moment& moment) { return (moment.*s.metrics).has_value(); });
  });
  const auto has_accuracy = [&](const Moment& m) { return m.*split->metrics && (m.*split->metrics)->accuracy; };
  const bool accuracy = known_to_all(runs, course_of, has_accuracy);
  const std::string title = model + ", " + split->name + (accuracy ? " accuracy" : " R²");
  return plot_of(runs, course_of, title, x_label, accuracy ? "accuracy (%)" : "R²", [=](const Moment& moment) {
    const std::optional<Metrics>& metrics = moment.*split->metrics;
    if (!metrics) return std::numeric_limits<double>::quiet_NaN();
    return accuracy ? 100 * metrics->accuracy.value_or(std::numeric_limits<double>::quiet_NaN()) : metrics->r2;
  });
}

}  // namespace

std::vector<LinePlot> curves_of_runs(const std::vector<FinishedRun>& runs) {
  std::vector<LinePlot> plots = {
      plot_of(runs, network_course, "Network, training loss", "epoch", "loss", [](const Moment& m) { return m.loss; }),
      score_plot(runs, network_course, "Network", "epoch"),
      score_plot(runs, rfm_course, "RFM", "iteration (0: plain kernel)")};
  plots.front().log_y = true;
  plots.erase(std::remove_if(plots.begin(), plots.end(), [](const LinePlot& plot) { return !has_values(plot); }),
              plots.end());
  return plots;
}

}  // namespace ansatz::viz
