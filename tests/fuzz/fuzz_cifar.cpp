// Input: lengths of batches.meta.txt and of a batch (up to 3 records), the names, then bytes that the batch repeats.
#include "core/data/sets/cifar10.h"
#include "tests/fuzz/read_rows.h"

using namespace ansatz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  fuzz::Input input(data, size);
  const std::size_t names = input.number(1), length = input.number(2) % (3 * 3073 + 2);
  folder.write("batches.meta.txt", input.take(names));
  const std::string batch = fuzz::repeated(input.rest(), length);
  folder.write("data_batch_1.bin", batch);
  folder.write("test_batch.bin", batch);
  fuzz::read_or_refuse([&] { fuzz::read_rows(open_cifar10(folder.path())); });
  return 0;
}
