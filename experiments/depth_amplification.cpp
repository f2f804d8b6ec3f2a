#include "experiments/depth_amplification.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/parts.h"
#include "viz/figures.h"

namespace ansatz::experiments {
namespace {

constexpr Index kShown = 20;  // coordinates of each matrix and diagonal

std::vector<std::string> finding_names(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    names.push_back(part.name + ".relevant_share");
    names.push_back(part.name + ".network_r2");
    for (const KernelMachineOptions& machine : part.options.kernel_machines)
      names.push_back(fmt::format("{}.{}_r2", part.name, machine.label));
  }
  return names;
}

Index depth_of(const Part& part) { return static_cast<Index>(part.options.network->architecture.hidden_layers.size()); }

/// How much of diag(W1'W1) lies on the coordinates where the expected gradient outer product has any.
template <class Scalar>
double relevant_share(const Results<Scalar>& results) {
  constexpr double kNothing = 1e-6;  // relative: the expected values of others are 0, or rounding of a quadrature
  const Vector<double> truth = results.split->truth->expected_agop.diagonal_in_double();
  const Vector<double> learned = results.network->nfm.diagonal_in_double();
  double on = 0;
  for (Index i = 0; i < truth.size(); ++i)
    if (truth(i) > kNothing * truth.maxCoeff()) on += learned(i);
  return 100 * on / learned.sum();
}

struct Score {
  std::string model;
  double r2;
};

template <class Scalar>
std::vector<Score> scores_of(const Results<Scalar>& results) {
  std::vector<Score> scores;
  if (results.network->test) scores.push_back({"network", results.network->test->r2});
  for (const KernelMachineResult& kernel : results.kernels)
    if (kernel.test) scores.push_back({kernel.label, kernel.test->r2});
  return scores;
}

template <class Scalar>
void add_findings(const Part& part, const Results<Scalar>& results, std::vector<Finding>& findings) {
  findings.push_back({part.name + ".relevant_share", part.name + ": share of diag W1'W1 on the coordinates that matter",
                      relevant_share(results), "%"});
  for (const Score& score : scores_of(results))
    findings.push_back({fmt::format("{}.{}_r2", part.name, score.model),
                        fmt::format("{}: test R2, {}", part.name, score.model), score.r2});
}

template <class Scalar>
Figure draw_corners(const std::vector<Part>& parts, const AllResults<Scalar>& results,
                    const std::filesystem::path& images) {
  std::vector<viz::HeatMap> maps;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    viz::HeatMap map;
    map.title = parts[i].name;
    map.values = results[i]->network->nfm.top_left_block(kShown).template cast<double>();
    maps.push_back(std::move(map));
  }
  viz::draw_heat_maps(maps, images / "corners");
  return {"corners", "W₁ᵀW₁ by depth", "The top-left corner of W₁ᵀW₁ of networks of growing depth (Fig. 10a)."};
}

template <class Scalar>
Figure draw_diagonals(const std::vector<Part>& parts, const AllResults<Scalar>& results,
                      const std::filesystem::path& images) {
  viz::BarPlot plot{"Diagonals of W₁ᵀW₁ by depth", "input coordinate", "share of the largest entry", {}, {}};
  const Index shown = std::min(kShown, results.front()->network->nfm.dimension());
  for (Index i = 1; i <= shown; ++i) plot.categories.push_back(std::to_string(i));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Vector<double> diagonal = results[i]->network->nfm.diagonal_in_double();
    viz::Series series;
    series.label = parts[i].name;
    for (Index j = 0; j < shown; ++j) series.y.push_back(diagonal(j) / diagonal.maxCoeff());
    plot.series.push_back(std::move(series));
  }
  viz::draw_bars({plot}, images / "diagonals_by_depth");
  return {"diagonals_by_depth", "Normalised diagonals by depth",
          "The first entries of diag(W₁ᵀW₁), each diagonal divided by its largest (Fig. 10b)."};
}

template <class Scalar>
Figure draw_scores(const std::vector<Part>& parts, const AllResults<Scalar>& results,
                   const std::filesystem::path& images) {
  viz::LinePlot plot;
  plot.title = "Test R² by depth";
  plot.x_label = "hidden layers";
  plot.y_label = "R²";
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const Score& score : scores_of(*results[i])) {
      auto series = std::find_if(plot.series.begin(), plot.series.end(),
                                 [&](const viz::Series& s) { return s.label == score.model; });
      if (series == plot.series.end()) series = plot.series.insert(series, {score.model, {}, {}, true});
      series->x.push_back(static_cast<double>(depth_of(parts[i])));
      series->y.push_back(score.r2);
    }
  viz::draw_lines({plot}, images / "scores_by_depth");
  return {"scores_by_depth", "Test R² by depth",
          "Test R² of the networks and of kernel machines, with and without the metric W₁ᵀW₁ (Fig. 10c)."};
}

template <class Scalar>
PartsSummary summarize(const std::vector<Part>& parts, const AllResults<Scalar>& results, const RunContext& run) {
  PartsSummary summary;
  for (std::size_t i = 0; i < parts.size(); ++i) add_findings(parts[i], *results[i], summary.findings);
  if (!parts.front().options.save.images) return summary;
  const std::filesystem::path images = run.directory.path() / "images";
  summary.figures = {draw_corners(parts, results, images), draw_diagonals(parts, results, images),
                     draw_scores(parts, results, images)};
  return summary;
}

}  // namespace

PreparedExperiment prepare_depth_amplification(const Config& root, const CommonOptions& common) {
  std::vector<Part> parts = parse_parts(root, common);
  for (const Part& part : parts)
    if (part.options.dataset.name != "low_rank" || !part.options.network)
      root.fail("parts", "experiment depth_amplification needs dataset: {name: low_rank} and a network in every part");
  const Expectations expectations = parse_expectations(root, finding_names(parts));
  return prepare_parts(common, std::move(parts), expectations, {summarize<float>, summarize<double>});
}

}  // namespace ansatz::experiments
