// Full-batch gradient descent on f(x; theta) - f(x; theta_0): a network less what it gives before training. Without the
// subtraction a network's outputs at initialisation, which no theory of its training is about, would be learned away
// first (Chizat, Oyallon and Bach 2019).
#pragma once

#include <functional>

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "nets/training/trainer.h"

namespace ansatz::experiments {

struct Descent {
  Index steps = 100;
  double rate = 0.1;  ///< of plain SGD on the loss, the mean over rows and outputs of the squared error
};

/// Trains `start` on data.targets + f(X; theta_0), which is the same. `on_step`: called before the first step and after
/// every one.
nets::Mlp<double> descend(const nets::Mlp<double>& start, const Dataset<double>& data, const Descent& descent,
                          const std::function<void(const nets::TrainState<double>&)>& on_step = {});

/// f(x; theta) - f(x; theta_0), b x c.
Matrix<double> gained(const nets::Mlp<double>& start, const nets::Mlp<double>& now, const Matrix<double>& x);

/// The learning rate up to which steps of the linearized network converge: n c / (largest eigenvalue of its tangent
/// kernel on the rows of x).
double largest_stable_rate(const nets::Mlp<double>& start, const Matrix<double>& x);

}  // namespace ansatz::experiments
