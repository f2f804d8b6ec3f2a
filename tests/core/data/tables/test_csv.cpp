#include <algorithm>
#include <functional>

#include "core/base/error.h"
#include "core/data/tables/csv.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;

namespace {

using Table = std::vector<std::vector<std::string>>;

Table read_all(const std::string& text, char delimiter = ',') {
  CsvReader reader(text, delimiter, "t.csv");
  Table rows;
  while (reader.next()) rows.emplace_back(reader.cells().begin(), reader.cells().end());
  return rows;
}

DatasetOptions csv_file(const std::filesystem::path& path, const std::string& target, Task task = Task::regression) {
  DatasetOptions options = all_rows("csv");
  options.path = path;
  options.csv.target_column = target;
  options.task = task;
  return options;
}

/// The training and test rows together, in the order of the file (each drawn part is in that order).
std::vector<double> sorted_targets(const Split<double>& split) {
  std::vector<double> values(split.train.targets.data(), split.train.targets.data() + split.train.size());
  values.insert(values.end(), split.test.targets.data(), split.test.targets.data() + split.test.size());
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("CSV cells: quotes, line ends, spaces, byte order mark") {
  CHECK(read_all("a,b\n1,2\n") == Table{{"a", "b"}, {"1", "2"}});
  CHECK(read_all("a,b\r\n1,2") == Table{{"a", "b"}, {"1", "2"}});
  CHECK(read_all("a,b\r1,2\r") == Table{{"a", "b"}, {"1", "2"}});
  CHECK(read_all("\xEF\xBB\xBF"
                 "a,b\n") == Table{{"a", "b"}});
  CHECK(read_all(" a , \"b, \"\"c\"\"\" \n\n  \n\"two\nlines\",\n") == Table{{"a", "b, \"c\""}, {"two\nlines", ""}});
  CHECK(read_all("a\t b\n\t\n", '\t') == Table{{"a", "b"}, {"", ""}});
  CHECK(read_all("say \"hi\",2\n") == Table{{"say \"hi\"", "2"}});
  CHECK(read_all("\"\",\"\"\n") == Table{{"", ""}});
  CHECK(read_all("").empty());
  CHECK(contains(message_of<DataError>([] { read_all("a,b\n1,\"2\n3,4\n"); }), "t.csv: row 1 (line 2)"));
  CHECK(contains(message_of<DataError>([] { read_all("a,b\n\n1,\"2\"x\n"); }), "t.csv: row 1 (line 3): cell 2"));
  CHECK(contains(message_of<DataError>([] {
                   read_all(
                       "\xFF\xFE"
                       "a");
                 }),
                 "UTF-16"));
}

TEMPLATE_TEST_CASE("a table becomes numbers and one-hot columns", "", float, double) {
  const TemporaryFolder folder;
  const auto path = write_bytes(
      folder / "t.csv",
      "id,size,colour,code,price\n1,0.1,red,10,5\n2,0.2,blue,2,6\n3,0.3,red,10,7\n4,0.4,green,2,8\n5,0.5,blue,10,9\n");
  DatasetOptions options = csv_file(path, "price");
  options.csv.ignore_columns = {"id"};
  options.csv.categorical = {"code"};
  options.csv.test_path = write_bytes(folder / "u.csv", "price,code,size,id,colour\n1,2,-1,9,green\n");
  const Split<TestType> split = load<TestType>(options);
  Matrix<TestType> expected(5, 6);  // size; blue, green, red; 2, 10
  expected << TestType(0.1), 0, 0, 1, 0, 1, TestType(0.2), 1, 0, 0, 1, 0, TestType(0.3), 0, 0, 1, 0, 1, TestType(0.4),
      0, 1, 0, 1, 0, TestType(0.5), 1, 0, 0, 0, 1;
  CHECK(split.train.inputs == expected);
  CHECK(split.train.targets(3, 0) == 8);
  Matrix<TestType> test(1, 6);
  test << -1, 0, 1, 0, 1, 0;
  CHECK(split.test.inputs == test);
  CHECK(split.train.task == Task::regression);
  CHECK(contains(split.notes.at(0), "colour (3), code (2)"));
  CHECK(dataset_size(options).dimension == 6);
}

TEST_CASE("a table in one piece is split by the seed") {
  const TemporaryFolder folder;
  std::string text = "x,y\n";
  for (int i = 0; i < 50; ++i) text += std::to_string(i) + "," + std::to_string(i) + "\n";
  const auto path = folder / "t.csv.gz";
  write_gzip(path, text);
  DatasetOptions options = csv_file(path, "y");
  options.draw.test_fraction = 0.3;
  const Split<double> split = load(options, 4);
  CHECK(split.test.size() == 15);
  CHECK(split.train.inputs == split.train.targets);  // x and y stay together
  const std::vector<double> all = sorted_targets(split);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == static_cast<double>(i));
  CHECK(load(options, 4).test.inputs == split.test.inputs);
  CHECK(load(options, 5).test.inputs != split.test.inputs);
}

TEST_CASE("class labels may be text or numbers, sorted as such") {
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "t.csv", "x,kind,level\n1,b,10\n2,a,2\n3,b,2.0\n4,a,10\n");
  DatasetOptions options = csv_file(path, "kind", Task::classification);
  options.csv.test_path = path;
  CHECK(load(options).train.class_names == std::vector<std::string>{"a", "b"});
  CHECK(load(options).train.targets(0, 1) == 1);
  options.csv.target_column = "level";
  CHECK(load(options).train.class_names == std::vector<std::string>{"2", "10"});
  options.draw.classes = {"10", "2"};
  CHECK(load(options).train.targets(0, 0) == 1);
}

TEST_CASE("missing values: an error, dropped, or the training mean") {
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "t.csv", "x,c,y\n1,u,1\n3,,2\n,v,3\n5,u,4\n");
  DatasetOptions options = csv_file(path, "y");
  options.csv.test_path = write_bytes(folder / "u.csv", "x,c,y\n?,u,1\n2,u,1\n");
  CHECK(contains(load_error(options), "t.csv: row 2 (line 3), column \"c\": missing value"));

  options.csv.missing = MissingValues::drop;
  const Split<double> dropped = load(options);
  CHECK(dropped.train.targets == Vector<double>(Eigen::Vector2d(1, 4)));
  CHECK(dropped.test.inputs.col(0) == Vector<double>::Constant(1, 2));
  CHECK(contains(dropped.notes.at(1), "t.csv: 2 rows with missing values dropped, 2 kept"));
  CHECK(contains(dropped.notes.at(2), "u.csv: 1 rows with missing values dropped, 1 kept"));
}

TEST_CASE("missing: mean fills inputs by the training mean") {
  const TemporaryFolder folder;
  DatasetOptions options = csv_file(write_bytes(folder / "t.csv", "x,c,y\n1,u,1\n3,,2\nNA,v,3\n5,u,4\n"), "y");
  options.csv.test_path = write_bytes(folder / "u.csv", "x,c,y\n?,u,1\n2,v,1\n");
  options.csv.missing = MissingValues::mean;
  const Split<double> split = load(options);
  CHECK(split.train.inputs(2, 0) == Approx(3));
  CHECK(split.train.inputs(1, 1) == Approx(2.0 / 3));  // c = u in two of the three rows that say
  CHECK(split.train.inputs(1, 2) == Approx(1.0 / 3));
  CHECK(split.test.inputs(0, 0) == Approx(3));
  CHECK(contains(split.notes.at(1),
                 "2 missing cells become the mean of their column over the training rows: x (1), c (1)"));
  CHECK(contains(split.notes.at(2), "u.csv: missing cells in 1 rows"));
  options.path = write_bytes(folder / "v.csv", "x,c,y\n1,u,1\n3,v,\n");
  CHECK(contains(load_error(options),
                 "v.csv: row 2 (line 3), column \"y\": missing value (\"\"); set `missing` to drop"));
}

TEST_CASE("bad tables are refused with row and column") {
  const TemporaryFolder folder;
  const auto path = folder / "t.csv";
  const auto complaint = [&](const std::string& text, const std::function<void(DatasetOptions&)>& change = {}) {
    DatasetOptions options = csv_file(write_bytes(path, text), "y");
    if (change) change(options);
    return load_error(options);
  };
  CHECK(contains(complaint("x,y\n1,2\n1,2,3\n"), path.string() + ": row 2 (line 3) has 3 cells but the header has 2"));
  CHECK(contains(complaint("x,y\n1,2\nnan,3\n"), "row 2 (line 3), column \"x\": missing value (\"nan\")"));
  CHECK(contains(complaint("x,y\n1,2\ninf,3\n"), "row 2 (line 3), column \"x\": infinite value"));
  CHECK(contains(complaint("x,y\n1,2\n4,oops\n"),
                 "row 2 (line 3), column \"y\": \"oops\" is not a number; if the targets are classes, "
                 "set `task`: classification"));
  CHECK(contains(complaint("x,x,y\n1,2,3\n"), "columns 1 and 2 are both named \"x\""));
  CHECK(contains(complaint("size,price\n1,2\n"), "no column \"y\" (`target`); its columns are: size, price"));
  CHECK(contains(complaint("x,y\n1,2\n", [](auto& o) { o.csv.target_column = "prise"; }), "no column \"prise\""));
  CHECK(
      contains(complaint("x,price\n1,2\n", [](auto& o) { o.csv.target_column = "prise"; }), "did you mean \"price\"?"));
  CHECK(contains(complaint(",x,y\n1,2,3\n"), "column 1 has no name"));
  CHECK(contains(complaint("y\n1\n"), "no column is left"));
  CHECK(contains(complaint("x,y\n"), "no rows"));
  CHECK(contains(complaint(""), "empty"));
  CHECK(
      contains(complaint("x,y\n1,2\n", [](auto& o) { o.csv.categorical = {"z"}; }), "no column \"z\" (`categorical`)"));
  CHECK(contains(complaint("x,y\n1,2\n", [](auto& o) { o.csv.delimiter = "::"; }), "delimiter"));
  CHECK(contains(
      complaint("x,y\n1,2\n2,3\n3,4\n", [](auto& o) { o.task = Task::classification, o.draw.test_fraction = 0; }),
      "no test rows"));
  CHECK(contains(complaint("x,y\n1,2\n2,2\n3,2\n4,2\n5,2\n", [](auto& o) { o.task = Task::classification; }),
                 "one class (\"2\")"));
  CHECK(contains(complaint("x,y\n1,2\n2,3\n", [](auto& o) { o.draw.test_fraction = 0.5; }), "n = 1 row"));
  CHECK(contains(complaint("a,x,y\nu,1,2\n\"v,1,2\nw,3,4\nu\",1,5\nv,1,2\n"),
                 "row 2 (line 3), column \"a\": a quote opens a cell of 3 lines that look like rows"));
  CHECK(contains(complaint("a,x,y\r\nu,1,2\r\nv,\"1,2\r\nw,3\",4\r\n"), "row 2 (line 3), column \"x\": a quote opens"));
  CHECK(contains(complaint("PK\x03\x04 [Content_Types].xml"), "a spreadsheet (.xlsx), no text"));
  std::string prose = "where,x,y\n\"12 High St,\nLondon\",1,2\n\"one, two,\nthree\",2,3\n";
  CHECK(complaint(prose + prose.substr(10)).find("look like rows") == std::string::npos);
  std::string names = "x,y\n";
  for (int i = 0; i < 300; ++i) names += "name" + std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  CHECK(contains(complaint(names), "column \"x\": \"name255\": a text column of more than 255"));
  CHECK(complaint(names, [](auto& o) { o.csv.categorical = {"x"}; }).empty());
  DatasetOptions missing = csv_file(folder / "none.csv", "y");
  CHECK(contains(load_error(missing), "none.csv"));
}

TEST_CASE("a category that only test rows have is an error, or none of the known ones") {
  const TemporaryFolder folder;
  DatasetOptions options = csv_file(write_bytes(folder / "t.csv", "x,c,y\n1,u,1\n3,v,2\n"), "y");
  options.csv.test_path = write_bytes(folder / "u.csv", "x,c,y\n5,w,1\n6,v,2\n");
  CHECK(contains(load_error(options), "u.csv: row 1 (line 2), column \"c\": \"w\" does not occur in"));
  CHECK(contains(load_error(options), "`unknown_category`: zero"));
  options.csv.unknown_category = UnknownCategory::zero;
  const Split<double> split = load(options);
  CHECK(split.test.inputs == (Matrix<double>(2, 3) << 5, 0, 0, 6, 0, 1).finished());
  CHECK(std::any_of(split.notes.begin(), split.notes.end(),
                    [](const std::string& note) { return contains(note, "u.csv: 1 cells of categories that "); }));
  // A class that no training row has cannot be called.
  options = csv_file(folder / "t.csv", "c", Task::classification);
  options.csv.test_path = folder / "u.csv";
  options.csv.unknown_category = UnknownCategory::zero;
  CHECK(contains(load_error(options), "\"w\" does not occur in"));
  CHECK(contains(load_error(options), "leave the row out"));
}

TEST_CASE("a test table must be like the training table") {
  const TemporaryFolder folder;
  DatasetOptions options = csv_file(write_bytes(folder / "t.csv", "x,c,y\n1,u,1\n3,v,2\n"), "y");
  const auto complaint = [&](const std::string& text) {
    options.csv.test_path = write_bytes(folder / "u.csv", text);
    return load_error(options);
  };
  CHECK(contains(complaint("x,c,y\n1,w,1\n"), "u.csv: row 1 (line 2), column \"c\": \"w\" does not occur in"));
  CHECK(contains(complaint("x,y\n1,1\n"), "u.csv: there is no column \"c\""));
  CHECK(contains(complaint("x,c,z,y\n1,u,1,1\n"), "has no column \"z\""));
  CHECK(contains(complaint("x,c,y\nbig,u,1\n"), "u.csv: row 1 (line 2), column \"x\": \"big\" is not a number"));
  CHECK(contains(complaint("x,c,y\n1,u,inf\n"), "column \"y\": \"inf\" is infinite"));
}

TEST_CASE("a number beyond float32 is named, and fine in float64") {
  const TemporaryFolder folder;
  DatasetOptions options = csv_file(write_bytes(folder / "t.csv", "x,y\n1,1\n1e300,2\n"), "y");
  options.csv.test_path = options.path;
  CHECK(load<double>(options).train.inputs(1, 0) == 1e300);
  CHECK(contains(message_of<DataError>([&] { load<float>(options); }), "row 2 (line 3), column \"x\""));
}

TEST_CASE("whatever is quoted is read back") {
  RandomStream stream(9);
  const std::string alphabet = "ab,\"\n\r \t;";
  Table table;
  std::string text;
  for (int row = 0; row < 300; ++row) {
    table.emplace_back();
    for (int column = 0; column < 4; ++column) {
      std::string cell, quoted;
      for (Index length = stream.below(6); length > 0; --length) {
        cell += alphabet[static_cast<std::size_t>(stream.below(static_cast<Index>(alphabet.size())))];
        quoted += cell.back() == '"' ? "\"\"" : cell.substr(cell.size() - 1);
      }
      text += (column > 0 ? ",\"" : "\"") + quoted + '"';
      table.back().push_back(cell);
    }
    text += row % 2 ? "\r\n" : "\n";
  }
  CHECK(read_all(text) == table);
}

TEST_CASE("a table knows which columns belong to one variable") {
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "t.csv", "age,colour,y,size\n1,red,0,2\n2,blue,1,3\n3,green,0,1\n4,red,1,2\n");
  DatasetOptions options = csv_file(path, "y");
  options.csv.categorical = {"size"};
  options.csv.test_path = path;
  const Split<double> split = load(options);
  const std::vector<ColumnGroup> want = {{"age", 0, 1, false}, {"colour", 1, 3, true}, {"size", 4, 3, true}};
  CHECK(split.train.column_groups == want);
  CHECK(split.test.column_groups == want);
  CHECK(split.train.rows({0, 2}).column_groups == want);
  const std::vector<std::string> names = {"age",    "colour=blue", "colour=green", "colour=red",
                                          "size=1", "size=2",      "size=3"};
  CHECK(split.train.feature_names == names);
  CHECK(split.test.feature_names == names);
  CHECK(split.train.rows({0, 2}).feature_names == names);
  Split<double> wrong = split;
  wrong.train.feature_names.pop_back();
  CHECK(contains(message_of<DataError>([&] { validate(wrong); }), "6 names of features but the inputs have d = 7"));
  wrong = split;
  wrong.train.column_groups.pop_back();
  CHECK_FALSE(message_of<DataError>([&] { validate(wrong); }).empty());
}

TEST_CASE("names of features keep every character of the header, which must be UTF-8") {
  const TemporaryFolder folder;
  const Split<double> split =
      load(csv_file(write_bytes(folder / "t.csv", "größe,\"a, b\",年齢,y\n1,2,3,0\n3,1,1,1\n2,2,2,2\n5,4,4,3\n"), "y"));
  CHECK(split.train.feature_names == std::vector<std::string>{"größe", "a, b", "年齢"});
  const auto latin = write_bytes(folder / "l.csv",
                                 "gr\xf6\xdf"
                                 "e,y\n1,2\n3,4\n5,6\n");
  const std::string message = message_of<DataError>([&] { load(csv_file(latin, "y")); });
  CHECK(contains(message, "column 1"));
  CHECK(contains(message, "save the file as UTF-8"));
}
