#include "experiments/kernels/separation/sphere_learners.h"

#include <cmath>
#include <memory>

#include "experiments/theory/adam_training.h"
#include "experiments/theory/kernel_error.h"
#include "rfm/random_features/random_feature_fit.h"
#include "rfm/rfm.h"

namespace ansatz::experiments {
namespace {

double dimension_of(const Split<double>& split) { return static_cast<double>(split.train.dimension()); }

rfm::KernelSpec laplace(const SphereLearnersOptions& o, const Split<double>& split) {
  rfm::KernelSpec spec;
  spec.bandwidth = o.bandwidth * std::sqrt(dimension_of(split));
  return spec;
}

FeatureMatrix<double> identity(const Split<double>& split) {
  return FeatureMatrix<double>::identity(split.train.dimension());
}

}  // namespace

double random_relu_error(const SphereLearnersOptions& o, const Split<double>& split, Index features,
                         const RandomStream& stream) {
  rfm::KernelSpec spec;
  spec.family = rfm::KernelFamily::nngp;
  const Matrix<double>& x = split.train.inputs;
  auto map = std::make_shared<const rfm::RandomFeatures<double>>(rfm::Kernel::make(spec), identity(split), x,
                                                                 rfm::RandomFeatureOptions{features, false}, stream);
  const double diagonal = dimension_of(split);  // |x|^2
  const auto fit = rfm::fit_random_features<double>(std::move(map), x, split.train.targets, o.ridge * diagonal);
  return one_minus_r2(fit.machine.predict(split.test.inputs), split.test);
}

double ntk_error(const SphereLearnersOptions& o, const Split<double>& split) {
  rfm::KernelSpec spec;
  spec.family = rfm::KernelFamily::ntk;
  const double diagonal = 2 * dimension_of(split);  // (depth + 1) |x|^2
  return kernel_error(spec, identity(split), split, o.ridge * diagonal);
}

double laplace_error(const SphereLearnersOptions& o, const Split<double>& split) {
  return kernel_error(laplace(o, split), identity(split), split, o.ridge);
}

double network_error(const SphereLearnersOptions& o, const Split<double>& split, Index width,
                     const RandomStream& stream) {
  nets::MlpOptions architecture;
  architecture.hidden_layers = {width};
  const nets::Mlp<double> initial(split.train.dimension(), 1, architecture, stream.named("network"));
  const auto state = trained_by_adam(initial, split, o.epochs, o.learning_rate, stream);
  return one_minus_r2(state.current().predict(split.test.inputs), split.test);
}

double rfm_error(const SphereLearnersOptions& o, const Split<double>& split, const RandomStream& stream) {
  rfm::RfmOptions options;
  options.kernel = laplace(o, split);
  options.solver.ridge = o.ridge;
  options.iterations = o.rfm_iterations;
  options.normalize_feature_matrix = rfm::MetricNormalization::trace;
  const auto trace = rfm::fit_rfm<double>(split, options, stream);
  return one_minus_r2(trace.machines.back().predict(split.test.inputs), split.test);
}

}  // namespace ansatz::experiments
