// Predictions of a finished run's models on new rows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ansatz::experiments {

/// The models in models/ of a run that can be asked: "network", "rfm", labels of kernel machines; sorted.
std::vector<std::string> saved_models(const std::filesystem::path& run);

/// Asks `model` of the finished run about the rows of `inputs` (core/data/loading/new_rows.h) and writes `out`:
/// - .npy: n x c outputs in the run's precision, as predictions/<model>.test.npy;
/// - .csv: a header and a line a row; for classification first the class, then the outputs.
/// Throws ConfigError if the run is not finished or has no such model, or `out` is of another kind; DataError if files
/// are damaged, the data have changed since, or the inputs do not fit; NumericalError if an output is not finite.
void predict(const std::filesystem::path& run, const std::string& model, const std::filesystem::path& inputs,
             const std::filesystem::path& out);

}  // namespace ansatz::experiments
