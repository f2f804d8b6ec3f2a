// AGOP of a kernel machine over its own centres, fast and exact (DESIGN section 5).
#pragma once

#include <vector>

#include "rfm/kernel_machine.h"

namespace ansatz::rfm {

struct GradientOptions {
  bool center = false;    ///< subtract, per output, the mean gradient over the points used
  bool diagonal = false;  ///< form the diagonal only
  Index samples = 0;      ///< m points drawn from the centres by a seeded stream, without replacement; 0 or >= n: all
};

struct GradientSummary {
  std::string form;  ///< "direct" (gram and sample-space forms join here)
  Index points = 0;  ///< m
  double seconds = 0, flops = 0;
};

template <class Scalar>
struct GradientOuterProduct {
  FeatureMatrix<Scalar> matrix;
  GradientSummary summary;
};

/// Direct form: gradients of output c at the m points are L_c X M with L_c = A diag(alpha_c) + diag(D alpha_c), one m x n by n x d
/// product per output, streamed in row tiles: never n x c x d at once, and M is applied once at the end
/// (AGOP = M [ (1/m) sum_c (L_c X)^T (L_c X) ] M). Agrees with core's agop() to rounding.
template <class Scalar>
GradientOuterProduct<Scalar> gradient_outer_product(const KernelMachine<Scalar>& machine, const GradientOptions& options, const RandomStream& stream);

}  // namespace ansatz::rfm
