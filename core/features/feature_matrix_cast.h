// A feature matrix with its numbers in another precision.
#pragma once

#include <memory>

#include "core/features/feature_matrix.h"

namespace ansatz {

/// In the same form; float to double and back again is the same matrix.
template <class To, class From>
FeatureMatrix<To> feature_matrix_cast(const FeatureMatrix<From>& m) {
  using Form = typename FeatureMatrix<From>::Form;
  if (m.form() == Form::dense) return FeatureMatrix<To>::dense(m.dense_part().template cast<To>());
  if (m.form() == Form::diagonal) return FeatureMatrix<To>::diagonal_form(m.diagonal_part().template cast<To>());
  const auto factor = std::make_shared<const Matrix<To>>(m.factor().template cast<To>());
  return m.core_is_identity() ? FeatureMatrix<To>::sandwich(factor)
                              : FeatureMatrix<To>::sandwich(factor, m.core().template cast<To>());
}

}  // namespace ansatz
