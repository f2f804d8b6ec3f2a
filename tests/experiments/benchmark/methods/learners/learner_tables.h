// Small tables, made alike here and in Python, and methods made from a section of a config.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/data/metrics.h"
#include "experiments/benchmark/methods/method_table.h"

namespace ansatz::testing {

/// n x 6, uniform in [0, 1). In Python: s = (s * 6364136223846793005 + 1442695040888963407) % 2**64; (s >> 11) / 2**53
inline Matrix<double> uniform_table(std::uint64_t state, Index n) {
  Matrix<double> x(n, 6);
  for (Index i = 0; i < x.size(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x.data()[i] = static_cast<double>(state >> 11) / 9007199254740992.0;
  }
  return x;
}

/// Three classes: within a circle, and on either side of a line; columns 4 and 5 say nothing.
inline Index class_of(const Matrix<double>& x, Index i) {
  if (std::pow(x(i, 0) - 0.5, 2) + std::pow(x(i, 1) - 0.5, 2) < 0.08) return 0;
  return x(i, 2) > 0.5 + 0.3 * (x(i, 3) - 0.5) ? 1 : 2;
}

/// ConfigError where the section has a key that the method does not know.
inline experiments::NamedMethod method(const std::string& section) {
  const Config root = Config::from_string("benchmark: {methods: [" + section + "]}");
  const experiments::NamedMethod parsed = experiments::parse_methods(root, experiments::Precision::float32).front();
  root.finish();
  return parsed;
}

inline Dataset<double> one_hot(const Matrix<double>& x, const std::vector<Index>& labels, Index classes) {
  Dataset<double> data;
  data.inputs = x;
  data.task = Task::classification;
  data.targets = Matrix<double>::Zero(x.rows(), classes);
  for (Index i = 0; i < x.rows(); ++i) data.targets(i, labels[static_cast<std::size_t>(i)]) = 1;
  for (Index c = 0; c < classes; ++c) data.class_names.push_back("class " + std::to_string(c));
  return data;
}

inline Dataset<double> class_table(std::uint64_t seed, Index n) {
  const Matrix<double> x = uniform_table(seed, n);
  std::vector<Index> labels;
  for (Index i = 0; i < n; ++i) labels.push_back(class_of(x, i));
  return one_hot(x, labels, 3);
}

/// Friedman's function: 10 sin(pi x0 x1) + 20 (x2 - 1/2)^2 + 10 x3 + 5 x4.
inline Dataset<double> number_table(std::uint64_t seed, Index n) {
  Dataset<double> data;
  data.inputs = uniform_table(seed, n);
  data.targets.resize(n, 1);
  for (Index i = 0; i < n; ++i)
    data.targets(i, 0) = 10 * std::sin(std::acos(-1.0) * data.inputs(i, 0) * data.inputs(i, 1)) +
                         20 * std::pow(data.inputs(i, 2) - 0.5, 2) + 10 * data.inputs(i, 3) + 5 * data.inputs(i, 4);
  return data;
}

inline Matrix<double> predictions(const std::string& section, const Dataset<double>& train,
                                  const Matrix<double>& inputs, std::uint64_t seed = 1) {
  return method(section).method->fit_predict({}, train, inputs, false, RandomStream(seed)).predictions;
}

inline double accuracy(const Matrix<double>& predictions, const Dataset<double>& data) {
  return *evaluate(predictions, data).accuracy;
}

/// Whether both hold the same bytes.
inline bool identical(const Matrix<double>& a, const Matrix<double>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a.array() == b.array()).all();
}

}  // namespace ansatz::testing
