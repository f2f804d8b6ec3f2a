// Input: a byte of options, then an ARFF file (plain or gzipped). Its target is the last column, or "y".
#include "core/data/tables/files/open_table.h"
#include "tests/fuzz/read_rows.h"

using namespace ansatz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  fuzz::Input input(data, size);
  const std::size_t choice = input.number(1);
  TableTarget target;
  target.name = "a";
  folder.write("a.arff", input.rest());
  if (choice & 1) target.task = choice & 2 ? Task::classification : Task::regression;
  target.drop_missing = (choice & 4) != 0;
  if (choice & 8) target.target = "y";
  if (choice & 16) target.categorical = {"c"};
  if (choice & 32) target.ignore_columns = {"i"};
  fuzz::read_or_refuse([&] { fuzz::read_rows(open_table(folder.path(), target)); });
  return 0;
}
