#include "experiments/theory/sample_complexity.h"

#include <fmt/format.h>

#include <array>

#include "core/data/synthetic/synthetic.h"
#include "experiments/options/option_names.h"
#include "rfm/rfm.h"

namespace ansatz::experiments {
namespace {

using Errors = std::array<double, 5>;

double one_minus_r2(const Matrix<double>& predictions, const Dataset<double>& test) {
  return 1 - evaluate<double>(predictions, test.targets, test.task).r2;
}

double kernel_error(const rfm::KernelSpec& kernel, const FeatureMatrix<double>& metric, const Split<double>& split,
                    double ridge) {
  rfm::SolverOptions solver;
  solver.ridge = ridge;
  const auto x = std::make_shared<const Matrix<double>>(split.train.inputs);
  const auto fit = rfm::fit_kernel_machine<double>(kernel, metric, x, split.train.targets, solver, RandomStream(0));
  return one_minus_r2(fit.machine.predict(split.test.inputs), split.test);
}

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
  const FeatureMatrix<double>& truth = split.truth->expected_agop;
  const auto known = truth.scaled(static_cast<double>(truth.dimension()) / truth.trace());
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
    Errors mean{};
    for (Index repeat = 0; repeat < options.repeats; ++repeat) {
      const Errors errors = errors_at(options, n, stream.named(fmt::format("repeat/{}", repeat)));
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += errors[i] / static_cast<double>(options.repeats);
    }
    for (std::size_t i = 0; i < mean.size(); ++i) curves[i].errors.push_back(mean[i]);
  }
  return curves;
}

}  // namespace ansatz::experiments
