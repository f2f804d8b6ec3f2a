#include "experiments/benchmark/benchmark_options.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/data/collections/table_folder.h"
#include "core/data/collections/table_targets.h"
#include "core/data/collections/uci_collection.h"
#include "experiments/benchmark/results/benchmark_findings.h"

namespace ansatz::experiments {
namespace {

namespace fs = std::filesystem;

void parse_collection(const Config& section, BenchmarkOptions& options) {
  options.kind = section.get_choice<CollectionKind>("kind", "uci",
                                                    {{"uci", CollectionKind::uci}, {"tables", CollectionKind::tables}});
  options.folder = section.get_path("path");
  if (options.kind == CollectionKind::tables) options.targets = section.get_path("targets");
}

/// `path`, or the collection's folder below $ANSATZ_DATA.
fs::path folder_of(const BenchmarkOptions& options) {
  if (!options.folder.empty()) return options.folder;
  const std::string usual = options.kind == CollectionKind::uci ? "uci121" : "tabular";
  const char* const data = std::getenv("ANSATZ_DATA");
  if (data == nullptr || *data == '\0')
    throw DataError(
        "the folder of the collection is not known: name it with `collection.path`, or set ANSATZ_DATA to "
        "the folder that holds " +
        usual);
  return fs::path(data) / usual;
}

void parse_random_splits(const Config& section, GrinsztajnOptions& random) {
  random.repeats = section.get_or_word("repeats", 0, "auto", 0, 1, 1000);
  random.train_fraction = section.get_fraction("train_fraction", random.train_fraction);
  if (!(random.train_fraction > 0)) section.fail("train_fraction", "must be greater than 0");
  random.train_limit = section.get_at_least("train_limit", random.train_limit, Index{2});
  random.validation_fraction = section.get_fraction("validation_fraction", random.validation_fraction);
  random.validation_limit = section.get_at_least("validation_limit", random.validation_limit, Index{1});
  random.test_limit = section.get_at_least("test_limit", random.test_limit, Index{1});
}

/// The name of a method; by default the first fixed kernel.
std::string parse_baseline(const Config& section, const std::vector<NamedMethod>& methods) {
  const auto fixed = std::find_if(methods.begin(), methods.end(), [](const auto& m) { return m.kind == "kernel"; });
  const std::string baseline = section.get("baseline", fixed == methods.end() ? "none" : fixed->name);
  if (baseline == "none") return "";
  std::string names;
  for (const NamedMethod& method : methods) {
    if (method.name == baseline) return baseline;
    names += (names.empty() ? "" : ", ") + method.name;
  }
  section.fail("baseline", "there is no method \"" + baseline + "\" among " + names + "; or write none");
}

[[noreturn]] void refuse_set(const Collection& collection, const std::string& name) {
  std::vector<std::string> names;
  for (const TableSetSize& set : collection.sets) names.push_back(set.name);
  for (const DamagedSet& damaged : collection.damaged)
    if (damaged.name == name) throw DataError(damaged.name + ": " + damaged.why);
  const std::string near = nearest(name, names);
  throw DataError(collection.name + ": there is no set \"" + name + "\"" +
                  (near.empty() ? "" : "; did you mean " + near + "?"));
}

bool is_wanted(const TableSetSize& set, const BenchmarkOptions& options) {
  if (!options.set.empty()) return set.name == options.set;
  const std::vector<std::string>& names = options.sets;
  return (names.empty() || std::find(names.begin(), names.end(), set.name) != names.end()) &&
         (options.files == FilesOfSet::all || set.two_files == (options.files == FilesOfSet::two)) &&
         (options.max_rows == 0 || set.rows <= options.max_rows);
}

void parse_sets(const Config& section, BenchmarkOptions& options) {
  if (section.is_list("sets")) {
    options.sets = section.get("sets", std::vector<std::string>{});
  } else {
    section.get_choice("sets", "all", {"all"});
  }
  if (section.has("set")) options.set = section.require("set");
  options.files = section.get_choice<FilesOfSet>(
      "files", "all", {{"all", FilesOfSet::all}, {"one", FilesOfSet::one}, {"two", FilesOfSet::two}});
  options.max_rows = section.get_or_word("max_rows", 0, "all", 0, 2);
  options.numeric_only = section.get_choice("columns", "all", {"all", "numeric"}) == "numeric";
  options.balance_classes = section.get("balance_classes", false);
}

Collection open_folder(const BenchmarkOptions& options) {
  const fs::path folder = folder_of(options);
  if (options.kind == CollectionKind::uci) return open_uci_collection(folder);
  std::vector<TableTarget> targets =
      read_table_targets(options.targets.empty() ? folder / "targets.yaml" : options.targets);
  if (!options.set.empty()) {
    const auto other = [&](const TableTarget& target) { return target.name != options.set; };
    targets.erase(std::remove_if(targets.begin(), targets.end(), other), targets.end());
  }
  return open_table_folder(folder, targets);
}

/// Moves the sets that random splits are not possible of to those that are left out.
void leave_out_small_sets(const BenchmarkOptions& options, Collection& collection) {
  std::vector<TableSetSize> large;
  for (TableSetSize& set : collection.sets) {
    try {
      require_enough_rows(set, options.random);
      large.push_back(std::move(set));
    } catch (const DataError& error) {
      collection.damaged.push_back({set.name, error.what()});
    }
  }
  collection.sets = std::move(large);
  if (collection.sets.empty()) throw DataError(collection.damaged.back().why);
}

}  // namespace

BenchmarkOptions parse_benchmark(const Config& root, const CommonOptions& common) {
  const Config section = root.section("benchmark");
  BenchmarkOptions options;
  options.common = common;
  if (common.repeats > 1) root.fail("repeats", "a benchmark repeats its splits itself: see benchmark.random");
  parse_collection(section.section("collection"), options);
  parse_sets(section, options);
  options.splits = section.get_choice<SplitKind>("splits", options.kind == CollectionKind::uci ? "given" : "random",
                                                 {{"given", SplitKind::given}, {"random", SplitKind::random}});
  if (options.splits == SplitKind::random) parse_random_splits(section.section("random"), options.random);
  options.protocol = section.get_choice<Protocol>(
      "protocol", "clean", {{"clean", Protocol::clean}, {"authors", Protocol::authors}, {"both", Protocol::both}});
  options.jobs = section.get_or_word("jobs", 0, "auto", 0, 1, 1024);
  options.methods = parse_methods(root, common.precision);
  options.baseline = parse_baseline(section, options.methods);
  options.size_boundary = section.get_or_word("size_boundary", 0, "none", 0, 1);
  options.expectations = parse_expectations(
      root, benchmark_finding_names(columns_of(options), baseline_label(options), options.size_boundary));
  return options;
}

Collection open_collection(const BenchmarkOptions& options) {
  Collection collection = open_folder(options);
  if (options.splits == SplitKind::random) leave_out_small_sets(options, collection);
  return collection;
}

std::vector<TableSetSize> selected_sets(const Collection& collection, const BenchmarkOptions& options) {
  std::vector<std::string> asked = options.sets;
  if (!options.set.empty()) asked = {options.set};
  for (const std::string& name : asked)
    if (std::none_of(collection.sets.begin(), collection.sets.end(), [&](const auto& s) { return s.name == name; }))
      refuse_set(collection, name);
  std::vector<TableSetSize> sets;
  for (const TableSetSize& set : collection.sets)
    if (is_wanted(set, options)) sets.push_back(set);
  if (sets.empty()) throw DataError(collection.name + ": no set is left by `sets`, `files` and `max_rows`");
  return sets;
}

std::vector<BenchmarkMethod> columns_of(const NamedMethod& method, Protocol protocol) {
  const auto column = [&](const std::string& label, const std::string& of) {
    const auto& kinds = method_kinds();
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& row) { return row.name == method.kind; });
    return BenchmarkMethod{label, method.kind, of, kind->summary};
  };
  if (!method.method->learns_features()) return {column(method.name, "")};
  switch (protocol) {
    case Protocol::clean:
      return {column(method.name, "clean")};
    case Protocol::authors:
      return {column(method.name, "authors")};
    case Protocol::both:
      break;
  }
  return {column(method.name + " (clean)", "clean"), column(method.name + " (authors)", "authors")};
}

std::vector<BenchmarkMethod> columns_of(const BenchmarkOptions& options) {
  std::vector<BenchmarkMethod> all;
  for (const NamedMethod& method : options.methods)
    for (BenchmarkMethod& column : columns_of(method, options.protocol)) all.push_back(std::move(column));
  return all;
}

std::string baseline_label(const BenchmarkOptions& options) {
  for (const NamedMethod& method : options.methods)
    if (method.name == options.baseline) return columns_of(method, options.protocol).front().label;
  return "";
}

}  // namespace ansatz::experiments
