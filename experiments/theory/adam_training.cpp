#include "experiments/theory/adam_training.h"

namespace ansatz::experiments {

nets::TrainState<double> trained_by_adam(const nets::Mlp<double>& initial, const Split<double>& split, Index epochs,
                                         double learning_rate, const RandomStream& stream) {
  nets::TrainOptions training;
  training.optimizer.kind = nets::OptimizerOptions::Kind::adam;
  training.optimizer.learning_rate = learning_rate;
  training.batch_size = 32;
  training.epochs = epochs;
  training.evaluate_every = epochs;
  training.keep_best = false;
  return nets::train<double>(nets::TrainState<double>(initial), split.train, split.validation, training,
                             stream.named("training"));
}

}  // namespace ansatz::experiments
