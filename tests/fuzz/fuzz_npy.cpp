// Input: a .npy file.
#include <cstring>

#include "core/files/npy.h"
#include "tests/fuzz/fuzz.h"

using namespace ansatz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const auto path = folder.write("a.npy", fuzz::Input(data, size).rest());
  fuzz::read_or_refuse([&] {
    const Matrix<double> a = read_npy<double>(path);
    const NpyHeader header = read_npy_header(path);
    fuzz::require(a.rows() == header.rows() && a.cols() == header.cols(), "as many values as the header says");
    const Matrix<float> narrow = read_npy<float>(path);
    fuzz::require(narrow.rows() == a.rows() && narrow.cols() == a.cols(), "the same shape in float32");
    write_npy(folder.path() / "again.npy", a);
    const Matrix<double> again = read_npy<double>(folder.path() / "again.npy");
    fuzz::require(
        a.size() == again.size() &&
            (a.size() == 0 || std::memcmp(a.data(), again.data(), 8 * static_cast<std::size_t>(a.size())) == 0),
        "what is written is read again");
  });
  return 0;
}
