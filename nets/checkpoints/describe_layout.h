// What a file was read as, in a line for people.
#pragma once

#include <string>

#include "nets/checkpoints/network_layout.h"

namespace ansatz::nets {

struct ReadingNotes {
  std::string activation;  ///< "relu assumed"
  std::string under;       ///< the key of the file that holds the network, or empty
  double epsilon = 1e-5;   ///< of batch normalisations that do not say it
  bool epsilon_given = false;
};

/// d, k_1, ..., c.
std::vector<Index> widths_of(const NetworkLayout& layout);

/// "784–256–10, relu assumed, biases in every layer, from keys fc1, fc2 under 'model'; folded in: batch normalisation
/// bn1 (before the activation, eps 1e-05 assumed)".
std::string describe_layout(const NetworkLayout& layout, const ReadingNotes& notes);

}  // namespace ansatz::nets
