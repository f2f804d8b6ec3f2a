// Input: a byte of options, then a file of labelled texts (plain or gzipped).
#include "core/data/text/text_dataset.h"
#include "tests/fuzz/read_rows.h"

using namespace ansatz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  fuzz::Input input(data, size);
  const std::size_t choice = input.number(1);
  const std::filesystem::path path = folder.write("a.txt", input.rest());
  TextOptions options;
  options.columns.delimiter = choice & 1 ? ',' : '\t';
  if (choice & 2) options.columns = {"label", "text", options.columns.delimiter};
  if (choice & 4) options.weights.characters = {1, 3};
  if (choice & 8) options.weights.words = {1, 2};
  if (choice & 16) options.weights.min_df = 2;
  if (choice & 32) options.weights.vocabulary_size = 5;
  if (choice & 64) options.test_path = path;
  options.weights.sublinear_tf = (choice & 128) != 0;
  fuzz::read_or_refuse([&] {
    const RowSource source = open_texts(path, options);
    const RowSource learnt = source.learn(fuzz::all_of(source.outline.train));
    fuzz::read_rows(learnt);
    open_new_texts(path, *learnt.outline.text);
  });
  return 0;
}
