// The section `benchmark`: which sets of which collection, which methods, and how they are compared.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/data/collections/collection.h"
#include "core/data/collections/grinsztajn.h"
#include "core/record/benchmark/benchmark_record.h"
#include "experiments/benchmark/methods/method_table.h"
#include "experiments/results/findings.h"

namespace ansatz::experiments {

enum class CollectionKind {
  uci,    ///< the layout of the UCI study
  tables  ///< a folder of CSV and ARFF files, with a list of targets
};
enum class FilesOfSet { all, one, two };

/// What a learned feature matrix is taken from where a fold is fitted: clean: the fold's training rows; authors: the
/// tuning split, as the paper's code does, whose rows may be those of the fold's test.
enum class Protocol { clean, authors, both };

enum class SplitKind {
  given,  ///< tuning split and folds of the collection
  random  ///< drawn, by the rules of Grinsztajn et al.
};

struct BenchmarkOptions {
  CommonOptions common;
  CollectionKind kind = CollectionKind::uci;
  std::filesystem::path folder;   ///< empty: below $ANSATZ_DATA
  std::filesystem::path targets;  ///< of tables; empty: targets.yaml in the folder
  std::vector<std::string> sets;  ///< names; empty: all
  std::string set;                ///< this one alone, in this process; empty: `sets`, each in a process
  FilesOfSet files = FilesOfSet::all;
  Index max_rows = 0;  ///< sets with more are left out; 0: none
  Protocol protocol = Protocol::clean;
  SplitKind splits = SplitKind::given;
  GrinsztajnOptions random;
  bool balance_classes = false, numeric_only = false;
  Index jobs = 0;           ///< processes at once; 0: one a processor
  std::string baseline;     ///< name of the method that others are compared with; empty: none
  Index size_boundary = 0;  ///< rows: findings are also of the sets up to it, and of those above; 0: none
  Expectations expectations;
  std::vector<NamedMethod> methods;
};

BenchmarkOptions parse_benchmark(const Config& root, const CommonOptions& common);

/// Of tables: without reading others than `set`, where that is asked for. DataError where no folder is given and
/// ANSATZ_DATA is not set.
Collection open_collection(const BenchmarkOptions& options);

/// Those of the collection that are asked for, in its order. DataError naming a set that is not there; or if there is
/// none.
std::vector<TableSetSize> selected_sets(const Collection& collection, const BenchmarkOptions& options);

/// The columns of a benchmark's tables: a method whose features the protocols treat differently has one for each.
std::vector<BenchmarkMethod> columns_of(const NamedMethod& method, Protocol protocol);
std::vector<BenchmarkMethod> columns_of(const BenchmarkOptions& options);

/// Of the baseline's column; "" without a baseline.
std::string baseline_label(const BenchmarkOptions& options);

}  // namespace ansatz::experiments
