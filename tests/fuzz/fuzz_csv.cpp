// Input: a byte of options, then a CSV file (plain or gzipped) with the target column "y".
#include "core/data/tables/csv_dataset.h"
#include "tests/fuzz/read_rows.h"

using namespace ansatz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  fuzz::Input input(data, size);
  const std::size_t choice = input.number(1);
  const std::filesystem::path path = folder.write("a.csv", input.rest());
  CsvOptions options;
  options.target_column = "y";
  const Task task = choice & 1 ? Task::classification : Task::regression;
  options.missing = MissingValues(choice / 2 % 4 % 3);
  options.delimiter = choice & 8 ? "tab" : choice & 16 ? ";" : ",";
  if (choice & 32) options.categorical = {"c"};
  if (choice & 64) options.ignore_columns = {"i"};
  if (choice & 128) options.test_path = path;
  fuzz::read_or_refuse([&] { fuzz::read_rows(open_csv(path, options, task)); });
  return 0;
}
