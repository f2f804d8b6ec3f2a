#include "experiments/benchmark/results/write_results.h"

#include "core/base/printable_text.h"
#include "core/record/benchmark/benchmark_headline.h"
#include "core/record/benchmark/benchmark_scores.h"
#include "core/record/benchmark/benchmark_tables.h"
#include "experiments/benchmark/results/benchmark_pictures.h"
#include "experiments/benchmark/results/table_text.h"

namespace ansatz::experiments {
namespace {

/// A row a set and method: for a spreadsheet, not for reading.
bool is_long(const ResultTable& table) { return table.name == "choices"; }

std::string results_text(const BenchmarkRecord& record, const std::vector<ResultTable>& tables) {
  std::string text = "# " + printable(record.collection) + "\n\n";
  for (const std::string& sentence : benchmark_headline(record)) text += printable(sentence) + "\n\n";
  for (const ResultTable& table : tables)
    if (!is_long(table)) text += markdown_table(table) + "\n";
  return text;
}

}  // namespace

void write_results(const BenchmarkRecord& record, const RunDirectory& directory) {
  const std::filesystem::path images = directory.path() / "images";
  if (record.sets.size() == 1) {
    draw_set(record.sets.front(), images);
    return;
  }
  const std::vector<ResultTable> tables = benchmark_tables(record);
  directory.write_table("benchmark.csv", folds_csv(record));
  for (const ResultTable& table : tables) {
    directory.write_table(table.name + ".csv", csv_table(table));
    if (!is_long(table)) directory.write_text("tables/" + table.name + ".tex", latex_table(table));
  }
  directory.write_text("results.md", results_text(record, tables));
  draw_benchmark(record, images);
}

std::string benchmark_summary(const BenchmarkRecord& record, std::size_t width) {
  std::string text;
  for (const Task task : tasks_of(record)) text += terminal_table(summary_table(record, task), width) + "\n";
  for (const std::string& sentence : benchmark_headline(record)) text += printable(sentence) + "\n";
  return text;
}

}  // namespace ansatz::experiments
