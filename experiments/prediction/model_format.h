// Words that stand in the metadata of model files.
#pragma once

namespace ansatz::experiments {

inline constexpr const char* kModelFormat = "ansatz model 1";
inline constexpr const char* kKernelMachine = "kernel machine";
inline constexpr const char* kTree = "tree of RFMs";
inline constexpr const char* kNetworkData = "data of a network";

}  // namespace ansatz::experiments
