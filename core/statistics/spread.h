// Several values of one number, as their mean and standard deviation.
#pragma once

#include <vector>

namespace ansatz {

/// Of one number over the runs, sets or folds in which it is finite.
struct Spread {
  double mean = 0;
  double sd = 0;  ///< of the sample (n - 1); NaN for one value
  std::vector<double> values;
};

/// Mean and standard deviation of finite values; NaN of none.
Spread spread_of(std::vector<double> values);

}  // namespace ansatz
