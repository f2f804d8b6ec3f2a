// A network trained elsewhere: read, checked against the data, and against what it gives elsewhere.
#pragma once

#include <optional>
#include <string>

#include "experiments/options/options.h"

namespace ansatz::experiments {

/// With its weights before training, if they are known.
template <class Scalar>
struct ImportedNetwork {
  nets::Mlp<Scalar> network;
  std::optional<nets::Mlp<Scalar>> initial;
  std::string reading;  ///< what its file was read as, and what the check against reference outputs came to
  /// A sentence on what was assumed in reading it, where neither its file nor the options say it and no reference
  /// outputs checked it; else empty.
  std::string warning;
};

/// What the files of options.weights and options.initial_weights say before their numbers are read, for data of that
/// many inputs and outputs. Throws what import_network() throws of it.
nets::CheckpointOutline outline_import(const NetworkOptions& options, Index inputs, Index outputs);

/// Reads the network that options.weights name; none if it is to be trained here. DataError if the files are
/// unreadable, the network does not fit the data, or its outputs differ from options.reference_outputs by more than
/// rounding explains; ConfigError if an option does not fit the files, or is needed.
template <class Scalar>
std::optional<ImportedNetwork<Scalar>> import_network(const NetworkOptions& options, const Split<Scalar>& split);

}  // namespace ansatz::experiments
