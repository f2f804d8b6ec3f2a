// What a benchmark found, as plain values: how well each method predicts on each set of a collection.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/data/dataset.h"
#include "core/record/benchmark/learned_features.h"
#include "core/statistics/score_table.h"
#include "core/statistics/spread.h"

namespace ansatz {

/// Of one prediction of held out rows; NaN: not known.
struct BenchmarkScore {
  double accuracy = std::numeric_limits<double>::quiet_NaN();  ///< classification: share of rows, 0 to 1
  double mse = std::numeric_limits<double>::quiet_NaN();       ///< in the targets' own unit
  double r2 = std::numeric_limits<double>::quiet_NaN();

  /// What methods are compared by, the larger the better.
  double of(Task task) const { return task == Task::classification ? accuracy : r2; }
};

/// One method on one set.
struct MethodOnSet {
  std::string method;   ///< label, of BenchmarkRecord::methods
  std::string failure;  ///< why it has no scores here; "" if it has
  /// What was chosen on the selection rows: ("ridge", "0.1"), ("iterations", "3"). Empty: there was nothing to choose.
  std::vector<std::pair<std::string, std::string>> choice;
  Index trials = 0;                            ///< combinations of options that the choice was made from
  std::optional<BenchmarkScore> validation;    ///< of the choice, on the selection rows
  std::vector<BenchmarkScore> folds;           ///< on the test rows of each fold (or repeat), in their order
  std::optional<LearnedFeatures> features;     ///< of a method that learns them
  double search_seconds = 0, fit_seconds = 0;  ///< choosing; fitting and predicting in all folds

  /// "ridge 0.1, iterations 3"; "" without a choice.
  std::string choice_in_words() const;
};

/// One set of the collection with the results of the methods.
struct BenchmarkSet {
  std::string name;
  std::string failure;  ///< why it could not be read or run; then there are no results
  Index rows = 0, dimension = 0, outputs = 0;
  Task task = Task::classification;
  std::vector<std::string> notes;          ///< what was done to the data, and what is odd about it
  std::vector<std::string> feature_names;  ///< d, where the inputs have names of their own; or empty
  std::vector<ColumnGroup> column_groups;  ///< as in the Dataset; or empty
  std::vector<MethodOnSet> results;        ///< in the order of BenchmarkRecord::methods; one that was not run is absent
  double seconds = 0;                      ///< all of it

  const MethodOnSet* find(const std::string& method) const;  ///< null: not run here
  /// Of a method's scores over the folds; without values where it has none.
  Spread score(const std::string& method) const;
};

/// One column of the tables.
struct BenchmarkMethod {
  std::string label;     ///< unique: "RFM (authors)"
  std::string kind;      ///< "rfm", "kernel", "random_forest"
  std::string protocol;  ///< "clean" or "authors"; "" where they are the same
  std::string summary;   ///< what it is, in words
};

/// What others published for the same sets.
struct PublishedScores {
  std::string source;  ///< "Fernandez-Delgado et al. 2014, results.txt"
  ScoreTable table;    ///< shares, not percent; of the sets that this benchmark has
};

struct BenchmarkRecord {
  std::string collection;  ///< name of the collection
  std::vector<BenchmarkMethod> methods;
  std::string baseline;  ///< label of the method that others are compared with (Laplace); "" without one
  std::vector<BenchmarkSet> sets;
  std::vector<PublishedScores> published;

  const BenchmarkMethod* find(const std::string& label) const;  ///< null: there is none
};

}  // namespace ansatz
