#include "experiments/stages/imported_network.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/files/npy.h"
#include "experiments/options/option_names.h"

namespace ansatz::experiments {
namespace {

using Files = std::vector<std::filesystem::path>;

/// Calls read(files, what is known of them) and checks the widths of what it finds.
template <class Read>
auto read_files(const Files& files, const NetworkOptions& options, Index inputs, Index outputs, Read&& read) {
  nets::KnownLayers known = options.known;
  known.inputs = inputs;
  known.outputs = outputs;
  return with_option_named("layer_names", options.layer_names_key, [&] { return read(files, known); });
}

void require_widths(const Files& files, const std::vector<Index>& widths, Index inputs, Index outputs) {
  if (widths.front() == inputs && widths.back() == outputs) return;
  const bool turned = widths.front() == outputs && widths.back() == inputs;
  throw DataError(fmt::format("{}: the network maps {} inputs to {} outputs, the data set has d = {} and c = {}{}",
                              files.front().string(), widths.front(), widths.back(), inputs, outputs,
                              turned ? ". If its weights are inputs x outputs, as Keras, Flax and GPT-2 have them, "
                                       "transpose them before saving"
                                     : ""));
}

template <class Scalar>
nets::Checkpoint<Scalar> read_network(const Files& files, const NetworkOptions& options, const Split<Scalar>& split) {
  const Index inputs = split.train.dimension(), outputs = split.train.outputs();
  nets::Checkpoint<Scalar> checkpoint = read_files(
      files, options, inputs, outputs,
      [](const Files& all, const nets::KnownLayers& known) { return nets::read_checkpoint<Scalar>(all, known); });
  require_widths(files, checkpoint.outline.widths, inputs, outputs);
  return checkpoint;
}

void require_shape(const std::filesystem::path& path, Index rows, Index cols, Index wanted_rows, Index wanted_cols,
                   const std::string& because) {
  if (rows == wanted_rows && cols == wanted_cols) return;
  throw DataError(fmt::format("{}: {} x {}, but must be {} x {}: {}", path.string(), rows, cols, wanted_rows,
                              wanted_cols, because));
}

/// The inputs at which the reference outputs were computed.
template <class Scalar>
Matrix<Scalar> reference_inputs(const NetworkOptions& options, const Split<Scalar>& split) {
  if (options.reference_inputs.empty()) {
    if (split.test.empty())
      throw ConfigError("`reference_outputs`: there are no test rows to compare at; give `reference_inputs`");
    return split.test.inputs;
  }
  Matrix<Scalar> inputs = read_npy<Scalar>(options.reference_inputs);
  require_shape(options.reference_inputs, inputs.rows(), inputs.cols(), inputs.rows(), split.train.dimension(),
                "a row for each input, as the network takes it");
  return inputs;
}

/// Whether a difference is more than rounding. Both sides add up a few thousand products in float32 in another order,
/// layer after layer, which leaves some 1e-6 of the largest output; a bias, an activation or an order that was misread
/// shows from 1e-2 on.
constexpr double kMostDifference = 1e-4;

template <class Scalar>
std::string check_reference(const NetworkOptions& options, const Split<Scalar>& split,
                            const nets::Mlp<Scalar>& network) {
  const Matrix<Scalar> inputs = reference_inputs(options, split);
  const Matrix<double> wanted = read_npy<double>(options.reference_outputs);
  require_shape(options.reference_outputs, wanted.rows(), wanted.cols(), inputs.rows(), network.output_dimension(),
                options.reference_inputs.empty()
                    ? "a row of outputs for each test row of this run. Where these are drawn from more, give "
                      "`reference_inputs`, too"
                    : "a row of outputs for each row of the reference inputs");
  const Matrix<double> found = network.predict(inputs).template cast<double>();
  Index row = 0, col = 0;
  const double largest = (found - wanted).cwiseAbs().maxCoeff(&row, &col), scale = wanted.cwiseAbs().maxCoeff();
  if (!(largest <= kMostDifference * scale))
    throw DataError(fmt::format(
        "{}: the network read here gives other outputs: {:.6g} in place of {:.6g} in row {}, column {}, the largest "
        "difference ({:.2g} of the largest output; {:g} is allowed for rounding). It was misread, or the outputs are "
        "those of other inputs (check `activation`, the rows' order and normalisation, that the model was in eval "
        "mode, "
        "in float32, and without softmax)",
        options.reference_outputs.string(), found(row, col), wanted(row, col), row, col, largest / scale,
        kMostDifference));
  return fmt::format("; its outputs are those of {} within {:.1g} of the largest",
                     options.reference_outputs.filename().string(), largest / scale);
}

std::string unchecked(const NetworkOptions& options, const nets::CheckpointOutline& outline) {
  if (outline.assumed.empty() || !options.reference_outputs.empty()) return "";
  return fmt::format(
      "network: read with {}, which its file does not say and nothing has checked: every number about it is that of "
      "another network if this is wrong. Give network.reference_outputs, or name what is right (network.activation, "
      "network.layer_names)",
      outline.assumed);
}

}  // namespace

nets::CheckpointOutline outline_import(const NetworkOptions& options, Index inputs, Index outputs) {
  nets::CheckpointOutline first;
  for (const Files* files : {&options.initial_weights, &options.weights}) {
    if (files->empty()) continue;
    first = read_files(*files, options, inputs, outputs, nets::checkpoint_outline);
    require_widths(*files, first.widths, inputs, outputs);
  }
  return first;
}

template <class Scalar>
std::optional<ImportedNetwork<Scalar>> import_network(const NetworkOptions& options, const Split<Scalar>& split) {
  if (options.train) return std::nullopt;
  const nets::Checkpoint<Scalar> checkpoint = read_network(options.weights, options, split);
  ImportedNetwork<Scalar> imported{nets::Mlp<Scalar>(checkpoint.layers, checkpoint.outline.activation), std::nullopt,
                                   checkpoint.outline.reading, unchecked(options, checkpoint.outline)};
  if (!options.initial_weights.empty()) {
    const nets::Checkpoint<Scalar> initial = read_network(options.initial_weights, options, split);
    imported.initial.emplace(initial.layers, initial.outline.activation);
  }
  if (!options.reference_outputs.empty()) imported.reading += check_reference(options, split, imported.network);
  return imported;
}

template std::optional<ImportedNetwork<float>> import_network(const NetworkOptions&, const Split<float>&);
template std::optional<ImportedNetwork<double>> import_network(const NetworkOptions&, const Split<double>&);

}  // namespace ansatz::experiments
