// Data and options that the tests of trees share.
#pragma once

#include "rfm/trees/fitting/fit_rfm_tree.h"
#include "tests/rfm/support.h"

namespace ansatz::rfm::test {

template <class Scalar>
Dataset<Scalar> dataset_of(Matrix<Scalar> inputs, Matrix<Scalar> targets) {
  Dataset<Scalar> data;
  data.inputs = std::move(inputs);
  data.targets = std::move(targets);
  return data;
}

/// x_0 decides: f = 2 + x_1 x_2 where it is positive, -2 + x_3 x_4 where it is negative. It is never near 0, and of one
/// sign in every second row.
template <class Scalar>
Dataset<Scalar> two_regimes(Index n, Index d, std::uint64_t seed) {
  Matrix<double> x = normal(n, d, seed), y(n, 1);
  for (Index i = 0; i < n; ++i) {
    x(i, 0) = (i % 2 == 0 ? 1 : -1) * (0.5 + 0.5 * std::abs(x(i, 0)));
    y(i, 0) = i % 2 == 0 ? 2 + x(i, 1) * x(i, 2) : -2 + x(i, 3) * x(i, 4);
  }
  return dataset_of<Scalar>(x.cast<Scalar>(), y.cast<Scalar>());
}

template <class Scalar>
StoredSplit<Scalar> stored(const Split<Scalar>& split) {
  StoredSplit<Scalar> result;
  result.train = StoredDataset<Scalar>::of(std::make_shared<const Dataset<Scalar>>(split.train));
  if (!split.validation.empty())
    result.validation = StoredDataset<Scalar>::of(std::make_shared<const Dataset<Scalar>>(split.validation));
  return result;
}

template <class Scalar>
Split<Scalar> regimes_split(Index n, Index d) {
  Split<Scalar> split;
  split.train = two_regimes<Scalar>(n, d, 11);
  split.validation = two_regimes<Scalar>(n / 2, d, 12);
  split.test = two_regimes<Scalar>(n / 2, d, 13);
  return split;
}

inline RfmTreeOptions tree_options(Index leaf_size, Index iterations = 2) {
  RfmTreeOptions options;
  options.rfm.kernel = spec_of(KernelFamily::laplace, 5);
  options.rfm.iterations = iterations;
  options.rfm.solver.ridge = 1e-3;
  options.leaf_size = leaf_size;
  options.split_rows = 200;
  options.leaf_validation = 20;
  return options;
}

}  // namespace ansatz::rfm::test
