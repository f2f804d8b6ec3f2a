#include "experiments/theory/required_samples.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/data/synthetic/synthetic.h"
#include "experiments/options/option_names.h"
#include "experiments/theory/kernel_error.h"

namespace ansatz::experiments {
namespace {

constexpr Index kMostMultiple = 4;  // rows drawn, as a multiple of the monomials that determine the target

/// The fewest rows, from 2 on, with which `enough(n)` is true; it has to stay true beyond. `most` must be enough.
template <class Enough>
Index fewest(Index most, const Enough& enough) {
  Index too_few = 1, candidate = 2;
  while (candidate < most && !enough(candidate)) {
    too_few = candidate;
    candidate = std::min(most, 2 * candidate);
  }
  while (candidate - too_few > 1) {
    const Index middle = too_few + (candidate - too_few) / 2;
    (enough(middle) ? candidate : too_few) = middle;
  }
  return candidate;
}

Split<double> first_rows(const Split<double>& all, Index n) {
  Split<double> few = all;
  few.train.inputs = all.train.inputs.topRows(n);
  few.train.targets = all.train.targets.topRows(n);
  return few;
}

Index samples_needed(const Split<double>& all, const FeatureMatrix<double>& metric, const RequiredSamplesOptions& o) {
  rfm::KernelSpec polynomial;
  polynomial.family = rfm::KernelFamily::polynomial;
  polynomial.degree = o.degree;
  const auto enough = [&](Index n) {
    return kernel_error(polynomial, metric, first_rows(all, n), o.ridge) <= o.epsilon;
  };
  const Index most = all.train.size();
  const Index found = fewest(most, enough);
  if (found == most && !enough(most))
    throw NumericalError(
        fmt::format("`theory.sample_complexity.target`: {} samples in {} dimensions leave 1 - R^2 above {:g}; the "
                    "polynomial kernel of `degree` {} does not represent this target: raise `degree` or `epsilon`",
                    most, all.train.dimension(), o.epsilon, o.degree));
  return found;
}

/// n(epsilon) at each dimension, of one repeat.
struct Searched {
  std::vector<double> known, without;
};

Searched search(const RequiredSamplesOptions& options, const RandomStream& stream) {
  Searched found;
  for (const Index d : options.dimensions) {
    LowRankOptions target = options.target;
    target.dimension = d;
    const auto rows = static_cast<Index>(kMostMultiple * monomials(d, options.degree));
    const Split<double> split = in_section("theory.sample_complexity", [&] {
      return make_low_rank<double>(target, rows, 0, options.test_size, stream.named(fmt::format("{}", d)));
    });
    found.known.push_back(static_cast<double>(samples_needed(split, known_metric(split), options)));
    found.without.push_back(static_cast<double>(samples_needed(split, FeatureMatrix<double>::identity(d), options)));
  }
  return found;
}

RequiredSamples summary(const std::vector<Index>& dimensions, const std::vector<Searched>& repeats,
                        std::vector<double> Searched::*kernel) {
  const std::vector<double> d(dimensions.begin(), dimensions.end());
  RequiredSamples result;
  std::vector<double> slopes;
  for (const Searched& repeat : repeats) slopes.push_back(log_slope(d, repeat.*kernel));
  result.growth = mean_of_trials(slopes);
  for (std::size_t i = 0; i < d.size(); ++i) {
    std::vector<double> at;
    for (const Searched& repeat : repeats) at.push_back((repeat.*kernel)[i]);
    result.samples.push_back(mean_of_trials(at));
  }
  return result;
}

}  // namespace

double monomials(Index dimension, Index degree) {
  double count = 1;
  for (Index i = 1; i <= degree; ++i) count *= static_cast<double>(dimension + i) / static_cast<double>(i);
  return std::round(count);
}

RequiredSamplesOfBoth required_samples(const RequiredSamplesOptions& options, const RandomStream& stream) {
  std::vector<Searched> repeats;
  for (Index repeat = 0; repeat < options.repeats; ++repeat)
    repeats.push_back(search(options, stream.named(fmt::format("required/{}", repeat))));
  return {summary(options.dimensions, repeats, &Searched::known),
          summary(options.dimensions, repeats, &Searched::without)};
}

}  // namespace ansatz::experiments
