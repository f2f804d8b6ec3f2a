#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/base/error.h"
#include "core/data/collections/uci_collection.h"
#include "tests/core/data/collections/uci_files.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

/// What reading the set says after `change` was made to its files.
template <class Change>
std::string refusal(Change change) {
  const TemporaryFolder folder;
  UciFiles files;
  change(files);
  files.write(folder.path());
  return message_of<DataError>([&] {
    const Collection collection = open_uci_collection(folder.path());
    collection.read("toy");
  });
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  text.replace(at, from.size(), to);
}

/// A set whose test rows (2 of them, of classes 0 and 2) are in a file of their own.
void write_two_files(const std::filesystem::path& folder) {
  UciFiles files;
  replace(files.description, "n_arquivos= 1", "n_arquivos= 2");
  files.description += "fich2= toy_test_R.dat\nn_patrons2= 2\n";
  files.write(folder);
  write_bytes(folder / "toy" / "toy_test_R.dat", "\tf1\tf2\tclase\n1\t6\t-3\t0\n2\t7\t-3.5\t2\n");
  std::filesystem::remove(folder / "toy" / "conxuntos_kfold.dat");  // of such a set it is not looked at
}

}  // namespace

TEST_CASE("A UCI set of one file: values, classes, tuning halves and folds are those of the files") {
  const TemporaryFolder folder;
  UciFiles().write(folder.path());
  const Collection collection = open_uci_collection(folder.path());
  REQUIRE(collection.sets.size() == 1);
  CHECK(collection.damaged.empty());
  CHECK_FALSE(collection.published);
  const TableSetSize& size = collection.sets[0];
  CHECK(size.name == "toy");
  CHECK((size.rows == 6 && size.features == 2 && size.outputs == 3 && !size.two_files));
  CHECK(size.task == Task::classification);

  const TableSet set = collection.read("toy");
  CHECK(set.name == "toy");
  CHECK(set.rows.feature_names == std::vector<std::string>{"f1", "f2"});
  CHECK(set.rows.class_names == std::vector<std::string>{"0", "1", "2"});
  REQUIRE((set.rows.size() == 6 && set.rows.outputs() == 3));
  for (Index i = 0; i < 6; ++i) {
    CHECK(set.rows.inputs(i, 0) == static_cast<double>(i));
    CHECK(set.rows.inputs(i, 1) == -0.5 * static_cast<double>(i));
    for (Index k = 0; k < 3; ++k) CHECK(set.rows.targets(i, k) == (i % 3 == k ? 1 : 0));
  }
  REQUIRE(set.tuning);
  CHECK(set.tuning->train == std::vector<Index>{5, 0, 1});
  CHECK(set.tuning->test == std::vector<Index>{4, 2, 3});
  REQUIRE(set.folds.size() == 4);
  CHECK(set.folds[3].train == std::vector<Index>{1, 2, 3, 4});
  CHECK(set.folds[3].test == std::vector<Index>{5, 0});
  // Rows 0 and 5 are in two test parts; every row is in one.
  REQUIRE(set.notes.size() == 1);
  CHECK(contains(set.notes[0], "4 folds overlap: 2 rows are in several, 0 in none"));
}

TEST_CASE("A UCI set of two files: one fold, from the first to the second") {
  const TemporaryFolder folder;
  write_two_files(folder.path());
  const Collection collection = open_uci_collection(folder.path());
  REQUIRE(collection.sets.size() == 1);
  CHECK((collection.sets[0].rows == 8 && collection.sets[0].two_files));
  const TableSet set = collection.read("toy");
  REQUIRE(set.rows.size() == 8);
  CHECK(set.rows.inputs(7, 0) == 7);
  REQUIRE(set.folds.size() == 1);
  CHECK(set.folds[0].train == std::vector<Index>{0, 1, 2, 3, 4, 5});
  CHECK(set.folds[0].test == std::vector<Index>{6, 7});
  CHECK(set.tuning->test == std::vector<Index>{4, 2, 3});
}

TEST_CASE("A UCI set whose second file was not standardised has the folds of its first, and says so") {
  const TemporaryFolder folder;
  write_two_files(folder.path());
  const auto second_file = [&](const std::string& rows) {
    write_bytes(folder / "toy" / "toy_test_R.dat", "\tf1\tf2\tclase\n" + rows);
  };
  second_file("1\t100\t-1\t0\n2\t104\t-1.5\t2\n");
  CHECK(contains(message_of<DataError>([&] { open_uci_collection(folder.path()).read("toy"); }),
                 "1 of 2 columns have means that lie more than a standard deviation apart"));  // and no folds
  write_bytes(folder / "toy" / "conxuntos_kfold.dat", UciFiles().folds);
  const TableSet set = open_uci_collection(folder.path()).read("toy");
  CHECK(set.rows.size() == 6);
  CHECK(set.folds.size() == 4);
  REQUIRE(set.warnings.size() == 1);
  CHECK(contains(set.warnings[0], "another scale than its first"));
  // Two rows may lie some way off by chance.
  second_file("1\t6\t-1\t0\n2\t8\t-1.5\t2\n");
  CHECK(open_uci_collection(folder.path()).read("toy").folds.size() == 1);
}

TEST_CASE("UCI sets: packed files, CRLF, byte order marks and other names of the class column read the same") {
  const TemporaryFolder plain, other;
  UciFiles files;
  files.write(plain.path());
  const TableSet expected = open_uci_collection(plain.path()).read("toy");
  const auto same = [&](const TableSet& set) {
    return set.rows.inputs == expected.rows.inputs && set.rows.targets == expected.rows.targets &&
           set.tuning->train == expected.tuning->train && set.folds[3].test == expected.folds[3].test;
  };
  SECTION("every file packed") {
    files.write(other.path());
    for (const char* name : {"toy.txt", "toy_R.dat", "conxuntos.dat", "conxuntos_kfold.dat"}) {
      const std::filesystem::path path = other / "toy" / name;
      write_bytes(path.string() + ".gz", gzipped(read_bytes(path)));
      std::filesystem::remove(path);
    }
  }
  SECTION("carriage returns") {
    for (std::string* text : {&files.description, &files.data, &files.tuning, &files.folds})
      for (std::size_t at = 0; (at = text->find('\n', at)) != text->npos; at += 2) text->insert(at, "\r");
    files.write(other.path());
  }
  SECTION("byte order marks, empty lines, no end of the last line, and a class column called estado") {
    for (std::string* text : {&files.description, &files.data, &files.tuning, &files.folds}) {
      text->insert(0, "\xEF\xBB\xBF");
      text->pop_back();
    }
    replace(files.data, "clase", "estado");
    replace(files.tuning, " \n", " \n\n");
    files.write(other.path());
  }
  CHECK(same(open_uci_collection(other.path()).read("toy")));
}

TEST_CASE("Damage in a UCI set's data is named by file and line") {
  using Files = UciFiles&;
  CHECK(contains(refusal([](Files f) { replace(f.data, "\t-0.5\t", "\tnan\t"); }),
                 "toy_R.dat: row 2 (line 3): cell 3, \"nan\", is no finite number"));
  CHECK(contains(refusal([](Files f) { replace(f.data, "\t-0.5\t", "\t1e999\t"); }), "is no finite number"));
  CHECK(contains(refusal([](Files f) { replace(f.data, "\t-0.5\t", "\t?\t"); }), "(line 3): cell 3"));
  CHECK(contains(refusal([](Files f) { replace(f.data, "\t-0.5\t", "\t"); }), "(line 3) has 3 cells; there must be 4"));
  CHECK(contains(refusal([](Files f) { replace(f.data, "-2.5\t2", "-2.5\t3"); }),
                 "(line 7): 3 is no class of 0 to 2; are classes counted from 1?"));
  CHECK(contains(refusal([](Files f) { replace(f.data, "-2.5\t2", "-2.5\t-1"); }), "-1 is no class"));
  CHECK(contains(refusal([](Files f) { replace(f.data, "-2.5\t2", "-2.5\t0.5"); }), "0.5 is no class"));
  CHECK(contains(refusal([](Files f) { replace(f.data, "6\t5\t-2.5\t2\n", ""); }),
                 "toy_R.dat: 5 rows, but the set's description says 6"));
  CHECK(contains(refusal([](Files f) { f.data += "7\t5\t-2.5\t2\n"; }), "7 rows, but"));
  CHECK(contains(refusal([](Files f) { f.data.clear(); }), "empty"));
  CHECK(contains(refusal([](Files f) { f.data = gzipped(f.data).substr(0, 40); }), "toy_R.dat"));
}

TEST_CASE("Damage in a UCI set's lists of rows is named by file and line") {
  using Files = UciFiles&;
  const std::string kfold = "conxuntos_kfold.dat: line 2: ";
  CHECK(contains(refusal([](Files f) { replace(f.folds, "4 5 \n", "4 6 \n"); }),
                 kfold + "\"6\" is no row of 0 to 5; are rows counted from 1?"));
  CHECK(contains(refusal([](Files f) { replace(f.folds, "4 5 \n", "4 -5 \n"); }), kfold + "\"-5\" is no row"));
  CHECK(contains(refusal([](Files f) { replace(f.folds, "4 5 \n", "4 5.0 \n"); }), kfold + "\"5.0\" is no row"));
  CHECK(contains(refusal([](Files f) { replace(f.folds, "4 5 \n", "4 4 \n"); }), kfold + "row 4 is there twice"));
  CHECK(contains(refusal([](Files f) { replace(f.folds, "4 5 \n", "4 3 \n"); }), kfold + "row 3 is in line 1, too"));
  CHECK(
      contains(refusal([](Files f) { replace(f.folds, "4 5 \n", "4 \n"); }), "fold 1 (lines 1 and 2) has 5 of the 6"));
  CHECK(contains(refusal([](Files f) { replace(f.folds, "5 0 \n", ""); }), "7 lines of row numbers; there must be 8"));
  CHECK(contains(refusal([](Files f) { f.folds += "1 2\n"; }), "9 lines"));
  CHECK(contains(refusal([](Files f) { replace(f.tuning, "5 0 1", "5 0"); }),
                 "conxuntos.dat: tuning halves of 2 and 3 rows, but the set's description says 3 and 3"));
  CHECK(contains(refusal([](Files f) { replace(f.tuning, "5 0 1", "5 0 3"); }), "conxuntos.dat: line 2: row 3"));
}

TEST_CASE("Tuning halves of other sizes than described are used if they hold every row") {
  const TemporaryFolder folder;
  UciFiles files;
  files.tuning = "5 0 1 4 \n2 3 \n";
  files.write(folder.path());
  const TableSet set = open_uci_collection(folder.path()).read("toy");
  CHECK(set.tuning->train.size() == 4);
  CHECK(std::any_of(set.notes.begin(), set.notes.end(),
                    [](const std::string& note) { return contains(note, "tuning halves of 4 and 2 rows"); }));
}

TEST_CASE("A class that no training row has is noted") {
  const TemporaryFolder folder;
  UciFiles files;
  files.tuning = "0 1 3 \n2 4 5 \n";  // both rows of class 2 are for selection
  replace(files.folds, "0 1 2 3 \n4 5 ", "0 3 1 4 \n2 5 ");
  replace(files.description, "n_clases= 3", "n_clases= 4");
  files.write(folder.path());
  const TableSet set = open_uci_collection(folder.path()).read("toy");
  CHECK(set.rows.outputs() == 4);
  const auto notes = [&](const std::string& part) {
    return std::count_if(set.notes.begin(), set.notes.end(),
                         [&](const std::string& note) { return contains(note, part); });
  };
  CHECK(notes("tuning: class 2 has 2 test rows and no training row") == 1);
  CHECK(notes("fold 1: class 2 has 2 test rows and no training row") == 1);
  CHECK(notes("no row is of class 3") == 1);
  CHECK(notes("no training row") == 2);
}

TEST_CASE("A damaged set does not spoil its collection") {
  const TemporaryFolder folder;
  UciFiles().write(folder.path());
  const auto broken = [&](const std::string& name, const std::string& description) {
    std::filesystem::create_directories(folder / name);
    write_bytes(folder / name / (name + ".txt"), description);
    write_bytes(folder / name / "x_R.dat", "");
  };
  broken("a_no_features", "n_clases= 3\nn_arquivos= 1\n");
  broken("b_no_file", UciFiles().description);
  broken("c_word", "n_entradas= two\n");
  broken("d_line", "n_entradas 2\n");
  broken("e_twice", "n_entradas= 2\nn_entradas= 2\n");
  broken("f_path", "n_entradas= 2\nn_clases= 3\nn_arquivos= 1\nfich1= ../toy/toy_R.dat\nn_patrons1= 6\n");
  std::filesystem::create_directories(folder / "g_undescribed");
  write_bytes(folder / "g_undescribed" / "y_R.dat.gz", "");
  std::filesystem::create_directories(folder / "no_set_at_all");
  const Collection collection = open_uci_collection(folder.path());
  REQUIRE(collection.sets.size() == 1);
  CHECK(collection.read("toy").rows.size() == 6);
  const std::vector<std::string> reasons = {"a_no_features.txt: there is no n_entradas",
                                            "b_no_file: no toy_R.dat or toy_R.dat.gz there",
                                            "c_word.txt: line 1: n_entradas must be a whole number from 1",
                                            "d_line.txt: line 1 is no line \"key= value\"",
                                            "e_twice.txt: line 2 gives \"n_entradas\" a second time",
                                            "f_path.txt: line 4: fich1 must be the name of a file",
                                            "g_undescribed: no g_undescribed.txt"};
  REQUIRE(collection.damaged.size() == reasons.size());
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    INFO(collection.damaged[i].why);
    CHECK(contains(collection.damaged[i].why, reasons[i]));
    CHECK(contains(reasons[i], collection.damaged[i].name));
  }
  CHECK(contains(message_of<DataError>([&] { collection.read("tot"); }), "did you mean \"toy\"?"));
  CHECK(contains(message_of<DataError>([&] { collection.read("c_word"); }), "there is no set \"c_word\""));
}

TEST_CASE("A folder without a set is refused") {
  const TemporaryFolder folder;
  CHECK(contains(message_of<DataError>([&] { open_uci_collection(folder.path()); }), "no data set"));
  CHECK(contains(message_of<DataError>([&] { open_uci_collection(folder / "none"); }), "cannot be listed"));
}

TEST_CASE("Published results stand beside the sets, or are named as damaged") {
  const TemporaryFolder folder;
  UciFiles().write(folder.path());
  std::filesystem::create_directories(folder / "results");
  const std::filesystem::path file = folder / "results" / "results.txt";
  write_bytes(file, "problema a_R b_R\tmin\tmax\tmean\tstd\nother 50.0 --\t50.0\t50.0\t50.0\t0.0\n");
  Collection collection = open_uci_collection(folder.path());
  REQUIRE(collection.published);
  CHECK(collection.published->sets == std::vector<std::string>{"other"});
  REQUIRE(collection.notes.size() == 1);
  CHECK(contains(collection.notes[0], "has no results for: toy"));
  write_bytes(file, "problema a_R\n");
  collection = open_uci_collection(folder.path());
  CHECK_FALSE(collection.published);
  REQUIRE(collection.damaged.size() == 1);
  CHECK(collection.damaged[0].name == "published results");
  CHECK(collection.read("toy").rows.size() == 6);
}

TEST_CASE("Every set of the real UCI collection can be read and is what its files say") {
  const char* const data = std::getenv("ANSATZ_DATA");
  const std::filesystem::path folder = data == nullptr ? "" : std::filesystem::path(data) / "uci121";
  if (!std::filesystem::is_directory(folder)) {
    WARN("skipped: $ANSATZ_DATA/uci121 is not there");
    return;
  }
  const Collection collection = open_uci_collection(folder);
  CHECK(collection.damaged.empty());
  CHECK(collection.notes.empty());
  REQUIRE(collection.published);
  for (const TableSetSize& size : collection.sets) {
    INFO(size.name);
    const TableSet set = collection.read(size.name);
    const bool off_scale = !set.warnings.empty();  // its second file is left out
    CHECK((off_scale ? size.two_files && set.rows.size() < size.rows : set.rows.size() == size.rows));
    CHECK(set.rows.dimension() == size.features);
    CHECK(set.rows.outputs() == size.outputs);
    CHECK(set.rows.targets.sum() == static_cast<double>(set.rows.size()));
    REQUIRE(set.folds.size() == (size.two_files && !off_scale ? 1U : 4U));
    for (const RowSplit& fold : set.folds) {
      std::vector<Index> rows = fold.train;
      rows.insert(rows.end(), fold.test.begin(), fold.test.end());
      std::sort(rows.begin(), rows.end());
      std::vector<Index> all(static_cast<std::size_t>(set.rows.size()));
      std::iota(all.begin(), all.end(), Index{0});
      CHECK(rows == all);
    }
  }
}
