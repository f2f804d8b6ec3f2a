#include "rfm/random_features/random_feature_rfm.h"

#include <string>

#include "core/base/stopwatch.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/rfm_steps.h"

namespace ansatz::rfm {
namespace {

template <class Scalar>
RfmIteration row_of(Index t, const RandomFeatureFit<Scalar>& fit, const Split<Scalar>& split) {
  RfmIteration row;
  row.iteration = t;
  row.train = evaluate(fit.fitted, split.train);
  if (!split.validation.empty()) row.validation = evaluate<Scalar>(fit.machine, split.validation);
  if (!split.test.empty()) row.test = evaluate<Scalar>(fit.machine, split.test);
  row.solve = fit.summary;
  row.bandwidth = fit.machine.features().kernel().bandwidth();
  return row;
}

}  // namespace

template <class Scalar>
RandomFeatureRfmTrace<Scalar> fit_random_feature_rfm(const Split<Scalar>& split, const RfmOptions& asked,
                                                     const RandomFeatureOptions& features, const RandomStream& stream) {
  const RfmOptions options = completed(asked, split.train);
  const Matrix<Scalar>& x = split.train.inputs;
  RandomFeatureRfmTrace<Scalar> trace;
  FeatureMatrix<Scalar> metric = FeatureMatrix<Scalar>::identity(x.cols());
  for (Index t = 0; t <= options.iterations; ++t) {
    const Stopwatch begin;
    std::optional<GradientSummary> gradients;
    if (t > 0) {
      const GradientOuterProduct<Scalar> agop = gradient_outer_product<Scalar>(
          trace.machines.back(), x, options.gradients, stream.named("gradients/" + std::to_string(t)));
      gradients = agop.summary;
      metric = next_feature_matrix(agop, options);
    }
    const Kernel kernel = make_kernel<Scalar>(options.kernel, metric, x, stream.named("bandwidth"));
    auto map = std::make_shared<const RandomFeatures<Scalar>>(kernel, metric, x, features,
                                                              stream.named("random_features/" + std::to_string(t)));
    RandomFeatureFit<Scalar> fit =
        fit_random_features<Scalar>(std::move(map), x, split.train.targets, options.solver.ridge);
    RfmIteration row = row_of(t, fit, split);
    row.gradients = gradients;
    row.seconds = begin.seconds();
    trace.iterations.push_back(std::move(row));
    trace.feature_matrices.push_back(metric);
    trace.machines.push_back(std::move(fit.machine));
  }
  trace.reported = reported_iteration(trace.iterations, options.report_iteration);
  return trace;
}

template RandomFeatureRfmTrace<float> fit_random_feature_rfm(const Split<float>&, const RfmOptions&,
                                                             const RandomFeatureOptions&, const RandomStream&);
template RandomFeatureRfmTrace<double> fit_random_feature_rfm(const Split<double>&, const RfmOptions&,
                                                              const RandomFeatureOptions&, const RandomStream&);

}  // namespace ansatz::rfm
