// `ansatz predict`: a finished run's model on new rows.
#include <fmt/format.h>

#include <cstdio>

#include "experiments/cli/commands.h"
#include "experiments/prediction/predict.h"

namespace ansatz::experiments {

void predict_command(const PredictArguments& arguments) {
  apply_threads(arguments.threads);
  predict(arguments.run, arguments.model, arguments.inputs, arguments.out);
  std::printf("%s\n", arguments.out.c_str());
}

}  // namespace ansatz::experiments
