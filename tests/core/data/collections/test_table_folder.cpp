#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/data/collections/table_folder.h"
#include "core/data/collections/table_targets.h"
#include "tests/core/data/collections/uci_files.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

const std::string kCsv =
    "id,size,colour,year,price\n"
    "7,1.5,red,2001,10\n"
    "8,2.5,blue,2002,20.5\n"
    "9,-3,red,2001,-30\n";

const std::string kArff =
    "@relation houses\n@attribute size numeric\n@attribute class {no,None,yes}\n@attribute code {1,2}\n@data\n"
    "1.5,no,1\n2.5,None,2\n-3,no,1\n";

TableTarget target_of(const std::string& name, std::optional<Task> task = std::nullopt,
                      const std::string& column = "") {
  TableTarget target;
  target.name = name;
  target.target = column;
  target.task = task;
  return target;
}

TableSet read_only_set(const std::filesystem::path& folder, const TableTarget& target) {
  const Collection collection = open_table_folder(folder, {target});
  REQUIRE(collection.sets.size() == 1);
  const TableSet set = collection.read(target.name);
  CHECK(set.name == target.name);
  CHECK(set.rows.size() == collection.sets[0].rows);
  CHECK(set.rows.dimension() == collection.sets[0].features);
  CHECK(set.rows.outputs() == collection.sets[0].outputs);
  CHECK(set.rows.task == collection.sets[0].task);
  CHECK((!set.tuning && set.folds.empty()));
  return set;
}

std::string why_refused(const std::filesystem::path& folder, const TableTarget& target) {
  return message_of<DataError>([&] { open_table_folder(folder, {target}); });
}

}  // namespace

TEST_CASE("A folder of tables: a regression's columns, names and one-hot groups") {
  const TemporaryFolder folder;
  write_bytes(folder / "houses.csv", kCsv);
  TableTarget target = target_of("houses", Task::regression);
  target.ignore_columns = {"id"};
  target.categorical = {"year"};
  const TableSet set = read_only_set(folder.path(), target);
  CHECK(set.rows.feature_names ==
        std::vector<std::string>{"size", "colour=blue", "colour=red", "year=2001", "year=2002"});
  REQUIRE(set.rows.column_groups.size() == 3);
  CHECK(set.rows.column_groups[0] == ColumnGroup{"size", 0, 1, false});
  CHECK(set.rows.column_groups[1] == ColumnGroup{"colour", 1, 2, true});
  CHECK(set.rows.column_groups[2] == ColumnGroup{"year", 3, 2, true});
  Matrix<double> inputs(3, 5), targets(3, 1);
  inputs << 1.5, 0, 1, 1, 0, 2.5, 1, 0, 0, 1, -3, 0, 1, 1, 0;
  targets << 10, 20.5, -30;
  CHECK(set.rows.inputs == inputs);
  CHECK(set.rows.targets == targets);
  CHECK_FALSE(set.rows.target_scaling.scales());
}

TEST_CASE("A folder of tables: a target in another column, of words") {
  const TemporaryFolder folder;
  write_bytes(folder / "houses.csv.gz", gzipped(kCsv));
  TableTarget target = target_of("colours", std::nullopt, "colour");
  target.file = "houses.csv";
  const TableSet set = read_only_set(folder.path(), target);
  CHECK(set.rows.class_names == std::vector<std::string>{"blue", "red"});
  Matrix<double> targets(3, 2);
  targets << 0, 1, 1, 0, 0, 1;
  CHECK(set.rows.targets == targets);
  CHECK(set.rows.feature_names == std::vector<std::string>{"id", "size", "year", "price"});
}

TEST_CASE("A folder of tables: ARFF gives what CSV gives, with the declared kinds") {
  const TemporaryFolder folder;
  write_bytes(folder / "houses.arff", kArff);
  const TableSet set = read_only_set(folder.path(), target_of("houses", std::nullopt, "class"));
  CHECK(set.rows.task == Task::classification);
  CHECK(set.rows.class_names == std::vector<std::string>{"None", "no"});  // a word, not a missing value
  CHECK(set.rows.feature_names == std::vector<std::string>{"size", "code=1", "code=2"});
  CHECK(set.rows.inputs(2, 0) == -3);
  CHECK(read_only_set(folder.path(), target_of("houses", std::nullopt, "size")).rows.task == Task::regression);
  const TableSet codes = read_only_set(folder.path(), target_of("houses"));  // the last column: {1, 2}
  CHECK(codes.rows.class_names == std::vector<std::string>{"1", "2"});
}

TEST_CASE("A folder of tables: missing values are refused or their rows dropped") {
  const TemporaryFolder folder;
  write_bytes(folder / "a.arff", "@relation a\n@attribute x numeric\n@attribute y numeric\n@data\n1,2\n?,3\n4,5\n");
  TableTarget target = target_of("a");
  CHECK(contains(why_refused(folder.path(), target), "a.arff: row 2 (line 6), column \"x\": missing value"));
  CHECK_FALSE(contains(why_refused(folder.path(), target), "mean"));  // of which rows is not known here
  target.drop_missing = true;
  const TableSet set = read_only_set(folder.path(), target);
  CHECK(set.rows.targets(1, 0) == 5);
  CHECK(std::any_of(set.notes.begin(), set.notes.end(), [](const std::string& note) {
    return contains(note, "1 rows with missing values dropped, 2 kept");
  }));
}

TEST_CASE("A folder of tables: decimal commas and spellings of missing values") {
  const TemporaryFolder folder;
  write_bytes(folder / "a.csv", "x;y\n1,5;NA\n-;EU\n2,25;EU\n-999;NA\n");
  TableTarget target = target_of("a", Task::classification);
  target.delimiter = ";";
  target.cells.decimal = ',';
  target.cells.missing_values = {"-", "-999"};
  target.cells.default_missing_values = false;  // NA is North America
  target.drop_missing = true;
  const TableSet set = read_only_set(folder.path(), target);
  CHECK(set.rows.inputs == Matrix<double>(Eigen::Vector2d(1.5, 2.25)));
  CHECK(set.rows.class_names == std::vector<std::string>{"EU", "NA"});
}

TEST_CASE("A folder of tables: what may well be a mistake is a warning, before the rows are read and after") {
  const TemporaryFolder folder;
  std::string text = "zip,size,class\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("0{},{},{}\n", 1000 + i % 3, i % 7, i % 2 == 0 ? "yes" : "Yes");
  write_bytes(folder / "a.csv", text);
  const Collection collection = open_table_folder(folder.path(), {target_of("a")});
  const std::vector<std::string> warnings = collection.read("a").warnings;
  CHECK(collection.sets[0].warnings == warnings);
  const auto warned = [&](const std::string& of) {
    return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& line) { return contains(line, of); });
  };
  CHECK(warned("column \"zip\""));
  CHECK(warned("\"Yes\" and \"yes\" are different categories"));
}

TEST_CASE("A folder of tables: what is not clear is asked") {
  const TemporaryFolder folder;
  write_bytes(folder / "a.csv", "x,y\n1,0\n2,1\n3,0\n");
  CHECK(contains(why_refused(folder.path(), target_of("a")), "a.csv: the target \"y\" is numbers: set `task`"));
  write_bytes(folder / "b.csv", "x,y\n1,0\n2,one\n3,0\n");
  CHECK(contains(why_refused(folder.path(), target_of("b")), "is 2 numbers and 1 texts"));
  write_bytes(folder / "a.arff", kArff);
  CHECK(contains(why_refused(folder.path(), target_of("a")), "are both there; say by `file`"));
  CHECK(contains(why_refused(folder.path(), target_of("none")), "no none.csv or none.arff there"));
  CHECK(contains(why_refused(folder.path(), target_of("b", std::nullopt, "z")), "there is no column \"z\" (`target`)"));
  write_bytes(folder / "c.csv", "x,y\n1,a\n2,a\n");
  CHECK(contains(why_refused(folder.path(), target_of("c")), "c.csv: every row is of the class \"a\""));
  write_bytes(folder / "d.arff", kArff);
  TableTarget target = target_of("d");
  target.delimiter = ";";
  CHECK(contains(why_refused(folder.path(), target), "`delimiter` is for CSV files"));
  target.delimiter = ",";
  target.cells.decimal = ',';
  CHECK(contains(why_refused(folder.path(), target), "`decimal` is for CSV files"));
  write_bytes(folder / "e.csv", "x,y\n1,0.1\n2,0.1\n3,0.1\n");
  CHECK(contains(why_refused(folder.path(), target_of("e", Task::regression)),
                 "e.csv: the target \"y\" is 0.1 in every row"));
}

TEST_CASE("A folder of tables: a damaged table does not spoil the others") {
  const TemporaryFolder folder;
  write_bytes(folder / "good.csv", kCsv);
  write_bytes(folder / "bad.csv", "x,y\n1,2\n3\n");
  write_bytes(folder / "cut.csv.gz", gzipped(kCsv).substr(0, 30));
  write_bytes(folder / "other.arff", kArff);
  const Collection collection = open_table_folder(
      folder.path(),
      {target_of("good", Task::regression), target_of("bad", Task::regression), target_of("cut", Task::regression)});
  REQUIRE(collection.sets.size() == 1);
  CHECK(collection.read("good").rows.size() == 3);
  REQUIRE(collection.damaged.size() == 2);
  CHECK(collection.damaged[0].name == "bad");
  CHECK(contains(collection.damaged[0].why, "bad.csv: row 2 (line 3) has 1 cells"));
  CHECK(contains(collection.damaged[1].why, "cut.csv.gz"));
  REQUIRE(collection.notes.size() == 1);
  CHECK(contains(collection.notes[0], "not among the targets: other.arff"));
  CHECK(contains(message_of<DataError>([&] { collection.read("bad"); }), "there is no set \"bad\""));
}

TEST_CASE("Targets of tables, as YAML") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& yaml) { return read_table_targets(write_bytes(folder / "t.yaml", yaml)); };
  const std::vector<TableTarget> targets = read(
      "task: classification\n"
      "sets:\n"
      "  diamonds: {file: gems.csv, target: price, task: regression, ignore_columns: [id], categorical: [cut],\n"
      "             delimiter: tab, missing: drop, decimal: \",\", missing_values: [\"-\", -999],\n"
      "             default_missing_values: false}\n"
      "  phoneme: {}\n"
      "  electricity:\n");
  REQUIRE(targets.size() == 3);
  CHECK(targets[0].name == "diamonds");
  CHECK(targets[0].file == "gems.csv");
  CHECK(targets[0].target == "price");
  CHECK(targets[0].task == Task::regression);
  CHECK(targets[0].ignore_columns == std::vector<std::string>{"id"});
  CHECK(targets[0].categorical == std::vector<std::string>{"cut"});
  CHECK(targets[0].delimiter == "tab");
  CHECK(targets[0].drop_missing);
  CHECK(targets[0].cells.decimal == ',');
  CHECK(targets[0].cells.missing_values == std::vector<std::string>{"-", "-999"});
  CHECK_FALSE(targets[0].cells.default_missing_values);
  CHECK(targets[1].name == "phoneme");
  CHECK(targets[1].file.empty());
  CHECK(targets[1].target.empty());
  CHECK(targets[1].task == Task::classification);
  CHECK_FALSE(targets[1].drop_missing);
  CHECK(targets[1].cells.decimal == '.');
  CHECK(targets[1].cells.default_missing_values);
  CHECK(targets[2].name == "electricity");
  CHECK_FALSE(read("sets: {a: {}}\n")[0].task);
  const auto refusal = [&](const std::string& yaml) { return message_of<ConfigError>([&] { read(yaml); }); };
  CHECK(contains(refusal("sets: {a: {targets: y}}\n"), "sets.a.targets"));
  CHECK(contains(refusal("sets: {a: {task: guess}}\n"), "sets.a.task"));
  CHECK(contains(refusal("sets: {a: {file: ../b.csv}}\n"), "sets.a.file"));
  CHECK(contains(refusal("a: {target: y}\n"), "must list the sets"));
  CHECK(contains(refusal("sets: {../a: {}}\n"), "names no set"));
}

TEST_CASE("Every table of the real folder can be read by the targets that are shipped") {
  const char* const data = std::getenv("ANSATZ_DATA");
  const std::filesystem::path folder = data == nullptr ? "" : std::filesystem::path(data) / "tabular";
  if (!std::filesystem::is_directory(folder)) {
    WARN("skipped: $ANSATZ_DATA/tabular is not there");
    return;
  }
  const Collection collection = open_table_folder(
      folder, read_table_targets(std::filesystem::path(ANSATZ_FIXTURES) / "../../../configs/targets/tabular.yaml"));
  CHECK(collection.damaged.empty());
  CHECK(collection.notes.empty());
  CHECK(collection.sets.size() == 13);
  for (const TableSetSize& size : collection.sets) {
    INFO(size.name);
    const TableSet set = collection.read(size.name);
    CHECK(set.rows.size() == size.rows);
    CHECK(set.rows.inputs.allFinite());
    CHECK(set.rows.targets.allFinite());
    CHECK(static_cast<Index>(set.rows.feature_names.size()) == size.features);
  }
  const TableSet diamonds = collection.read("diamonds");
  CHECK(diamonds.rows.size() == 53940);
  CHECK(diamonds.rows.dimension() == 6 + 5 + 7 + 8);  // 6 numbers, and the categories of cut, color and clarity
  CHECK(diamonds.rows.targets(0, 0) == 326);
}
