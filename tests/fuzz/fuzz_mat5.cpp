// Input: a byte of options, then a .mat file of version 5 with arrays X and y.
#include <zlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/read_mat.h"

using namespace ansatz;

namespace {

constexpr std::size_t kHeader = 128;

void append_number(std::string& bytes, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

/// The same file with all that follows its header as one compressed element: mutations seldom leave a stream whole, so
/// that what lies inside is packed here.
std::string packed(std::string_view file) {
  if (file.size() <= kHeader) return std::string(file);
  const std::string_view body = file.substr(kHeader);
  uLongf length = compressBound(static_cast<uLong>(body.size()));
  std::string stream(length, '\0');
  compress2(reinterpret_cast<Bytef*>(stream.data()), &length, reinterpret_cast<const Bytef*>(body.data()),
            static_cast<uLong>(body.size()), 1);
  std::string out(file.substr(0, kHeader));
  append_number(out, 15);  // miCOMPRESSED
  append_number(out, static_cast<std::uint32_t>(length));
  return out + stream.substr(0, length);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const bool compress = input.number(1) & 1;
  const std::string_view file = input.rest();
  fuzz::read_mat(compress ? packed(file) : std::string(file));
  return 0;
}
