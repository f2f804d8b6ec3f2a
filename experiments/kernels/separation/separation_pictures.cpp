#include "experiments/kernels/separation/separation_pictures.h"

#include <fmt/format.h>

#include <cmath>

#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

viz::Series series_of(const std::string& label, const std::vector<double>& x, const std::vector<MeanOfTrials>& y) {
  viz::Series series{label, x, {}, true};
  for (const MeanOfTrials& one : y) {
    const double se = one.standard_error.value_or(0);
    series.y.push_back(one.mean);
    series.low.push_back(one.mean - se);
    series.high.push_back(one.mean + se);
  }
  return series;
}

std::vector<MeanOfTrials> means(const std::vector<std::vector<double>>& by_size) {
  std::vector<MeanOfTrials> result;
  for (const std::vector<double>& trials : by_size) result.push_back(mean_of_trials(trials));
  return result;
}

std::vector<double> doubles(const std::vector<Index>& values) { return {values.begin(), values.end()}; }

}  // namespace

void draw_targets(const SeparationOptions& o, const std::vector<TargetErrors>& measured,
                  const std::filesystem::path& folder) {
  std::vector<viz::LinePlot> by_size, by_units;
  for (std::size_t t = 0; t < kTargets.size(); ++t) {
    viz::LinePlot size{kTargets[t].label, "training rows n", t == 0 ? "1 − R² on test" : "", true, true, {}, {}, {}};
    for (std::size_t i = 0; i < kLearners.size(); ++i)
      size.series.push_back(series_of(kLearners[i], doubles(o.sizes), means(measured[t].errors[i])));
    by_size.push_back(std::move(size));
    viz::LinePlot units{
        kTargets[t].label, "features or hidden units", t == 0 ? "1 − R² on test" : "", true, true, {}, {}, {}};
    units.series = {series_of(kLearners[kRandom], doubles(o.features), means(measured[t].by_units[0])),
                    series_of(kLearners[kNetwork], doubles(o.features), means(measured[t].by_units[1]))};
    by_units.push_back(std::move(units));
  }
  viz::draw_lines(by_size, folder / "separation_samples");
  viz::draw_lines(by_units, folder / "separation_units");
}

void draw_staircase(const SeparationOptions& o, const std::vector<StaircaseCurves>& curves,
                    const std::filesystem::path& folder) {
  std::vector<viz::LinePlot> plots;
  for (const StaircaseCurves& one : curves) {
    viz::LinePlot plot{fmt::format("d = {}", one.dimension),
                       "log n / log d",
                       plots.empty() ? "error of the part" : "",
                       false,
                       false,
                       0,
                       {},
                       {}};
    std::vector<double> x;
    for (const Index n : o.staircase.sizes)
      x.push_back(std::log(static_cast<double>(n)) / std::log(static_cast<double>(one.dimension)));
    for (std::size_t i = 0; i < kDegrees; ++i)
      plot.series.push_back(series_of(fmt::format("degree {}", i + 1), x, means(one.degrees[i].errors)));
    plots.push_back(std::move(plot));
  }
  viz::draw_lines(plots, folder / "staircase");
}

}  // namespace ansatz::experiments
