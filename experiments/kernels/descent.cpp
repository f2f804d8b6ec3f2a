#include "experiments/kernels/descent.h"

#include "nets/tangents/kernel_descent.h"
#include "nets/tangents/tangent_kernel.h"

namespace ansatz::experiments {

nets::Mlp<double> descend(const nets::Mlp<double>& start, const Dataset<double>& data, const Descent& descent,
                          const std::function<void(const nets::TrainState<double>&)>& on_step) {
  Dataset<double> shifted;
  shifted.inputs = data.inputs;
  shifted.targets = data.targets + start.predict(data.inputs);
  nets::TrainOptions options;
  options.optimizer.learning_rate = descent.rate;
  options.batch_size = 0;
  options.epochs = descent.steps;
  options.evaluate_every = descent.steps;
  options.keep_best = false;
  const auto observe = [&](const EpochRecord&, const nets::TrainState<double>& state) {
    if (on_step) on_step(state);
    return true;
  };
  const RandomStream no_batches(0);  // every step takes all rows
  return nets::train<double>(nets::TrainState<double>(start), shifted, {}, options, no_batches, observe).current();
}

Matrix<double> gained(const nets::Mlp<double>& start, const nets::Mlp<double>& now, const Matrix<double>& x) {
  return now.predict(x) - start.predict(x);
}

double largest_stable_rate(const nets::Mlp<double>& start, const Matrix<double>& x) {
  nets::TangentOptions pairs;
  pairs.outputs = nets::TangentOptions::Outputs::pairs;
  const Matrix<double> kernel = nets::tangent_kernel_matrix(start, x, pairs);
  return nets::KernelDescent(kernel, Matrix<double>::Zero(x.rows(), start.output_dimension())).largest_stable_rate();
}

}  // namespace ansatz::experiments
