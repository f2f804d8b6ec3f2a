#include "experiments/results/constant_baseline.h"

namespace ansatz::experiments {

template <class Scalar>
std::optional<Metrics> constant_prediction(const Split<Scalar>& split) {
  const Dataset<Scalar>& held_out = split.test.empty() ? split.validation : split.test;
  if (held_out.empty()) return std::nullopt;
  const Eigen::RowVectorXd mean = split.train.targets.template cast<double>().colwise().mean();
  return evaluate(Matrix<Scalar>(mean.template cast<Scalar>().replicate(held_out.size(), 1)), held_out);
}

template std::optional<Metrics> constant_prediction(const Split<float>&);
template std::optional<Metrics> constant_prediction(const Split<double>&);

}  // namespace ansatz::experiments
