// A benchmark from its config to its results, as its users run it.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "core/base/random.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

std::string list_of(const std::vector<Index>& rows) {
  std::string line;
  for (const Index row : rows) line += std::to_string(row) + " ";
  return line + "\n";
}

/// A set of the UCI study's layout: two classes, by whether the first two of three inputs have one sign.
void write_set(const Workspace& work, const std::string& name, Index n, const std::string& last_line = "") {
  RandomStream stream = RandomStream(7).named(name);
  const std::string folder = "uci/" + name + "/";
  work.write(folder + name + ".txt",
             fmt::format("n_entradas= 3\nn_clases= 2\nn_arquivos= 1\nfich1= {}_R.dat\nn_patrons1= {}\n"
                         "n_patrons_entrena= {}\nn_patrons_valida= {}\nn_conxuntos= 1\n",
                         name, n, n / 2, n - n / 2));
  std::string data = "\tf1\tf2\tf3\tclase\n";
  for (Index i = 0; i < n; ++i) {
    const double a = stream.normal(), b = stream.normal(), c = stream.normal();
    data += i + 1 == n && !last_line.empty()
                ? last_line
                : fmt::format("{}\t{:.6g}\t{:.6g}\t{:.6g}\t{}\n", i + 1, a, b, c, a * b > 0 ? 1 : 0);
  }
  work.write(folder + name + "_R.dat", data);
  std::vector<Index> order = stream.permutation(n);
  work.write(folder + "conxuntos.dat",
             list_of({order.begin(), order.begin() + n / 2}) + list_of({order.begin() + n / 2, order.end()}));
  std::string folds;
  for (int fold = 0; fold < 4; ++fold) {
    order = stream.permutation(n);
    folds += list_of({order.begin(), order.begin() + 3 * n / 4}) + list_of({order.begin() + 3 * n / 4, order.end()});
  }
  work.write(folder + "conxuntos_kfold.dat", folds);
}

const std::string kConfig =
    "experiment: benchmark\n"
    "report: false\n"
    "benchmark:\n"
    "  collection: {kind: uci, path: uci}\n"
    "  protocol: both\n"
    "  methods:\n"
    "    - {name: Laplace, kind: kernel, bandwidth: 10, tune: {ridge: [1, 0.01], scaling: [unit_norm, none]}}\n"
    "    - {name: RFM, kind: rfm, bandwidth: 10, iterations: 2, tune: {ridge: [1, 0.01], feature_matrix: [full, "
    "diagonal]}}\n";

ProgramLimits on_its_own() {
  ProgramLimits limits;
  limits.own_process = true;  // its jobs are processes of the same program
  return limits;
}

nlohmann::ordered_json set_of(const nlohmann::ordered_json& metrics, const std::string& name) {
  for (const auto& set : metrics.at("benchmark").at("sets"))
    if (set.at("name") == name) return set;
  throw std::runtime_error("no set " + name);
}

}  // namespace

TEST_CASE("a benchmark runs every set, and goes on beyond a damaged one", "[benchmark]") {
  const Workspace work;
  write_set(work, "apples", 80);
  write_set(work, "pears", 60);
  write_set(work, "torn", 40, "40\t0.1\tn/a\t0.3\t1\n");
  work.write("c.yaml", kConfig);
  const ProgramResult run = work.run({"run", "c.yaml", "--out", "out"}, on_its_own());
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK_THAT(run.err, Catch::Contains("torn is left out: ") && Catch::Contains("n/a"));
  const auto metrics = work.metrics("out");
  REQUIRE(metrics.at("benchmark").at("sets").size() == 3);
  CHECK_THAT(set_of(metrics, "torn").at("failure").get<std::string>(), Catch::Contains("n/a"));
  for (const char* name : {"apples", "pears"}) {
    const auto set = set_of(metrics, name);
    REQUIRE(set.at("results").size() == 3);
    for (const auto& result : set.at("results")) {
      REQUIRE(result.at("folds").size() == 4);
      for (const auto& fold : result.at("folds")) CHECK(fold.at("accuracy").get<double>() > 0.5);
    }
    CHECK(work.metrics(std::string("out/parts/") + name).at("benchmark").at("sets").at(0) == set);
  }
  CHECK(metrics.at("benchmark").at("baseline") == "Laplace");

  // One set alone, in its own process, is the same.
  const ProgramResult alone = work.run({"run", "c.yaml", "--out", "alone", "--set", "benchmark.set=pears"});
  INFO(alone.err);
  REQUIRE(alone.exit_code == 0);
  CHECK(set_of(work.metrics("alone"), "pears") == set_of(metrics, "pears"));
}

TEST_CASE("a benchmark that is interrupted goes on to the same results", "[benchmark]") {
  const Workspace work;
  for (const char* name : {"a", "b", "c", "d"}) write_set(work, name, 60);
  work.write("c.yaml", kConfig);
  const std::vector<std::string> in_turn = {"--set", "benchmark.jobs=1"};
  std::vector<std::string> whole = {"run", "c.yaml", "--out", "whole", "--quiet"},
                           cut = {"run", "c.yaml", "--out", "cut"};
  whole.insert(whole.end(), in_turn.begin(), in_turn.end());
  cut.insert(cut.end(), in_turn.begin(), in_turn.end());
  REQUIRE(work.run(whole, on_its_own()).exit_code == 0);
  ProgramLimits limits = on_its_own();
  limits.interrupt_when = "cut/parts/a/metrics.json";
  const ProgramResult first = work.run(cut, limits);
  INFO(first.err);
  REQUIRE(first.exit_code == 130);
  CHECK_FALSE(std::filesystem::exists(work.path() / "cut/metrics.json"));
  const ProgramResult second = work.run({"resume", "cut"}, on_its_own());
  INFO(second.err);
  REQUIRE(second.exit_code == 0);
  auto expected = work.results("whole"), got = work.results("cut");
  for (auto* results : {&expected, &got}) {
    results->erase("config");
    results->erase("name");
  }
  CHECK(got == expected);
}

TEST_CASE("a benchmark is judged by what its config expects, again too, without running its sets", "[benchmark]") {
  const Workspace work;
  for (const char* name : {"a", "b", "c"}) write_set(work, name, 60);
  work.write("c.yaml", kConfig + "findings:\n  expected:\n    - {name: gap.rfm_clean.laplace, at_least: -50}\n");
  REQUIRE(work.run({"run", "c.yaml", "--out", "out"}, on_its_own()).exit_code == 0);
  const auto metrics = work.metrics("out");
  const auto verdict_on = [&](const std::string& name) {
    const auto now = work.metrics("out");
    for (const auto& finding : now.at("findings").at("list"))
      if (finding.at("name") == name) return finding.value("verdict", std::string("none"));
    return std::string("missing");
  };
  CHECK(verdict_on("gap.rfm_clean.laplace") == "holds");
  CHECK(verdict_on("rank_lead.rfm_authors") == "none");
  std::vector<std::string> figures;
  for (const auto& figure : metrics.at("figures")) figures.push_back(figure.at("file").get<std::string>());
  CHECK(figures == std::vector<std::string>{"ranks", "paired", "improvement"});
  CHECK_FALSE(work.metrics("out/parts/a").contains("findings"));

  const std::string asked = "gap.rfm_clean.laplace\n      at_least: -50", config = work.read("out/config.yaml");
  REQUIRE(config.find(asked) != std::string::npos);
  work.write("out/config.yaml", std::string(config).replace(config.find(asked), asked.size(),
                                                            "gap.rfm_clean.laplace\n      at_least: 50"));
  std::filesystem::remove(work.path() / "out/manifest.json");
  std::filesystem::remove_all(work.path() / "uci/a");  // of sets that are done only the sizes are looked at
  write_set(work, "a", 60, "60\t0.1\tn/a\t0.3\t1\n");
  const ProgramResult again = work.run({"resume", "out"}, on_its_own());
  INFO(again.err);
  REQUIRE(again.exit_code == 0);
  CHECK(verdict_on("gap.rfm_clean.laplace") == "differs");
  CHECK(work.metrics("out").at("benchmark") == metrics.at("benchmark"));
  const ProgramResult wrong =
      work.run({"run", "c.yaml", "--out", "x", "--set", "findings.expected=[{name: gap.rfm.laplace}]"});
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.err, Catch::Contains("gap.rfm_clean.laplace"));
}

TEST_CASE("a benchmark that goes on warns of finished sets whose files have changed since", "[benchmark]") {
  const Workspace work;
  for (const char* name : {"a", "b", "c", "d"}) write_set(work, name, 60);
  work.write("c.yaml", kConfig);
  ProgramLimits limits = on_its_own();
  limits.interrupt_when = "cut/parts/b/metrics.json";  // a has ended before
  REQUIRE(work.run({"run", "c.yaml", "--out", "cut", "--set", "benchmark.jobs=1"}, limits).exit_code == 130);
  write_set(work, "a", 64);
  const ProgramResult second = work.run({"resume", "cut"}, on_its_own());
  INFO(second.err);
  CHECK(second.exit_code == 0);
  CHECK_THAT(second.err, Catch::Contains("a: the data are not those that ") && Catch::Contains("uci/a"));
}

TEST_CASE("a benchmark names what it cannot find", "[benchmark]") {
  const Workspace work;
  write_set(work, "apples", 40);
  work.write("c.yaml", kConfig);
  const auto failure = [&](const std::string& assignment) {
    const ProgramResult run = work.run({"run", "c.yaml", "--out", "out", "--set", assignment});
    CHECK(run.exit_code == 3);
    return run.err;
  };
  CHECK_THAT(failure("benchmark.sets=[aples]"), Catch::Contains("did you mean apples?"));
  CHECK_THAT(failure("benchmark.max_rows=10"), Catch::Contains("no set is left"));
  CHECK_THAT(failure("benchmark.collection.path=nowhere"), Catch::Contains("nowhere"));
  const ProgramResult plan = work.run({"plan", "c.yaml"});
  CHECK(plan.exit_code == 0);
  CHECK_THAT(plan.out, Catch::Contains("apples") && Catch::Contains("40 x 3, 2 classes"));
}

TEST_CASE("run --each makes a run of each value in one process, and goes on beyond one that fails", "[benchmark]") {
  const Workspace work;
  write_set(work, "apples", 40);
  write_set(work, "torn", 40, "40\t0.1\tn/a\t0.3\t1\n");
  write_set(work, "pears", 40);
  work.write("c.yaml", kConfig);
  const ProgramResult run = work.run({"run", "c.yaml", "--out", "each", "--each", "benchmark.set=torn", "--each",
                                      "benchmark.set=apples", "--each", "benchmark.set=pears"});
  CHECK(run.exit_code == 3);
  CHECK_THAT(run.err, Catch::Contains("torn: ") && Catch::Contains("n/a"));
  for (const std::string name : {"apples", "pears"}) {
    const ProgramResult alone = work.run({"run", "c.yaml", "--out", "alone", "--set", "benchmark.set=" + name});
    REQUIRE(alone.exit_code == 0);
    CHECK(set_of(work.metrics("each/" + name), name) == set_of(work.metrics("alone"), name));
    std::filesystem::remove_all(work.path() / "alone");
  }
  const ProgramResult refused = work.run({"run", "c.yaml", "--out", "x", "--each", "benchmark.set="});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Catch::Contains("--each"));
}

namespace {

/// Tables of 40 rows: two inputs and a class of words, written by `row` (number, first input).
std::string table(const std::string& header, const std::function<std::string(Index, double)>& row) {
  RandomStream stream(3);
  std::string text = header + "\n";
  for (Index i = 0; i < 40; ++i) text += row(i, stream.normal()) + "\n";
  return text;
}

const std::string kTablesConfig =
    "experiment: benchmark\nreport: false\nbenchmark:\n  collection: {kind: tables, path: t}\n"
    "  methods: [{name: Laplace, kind: kernel, bandwidth: 10}]\n";

}  // namespace

TEST_CASE("sets of a benchmark may have names that YAML takes for something else", "[benchmark]") {
  const Workspace work;
  work.write("t/a.csv", table("u,v,class", [](Index i, double u) {
               return fmt::format("{:.4g},{},{}", u, i % 7, u > 0 ? "yes" : "no");
             }));
  const std::vector<std::string> names = {"null", "~", "x: y", "[z]", "it's", "a, b", "1e3", "ä"};
  std::string targets = "sets:\n";
  for (const std::string& name : names) targets += fmt::format("  \"{}\": {{file: a.csv}}\n", name);
  work.write("t/targets.yaml", targets);
  work.write("c.yaml", kTablesConfig);
  const ProgramResult run = work.run({"run", "c.yaml", "--out", "out"}, on_its_own());
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto metrics = work.metrics("out");
  REQUIRE(metrics.at("benchmark").at("sets").size() == names.size());
  for (const std::string& name : names) {
    CHECK(set_of(metrics, name).at("results").at(0).at("folds").size() == 5);
    CHECK(std::filesystem::exists(work.path() / "out/parts" / name / "metrics.json"));
    CHECK_FALSE(std::filesystem::exists(work.path() / "out/parts" / name / "parts"));
  }
}

TEST_CASE("what is odd about a set is said where it is run, and kept beside its scores", "[benchmark]") {
  const Workspace work;
  work.write("t/leak.csv", table("u,copy,class", [](Index, double u) {
               return fmt::format("{:.4g},{}", u, u > 0 ? "ja,yes" : "nein,no");
             }));
  work.write(
      "t/rare.csv", table("u,v,class", [](Index i, double u) {
        return fmt::format("{:.4g},{},{}", u, i % 7, i % 10 == 3 ? fmt::format("once{}", i) : u > 0 ? "yes" : "no");
      }));
  work.write("t/same.csv", table("u,v,y", [](Index i, double u) { return fmt::format("{:.4g},{},5", u, i % 7); }));
  work.write("t/few.csv", "u,v,y\n1,2,3\n2,3,4\n3,4,6\n");
  work.write("t/unlisted.csv", "u,v,y\n1,2,3\n");
  work.write("t/targets.yaml", "sets:\n  leak:\n  rare:\n  same: {task: regression}\n  few: {task: regression}\n");
  work.write("c.yaml", kTablesConfig);
  const ProgramResult plan = work.run({"plan", "c.yaml"});
  for (const std::string line : {"same is left out: ", "few is left out: ", "not among the targets: unlisted.csv"})
    CHECK_THAT(plan.out, Catch::Contains(line));
  const ProgramResult run = work.run({"run", "c.yaml", "--out", "out"}, on_its_own());
  REQUIRE(run.exit_code == 0);
  for (const std::string line :
       {"leak: over the 28 training rows, input columns", "\"copy=ja\"", "rare: in ",
        "test rows are of a class without a training row (such as once", "\"y\" is 5 in every row",
        "3 rows make 2 training, 0 validation and 1 test rows", "not among the targets: unlisted.csv"})
    CHECK_THAT(run.err, Catch::Contains(line));
  const auto metrics = work.metrics("out");
  CHECK_THAT(set_of(metrics, "leak").at("notes").dump(),
             Catch::Contains("is the target itself") || Catch::Contains("are each the target itself"));
  CHECK_THAT(set_of(metrics, "few").at("failure").get<std::string>(), Catch::Contains("none may be empty"));
  CHECK_THAT(set_of(metrics, "same").at("failure").get<std::string>(), Catch::Contains("in every row"));
}
