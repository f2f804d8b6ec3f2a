// AGOP of a kernel machine over its own centres, fast and exact (DESIGN section 5).
#pragma once

#include <string>

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

/// Direct form. In M's coordinates (M = F^T C F, p = F x) the gradients of output c at the m points are the rows of
/// L_c P C F with L_c = A diag(g_c) + diag(s_c), one m x n by n x q product per output, streamed in row tiles: never n
/// x c x d at once. C and F are applied once, at the end: AGOP = F^T C [ (1/m) sum_c (L_c P)^T (L_c P) ] C F. Centring
/// takes off, per output, the mean gradient over all m points, whatever the tiles. Agrees with core's agop() to
/// rounding. Holds besides the centres: A (m x n, or tiles of it), two n x q, and q x q sums. Full and d > kDenseLimit:
/// MemoryError (unless M is a sandwich of rank below that). DataError if samples < 0.
template <class Scalar>
GradientOuterProduct<Scalar> gradient_outer_product(const KernelMachine<Scalar>& machine,
                                                    const GradientOptions& options, const RandomStream& stream);

}  // namespace ansatz::rfm
