// Input: a .mat file of version 7.3 (HDF5) with arrays X and y.
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/read_mat.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ansatz::fuzz::read_mat(std::string(ansatz::fuzz::Input(data, size).rest()));
  return 0;
}
