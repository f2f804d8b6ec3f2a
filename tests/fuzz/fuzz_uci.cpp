// Input: the lengths (two bytes each) of a set's description, data and tuning lists, then these, then the lists of its
// folds. A second data file is the same as the first.
#include <filesystem>

#include "core/data/collections/uci_set.h"
#include "tests/fuzz/fuzz.h"

using namespace ansatz;

namespace {

void check_split(const RowSplit& split, Index rows) {
  std::vector<bool> seen(static_cast<std::size_t>(rows));
  for (const auto* part : {&split.train, &split.test}) {
    for (const Index row : *part) {
      fuzz::require(row >= 0 && row < rows, "every row is one of the set's");
      fuzz::require(!seen[static_cast<std::size_t>(row)], "no row is trained and tested on");
      seen[static_cast<std::size_t>(row)] = true;
    }
  }
}

void check_set(const TableSet& set) {
  const Index rows = set.rows.size();
  fuzz::require(set.rows.inputs.allFinite(), "every value is finite");
  fuzz::require((set.rows.targets.rowwise().sum().array() == 1).all(), "every row has a class");
  fuzz::require(set.tuning && !set.folds.empty(), "there are splits");
  check_split(*set.tuning, rows);
  for (const RowSplit& fold : set.folds) check_split(fold, rows);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  static const bool made = std::filesystem::create_directories(folder / "toy");
  fuzz::require(made, "there is a folder for the set");
  fuzz::Input input(data, size);
  const std::size_t description = input.number(2), values = input.number(2), tuning = input.number(2);
  folder.write("toy/toy.txt", input.take(description));
  const std::string_view rows = input.take(values);
  folder.write("toy/a.dat", rows);
  folder.write("toy/b.dat", rows);
  folder.write("toy/conxuntos.dat", input.take(tuning));
  folder.write("toy/conxuntos_kfold.dat", input.rest());
  fuzz::read_or_refuse([&] { uci_set_size(folder / "toy"); });
  fuzz::read_or_refuse([&] { check_set(read_uci_set(folder / "toy")); });
  return 0;
}
