// What an experiment found, beside what its paper says.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ansatz {

/// One number that an experiment stands for.
struct Finding {
  std::string name;     ///< "eyeglasses.top_eigenvector_pearson"
  std::string meaning;  ///< "|r| of the top eigenvectors, Eyeglasses"
  double value = 0;
  std::string unit = {};  ///< "%", or empty
};

/// What the paper says of it, and what counts as the same.
struct Expectation {
  std::optional<double> paper = {};
  std::string source = {};  ///< "Fig. 2"
  std::optional<double> at_least = {}, at_most = {};
};

/// Over several runs the value is their mean.
struct JudgedFinding : Finding, Expectation {
  std::optional<bool> holds = {};  ///< none without a bound
  std::optional<double> sd = {};   ///< of several runs

  /// Sets `holds` from the value and the bounds. A value that is NaN holds nothing.
  void judge() {
    if (!at_least && !at_most) return;
    holds = (!at_least || value >= *at_least) && (!at_most || value <= *at_most);
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
