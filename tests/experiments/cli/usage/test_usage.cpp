// Mistyped command lines are answered with what is meant, and --help shows what works.
#include <sstream>

#include "experiments/cli/usage/examples.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using ansatz::experiments::examples_of;
using ansatz::testing::ProgramResult;
using ansatz::testing::Workspace;

namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The commands that --help names.
std::vector<std::string> commands(const Workspace& work) {
  const std::string help = work.run({"--help"}).out;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("  ", 0) == 0 && line[2] != ' ') names.push_back(words_of(line).front());
  return names;
}

std::string complaint(const Workspace& work, const std::vector<std::string>& arguments) {
  const ProgramResult result = work.run(arguments);
  CHECK(result.exit_code == 2);
  return result.err;
}

}  // namespace

TEST_CASE("a mistyped command is answered with the nearest") {
  const Workspace work;
  CHECK(complaint(work, {"rnu", "a.yaml"}) == "ansatz: there is no command \"rnu\"; did you mean run?\n");
  CHECK(complaint(work, {"xyzzy"}) == "ansatz: there is no command \"xyzzy\"; `ansatz --help` names them\n");
  CHECK_THAT(complaint(work, {"train", "a.yaml"}), Catch::Contains("did you mean run?"));
  CHECK_THAT(complaint(work, {"help"}), Catch::Contains("`ansatz COMMAND --help` explains one"));
  CHECK_THAT(complaint(work, {"version"}), Catch::Contains("write `ansatz --version`"));
  CHECK_THAT(complaint(work, {"a.yaml"}), Catch::Contains("did you mean `ansatz run a.yaml`?"));
  CHECK_THAT(complaint(work, {}), Catch::Contains("`ansatz --help` shows the usage"));
}

TEST_CASE("an option that a command does not have is answered with what is meant") {
  const Workspace work;
  work.write("a.yaml", "rfm: {}\n");
  const auto said = [&](const std::string& option) { return complaint(work, {"run", "a.yaml", option}); };
  CHECK_THAT(said("--dry-run"), Catch::Contains("--dry-run; `ansatz plan CONFIG` shows what a run would do"));
  CHECK_THAT(said("--gpu"), Catch::Contains("write --device cuda"));
  CHECK_THAT(said("--thread=2"), Catch::Contains("did you mean --threads?"));
  CHECK_THAT(said("--lr=0.1"), Catch::Contains("--set network.optimizer.learning_rate=VALUE"));
  CHECK_THAT(said("--seed=3"), Catch::Contains("--set seed=VALUE"));
  CHECK_THAT(said("--batch-size=5"), Catch::Contains("--set network.batch_size=VALUE"));
  CHECK_THAT(said("--xyzzy"), Catch::Contains("`ansatz run --help` shows the usage"));
  CHECK_THAT(complaint(work, {"run", "a.yaml", "--device", "gpu"}), Catch::Contains("did you mean cuda?"));
  CHECK_FALSE(std::filesystem::exists(work.path() / "runs"));
}

TEST_CASE("the help of every command shows two examples, and they are understood") {
  const Workspace work;  // without the files that they name: none gets far
  const std::vector<std::string> names = commands(work);
  CHECK(names.size() >= 8);
  for (const std::string& command : names) {
    CAPTURE(command);
    const std::string help = work.run({command, "--help"}).out;
    CHECK(examples_of(command).size() >= 2);
    for (const std::string& line : examples_of(command)) {
      CAPTURE(line);
      CHECK_THAT(help, Catch::Contains(line));
      std::vector<std::string> words = words_of(line);
      REQUIRE(words.size() >= 2);
      CHECK(words[0] == "ansatz");
      CHECK(words[1] == command);
      words.erase(words.begin());
      if (words.back() == "--download") words.insert(words.end(), {"--from", "http://127.0.0.1:9/none"});
      const ProgramResult result = work.run(words);
      CHECK_THAT(result.err, !Catch::Contains("shows the usage") && !Catch::Contains("did you mean"));
    }
  }
}

TEST_CASE("the help shows defaults") {
  const Workspace work;
  CHECK_THAT(work.run({"compare", "--help"}).out, Catch::Contains("--top INT=3"));
  CHECK_THAT(work.run({"render", "--help"}).out, Catch::Contains("=diagonal"));
  CHECK_THAT(work.run({"run", "--help"}).out, !Catch::Contains("[]"));
}
