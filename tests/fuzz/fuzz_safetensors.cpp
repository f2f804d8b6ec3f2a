// Input: a byte of options, then (0) a .safetensors file, or (1) two bytes with the number of bytes after the header,
// and the header.
#include "core/files/tensors/safetensors.h"
#include "tests/fuzz/read_layers.h"

using namespace ansatz;

namespace {

std::string with_length(std::string_view header, std::size_t data) {
  std::string length;
  for (std::size_t i = 0; i < 8; ++i) length += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return length + std::string(header) + std::string(data, '\0');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  fuzz::Input input(data, size);
  std::filesystem::path path;
  if (input.number(1) & 1) {
    const std::size_t bytes = input.number(2);
    path = folder.write("net.safetensors", with_length(input.rest(), bytes));
  } else {
    path = folder.write("net.safetensors", input.rest());
  }
  fuzz::read_or_refuse([&] {
    const SafetensorsFile file(path);
    for (const TensorInfo& tensor : file.tensors()) {
      const std::string bytes = file.read(tensor);
      fuzz::require(tensor.type == ElementType::other ||
                        bytes.size() == static_cast<std::size_t>(tensor.storage_elements * element_size(tensor.type)),
                    "a tensor has the bytes of its elements");
    }
    fuzz::read_layers("net.safetensors", file, nets::FileOrder::none);
  });
  return 0;
}
