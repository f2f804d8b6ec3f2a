// Input: lengths of class_names.txt, of the labels and of the images (up to 2), the names, the labels, then bytes that
// the images repeat.
#include "core/data/sets/stl10.h"
#include "tests/fuzz/read_rows.h"

using namespace ansatz;

namespace {

/// The training files; the test files are links to them.
struct StlFolder : fuzz::Folder {
  StlFolder() {
    for (const char* kind : {"X.bin", "y.bin"})
      std::filesystem::create_symlink(path() / (std::string("train_") + kind), path() / (std::string("test_") + kind));
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const StlFolder folder;
  constexpr std::size_t kImage = 3 * 96 * 96;
  fuzz::Input input(data, size);
  const std::size_t names = input.number(1), labels = input.number(1), images = input.number(3) % (2 * kImage + 2);
  if (names > 0)
    folder.write("class_names.txt", input.take(names));
  else
    std::filesystem::remove(folder.path() / "class_names.txt");
  folder.write("train_y.bin", input.take(labels));
  folder.write("train_X.bin", fuzz::repeated(input.rest(), images));
  fuzz::read_or_refuse([&] { fuzz::read_rows(open_stl10(folder.path())); });
  return 0;
}
