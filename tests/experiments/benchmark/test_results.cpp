#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/record/benchmark/benchmark_tables.h"
#include "core/record/json/run_record_json.h"
#include "experiments/benchmark/results/benchmark_pictures.h"
#include "experiments/benchmark/results/table_text.h"
#include "experiments/benchmark/results/write_results.h"
#include "experiments/cli/commands.h"
#include "tests/core/record/benchmark/small_benchmark.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"
#include "viz/report/report.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

ResultTable table() {
  ResultTable out{"t", "A | title", "a note", {{"name", "name", true}, {"x", "x (%)"}, {"p", "p", false, -2}}, {}, {}};
  out.columns.push_back({"seconds", "seconds", false, 1, true});
  out.rows = {
      {TableCell::of(std::string("a_b|c, d")), TableCell::of(1.0 / 3, 0.5), TableCell::of(7.4e-5), TableCell::of(9.0)},
      {TableCell::of(std::string("e")), TableCell::of(2.0), TableCell::of(std::nan("")), TableCell::of(9.0)}};
  out.rows[1][1].best = true;
  out.rules = {1};
  return out;
}

}  // namespace

TEST_CASE("result tables as Markdown: names are text, the best is bold, no seconds") {
  CHECK(markdown_table(table()) ==
        "## A \\| title\n\n| name | x (%) | p |\n|---|---:|---:|\n| a_b\\|c, d | 0.33 ± 0.50 | 7.4e-05 |\n"
        "| e | **2.00** | – |\n\na note\n");
}

TEST_CASE("result tables as CSV: ten digits, deviations in columns of their own, nothing where undefined") {
  CHECK(csv_table(table()) == "name,x,x_sd,p\n\"a_b|c, d\",0.3333333333,0.5,7.4e-05\ne,2,,\n");
}

TEST_CASE("result tables as LaTeX: booktabs, a rule between groups") {
  CHECK(latex_table(table()) ==
        "% \\usepackage{booktabs}\n\\begin{tabular}{lrr}\n\\toprule\nname & x (\\%) & p \\\\\n\\midrule\n"
        "a\\_b\\textbar{}c, d & $0.33 \\pm 0.50$ & $7.4 \\times 10^{-5}$ \\\\\n\\midrule\n"
        "e & {\\boldmath$2.00$} & -- \\\\\n\\bottomrule\n\\end{tabular}\n");
}

TEST_CASE("every fold of a benchmark as CSV") {
  const std::string csv = folds_csv(small_benchmark());
  CHECK(contains(csv, "set,method,fold,accuracy,mse,r2\na,RFM (clean),1,0.9,"));
  CHECK(contains(csv, "a,RFM (clean),2,0.8,"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 8 + 4 + 3);
}

TEST_CASE("a benchmark in a terminal: the summary and the headline") {
  const std::string text = benchmark_summary(small_benchmark(), 100);
  CHECK(contains(text, "RFM (authors)"));
  CHECK(contains(text, "Not run: damaged"));
}

TEST_CASE("a benchmark leaves tables and pictures, and its report shows them") {
  const TemporaryFolder folder;
  const auto run = folder / "run";
  RunDirectory directory = RunDirectory::open(run, "seed: 1\n", Json::object(), false);
  RunRecord record;
  record.experiment = "benchmark";
  record.name = "mine";
  record.benchmark = small_benchmark();
  directory.write_json("metrics.json", to_json(record));
  write_results(*record.benchmark, directory);
  draw_set(record.benchmark->sets.front(), run / "parts/a/images");
  directory.finish(0);
  for (const char* file :
       {"benchmark.csv", "summary.csv", "paired.csv", "sets.csv", "protocols.csv", "choices.csv", "results.md",
        "tables/summary.tex", "tables/sets.tex", "images/ranks.svg", "images/paired.svg", "images/improvement.svg",
        "parts/a/images/top_features.svg", "parts/a/images/loadings.svg"}) {
    INFO(file);
    CHECK(exists(run / file));
  }
  CHECK_FALSE(exists(run / "tables/choices.tex"));
  ExportArguments arguments;
  arguments.runs = {run};
  arguments.latex = true;
  arguments.table = "benchmark";
  arguments.out = folder / "tables.tex";
  export_command(arguments);
  CHECK(contains(read_file(folder / "tables.tex"), read_file(run / "tables/summary.tex") + "\n"));
  arguments.table = "models";
  CHECK(contains(message_of<DataError>([&] { export_command(arguments); }), "no such table"));
  const std::string page = read_file(viz::write_report({run}));
  for (const char* text :
       {"RFM (authors) has the best rank here", "Methods in pairs", "Where the protocols part", "critical difference",
        "city=Oslo", "variable, its columns added up", "line 3 has 4 cells", "Eigenvector 1"}) {
    INFO(text);
    CHECK(contains(page, text));
  }
}

TEST_CASE("the part of a single set is a page of that set") {
  const TemporaryFolder folder;
  BenchmarkRecord record = small_benchmark();
  record.sets.resize(1);
  RunDirectory directory = RunDirectory::open(folder / "run", "seed: 1\n", Json::object(), false);
  RunRecord run;
  run.experiment = "benchmark";
  run.benchmark = record;
  directory.write_json("metrics.json", to_json(run));
  write_results(record, directory);
  directory.finish(0);
  CHECK_FALSE(exists(folder / "run/summary.csv"));
  const std::string page = read_file(viz::write_report({folder / "run"}));
  CHECK(contains(page, "<h2>a</h2>"));
  CHECK(contains(page, "Bars: the largest diagonal entries"));
}
