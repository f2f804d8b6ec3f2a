#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/error.h"
#include "core/data/tables/csv_columns.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;

namespace {

/// 120 rows of a column x of numbers with two digits, a text column of three colours, and y = x; `odd` in row 57.
std::string table_with(const std::string& odd) {
  std::string text = "x,colour,y\n";
  const char* colours[] = {"red", "green", "blue"};
  for (int i = 1; i <= 120; ++i)
    text += fmt::format("{},{},{}\n", i == 57 ? odd : fmt::format("{:.2f}", 0.37 * i), colours[i % 3], 0.37 * i);
  return text;
}

DatasetOptions options_for(const std::string& target = "y") {
  DatasetOptions options = all_rows("csv");
  options.csv.target_column = target;
  return options;
}

CsvPlan plan_of(const std::string& text, const DatasetOptions& options = options_for()) {
  return plan_csv(text, "t.csv", options.csv, options.task);
}

std::string complaint(const std::string& text, const DatasetOptions& options = options_for()) {
  return message_of<DataError>([&] { plan_of(text, options); });
}

/// A table of one input column.
std::string column(const std::function<std::string(int)>& cell, int rows = 120) {
  std::string text = "x,y\n";
  for (int i = 0; i < rows; ++i) text += cell(i) + "," + std::to_string(i % 7) + "\n";
  return text;
}

bool warns(const CsvPlan& plan, const std::string& what) {
  return std::any_of(plan.warnings.begin(), plan.warnings.end(), [&](const auto& w) { return contains(w, what); });
}

}  // namespace

TEST_CASE("one odd cell does not turn a column of numbers into text") {
  for (const char* odd :
       {"-", ".", "12%", "\"1,5\"", "\"1.234,5\"", "none", "$3", "12 kg", "0x1F", "1.5D+03", "#DIV/0!", "x"}) {
    INFO(odd);
    const std::string text = complaint(table_with(odd));
    std::string shown(odd);
    shown.erase(std::remove(shown.begin(), shown.end(), '"'), shown.end());
    CHECK(contains(text, "t.csv: row 57 (line 58), column \"x\": \"" + shown + "\""));
    CHECK(contains(text, "119 of the column's 120 cells are"));
    CHECK(contains(text, "`missing_values`: [\"" + shown + "\"]"));
    CHECK(contains(text, "`categorical`: [\"x\"]"));
    CHECK(text.find('\n') == std::string::npos);
  }
  CHECK(contains(complaint(table_with("\"1,5\"")), "set `decimal`: \",\""));
  CHECK(contains(complaint(table_with("12%")), "a percentage"));
}

TEST_CASE("the usual spellings of missing are missing, also in a column of numbers") {
  DatasetOptions options = options_for();
  options.csv.missing = MissingValues::mean;
  for (const char* odd : {"#N/A", "None", "NA", "nan", "<NA>", "?", "", "null", "1.#QNAN"}) {
    INFO(odd);
    CHECK(contains(complaint(table_with(odd)), "row 57 (line 58), column \"x\": missing value"));
    const CsvPlan plan = plan_of(table_with(odd), options);
    CHECK(plan.dimension == 4);
    CHECK(contains(plan.notes.at(1), "1 missing cells"));
  }
  options.csv.cells.missing_values = {"-"};
  CHECK(plan_of(table_with("-"), options).dimension == 4);
  options = options_for();
  options.csv.cells.default_missing_values = false;
  CHECK(contains(complaint(table_with("None"), options), "\"None\" is not a number"));
}

TEST_CASE("a true minus sign is a minus sign") {
  const TemporaryFolder folder;
  DatasetOptions options = options_for();
  options.path = write_bytes(folder / "t.csv",
                             "x,y\n\xE2\x88\x92"
                             "2.5,1\n3,2\n");
  options.csv.test_path = options.path;
  CHECK(load(options).train.inputs(0, 0) == -2.5);
}

TEST_CASE("the ways out of an odd cell lead out") {
  DatasetOptions options = options_for();
  options.csv.categorical = {"x"};
  CHECK(plan_of(table_with("-"), options).dimension == 123);  // 120 texts and 3 colours
  options = options_for();
  options.csv.ignore_columns = {"x"};
  CHECK(plan_of(table_with("-"), options).dimension == 3);
}

TEST_CASE("columns that are numbers in another spelling throughout are refused") {
  const auto complaint_about = [](const char* format) {
    return complaint(column([&](int i) { return fmt::format(fmt::runtime(format), i); }));
  };
  CHECK(contains(complaint_about("{}%"),
                 "row 1 (line 2), column \"x\": \"0%\" is not read as a number (a percentage), nor are"));
  CHECK(contains(complaint_about("\"{},5\""), "set `decimal`: \",\""));
  CHECK(contains(complaint_about("${}"), "a number with a currency"));
  CHECK(contains(complaint_about("{} kg"), "numbers with \" kg\" after them"));
  CHECK(contains(complaint(column([](int i) { return fmt::format("2020-{:02}-{:02}", i % 4 + 1, i % 9 + 1); })),
                 "dates"));
  // Thousands separators where numbers are large enough: half of the cells are plain numbers.
  CHECK(contains(
      complaint(column([](int i) { return i % 2 ? fmt::format("{}", 800 + i) : fmt::format("\"1,{:03}\"", i); })),
      "thousands separators"));
}

TEST_CASE("a decimal comma is read where the options say so") {
  const TemporaryFolder folder;
  DatasetOptions options = options_for();
  options.csv.delimiter = ";";
  options.csv.cells.decimal = ',';
  options.path = write_bytes(folder / "t.csv", "x;y\n1,5;-0,25\n2;1e1\n");
  options.csv.test_path = options.path;
  const Split<double> split = load(options);
  CHECK(split.train.inputs(0, 0) == 1.5);
  CHECK(split.train.targets(0, 0) == -0.25);
  options.path = write_bytes(folder / "u.csv", "x;y\n1.234,5;1\n2,5;1\n3,5;1\n");
  CHECK(contains(load_error(options), "\"1.234,5\" is not read as a number (a number with thousands separators)"));
}

TEST_CASE("text is told with its number of categories, and kept") {
  const CsvPlan plan = plan_of(table_with("5"));
  CHECK(plan.notes.at(0) ==
        "t.csv: target y, 1 numeric column; one-hot coded, with their numbers of categories: colour (3)");
  CHECK(plan.warnings.empty());
  CHECK(plan.dimension == 4);
  const auto categorical = [](const std::function<std::string(int)>& cell) { return plan_of(column(cell)); };
  CHECK(categorical([](int i) { return fmt::format("{0}0-{0}9", i % 8); }).dimension == 8);  // ages
  CHECK(categorical([](int i) { return i % 2 ? "yes" : "no"; }).dimension == 2);
  CHECK(categorical([](int i) { return fmt::format("A{}", i % 30); }).dimension == 30);
  CHECK(categorical([](int i) { return i % 2 ? "4wd" : "2wd"; }).dimension == 2);
  CHECK(categorical([](int i) { return i % 2 ? "+" : "-"; }).dimension == 2);
  CHECK(warns(categorical([](int i) { return i % 3 ? fmt::format("w{}", i % 5) : fmt::format("{}", i % 5); }),
              "40 of its 120 cells are numbers"));
  CHECK(warns(categorical([](int i) { return i % 3   ? "Yes"
                                             : i % 2 ? "yes"
                                                     : "no"; }),
              "\"Yes\" and \"yes\" are different categories"));
  CHECK(warns(categorical([](int i) { return "name" + std::to_string(i % 70); }), "70 different values in 120 rows"));
  CHECK(
      contains(complaint(column([](int i) { return "name" + std::to_string(i); })), "120 different texts in 120 rows"));
}

TEST_CASE("a column is constant where its numbers, or its categories, are all the same") {
  const auto constant = [](const std::function<std::string(int)>& cell, bool listed = false) {
    DatasetOptions options = options_for();
    if (listed) options.csv.categorical = {"x"};
    return contains(plan_of(column(cell), options).notes.at(0), "constant: x");
  };
  CHECK(constant([](int) { return "5"; }));
  CHECK(constant([](int i) { return i % 2 ? "5" : "5.00"; }));
  CHECK(constant([](int i) { return i % 2 ? "5" : "5.00"; }, true));
  CHECK(constant([](int) { return "red"; }));
  CHECK_FALSE(constant([](int i) { return std::to_string(i % 3); }));
  CHECK_FALSE(constant([](int i) { return std::to_string(i % 3); }, true));
  CHECK_FALSE(constant([](int i) { return i == 7 ? "6" : "5"; }, true));
  CHECK_FALSE(constant([](int i) { return i == 119 ? "6" : "5"; }));
  CHECK_FALSE(constant([](int i) { return i % 2 ? "red" : "blue"; }));
}

TEST_CASE("a decimal comma that cuts a number in two is suspected") {
  const auto of_row = [](const std::string& row) { return complaint("a,b,y\n1,2,3\n" + row + "\n"); };
  const std::string mended =
      "put such cells in double quotes, or separate the cells by semicolons (`delimiter`: \";\"), and set "
      "`decimal`: \",\"";
  for (const char* row : {"7,1.234,5,8", "7,1.234,56,8"}) {
    const std::string text = of_row(row);
    INFO(text);
    CHECK(contains(text, "row 2 (line 3) has 4 cells but the header has 3; if \"1.234,5"));
    CHECK(contains(text, "in cells 2 and 3 is a number with a decimal comma, " + mended));
  }
  CHECK(contains(of_row("1,5,2,3"),
                 "; a cell that holds the delimiter must be in double quotes (and with decimal "
                 "commas, `decimal` be \",\")"));
  const std::string names = of_row("Smith, J.,x,3");
  CHECK(contains(names, "; a cell that holds the delimiter must be in double quotes"));
  CHECK_FALSE(contains(names, "decimal"));
  CHECK(contains(of_row("1,2,3,"), "(a delimiter at the end of the line?)"));
  CHECK_FALSE(contains(of_row("1,2"), ";"));
}

TEST_CASE("names of rows that the header leaves out are suspected in the first row") {
  CHECK(contains(complaint("a,y\nr1,1,2\nr2,3,4\n"),
                 "row 1 (line 2) has 3 cells but the header has 2; if \"r1\" is the row's name, name that column"));
  CHECK_FALSE(contains(complaint("a,y\n1,2\nr2,3,4\n"), "row's name"));
}

TEST_CASE("a column that the options give two parts is refused") {
  DatasetOptions options = options_for();
  options.csv.ignore_columns = {"y"};
  CHECK(contains(complaint(table_with("5"), options), "column \"y\" is both in `ignore_columns` and `target`"));
  options.csv.ignore_columns = options.csv.categorical = {"x"};
  CHECK(contains(complaint(table_with("5"), options),
                 "column \"x\" is both in `ignore_columns` and in `categorical`; leave one out"));
  options = options_for();
  options.csv.categorical = {"y"};
  CHECK(contains(complaint(table_with("5"), options),
                 "column \"y\" is both in `categorical` and the target of a regression"));
  options.csv.target_column = "colour";
  options.csv.categorical = {"colour"};
  options.task = Task::classification;
  CHECK(complaint(table_with("5"), options).empty());
}

TEST_CASE("numbers that look like ids are said") {
  const auto numbers = [](const std::function<std::string(int)>& cell) { return plan_of(column(cell)); };
  CHECK(warns(numbers([](int i) { return fmt::format("{:05}", 37 * i + 1); }),
              "numbers with leading zeros, such as \"00001\""));
  CHECK(warns(numbers([](int i) { return fmt::format("123456789012345{:03}", i); }), "beyond 2^53"));
  CHECK(warns(numbers([](int i) { return std::to_string(i); }), "it counts the rows, from 0"));
  CHECK(warns(numbers([](int i) { return std::to_string(i + 1); }), "it counts the rows, from 1"));
  CHECK(numbers([](int i) { return fmt::format("0.{:03}", i); }).warnings.empty());
  CHECK(numbers([](int i) { return std::to_string(i / 2); }).warnings.empty());
  CHECK(numbers([](int i) { return std::to_string(1900 + i); }).warnings.empty());
  CHECK(warns(numbers([](int i) { return std::to_string(5000 + 3 * i); }), "its whole numbers rise from row to row"));
  CHECK(numbers([](int i) { return std::to_string(5000 + i * 37 % 101); }).warnings.empty());
  const CsvPlan dates = numbers([](int i) { return std::to_string(20200101 + 100 * (i % 12) + i % 28); });
  CHECK(warns(dates, "may be dates, such as \"20200101\""));
  CHECK(dates.warnings.size() == 1);
  CHECK(numbers([](int i) { return std::to_string(20200100 + i % 28); }).warnings.empty());  // there is no day 0
  const auto price = [](int i) {
    return i % 2 ? std::to_string(300 + i) : fmt::format("{}.{:03}", i + 1, 10 * i % 1000);
  };
  CHECK(warns(numbers(price), "\"1.000\" beside whole numbers below 1000 is read with a decimal point"));
  CHECK(numbers([](int i) { return fmt::format("{}.{:03}", i + 1, 7 * i); }).warnings.empty());
  DatasetOptions comma = options_for();
  comma.csv.cells.decimal = ',';
  CHECK(
      warns(plan_of(column([](int i) { return fmt::format("\"{},000\"", i + 1); }), comma), "\"1,000\" is read with"));
}

TEST_CASE("whole numbers under the name of an id or a code are said") {
  const auto named = [](const std::string& name, const char* cell = "10115") {
    std::string text = name + ",y\n";
    for (int i = 0; i < 30; ++i) text += fmt::format("{}{},{}\n", cell, i * 7 % 10, i % 7);
    return plan_of(text);
  };
  for (const char* name : {"id", "zip_code", "Zip", "PLZ", "customer_id", "userId", "ID"}) {
    INFO(name);
    CHECK(warns(named(name), "under the name of an id or a code"));
    CHECK(named(name, "0.").warnings.empty());
  }
  for (const char* name : {"width", "humid", "Madrid", "area", "paid", "zipped"}) {
    INFO(name);
    CHECK(named(name).warnings.empty());
  }
}

TEST_CASE("ids of 18 digits are categories of their own") {
  const TemporaryFolder folder;
  DatasetOptions options = options_for("kind");
  options.task = Task::classification;
  options.csv.categorical = {"id"};
  options.path = write_bytes(folder / "t.csv",
                             "id,kind\n123456789012345678,9007199254740993\n123456789012345679,9007199254740992\n"
                             "123456789012345680,9007199254740993\n");
  options.csv.test_path = options.path;
  const Split<float> split = load<float>(options);
  CHECK(split.train.inputs == Matrix<float>::Identity(3, 3));
  CHECK(split.train.class_names == std::vector<std::string>{"9007199254740992", "9007199254740993"});
}

TEST_CASE("classes that are numbers to predict are refused") {
  DatasetOptions options = options_for();
  options.task = Task::classification;
  std::string text = "x,y\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("{},{}\n", i % 5, 0.37 * i);
  CHECK(contains(complaint(text, options), "column \"y\": 40 different values in 40 rows, each a class"));
}

TEST_CASE("files that are not what they seem are refused") {
  CHECK(contains(complaint("x,y\n1,2\n3,4\nx,y\n5,6\n"), "t.csv: row 3 (line 4) repeats the header"));
  CHECK(contains(complaint("a;b;y\n1;2;3\n"), "is `delimiter` \";\"?"));
  CHECK(contains(complaint("5.1,3.5,1.4\n4.9,3.0,1.4\n"), "the first line must name the columns"));
  CHECK(contains(complaint("x,y\n1,2,\n3,4,\n"),
                 "has 3 cells but the header has 2 (a delimiter at the end of the line?)"));
  CHECK(contains(complaint(std::string("x\0,\0y\0\n\0", 8)), "UTF-16"));
  CHECK(contains(complaint("x,y\n\xE9t\xE9,1\nhiver,2\n"), "column \"x\": \"\\xe9t\\xe9\" is no UTF-8 text"));
  CHECK(contains(complaint("x,y\na\x1b[2J,1\n5,2\n6,3\n"), "\"a\\x1b[2J\""));
}

TEMPLATE_TEST_CASE("Unix times are standardised in double, whatever the precision", "", float, double) {
  const TemporaryFolder folder;
  DatasetOptions options = options_for();
  std::string text = "time,y\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{},{}\n", 1700000000 + (i * 7) % 60, i);
  options.path = write_bytes(folder / "t.csv", text);
  options.csv.test_path = options.path;
  options.normalize = Normalization::standardize;
  const Matrix<TestType> inputs = load<TestType>(options).train.inputs;
  const double deviation = std::sqrt((60.0 * 60 - 1) / 12);  // of 0, ..., 59
  for (Index i = 0; i < 60; ++i) CHECK(inputs(i, 0) == Approx(((i * 7) % 60 - 29.5) / deviation).epsilon(1e-6));
}

TEST_CASE("what float32 loses is said, and of targets refused") {
  const TemporaryFolder folder;
  DatasetOptions options = options_for();
  const auto write = [&](double x, double y) {
    std::string text = "x,u,y\n";
    for (int i = 0; i < 60; ++i) text += fmt::format("{},{},{}\n", x + (i * 7) % 60, i % 5, y + 0.37 * (i % 13));
    options.path = options.csv.test_path = write_bytes(folder / "t.csv", text);
  };
  const auto some_note_has = [&](const std::string& text) {
    const std::vector<std::string> notes = load<float>(options).notes;
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return contains(note, text); });
  };
  write(1.7e9, 0);
  CHECK(some_note_has("float32 rounds inputs away: column \"x\""));
  options.normalize = Normalization::standardize;
  CHECK(some_note_has("standardised"));
  CHECK_FALSE(some_note_has("float32 rounds"));
  options.normalize = Normalization::none;
  write(0.5, 1e9);
  CHECK(contains(message_of<DataError>([&] { load<float>(options); }), "float32 rounds targets away: column \"y\""));
  CHECK(message_of<DataError>([&] { load<double>(options); }).empty());
  write(0.5, 1e6);
  CHECK(some_note_has("float32 rounds targets away"));
  write(0.5, 100.5);
  CHECK_FALSE(some_note_has("float32 rounds targets away"));
}

TEST_CASE("what is too small for float32 is not said to be too far from 0") {
  const TemporaryFolder folder;
  DatasetOptions options = options_for();
  const auto write = [&](double x_unit, double y_unit) {
    std::string text = "x,u,y\n";
    for (int i = 0; i < 60; ++i) text += fmt::format("{},{},{}\n", x_unit * ((i * 7) % 60), i % 5, y_unit * (i % 13));
    options.path = options.csv.test_path = write_bytes(folder / "t.csv", text);
  };
  for (const double unit : {1e-300, 1e-170, 1e-150, 1e-60, 1e-47}) {
    INFO(unit);
    write(1, unit);
    const std::string refused = message_of<DataError>([&] { load<float>(options); });
    CHECK(contains(refused, "targets are too small for float32: column \"y\" ("));
    CHECK(contains(refused, "multiply them, or use precision: float64"));
    write(unit, 1);
    CHECK(contains(load<float>(options).notes.back(), "inputs are too small for float32: column \"x\" ("));
  }
  const auto said = [&](const std::string& text) {
    const std::vector<std::string> notes = load<float>(options).notes;
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return contains(note, text); });
  };
  write(1e-44, 1e-30);  // one digit or two are left
  CHECK(said("inputs are too small for float32: column \"x\" (0.0"));
  write(1e-30, 1e-30);
  CHECK_FALSE(said("float32"));
}
