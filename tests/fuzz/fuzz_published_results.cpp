// Input: a table of published results (plain or gzipped).
#include "core/data/collections/published_results.h"
#include "tests/fuzz/fuzz.h"

using namespace ansatz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const std::filesystem::path path = folder.write("results.txt", fuzz::Input(data, size).rest());
  fuzz::read_or_refuse([&] {
    const PublishedResults results = read_published_results(path);
    fuzz::require(results.accuracy.rows() == static_cast<Index>(results.sets.size()) &&
                      results.accuracy.cols() == static_cast<Index>(results.methods.size()),
                  "a row a set and a column a method");
    fuzz::require(!(results.accuracy.array() < 0).any() && !(results.accuracy.array() > 100).any(), "percentages");
  });
  return 0;
}
