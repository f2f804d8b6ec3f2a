#include <Eigen/Dense>

#include "core/base/error.h"
#include "core/data/loading/new_rows.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;
using Catch::Matchers::Contains;

namespace {

DatasetOptions texts(const std::filesystem::path& path) {
  DatasetOptions options = all_rows("text");
  options.path = path;
  options.task = Task::classification;
  return options;
}

/// What load_dataset says of a file with this text.
std::string refusal(const std::string& text, const std::function<void(DatasetOptions&)>& change = {}) {
  const TemporaryFolder folder;
  DatasetOptions options = texts(write_bytes(folder / "t.txt", text));
  options.draw.test_fraction = 0.5;
  if (change) change(options);
  return load_error(options);
}

void by_commas(DatasetOptions& options) { options.text.columns.delimiter = ','; }

const char* const kMessages =
    "ham\tOk \"see you then\nspam\tFREE call now\nham\tsee you, ok\nspam\tcall free free\nham\tok ok\nspam\tcall\n";

}  // namespace

TEST_CASE("texts: rows are those of TF-IDF learnt from the training file", "[text]") {
  const TemporaryFolder folder;
  DatasetOptions options = texts(write_bytes(folder / "train.txt", kMessages));
  options.text.test_path = write_bytes(folder / "test.txt", "spam\tfree unseen\r\n\r\nham\tunseen\r\n");
  const Split<double> split = load(options);
  CHECK(split.train.feature_names == std::vector<std::string>{"call", "free", "now", "ok", "see", "then", "you"});
  CHECK(split.train.class_names == std::vector<std::string>{"ham", "spam"});
  REQUIRE(split.train.size() == 6);
  REQUIRE(split.test.size() == 2);
  std::vector<std::string_view> training;
  for (const char* text : {"Ok \"see you then", "FREE call now", "see you, ok", "call free free", "ok ok", "call"})
    training.emplace_back(text);
  const TfIdf weights(training, {});
  CHECK(split.train.inputs == Matrix<double>(weights.rows(training)));
  CHECK(split.test.inputs == Matrix<double>(weights.rows({"free unseen", "unseen"})));
  CHECK(split.test.inputs.row(1).isZero(0));
  CHECK(split.test.targets(0, 1) == 1);
  bool said = false;
  for (const std::string& note : split.notes) said |= contains(note, "of 8 texts 1 have none of these n-grams");
  CHECK(said);
  CHECK(dataset_size(options).dimension == 7);
}

TEST_CASE("texts: words of test and validation rows alone are not in the vocabulary", "[text]") {
  const TemporaryFolder folder;
  std::string file;
  for (int i = 0; i < 60; ++i) file += (i % 2 ? "a\tword" : "b\tword") + std::to_string(i) + " both\n";
  DatasetOptions options = texts(write_bytes(folder / "t.txt", file));
  options.draw.test_fraction = 0.25;
  options.draw.validation_fraction = 0.2;
  const Split<float> split = load<float>(options);
  REQUIRE(split.train.size() == 36);
  CHECK(split.train.dimension() == 37);
  // Of its own words each training text has one; test and validation texts have none.
  CHECK((split.train.inputs.array() > 0).rowwise().count().minCoeff() == 2);
  CHECK((split.test.inputs.array() > 0).rowwise().count().maxCoeff() == 1);
  CHECK((split.validation.inputs.array() > 0).rowwise().count().maxCoeff() == 1);
  CHECK(load<float>(options).train.inputs == split.train.inputs);
  CHECK(load<float>(options, 1).train.feature_names != split.train.feature_names);
}

TEST_CASE("texts: columns by the names of a header, cells in quotes", "[text]") {
  const TemporaryFolder folder;
  const std::string file =
      "id,body,kind\n1,\"so, so\",x\n2,\"he said \"\"no\"\"\nand left\",y\n3,no so,x\n4,left no,y\n";
  DatasetOptions options = texts(write_bytes(folder / "t.csv", file));
  options.text.columns = {"kind", "body", ','};
  options.text.test_path = options.path;
  const Split<double> split = load(options);
  CHECK(split.train.class_names == std::vector<std::string>{"x", "y"});
  CHECK(split.train.feature_names == std::vector<std::string>{"and", "he", "left", "no", "said", "so"});
  CHECK(split.test.inputs == split.train.inputs);
  CHECK(split.transform.text->text == "body");
}

TEST_CASE("texts: what is wrong with a file is said by line", "[text]") {
  CHECK_THAT(refusal("a\tone two\nb\tthree\tfour\na\tx y\nb\tz\n"),
             Contains("line 2 has 3 cells, the first has 2: is there a delimiter (tab) within a text? Take it out"));
  CHECK_THAT(refusal("a,one two\nb,three, four\na,x y\nb,z\n", by_commas), Contains("Put the text in double quotes"));
  CHECK_THAT(refusal("a,one two\nb,three four\n"),
             Contains("the first row has 1 cell between delimiters (tab), but label and text are columns 1 and 2"));
  CHECK_THAT(refusal("label\ttext\na\tone two\nb\tthree\na\tx y\nb\tz w\n"),
             Contains("the label of the first row, \"label\", occurs nowhere else: is it a header line?"));
  CHECK_THAT(refusal("a\tone two\nb\tcaf\xE9 noir\na\tx y\n"), Contains("line 2, \"caf\\xe9 noir\", is no UTF-8 text"));
  CHECK_THAT(refusal("a\tone two\n\tthree\na\tx y\n"), Contains("line 2: no label"));
  CHECK_THAT(refusal("kind\tbody\na\tb c\n",
                     [](DatasetOptions& o) {
                       o.text.columns = {"kind", "text", '\t'};
                     }),
             Contains("no column \"text\" in its header line, which has \"kind\", \"body\""));
  CHECK_THAT(refusal("a\tb c\n",
                     [](DatasetOptions& o) {
                       o.text.columns = {"1", "text", '\t'};
                     }),
             Contains("must both be names of the header line, or both numbers"));
  CHECK_THAT(refusal("a\tb c\n",
                     [](DatasetOptions& o) {
                       o.text.columns = {"2", "2", '\t'};
                     }),
             Contains("`label` and `text` are both column 2"));
  CHECK_THAT(refusal(""), Contains("no rows"));
  // Label and text the wrong way round: every text is a class of its own.
  std::string swapped;
  for (int i = 0; i < 20; ++i) swapped += "text number " + std::to_string(i / 2 * 2 + (i > 1)) + "\tham\n";
  CHECK_THAT(refusal(swapped), Contains("different class labels"));
}

TEST_CASE("texts: labels of test rows are those of the training file", "[text]") {
  const TemporaryFolder folder;
  DatasetOptions options = texts(write_bytes(folder / "train.txt", kMessages));
  options.text.test_path = write_bytes(folder / "test.txt", "ham\tok\nspma\tcall\n");
  CHECK_THAT(load_error(options), Contains("test.txt: line 2: the label \"spma\" does not occur in"));
}

TEST_CASE("texts: a model is asked about files with labels, without, and with other columns", "[text]") {
  const TemporaryFolder folder;
  DatasetOptions options = texts(write_bytes(folder / "train.txt", kMessages));
  options.text.test_path = write_bytes(folder / "test.txt", "spam\tfree call\nham\tunseen\n");
  options.text.weights.sublinear_tf = true;
  options.text.weights.characters = {2, 3};
  const Split<float> split = load<float>(options);
  const auto asked = [&](const std::filesystem::path& path) {
    return read_new_rows<float>(path, split.transform, split.train.dimension(), std::nullopt);
  };
  CHECK(asked(options.path) == split.train.inputs);
  CHECK(asked(options.text.test_path) == split.test.inputs);
  CHECK(asked(write_bytes(folder / "new.txt", "free call\nunseen\n")) == split.test.inputs);
  options.text.columns = {"kind", "body", ','};
  options.path = write_bytes(folder / "train.csv", "kind,body\nx,so so\ny,no no\nx,so\ny,no\n");
  options.text.test_path = write_bytes(folder / "test.csv", "kind,body\nx,so so\n");
  const Split<float> named = load<float>(options);
  CHECK(read_new_rows<float>(write_bytes(folder / "new.csv", "id,body\n7,so so\n"), named.transform,
                             named.train.dimension(), std::nullopt) == named.test.inputs);
}
