// From a learner to a method of the benchmark: scaling, classes that are missing, the search over cells.
#pragma once

#include <functional>
#include <memory>

#include "experiments/benchmark/methods/learners/learner.h"
#include "experiments/benchmark/methods/method_cells.h"

namespace ansatz::experiments {

/// Reads a cell's section: all keys but scaling and target_transform, which every learner has.
using ParseLearner = std::function<std::unique_ptr<Learner>(const Config& cell)>;

/// `scaling`: the default of that key. Where there is nothing to learn (training rows that are all alike, or of one
/// class), the method predicts the mean of the targets. A class that the training rows lack has the score 0.
std::unique_ptr<Method> make_learner_method(const MethodSection& section, const char* scaling,
                                            const ParseLearner& parse);

}  // namespace ansatz::experiments
