#include "experiments/kernels/separation/staircase.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "experiments/kernels/separation/gegenbauer.h"
#include "rfm/kernel_fit.h"
#include "rfm/pairs/kernel_matrix.h"

namespace ansatz::experiments {
namespace {

using PerDegree = std::array<double, kDegrees>;  ///< a number a degree

rfm::KernelSpec kernel_of(const StaircaseOptions& o, Index d) {
  rfm::KernelSpec spec;
  spec.bandwidth = o.bandwidth * std::sqrt(static_cast<double>(d));
  return spec;
}

/// Of the kernel, of each degree.
PerDegree eigenvalues_of(const StaircaseOptions& o, Index d) {
  const rfm::Kernel kernel = rfm::Kernel::make(kernel_of(o, d));
  PerDegree values{};
  for (std::size_t i = 0; i < kDegrees; ++i) values[i] = degree_eigenvalue(kernel, d, static_cast<Index>(i + 1));
  return values;
}

/// Of one draw of rows and directions, at each size the error of each degree: the first n rows are those of size n.
std::vector<PerDegree> one_trial(const StaircaseOptions& o, Index d, const PerDegree& eigenvalues,
                                 const RandomStream& stream) {
  const Matrix<double> rows = sphere_points(o.sizes.back(), d, stream.named("train"));
  const rfm::KernelSpec spec = kernel_of(o, d);
  rfm::SolverOptions solver;
  solver.ridge = o.ridge;
  std::array<Vector<double>, kDegrees> directions;
  Matrix<double> y = Matrix<double>::Zero(rows.rows(), 1);
  for (std::size_t i = 0; i < kDegrees; ++i) {
    const auto degree = static_cast<Index>(i + 1);
    directions[i] = sphere_points(1, d, stream.named(fmt::format("direction/{}", degree))).row(0).normalized();
    y += gegenbauer_target(degree, directions[i], rows);
  }
  std::vector<PerDegree> found;
  for (const Index n : o.sizes) {
    const auto fit = rfm::fit_kernel_machine<double>(spec, FeatureMatrix<double>::identity(d),
                                                     std::make_shared<const Matrix<double>>(rows.topRows(n)),
                                                     y.topRows(n), solver, RandomStream(0));
    PerDegree errors{};
    for (std::size_t i = 0; i < kDegrees; ++i)
      errors[i] = degree_error(fit.machine, static_cast<Index>(i + 1), directions[i], eigenvalues[i]);
    found.push_back(errors);
  }
  return found;
}

/// Where the mean error over all trials but `left_out` (none: -1) falls below 1/2.
double samples_needed(const StaircaseOptions& o, const StaircaseDegree& degree, Index left_out) {
  std::vector<double> means;
  for (const std::vector<double>& trials : degree.errors) {
    std::vector<double> kept;
    for (std::size_t i = 0; i < trials.size(); ++i)
      if (static_cast<Index>(i) != left_out) kept.push_back(trials[i]);
    means.push_back(mean_of_trials(kept).mean);
  }
  return crossing(o.sizes, means, 0.5);
}

/// statistic(-1), and its standard error from statistic(i), the one without trial i.
MeanOfTrials jackknife(Index trials, const std::function<double(Index)>& statistic) {
  MeanOfTrials result;
  result.mean = statistic(-1);
  if (trials < 2) return result;
  Vector<double> without(trials);
  for (Index i = 0; i < trials; ++i) without[i] = statistic(i);
  const auto n = static_cast<double>(trials);
  result.standard_error = std::sqrt((n - 1) / n * (without.array() - without.mean()).square().sum());
  return result;
}

}  // namespace

double degree_eigenvalue(const rfm::Kernel& kernel, Index dimension, Index degree) {
  const double radius = std::sqrt(static_cast<double>(dimension));
  const auto values = [&](const Matrix<double>& cosines) -> Matrix<double> {
    Matrix<double> pole = Matrix<double>::Zero(1, dimension);
    pole(0, 0) = radius;
    Matrix<double> points = Matrix<double>::Zero(cosines.rows(), dimension);
    points.col(0) = radius * cosines.col(0);
    points.col(1) = radius * (1 - cosines.col(0).array().square()).sqrt().matrix();
    return rfm::kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(dimension), points, pole);
  };
  return kernel_eigenvalue(values, dimension, degree);
}

double degree_error(const rfm::KernelMachine<double>& machine, Index degree, const Vector<double>& direction,
                    double eigenvalue) {
  const Matrix<double>&x = machine.centers(), &alpha = machine.alpha();
  const Index d = x.cols();
  const Matrix<double> cosines = x * x.transpose() / static_cast<double>(d);
  const double square = harmonic_count(d, degree) * alpha.col(0).dot(gegenbauer(d, degree, cosines) * alpha.col(0));
  const double norm = eigenvalue * eigenvalue * square;
  if (degree == 0) return norm;
  return norm - 2 * eigenvalue * alpha.col(0).dot(gegenbauer_target(degree, direction, x).col(0)) + 1;
}

double crossing(const std::vector<Index>& sizes, const std::vector<double>& errors, double level) {
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    if (errors[i] >= level || errors[i - 1] < level) continue;
    const double share = (errors[i - 1] - level) / (errors[i - 1] - errors[i]);
    const double from = std::log(static_cast<double>(sizes[i - 1])), to = std::log(static_cast<double>(sizes[i]));
    return std::exp(from + share * (to - from));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<StaircaseCurves> staircase(const StaircaseOptions& o, const RandomStream& stream) {
  std::vector<StaircaseCurves> result;
  for (const Index d : o.dimensions) {
    const PerDegree eigenvalues = eigenvalues_of(o, d);
    std::vector<std::vector<PerDegree>> trials;
    for (Index trial = 0; trial < o.trials; ++trial)
      trials.push_back(one_trial(o, d, eigenvalues, stream.named(fmt::format("staircase/{}/{}", d, trial))));
    StaircaseCurves curves;
    curves.dimension = d;
    for (std::size_t degree = 0; degree < kDegrees; ++degree)
      for (std::size_t size = 0; size < o.sizes.size(); ++size) {
        curves.degrees[degree].errors.emplace_back();
        for (const auto& trial : trials) curves.degrees[degree].errors.back().push_back(trial[size][degree]);
      }
    result.push_back(std::move(curves));
  }
  return result;
}

std::vector<Finding> staircase_findings(const StaircaseOptions& o, const std::vector<StaircaseCurves>& curves) {
  const std::vector<double> dimensions(o.dimensions.begin(), o.dimensions.end());
  const auto exponent = [&](std::size_t degree, Index left_out) {
    return std::log(samples_needed(o, curves.back().degrees[degree], left_out)) / std::log(dimensions.back());
  };
  const auto growth = [&](std::size_t degree, Index left_out) {
    std::vector<double> samples;
    for (const StaircaseCurves& one : curves) samples.push_back(samples_needed(o, one.degrees[degree], left_out));
    return log_slope(dimensions, samples);
  };
  std::vector<Finding> findings;
  for (std::size_t degree = 0; degree < kDegrees; ++degree) {
    const std::string name = fmt::format("degree{}", degree + 1), label = fmt::format("degree {}", degree + 1);
    const auto add = [&](const char* part, const char* meaning, const std::function<double(Index)>& statistic) {
      findings.push_back(finding_of(name + part, label + meaning, jackknife(o.trials, statistic)));
    };
    add(".exponent", ": log n / log d where its error falls below ½, at the largest d",
        [&](Index left_out) { return exponent(degree, left_out); });
    add(".growth", ": slope of log n there over log d", [&](Index left_out) { return growth(degree, left_out); });
    if (degree > 0)
      add(".step", ": its exponent less that of the degree before",
          [&](Index left_out) { return exponent(degree, left_out) - exponent(degree - 1, left_out); });
  }
  return findings;
}

std::vector<std::string> staircase_finding_names() {
  std::vector<std::string> names;
  for (std::size_t degree = 1; degree <= kDegrees; ++degree)
    for (const char* part : {"exponent", "growth", "step"})
      if (degree > 1 || std::string(part) != "step") names.push_back(fmt::format("degree{}.{}", degree, part));
  return names;
}

}  // namespace ansatz::experiments
