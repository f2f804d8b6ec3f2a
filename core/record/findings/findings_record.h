// What an experiment found, beside what its paper says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/findings/verdict.h"

namespace ansatz {

/// One number that an experiment stands for.
struct Finding {
  std::string name;     ///< "eyeglasses.top_eigenvector_pearson"
  std::string meaning;  ///< "|r| of the top eigenvectors, Eyeglasses"
  double value = 0;
  std::string unit = {};  ///< "%", or empty
  /// Of the value as one run knows it (of an accuracy, by its number of test rows); none: only repeats would tell.
  std::optional<double> standard_error = {};
};

/// What the paper says of it, and what counts as the same.
struct Expectation {
  std::optional<double> paper = {};
  std::string source = {};  ///< "Fig. 2"
  Bound bound = {};         ///< as the sentence has it
  Bound at_this_size = {};  ///< a weaker one, where the run's size forces it; beside the sentence's, not in its place
};

/// Over several runs the value is their mean.
struct JudgedFinding : Finding, Expectation {
  std::optional<Verdict> verdict = {}, verdict_at_this_size = {};  ///< none without that bound
  std::optional<double> sd = {};                                   ///< of several runs

  /// Sets the verdicts from value, standard error and bounds.
  void judge() {
    if (bound.given()) verdict = ansatz::judge(value, standard_error, bound);
    if (at_this_size.given()) verdict_at_this_size = ansatz::judge(value, standard_error, at_this_size);
  }
};

struct FindingsRecord {
  std::string differs;  ///< which sizes, data and conventions differ from the paper's, in words
  std::vector<JudgedFinding> list;
};

/// A picture of an experiment's own.
struct Figure {
  std::string file;  ///< images/<file>.png and .svg
  std::string title, caption;
  bool shows_data = false;  ///< single samples of the data set, such as people: not to be published with the numbers
};

}  // namespace ansatz
