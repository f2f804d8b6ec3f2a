// The tables of runs as CSV and LaTeX, read back by small strict readers.
#include <cmath>
#include <regex>
#include <set>
#include <sstream>

#include "experiments/runs/export_tables.h"
#include "experiments/runs/latex_text.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/finished_run.h"

using namespace ansatz;
using ansatz::testing::finished_run;
using namespace ansatz::experiments;

namespace {

RunRecord seed(std::optional<double> accuracy, double mse, double diagonal) {
  RunRecord record;
  record.rfm.emplace();
  record.rfm->iterations.resize(1);
  record.rfm->iterations[0].train = {accuracy, mse / 2, 0.75};
  record.rfm->iterations[0].test = Metrics{accuracy, mse, 0.5};
  KernelMachineRecord machine;
  machine.label = "50% a_b, \"c\" & {d}";
  machine.metrics.test = Metrics{accuracy, 1.25e-5, std::nan("")};
  record.kernel_machines = {machine};
  record.pairs = {{FeatureId::nfm(), FeatureId::rfm(12), {}}};
  record.pairs[0].values.diagonal_pearson = diagonal;
  record.pairs[0].values.cosine = std::nan("");
  return record;
}

FinishedRun with_findings() {
  FinishedRun found = finished_run("faces", {RunRecord{}});
  JudgedFinding finding;
  finding.name = "a.r";
  finding.meaning = "|r| of a_1";
  finding.value = 0.5;
  finding.standard_error = 0.125;
  finding.sd = 0.25;
  finding.paper = 0.99;
  finding.bound.at_least = 0.9;
  finding.verdict = Verdict::differs;
  finding.verdict_at_this_size = Verdict::unclear;
  found.seeds[0].findings = FindingsRecord{"", {finding}};
  return found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// RFC 4180, one row.
std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (quoted && row[i] == '"' && i + 1 < row.size() && row[i + 1] == '"')
      cells.back() += row[i++];
    else if (row[i] == '"')
      quoted = !quoted;
    else if (row[i] == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += row[i];
  }
  return cells;
}

/// What LaTeX refuses, or reads as something else than text: a command that is none of ours, a special character that
/// is not escaped, braces or dollars without their partners.
void check_cell(const std::string& cell) {
  static const std::regex command(R"(\\([a-zA-Z]+|.))");
  static const std::set<std::string> known = {"\\textbackslash",
                                              "\\textasciitilde",
                                              "\\textasciicircum",
                                              "\\textless",
                                              "\\textgreater",
                                              "\\textbar",
                                              "\\char",
                                              "\\nabla",
                                              "\\pm",
                                              "\\times",
                                              "\\top",
                                              "\\circ",
                                              "\\{",
                                              "\\}",
                                              "\\$",
                                              "\\&",
                                              "\\#",
                                              "\\%",
                                              "\\_",
                                              "\\,"};
  INFO(cell);
  for (std::sregex_iterator found(cell.begin(), cell.end(), command), end; found != end; ++found)
    CHECK(known.count(found->str()) == 1);
  const std::string rest = std::regex_replace(cell, command, "");
  int depth = 0;
  bool math = false;
  for (const char c : rest) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    CHECK(depth >= 0);
    if (c == '$') math = !math;
    CHECK(std::string("#%&~\\\"").find(c) == std::string::npos);
    if (!math) CHECK(std::string("_^<>|").find(c) == std::string::npos);
  }
  CHECK(depth == 0);
  CHECK_FALSE(math);
}

/// The cells of the rows between the rules; checks all that surrounds them.
std::vector<std::vector<std::string>> read_tabular(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  static const std::regex begin(R"(\\begin\{tabular\}\{(l+)(r+)\})");
  std::smatch columns;
  REQUIRE(lines.size() > 6);
  CHECK(lines[0] == "% \\usepackage{booktabs}");
  REQUIRE(std::regex_match(lines[1], columns, begin));
  const auto count = static_cast<std::size_t>(columns.length(1) + columns.length(2));
  CHECK(lines[2] == "\\toprule");
  CHECK(lines[4] == "\\midrule");
  CHECK(lines[lines.size() - 2] == "\\bottomrule");
  CHECK(lines.back() == "\\end{tabular}");
  std::vector<std::vector<std::string>> rows;
  static const std::regex separator(" & ");
  for (std::size_t i = 3; i + 2 < lines.size(); ++i) {
    if (lines[i] == "\\midrule") continue;
    INFO(lines[i]);
    REQUIRE(lines[i].substr(lines[i].size() - 3) == " \\\\");
    const std::string row = lines[i].substr(0, lines[i].size() - 3);
    rows.emplace_back(std::sregex_token_iterator(row.begin(), row.end(), separator, -1), std::sregex_token_iterator());
    CHECK(rows.back().size() == count);
    for (const std::string& cell : rows.back()) check_cell(cell);
  }
  return rows;
}

}  // namespace

TEST_CASE("exports: a column of cross-entropies where any run has a network of logits") {
  RunRecord logits;
  logits.network.emplace();
  Metrics& test = logits.network->metrics.test.emplace();
  test = {0.75, std::nan(""), std::nan("")};
  test.cross_entropy = 0.625;
  logits.network->metrics.train = test;
  const std::vector<FinishedRun> runs = {finished_run("plain", {seed(0.5, 2, 0.1)}), finished_run("logits", {logits})};
  const std::vector<std::string> lines = lines_of(csv_table(ExportedTable::models, runs));
  CHECK(lines[0] == "run,model,split,accuracy,accuracy_sd,mse,mse_sd,r2,r2_sd,cross_entropy,cross_entropy_sd,seeds");
  CHECK(lines.back() == "logits,network,test,0.75,,,,,,0.625,,1");
  for (const std::string& line : lines) CHECK(cells_of(line).size() == 12);
  const auto rows = read_tabular(latex_table(ExportedTable::models, runs));
  CHECK(rows.front().back() == "Cross-entropy (nats)");
  CHECK(rows.back().back() == "$0.6250$");
  CHECK(rows[1].back() == "--");
  // Without such a run there is no such column.
  CHECK_FALSE(contains(csv_table(ExportedTable::models, {runs[0]}), "cross_entropy"));
  CHECK_FALSE(contains(latex_table(ExportedTable::models, {runs[0]}), "Cross-entropy"));
}

TEST_CASE("export: CSV has a row a run, model and part of the data, with deviations over seeds") {
  const std::vector<FinishedRun> runs = {finished_run("a,b", {seed(0.5, 1, 0.2), seed(0.7, 2, 0.4)}),
                                         finished_run("c", {seed(std::nullopt, 0.1, std::nan(""))})};
  const std::vector<std::string> lines = lines_of(csv_table(ExportedTable::models, runs));
  REQUIRE(lines.size() == 1 + 2 * 4);  // train and test of two models
  CHECK(lines[0] == "run,model,split,accuracy,accuracy_sd,mse,mse_sd,r2,r2_sd,seeds");
  const std::vector<std::string> test = cells_of(lines[2]);
  CHECK(std::vector<std::string>(test.begin(), test.begin() + 3) == std::vector<std::string>{"a,b", "rfm", "test"});
  CHECK(std::stod(test[3]) == Approx(0.6));
  CHECK(std::stod(test[4]) == Approx(std::sqrt(0.02)));
  CHECK(std::stod(test[6]) == Approx(std::sqrt(0.5)));
  CHECK(test[9] == "2");
  CHECK(cells_of(lines[4]).at(1) == "50% a_b, \"c\" & {d}");
  CHECK(cells_of(lines[4]).at(7).empty());  // R² is not defined
  CHECK(lines[6] == "c,rfm,test,,,0.1,,0.5,,1");
  const std::vector<std::string> pairs = lines_of(csv_table(ExportedTable::features, runs));
  REQUIRE(pairs.size() == 3);
  CHECK(std::stod(cells_of(pairs[1]).at(3)) == Approx(0.3));
  CHECK(cells_of(pairs[2]).at(2) == "rfm.M12");
  CHECK(cells_of(pairs[2]).at(3).empty());
  for (const std::string& line : pairs) CHECK(cells_of(line).size() == 3 + 2 * 6 + 1);
  CHECK(csv_table(ExportedTable::findings, runs).empty());
  CHECK(lines_of(csv_table(ExportedTable::findings, {with_findings()})).at(1) ==
        "faces,a.r,|r| of a_1,,0.5,0.125,0.25,0.99,0.9,,differs,unclear,1");
}

TEST_CASE("export: a pair of feature matrices that not every seed has says how many do") {
  RunRecord other = seed(0.7, 2, 0.4);
  other.pairs[0].b = FeatureId::rfm(3);
  const std::vector<FinishedRun> runs = {finished_run("a", {seed(0.5, 1, 0.2), seed(0.5, 1, 0.3), other})};
  const std::vector<std::string> pairs = lines_of(csv_table(ExportedTable::features, runs));
  REQUIRE(pairs.size() == 3);
  CHECK(cells_of(pairs[1]).back() == "2");
  CHECK(cells_of(pairs[2]).back() == "1");
  const auto features = read_tabular(latex_table(ExportedTable::features, runs));
  CHECK(features[1][0] == "network $W_1^\\top W_1$ and RFM $M_{12}$ (2 of 3 seeds)");
}

TEST_CASE("export: a LaTeX table has as many cells in every row as columns, and all text is text") {
  const auto one =
      read_tabular(latex_table(ExportedTable::models, {finished_run("a", {seed(0.5, 1, 0.2), seed(0.7, 2, 0.4)})}));
  REQUIRE(one.size() == 3);
  CHECK(one[0] == std::vector<std::string>{"Model", "Accuracy (\\%)", "MSE", "$R^2$"});
  CHECK(one[1] ==
        std::vector<std::string>{"rfm", "$60.00 \\pm 14.14$", "$1.5000 \\pm 0.7071$", "$0.5000 \\pm 0.0000$"});
  CHECK(one[2] == std::vector<std::string>{"50\\% a\\_b, {\\char34}c{\\char34} \\& \\{d\\}", "$60.00 \\pm 14.14$",
                                           "$(1.25 \\pm 0.00) \\times 10^{-5}$", "--"});
  // Several runs: a column for their names; without accuracies no column for these.
  const std::vector<FinishedRun> two = {finished_run("a_1", {seed(std::nullopt, 1, -0.25)}),
                                        finished_run("b", {seed(std::nullopt, 2, 0.5)})};
  const auto models = read_tabular(latex_table(ExportedTable::models, two));
  CHECK(models[0] == std::vector<std::string>{"Run", "Model", "MSE", "$R^2$"});
  CHECK(models[1] == std::vector<std::string>{"a\\_1", "rfm", "$1.0000$", "$0.5000$"});
  CHECK(models[2][0].empty());
  CHECK(models[3] == std::vector<std::string>{"b", "rfm", "$2.0000$", "$0.5000$"});
  const auto features = read_tabular(latex_table(ExportedTable::features, two));
  CHECK(features[1][1] == "network $W_1^\\top W_1$ and RFM $M_{12}$");
  CHECK(features[1][2] == "$-0.250$");
  const auto findings = read_tabular(latex_table(ExportedTable::findings, {with_findings()}));
  CHECK(findings[1] ==
        std::vector<std::string>{"\\textbar{}r\\textbar{} of a\\_1", "$0.500 \\pm 0.125$", "$0.990$", "differs"});
  CHECK(latex_table(ExportedTable::findings, two).empty());
}

TEST_CASE("export: any text is set as text in LaTeX") {
  for (const char* text : {"\\input{x} $5 #1 a~b^2 <c> |d|", "{{{", "}", "100 %", "R² ± é", "a\nb\tc", "\xff"})
    check_cell(latex_text(text));
  CHECK(latex_text("R² of W₁ᵀW₁, é") == "R$^2$ of W$_1$$^\\top$W$_1$, é");
  CHECK(latex_text("[a]") == "{[}a]");
  CHECK(latex_text("*a") == "{*}a");
  CHECK(latex_text("a--b, 'c''") == "a-{}-b, 'c'{}'");
  CHECK(latex_text("a\nb") == "a\\textbackslash{}nb");
}

TEST_CASE("export: names beyond pdfLaTeX's fonts are said in the table's head") {
  for (const char* name : {"plain", "größe", "œuvre", "R² ± 1"}) CHECK_FALSE(needs_unicode_latex(latex_text(name)));
  for (const char* name : {"α", "Ж", "名前", "→"}) CHECK(needs_unicode_latex(latex_text(name)));
  const std::vector<std::string> lines = lines_of(
      latex_table(ExportedTable::models, {finished_run("α", {seed(0.5, 1, 0)}), finished_run("b", {seed(0.5, 1, 0)})}));
  CHECK(lines[1] == "% LuaLaTeX or XeLaTeX, and a font with all characters of the names");
  CHECK(lines[2] == "\\begin{tabular}{llrrr}");
}

TEST_CASE("export: numbers over seeds, and of a pair that one seed alone has") {
  std::vector<RunRecord> seeds = {seed(0.5, 1, 0.2), seed(0.7, 2, 0.4), seed(0.9, 6, 0.6)};
  seeds[2].pairs.push_back({FeatureId::agop(), FeatureId::rfm(3), {}});
  seeds[2].pairs.back().values.diagonal_pearson = 0.125;
  const std::vector<FinishedRun> runs = {finished_run("a", seeds)};
  const std::vector<std::string> lines = lines_of(csv_table(ExportedTable::features, runs));
  REQUIRE(lines.size() == 3);
  CHECK(cells_of(lines[1]).back() == "3");
  CHECK(cells_of(lines[2]).back() == "1");
  CHECK(cells_of(lines[2]).at(3) == "0.125");
  CHECK(cells_of(lines[2]).at(4).empty());
  const auto rows = read_tabular(latex_table(ExportedTable::features, runs));
  CHECK(rows[2][0] == "network AGOP and RFM $M_{3}$ (1 of 3 seeds)");
  CHECK(rows[2][1] == "$0.125$");
}

TEST_CASE("export: a mantissa is not rounded to ten") {
  CHECK(latex_number(spread_of({9.999e-4}), 3) == "$1.00 \\times 10^{-3}$");
  CHECK(latex_number(spread_of({9.99e-4}), 3) == "$9.99 \\times 10^{-4}$");
}
