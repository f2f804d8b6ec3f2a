// AGOP of a kernel machine over its own centres, fast and exact (docs/engine.md).
#pragma once

#include <string>

#include "core/record/rfm_iteration.h"
#include "rfm/gradients/gradient_options.h"
#include "rfm/kernel_machine.h"

namespace ansatz::rfm {

template <class Scalar>
struct GradientOuterProduct {
  FeatureMatrix<Scalar> matrix;  ///< the AGOP divided by unit^2
  double unit = 1;               ///< of the gradients: not 1 where their squares would leave Scalar's range
  GradientSummary summary;
};

/// In M's coordinates (M = F^T F, p = F x) the gradients of output c at the m points are the rows of L_c P F with
/// L_c = A diag(g_c) + diag(s_c) E. F is applied once, at the end; centring takes off, per output, the mean gradient
/// over all m points, whatever the tiles. Agrees with core's agop() to rounding, in each form:
///   direct         F^T [ (1/m) sum_c (L_c P)^T (L_c P) ] F, one m x n by n x q product an output, streamed in row
///   tiles:
///                  never n x c x d at once. Holds A (or tiles of it), two n x q, and q x q sums.
///   gram           F^T [ P^T S P / m ] F with S = sum_c L_c^T L_c (gradient_sample_matrix.h). Holds A and S.
///                  For kernels of a p-norm the gradients come from p_norm_gradients(), some rows at a time.
///   sample_space   the sandwich (P F, S/m); over the centres themselves, shared, where M = I and their
///                  mean does not dwarf their spread
/// Diagonal and blocks are formed in input coordinates, and only these entries; blocks are held as a dense matrix.
/// Full or blocks, not in sample space, and d > kDenseLimit: MemoryError (unless M is a sandwich of rank below that).
/// ConfigError if samples < 0, or if `form` does not exist for the kernel. DataError if `blocks` do not add up to d
/// columns.
template <class Scalar>
GradientOuterProduct<Scalar> gradient_outer_product(const KernelMachine<Scalar>& machine,
                                                    const GradientOptions& options, const RandomStream& stream);

}  // namespace ansatz::rfm
