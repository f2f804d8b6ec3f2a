// The tables of a benchmark, as the paper lays them out (Figs 4, 5 and Tables 2 to 5).
#pragma once

#include <vector>

#include "core/record/benchmark/benchmark_record.h"
#include "core/record/benchmark/result_table.h"

namespace ansatz {

/// Methods x metrics of Appendix E, with all methods ranked together: the benchmark's own by rank, then the best of the
/// published ones, then what the paper prints.
ResultTable summary_table(const BenchmarkRecord& record, Task task);

/// Sets x methods with mean and deviation over the folds, the best method, and the best published one.
ResultTable set_table(const BenchmarkRecord& record, Task task);

/// Pairs of methods over the sets: each against the baseline, the best against each other one and against the best
/// published one.
ResultTable paired_table(const BenchmarkRecord& record, Task task);

/// Friedman's test, Iman and Davenport's form of it, and the critical difference, of the methods of the diagram of mean
/// ranks (ranked_methods); no rows for fewer than two sets or methods.
ResultTable rank_test_table(const BenchmarkRecord& record, Task task);

/// Sets on which a method that learns features differs between the protocols, the largest difference first.
ResultTable protocol_table(const BenchmarkRecord& record, Task task);

/// What each method chose on each set.
ResultTable choice_table(const BenchmarkRecord& record);

/// All of these that have rows, in the order in which a reader wants them. Names end in ".regression" where there are
/// sets of both tasks.
std::vector<ResultTable> benchmark_tables(const BenchmarkRecord& record);

}  // namespace ansatz
