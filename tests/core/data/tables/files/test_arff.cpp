#include <algorithm>

#include "core/base/error.h"
#include "core/data/tables/csv.h"
#include "core/data/tables/csv_dataset.h"
#include "core/data/tables/csv_table.h"
#include "core/data/tables/files/arff.h"
#include "core/data/tables/files/open_table.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;

namespace {

using Kind = ArffAttribute::Kind;
using Cells = std::vector<std::vector<std::string>>;

const std::string kHead =
    "@relation toy\n"
    "@attribute x numeric\n"
    "@attribute colour {red, 'light blue', \"a,b\"}\n"
    "@attribute note string\n"
    "@data\n";

/// The cells of the CSV text, the header among them.
Cells cells_of(const std::string& text) {
  const ArffTable table = read_arff(text, "t.arff");
  CsvReader reader(table.csv, ',', "t.arff");
  Cells cells;
  while (reader.next()) cells.emplace_back(reader.cells().begin(), reader.cells().end());
  return cells;
}

std::string refusal(const std::string& text) {
  return message_of<DataError>([&] { read_arff(text, "t.arff"); });
}

std::string refused_row(const std::string& row) { return refusal(kHead + row + "\n"); }

}  // namespace

TEST_CASE("ARFF: attributes, kinds and declared values") {
  const ArffTable table = read_arff(
      "% a comment\n\n@RELATION 'a name'\n@Attribute x NUMERIC\n@ATTRIBUTE\t'two words'\tReal % in metres\n"
      "@attribute \"it\\'s\" integer [0, 9]\n@attribute kind{a, ' b ',c} % three\n@attribute when date \"yyyy-MM-dd\"\n"
      "@attribute text string\n@DATA\n1,2,3,' b ',2020-01-31,words and more\n",
      "t.arff");
  REQUIRE(table.attributes.size() == 6);
  const std::vector<std::string> names = {"x", "two words", "it's", "kind", "when", "text"};
  const std::vector<Kind> kinds = {Kind::numeric, Kind::numeric, Kind::numeric, Kind::nominal, Kind::text, Kind::text};
  for (std::size_t i = 0; i < names.size(); ++i) {
    CHECK(table.attributes[i].name == names[i]);
    CHECK(table.attributes[i].kind == kinds[i]);
  }
  CHECK(table.attributes[3].values == std::vector<std::string>{"a", " b ", "c"});
  CHECK(table.attributes[0].values.empty());
}

TEST_CASE("ARFF: rows become cells as they are meant") {
  CHECK(cells_of(kHead + "1,red,x\n -2.5e3 ,\t'light blue' , \"say \\\"hi\\\", twice\"\n+.5,\"a,b\",' ends '\n") ==
        Cells{{"x", "colour", "note"},
              {"1", "red", "x"},
              {"-2.5e3", "light blue", "say \"hi\", twice"},
              {"+.5", "a,b", " ends "}});
  CHECK(
      cells_of(
          "@relation r\n@attribute q {'?',b,'100\\%'}\n@attribute 'a \"b\"' numeric\n@data\n'?',?\n?,2\n'100\\%',3") ==
      Cells{{"q", "a \"b\""}, {"?", ""}, {"", "2"}, {"100%", "3"}});
  // A backslash before anything else is itself, and an apostrophe within a word no quote.
  CHECK(cells_of("@relation r\n@attribute a string\n@attribute b string\n@data\n'C:\\temp\\new',Men's\n")[1] ==
        std::vector<std::string>{"C:\\temp\\new", "Men's"});
}

TEST_CASE("ARFF: line ends, byte order mark and comments change nothing, and lines keep their numbers") {
  const std::string plain = kHead + "1,red,x\n\n% between rows\n2,red,y\n";
  const Cells expected = {{"x", "colour", "note"}, {"1", "red", "x"}, {"2", "red", "y"}};
  CHECK(cells_of(plain) == expected);
  CHECK(cells_of("\xEF\xBB\xBF" + plain) == expected);
  for (const char* end : {"\r\n", "\r"}) {
    std::string text;
    for (const char c : plain) text += c == '\n' ? std::string(end) : std::string(1, c);
    CHECK(cells_of(text) == expected);
  }
  const ArffTable table = read_arff(plain, "t.arff");
  CsvReader reader(table.csv, ',', "t.arff");
  reader.next();
  CHECK(reader.where() == "t.arff: header (line 5)");
  reader.next();
  reader.next();
  CHECK(reader.where() == "t.arff: row 2 (line 9)");
}

TEST_CASE("ARFF: rows that are not as declared are refused by line and attribute") {
  CHECK(contains(refused_row("one,red,x"), "t.arff: line 6: attribute \"x\": \"one\" is no finite number"));
  CHECK(contains(refused_row("NaN,red,x"), "a missing value is written ?"));
  CHECK(contains(refused_row("1e999,red,x"), "no finite number"));
  CHECK(
      contains(refused_row("1,rad,x"), "attribute \"colour\": \"rad\" is none of its declared values; is it \"red\"?"));
  CHECK(contains(refused_row("1,Red,x"), "\"Red\" is none of its declared values"));
  CHECK(contains(refused_row("1,,x"), "an empty cell; a missing value is written ?"));
  CHECK(contains(refused_row("1,red"), "2 cells for 3 attributes; is the file whole?"));
  CHECK(contains(refused_row("1,red,x,"), "(a comma at the end of the line?)"));
  CHECK(contains(refused_row("1,red,x,y"), "a value that holds a comma must be in quotes"));
  CHECK(contains(refused_row("1,red,x,{5}"), "weights of rows"));
  CHECK(contains(refused_row("1 red x"), "attribute \"x\": \"1 red x\" is no finite number"));
  CHECK(contains(refusal("@relation r\n@attribute a string\n@attribute b string\n@data\nu v\n"),
                 "separate them by commas"));
  CHECK(contains(refused_row("{0 1, 1 red}"), "a sparse row"));
  CHECK(contains(refused_row("1,red,'never closed"), "a quote (') never closes"));
  CHECK(contains(refused_row("1,red,'it's'"), "cell 3 has text after its closing quote"));
}

TEST_CASE("ARFF: declarations that cannot be read are refused by line") {
  CHECK(contains(refusal("a,b\n1,2\n"), "t.arff: line 1: \"a,b\" is no @relation, @attribute or @data"));
  CHECK(contains(refusal("@relation r\n@attribute x numeric\n"), "no line @data"));
  CHECK(contains(refusal(""), "no line @data"));
  CHECK(contains(refusal("@relation r\n@data\n1\n"), "line 2: @data before any @attribute"));
  CHECK(contains(refusal("@attribute x real\n@data 1\n"), "line 2: text after @data"));
  CHECK(contains(refusal("@attribute x number\n"), "line 1: the type of \"x\" is \"number\"; it must be numeric"));
  CHECK(contains(refusal("@attribute x\n"), "the type of \"x\" is \"\""));
  CHECK(contains(refusal("@attribute\n"), "an attribute without a name"));
  CHECK(contains(refusal("@attribute x numeric numeric\n"), "text after the type of \"x\""));
  CHECK(contains(refusal("@attribute bag relational\n"), "relational attributes are not read"));
  CHECK(contains(refusal("@attribute c {a, b\n"), "the list of values of \"c\" never closes"));
  CHECK(contains(refusal("@attribute c {a, 'b' c}\n"), "the list of values of \"c\" never closes"));
  CHECK(contains(refusal("@attribute c {a, b} numeric\n"), "text after the list of values of \"c\""));
  CHECK(contains(refusal("\xFF\xFE@"), "UTF-16"));
  CHECK(contains(refusal("PK\x03\x04"), "zip"));
}

// Inputs at which readers of ARFF are known to have failed, in small.
TEST_CASE("ARFF: what other readers have stumbled over") {
  const auto column = [](const std::string& type, const std::string& rows) {
    std::vector<std::string> values;
    const Cells cells = cells_of("@relation r\n@attribute a " + type + "\n@attribute b numeric\n@data\n" + rows);
    for (std::size_t i = 1; i < cells.size(); ++i) values.push_back(cells[i][0]);
    return values;
  };
  using Values = std::vector<std::string>;
  SECTION("a comma within a quoted value of a list") {
    CHECK(column("{MIN.2017,'ENACT.NOGOPMAJ,2017'}", "'ENACT.NOGOPMAJ,2017',1\nMIN.2017,2\n") ==
          Values{"ENACT.NOGOPMAJ,2017", "MIN.2017"});
  }
  SECTION("escaped quotes in a list") {
    CHECK(column("{'\\'B1of3\\'','\\'B2of3\\''}", "'\\'B2of3\\'',1\n") == Values{"'B2of3'"});
  }
  SECTION("spaces: within quotes they count, around values and the closing brace they do not") {
    CHECK(column("{'  yes', 'no  '}", "'no  ',1\n'  yes',2\n") == Values{"no  ", "  yes"});
    CHECK(column("{ mammal, bird }", " bird , 1 \n") == Values{"bird"});
    CHECK(column("{ <=50K, >50K}", " >50K,1\n") == Values{">50K"});
    CHECK(column("numeric", "1.5\t,2\t\t\t\n") == Values{"1.5"});
  }
  SECTION("a comment behind a list, with braces of its own") {
    CHECK(column("{-1,1} %{<=50K, >50K}", "-1,1\n") == Values{"-1"});
  }
  SECTION("a list of one value of one letter, values of digits, words for missing that are values") {
    CHECK(column("{a}", "a,1\n") == Values{"a"});
    CHECK(column("{0,1,NA,None}", "1,1\nNA,2\nNone,3\n") == Values{"1", "NA", "None"});
  }
  SECTION("quoted numbers, and numbers in all spellings") {
    CHECK(column("numeric", "'1.5',1\n\"2\",1\n1E+2,1\n-.5,1\n5.,1\n") == Values{"1.5", "2", "1E+2", "-.5", "5."});
  }
  SECTION("quotes in quotes") {
    CHECK(column("string", "'\"double\"',1\n\"it's\",1\n'it\\'s',1\n") == Values{"\"double\"", "it's", "it's"});
  }
  SECTION("double commas and commas at the end are no missing values") {
    CHECK(contains(refused_row("1,,red,x"), "an empty cell"));
    CHECK(contains(refused_row("1,red,x,"), "a comma at the end"));
  }
  SECTION("types that are none") {
    CHECK(contains(refusal("@attribute emotion unknown\n"), "\"emotion\" is \"unknown\""));
    CHECK(contains(refusal("@attribute emotion 0,1,2,3\n"), "\"emotion\" is \"0,1,2,3\""));
  }
  SECTION("names of any letters and signs") {
    CHECK(
        cells_of("@relation r\n@attribute 1st numeric\n@attribute a-b(c)/d numeric\n@attribute 'na\xC3\xAFve, %' real\n"
                 "@data\n1,2,3\n")[0] == Values{"1st", "a-b(c)/d", "na\xC3\xAFve, %"});
  }
}

TEST_CASE("ARFF: a file of another name, or where a CSV file belongs, is recognised") {
  CHECK(looks_like_arff("% a comment\r\n\r\n  @RELATION houses\n@attribute x real\n"));
  CHECK(looks_like_arff("\xEF\xBB\xBF@relation 'my houses'"));
  CHECK_FALSE(looks_like_arff("relation,y\n1,2\n"));
  CHECK_FALSE(looks_like_arff("% only a comment"));
  CHECK_FALSE(looks_like_arff(""));
  const TemporaryFolder folder;
  const std::string text = "@relation r\n@attribute x real\n@attribute y real\n@data\n1,2\n2,3\n";
  CsvOptions options;
  options.target_column = "y";
  const auto refusal = [&](const std::string& name) {
    return message_of<DataError>([&] { open_csv(write_bytes(folder / name, text), options, Task::regression); });
  };
  CHECK(contains(refusal("a.arff"), "a.arff: this is an ARFF file, and `csv` reads a header line"));
  CHECK(contains(refusal("a.csv"), "save it as CSV"));
  TableTarget target;
  target.name = "a";
  target.file = "a.csv";
  CHECK(contains(message_of<DataError>([&] { open_table(folder.path(), target); }), "let its name end in .arff"));
}
