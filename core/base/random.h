// Seeded, named random streams. New code takes a stream with a new name, so that it shifts no other stream's numbers.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// A stream is a value. Its distributions are our own, because those of <random> differ between standard libraries.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);

  /// An independent child stream; depends on this stream's seed and `name` only, not on what was drawn before.
  RandomStream named(std::string_view name) const;

  std::uint64_t seed() const { return seed_; }
  std::uint64_t bits() { return engine_(); }
  double uniform();      ///< in [0, 1), 53 bits
  double normal();       ///< mean 0, variance 1 (Box-Muller)
  Index below(Index n);  ///< uniform in 0..n-1 without modulo bias; n >= 1
  std::vector<Index> permutation(Index n);
  std::vector<Index> sample(Index n, Index m);  ///< m distinct indices of 0..n-1, ascending; all of them if m >= n

  template <class Scalar>
  Matrix<Scalar> normal_matrix(Index rows, Index cols);  ///< independent standard normal entries, drawn in row order
  template <class Scalar>
  Matrix<Scalar> uniform_matrix(Index rows, Index cols, double low, double high);

 private:
  std::uint64_t seed_;
  std::mt19937_64 engine_;
};

}  // namespace ansatz
