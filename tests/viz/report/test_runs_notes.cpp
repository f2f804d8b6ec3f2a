#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/finished_run.h"
#include "tests/support/temporary_folder.h"
#include "viz/report/runs_notes.h"

using namespace ansatz;
using namespace ansatz::viz;
using ansatz::testing::finished_run;

namespace {

FinishedRun run(const std::string& name, const std::string& test_digest, Task task = Task::regression) {
  RunRecord record;
  record.data.emplace();
  record.data->task = task;
  record.data->digest = {{"train_inputs", name}, {"test_inputs", test_digest}, {"test_targets", "y"}};
  return finished_run(name, {record});
}

}  // namespace

TEST_CASE("runs that may be held against one another have no notes") {
  CHECK(notes_on({run("a", "x"), run("b", "x")}).empty());
  CHECK(notes_on({run("a", "x")}).empty());
}

TEST_CASE("other test data, another task and warnings are said") {
  const std::vector<std::string> rows = notes_on({run("a", "x"), run("b", "z"), run("c", "x"), run("d", "w")});
  REQUIRE(rows.size() == 1);
  CHECK(contains(rows[0], "b, d: the test data are not those of a "));
  CHECK(contains(notes_on({run("a", "x"), run("b", "x", Task::classification)}).at(0), "accuracies of b, and R² of a"));
  FinishedRun poor = run("b", "x");
  poor.seeds[0].warnings = {"network: nothing learned"};
  CHECK(notes_on({run("a", "x"), poor}) == std::vector<std::string>{"b: network: nothing learned"});
  poor.seeds[0].seed = 4;
  poor.seeds.push_back(poor.seeds[0]);
  poor.seeds[1].warnings.clear();
  CHECK(notes_on({poor}).back() == "b: seed 4: network: nothing learned");
}

TEST_CASE("one folder under two names is said") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a");
  std::filesystem::create_directory_symlink(folder / "a", folder / "b");
  FinishedRun a = run("a", "x"), b = run("b", "x");
  a.folder = folder / "a";
  b.folder = folder / "b";
  CHECK(contains(notes_on({a, b}).at(0), "a and b are one run: "));
}

TEST_CASE("inputs of other names, or in another order, are told apart") {
  FinishedRun a = run("a", "x"), b = run("b", "x");
  CHECK(difference_of_inputs(a, b).empty());
  a.seeds[0].data->feature_names = {"age", "income"};
  CHECK(difference_of_inputs(a, b).empty());
  b.seeds[0].data->feature_names = {"age", "income"};
  CHECK(difference_of_inputs(a, b).empty());
  b.seeds[0].data->feature_names = {"income", "age"};
  CHECK(difference_of_inputs(a, b) == "number 1 is age in a and income in b");
  CHECK(notes_on_inputs({a, a}).empty());
  CHECK(notes_on_inputs({a, a, b}) ==
        std::vector<std::string>{"the inputs of a and b are not the same: number 1 is age in a and income in b"});
}
