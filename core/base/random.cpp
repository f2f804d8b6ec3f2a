#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ansatz {
namespace {

// FNV-1a over the name, mixed with the parent's seed by SplitMix64's finaliser.
std::uint64_t child_seed(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  std::uint64_t z = seed + 0x9e3779b97f4a7c15ull * (hash | 1u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed) : seed_(seed), engine_(seed) {}

RandomStream RandomStream::named(std::string_view name) const { return RandomStream(child_seed(seed_, name)); }

double RandomStream::uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }

double RandomStream::normal() {
  const double u = 1.0 - uniform();  // in (0, 1]: the logarithm is finite
  const double v = uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586476925 * v);
}

Index RandomStream::below(Index n) {
  const auto range = static_cast<std::uint64_t>(n);
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;
  std::uint64_t draw = engine_();
  while (draw >= limit) draw = engine_();
  return static_cast<Index>(draw % range);
}

std::vector<Index> RandomStream::permutation(Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = n - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(below(i + 1))]);
  return order;
}

std::vector<Index> RandomStream::sample(Index n, Index m) {
  std::vector<Index> order = permutation(n);
  if (m < n) order.resize(static_cast<std::size_t>(m));
  std::sort(order.begin(), order.end());
  return order;
}

template <class Scalar>
Matrix<Scalar> RandomStream::normal_matrix(Index rows, Index cols) {
  Matrix<Scalar> a(rows, cols);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = static_cast<Scalar>(normal());
  return a;
}

template <class Scalar>
Matrix<Scalar> RandomStream::uniform_matrix(Index rows, Index cols, double low, double high) {
  Matrix<Scalar> a(rows, cols);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = static_cast<Scalar>(low + (high - low) * uniform());
  return a;
}

template Matrix<float> RandomStream::normal_matrix<float>(Index, Index);
template Matrix<double> RandomStream::normal_matrix<double>(Index, Index);
template Matrix<float> RandomStream::uniform_matrix<float>(Index, Index, double, double);
template Matrix<double> RandomStream::uniform_matrix<double>(Index, Index, double, double);

}  // namespace ansatz
