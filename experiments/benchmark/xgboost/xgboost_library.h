// Gradient-boosted trees of the XGBoost library, through its C interface. Only xgboost_library.cpp includes it; without
// the library the program is built all the same, and what needs it says so.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz::experiments {

bool has_xgboost();                 ///< whether this build has the library
std::string xgboost_description();  ///< "XGBoost 1.7.4", or how to get it

/// Rows in the library's own form.
class BoostingRows {
 public:
  /// inputs: n x d, d >= 1, NaN where a value is missing; labels: n numbers or class numbers, or none.
  explicit BoostingRows(const Matrix<float>& inputs, const std::vector<float>& labels = {});
  ~BoostingRows();
  BoostingRows(const BoostingRows&) = delete;
  BoostingRows& operator=(const BoostingRows&) = delete;

  Index size() const { return size_; }

 private:
  friend class BoostedTrees;
  Index size_, columns_;
  void* handle_ = nullptr;
};

/// A model that grows round by round. NumericalError, with the library's words, where the library fails.
class BoostedTrees {
 public:
  using Parameters = std::vector<std::pair<std::string, std::string>>;  ///< the library's own names and values

  /// Will be fitted to `train` and asked for predictions at `others`; both must outlive it.
  BoostedTrees(const BoostingRows& train, const BoostingRows& others, const Parameters& parameters);
  ~BoostedTrees();
  BoostedTrees(const BoostedTrees&) = delete;
  BoostedTrees& operator=(const BoostedTrees&) = delete;

  void add_round();
  /// b x k, of all rounds so far: what the objective calls a prediction. k is 1 but for objectives of several classes.
  Matrix<double> predict_others() const;

 private:
  const BoostingRows& train_;
  const BoostingRows& others_;
  void* handle_ = nullptr;
  int rounds_ = 0;
};

}  // namespace ansatz::experiments
