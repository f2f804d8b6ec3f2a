#include "experiments/theory/kernel_error.h"

#include <memory>

#include "core/data/metrics.h"
#include "rfm/kernel_fit.h"

namespace ansatz::experiments {

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

FeatureMatrix<double> known_metric(const Split<double>& split) {
  const FeatureMatrix<double>& truth = split.truth->expected_agop;
  return truth.scaled(static_cast<double>(truth.dimension()) / truth.trace());
}

}  // namespace ansatz::experiments
