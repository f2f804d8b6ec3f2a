#include "experiments/theory/sample_complexity.h"

#include <fmt/format.h>

#include <array>

#include "core/data/synthetic/synthetic.h"
#include "experiments/options/option_names.h"
#include "experiments/theory/kernel_error.h"
#include "rfm/rfm.h"

namespace ansatz::experiments {
namespace {

using Errors = std::array<double, 5>;

double rfm_error(const Split<double>& split, const SampleComplexityOptions& options, const RandomStream& stream) {
  rfm::RfmOptions rfm;
  rfm.kernel.bandwidth = options.bandwidth;
  rfm.solver.ridge = options.ridge;
  rfm.iterations = options.rfm_iterations;
  rfm.gradients.samples = 0;
  const rfm::RfmTrace<double> trace = rfm::fit_rfm<double>(split, rfm, stream);
  return one_minus_r2(trace.machine().predict(split.test.inputs), split.test);
}

Errors errors_at(const SampleComplexityOptions& options, Index n, const RandomStream& stream) {
  const Split<double> split = in_section("theory.sample_complexity", [&] {
    return make_low_rank<double>(options.target, n, 0, options.test_size, stream);
  });
  const auto identity = FeatureMatrix<double>::identity(split.train.dimension());
  const FeatureMatrix<double> known = known_metric(split);
  rfm::KernelSpec laplace, polynomial;
  laplace.bandwidth = options.bandwidth;
  polynomial.family = rfm::KernelFamily::polynomial;
  polynomial.degree = options.degree;
  const auto error = [&](const rfm::KernelSpec& kernel, const FeatureMatrix<double>& metric) {
    return kernel_error(kernel, metric, split, options.ridge);
  };
  return {rfm_error(split, options, stream), error(laplace, known), error(polynomial, known), error(laplace, identity),
          error(polynomial, identity)};
}

}  // namespace

std::vector<SampleComplexityCurve> sample_complexity(const SampleComplexityOptions& options,
                                                     const RandomStream& stream) {
  std::vector<SampleComplexityCurve> curves;
  for (const SampleComplexityModel& model : kSampleComplexityModels) curves.push_back({model, {}});
  for (const Index n : options.sizes) {
    std::array<std::vector<double>, 5> errors;
    for (Index repeat = 0; repeat < options.repeats; ++repeat) {
      const Errors one = errors_at(options, n, stream.named(fmt::format("repeat/{}", repeat)));
      for (std::size_t i = 0; i < one.size(); ++i) errors[i].push_back(one[i]);
    }
    for (std::size_t i = 0; i < errors.size(); ++i) curves[i].errors.push_back(mean_of_trials(errors[i]));
  }
  return curves;
}

}  // namespace ansatz::experiments
