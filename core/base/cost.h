// What a computation takes, told before it is done. Who computes something says what it costs.
#pragma once

#include <string>

namespace ansatz {

struct Cost {
  std::string algorithm, reason;  ///< what will be done, and why it and nothing else
  double flops = 0;
  double working_bytes = 0;  ///< held only while it is done
  double kept_bytes = 0;     ///< held from then on
};

}  // namespace ansatz
