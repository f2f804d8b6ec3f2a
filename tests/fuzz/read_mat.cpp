#include "tests/fuzz/read_mat.h"

#include "core/data/formats/mat_file.h"
#include "tests/fuzz/fuzz.h"

// matio and HDF5 ask for sizes that a damaged file names, do not touch what they get, and go on where they get nothing;
// what they leave behind when they refuse a file is theirs.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1:max_allocation_size_mb=400"; }
extern "C" const char* __lsan_default_suppressions() { return "leak:libmatio\nleak:libhdf5"; }

namespace ansatz::fuzz {

void read_mat(const std::string& bytes) {
  static const Folder folder;
  const auto path = folder.write("a.mat", bytes);
  for (const char* array : {"X", "y"}) {
    read_or_refuse([&] {
      std::size_t values = 1;
      for (const Index length : mat_shape(path, array)) values *= static_cast<std::size_t>(length);
      require(read_mat_bytes(path, array).size() == values, "as many values as the shape says");
    });
  }
}

}  // namespace ansatz::fuzz
