#include "rfm/trees/fitting/median_cut.h"

#include <algorithm>

namespace ansatz::rfm {
namespace {

using Iterator = std::vector<double>::iterator;

/// The number that would be at `rank` in order.
double at_rank(std::vector<double>& numbers, std::size_t rank) {
  const Iterator place = numbers.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(numbers.begin(), place, numbers.end());
  return *place;
}

/// A number x with low <= x < high.
double halfway(double low, double high) {
  const double middle = low + (high - low) / 2;
  return middle < high ? middle : low;
}

}  // namespace

std::optional<MedianCut> median_cut(std::vector<double> numbers) {
  if (numbers.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const double low = *least, high = *most, n = static_cast<double>(numbers.size());
  if (!(low < high)) return std::nullopt;

  MedianCut cut;
  cut.spread = at_rank(numbers, numbers.size() * 3 / 4) - at_rank(numbers, numbers.size() / 4);
  if (!(cut.spread > 0)) cut.spread = high - low;
  const double median = at_rank(numbers, numbers.size() / 2);
  const Iterator first = std::partition(numbers.begin(), numbers.end(), [&](double x) { return x < median; });
  const Iterator last = std::partition(first, numbers.end(), [&](double x) { return x <= median; });
  const Index before = first - numbers.begin(), behind = numbers.end() - last;
  if (before >= behind) {
    cut.threshold = halfway(*std::max_element(numbers.begin(), first), median);
    cut.below = before;
  } else {
    cut.threshold = halfway(median, *std::min_element(last, numbers.end()));
    cut.below = last - numbers.begin();
  }
  const double below = static_cast<double>(cut.below);
  cut.smaller_share = std::min(below, n - below) / n;
  return cut;
}

}  // namespace ansatz::rfm
