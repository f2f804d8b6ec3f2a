// Input: a byte of options, then (0) the pickle of a .pt file, for which a zip file with checksums and with a storage
// for each tensor is made here, or (1) a whole .pt file.
#include <map>
#include <vector>

#include "nets/checkpoints/formats/pickle.h"
#include "nets/checkpoints/formats/torch_archive.h"
#include "tests/fuzz/read_layers.h"
#include "tests/support/checkpoint_files.h"

using namespace ansatz;

namespace {

constexpr std::int64_t most_bytes = 1 << 16;  // of a storage that is made

/// What every pickle that is read holds: references to values that are there.
void require_whole(const nets::Pickle& pickle) {
  fuzz::require(pickle.root < pickle.values.size(), "the root is a value");
  for (const nets::Pickle::Value& value : pickle.values) {
    for (const std::size_t item : value.items) fuzz::require(item < pickle.values.size(), "an item is a value");
    if (value.kind == nets::Pickle::Kind::tensor)
      fuzz::require(static_cast<std::size_t>(value.integer) < pickle.tensors.size(), "a tensor is one of the tensors");
  }
}

std::string archive_of(std::string_view bytes) {
  const nets::Pickle pickle = nets::read_pickle(bytes, "net.pt");
  require_whole(pickle);
  std::map<std::string, std::size_t> storages;
  for (const TensorInfo& tensor : nets::network_tensors(pickle, "net.pt").tensors) {
    std::int64_t size = 0;
    if (__builtin_mul_overflow(tensor.storage_elements, element_size(tensor.type), &size) || size > most_bytes)
      continue;
    storages.emplace(tensor.storage, static_cast<std::size_t>(size));
  }
  std::vector<ZipRecord> records;
  records.push_back({"net/data.pkl", std::string(bytes)});
  records.push_back({"net/version", "3\n"});
  for (const auto& [key, size] : storages) records.push_back({"net/data/" + key, std::string(size, '\x3c')});
  return zip_bytes(records);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  fuzz::Input input(data, size);
  const bool whole = (input.number(1) & 1) != 0;
  const std::string_view bytes = input.rest();
  fuzz::read_or_refuse([&] {
    const auto path = folder.write("net.pt", whole ? std::string(bytes) : archive_of(bytes));
    const nets::TorchArchive file(path);
    fuzz::read_layers("net.pt", file, nets::FileOrder::registered);
  });
  return 0;
}
