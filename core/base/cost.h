// What a computation will cost, estimated before it is done. The code that computes something also provides its cost.
#pragma once

#include <string>

namespace ansatz {

struct Cost {
  std::string algorithm, reason;  ///< what will be done, and why it was chosen
  double flops = 0;
  double working_bytes = 0;  ///< held only during the computation
  double kept_bytes = 0;     ///< held from then on
};

}  // namespace ansatz
