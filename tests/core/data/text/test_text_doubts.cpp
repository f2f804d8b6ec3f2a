#include "core/base/error.h"
#include "core/data/loading/new_rows.h"
#include "core/data/text/text_doubts.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"
#include "tests/support/errors.h"

using namespace ansatz;
using Catch::Matchers::Contains;

namespace {

/// What is said of a file with this text; "" if nothing.
std::string said(const std::string& text, const TextColumns& columns, TextLabels labels = TextLabels::needed) {
  const TemporaryFolder folder;
  std::string all;
  for (const std::string& warning : read_text_file(write_bytes(folder / "t.txt", text), columns, labels).warnings)
    all += warning + "\n";
  return all;
}

std::string refused(const std::string& text, const TextColumns& columns) {
  return message_of<DataError>([&] { said(text, columns); });
}

const TextColumns kTabs, kNamed = {"label", "text", ','};

}  // namespace

TEST_CASE("texts: a quote that swallows rows is said", "[text]") {
  const std::string file = "label,text\nham,ok\nspam,\"he said: free\nham,see you, later\nspam,call now\"\nham,so\n";
  const std::string doubt = said(file, kNamed);
  CHECK_THAT(doubt, Contains("line 3: the text in quotes that begins here has 3 lines, and line 4 looks like a row"));
  CHECK_THAT(doubt, Contains("\"ham,see you, later\""));
  CHECK_THAT(said("text,label\nok,ham\n\"free\nsee, you,ham\nnow\",spam\n", kNamed),
             Contains("line 4 looks like a row"));
  CHECK(said("label,text\nham,\"so,\nham\"\nspam,\"hello,\nyou there,\nham and eggs\"\n", kNamed).empty());
}

TEST_CASE("texts: what lies in columns without a name is said to be left out", "[text]") {
  const std::string header = "label,text,,\n";
  CHECK_THAT(said(header + "ham,ok,,\nspam,free, and more,\nham,so,,too\n", kNamed),
             Contains("2 rows have something in columns without a name, the first in line 3"));
  CHECK(said(header + "ham,ok,,\nspam,free,,\n", kNamed).empty());
  CHECK(said(",label,text\n0,ham,ok\n1,spam,free\n", kNamed).empty());  // numbers of the rows, as pandas writes them
}

TEST_CASE("texts: header lines that do not say which column is meant are refused", "[text]") {
  CHECK_THAT(refused("text,label,text\n1,ham,ok\n2,spam,free\n", kNamed),
             Contains("two columns of its header line are called \"text\""));
  CHECK_THAT(refused("0\t1\n0\tok\n1\tfree\n0\tso\n", kTabs), Contains("the first row, 0, 1, counts the columns"));
  CHECK_THAT(refused("\t0\t1\n0\t1\tok\n1\t0\tfree\n", {"2", "3", '\t'}), Contains("counts the columns"));
  CHECK(said("0\tok\n1\tfree\n0\tso\n", kTabs).empty());
}

TEST_CASE("texts: labels that mean none, or look like others, are said", "[text]") {
  CHECK_THAT(said("NA\tok\nham\tso\nNA\tfree\n", kTabs), Contains("the label \"NA\" of 2 rows is a class of its own"));
  CHECK_THAT(said("ham\u00A0\tok\nham\tso\nham\tfree\nham\u00A0\tso\n", kTabs), Contains("a no-break space in it"));
  CHECK_THAT(refused("ham\tok\nspam\xE9\tso\nham\tfree\n", kTabs),
             Contains("line 2, the label \"spam\\xe9\" is no UTF-8"));
  CHECK(said("ham\tNA\nham\tnull\nspam\tnan\n", kTabs).empty());
}

TEST_CASE("texts: each line of a file of one column keeps its place", "[text]") {
  const TemporaryFolder folder;
  const TextFile file =
      read_text_file(write_bytes(folder / "t.txt", "\ncall\r\n\r\n \nfree\n\n"), kTabs, TextLabels::optional);
  CHECK(file.texts == std::vector<std::string>{"", "call", "", "", "free"});
  CHECK(file.lines == std::vector<Index>{1, 2, 3, 4, 5});
  const TextFile quoted =
      read_text_file(write_bytes(folder / "q.csv", "text\n\"a\nb\"\n\nc\n"), kNamed, TextLabels::optional);
  CHECK(quoted.texts == std::vector<std::string>{"a\nb", "", "c"});
}

TEST_CASE("texts: of texts to predict a likely header line and labels that are none are said", "[text]") {
  const auto asked = [](const std::string& text) { return said(text, kTabs, TextLabels::optional); };
  CHECK_THAT(asked("Text\ncall me\n"), Contains("line 1: the first text is \"Text\": is it a header line?"));
  CHECK_THAT(asked("label\tmessage\nham\tso\nham\tcall\n"), Contains("is it a header line?"));
  CHECK_THAT(asked("1\tso\n2\tcall\n3\tfree\n"),
             Contains("column 1 is taken as that of the labels, but has a different"));
  CHECK(asked("so\ncall me\n").empty());
  CHECK(asked("ham\tso\nspam\tcall\nham\tfree\n").empty());
}

TEST_CASE("texts: two spellings of accents are said", "[text]") {
  const std::vector<std::string> apart = {"so", "cafe\u0301"}, within = {"caf\u00E9"}, none = {"cafe", "你好"};
  CHECK(mixed_accents("f", apart, within).has_value());
  CHECK(mixed_accents("f", within, apart).has_value());
  CHECK(mixed_accents("f", {apart[1], within[0]}, {}).has_value());
  CHECK_FALSE(mixed_accents("f", apart, none).has_value());
  CHECK_FALSE(mixed_accents("f", within, within).has_value());
  CHECK_FALSE(mixed_accents("f", none, {apart[1], within[0]}).has_value());
}

TEST_CASE("texts: training texts that have nothing in common are said", "[text]") {
  const TemporaryFolder folder;
  std::string file;
  for (int i = 0; i < 20; ++i) file += (i % 2 ? "a\t句子" : "b\t句子") + std::to_string(i) + "\n";
  DatasetOptions options = all_rows("text");
  options.task = Task::classification;
  options.path = options.text.test_path = write_bytes(folder / "t.txt", file);
  const auto warned = [&] {
    for (const std::string& note : load(options).notes)
      if (contains(note, "20 of 20 training texts have no n-gram in common")) return true;
    return false;
  };
  CHECK(warned());
  options.text.weights.characters = {1, 1};
  CHECK_FALSE(warned());
}
