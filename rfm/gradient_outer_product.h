// AGOP of a kernel machine over its own centres, fast and exact (docs/engine.md).
#pragma once

#include <string>

#include "core/base/random.h"
#include "core/record/rfm_iteration.h"
#include "rfm/gradients/gradient_options.h"
#include "rfm/kernel_machine.h"

namespace ansatz::rfm {

template <class Scalar>
struct GradientOuterProduct {
  FeatureMatrix<Scalar> matrix;  ///< the AGOP divided by unit^2
  double unit = 1;               ///< of the gradients; not 1 only where their squares would leave Scalar's range
  GradientSummary summary;
};

/// The AGOP over m of the n centres. Let M = F^T F and let P (n x q) hold the centres in the coordinates p = F x. The
/// gradients of output c at the m points are then the rows of L_c P F with L_c = A diag(g_c) + diag(s_c) E, in the
/// notation of gradient_sample_matrix.h. Each form gives what core's agop() gives, to rounding:
/// - direct: F^T [ (1/m) sum_c (L_c P)^T (L_c P) ] F. Takes one m x n by n x q product an output, streamed in tiles of
///   rows, so that no n x c x d array exists. Holds A (or tiles of it), two n x q arrays and the q x q sums. This is
///   the only form for kernels of a p-norm, whose gradients come from p_norm_gradients(), some rows at a time.
/// - gram: F^T [ P^T S P / m ] F with S = sum_c L_c^T L_c. Holds A and S.
/// - sample_space: the sandwich (P F, S/m). Where M = I and the mean of the centres does not dwarf their spread, the
///   sandwich shares the centres themselves.
/// F is applied once, at the end. Only a diagonal or blocks are summed in input coordinates, and only their entries are
/// computed; a matrix of blocks is held dense. Centring subtracts, per output, the mean gradient over all m points,
/// however they are tiled. Throws
/// - MemoryError, but not in sample space: for blocks if d > kDenseLimit, for a full matrix if q > kDenseLimit (q = d
///   unless M is a sandwich of lower rank);
/// - ConfigError if samples < 0, or if `form` does not exist for the kernel;
/// - DataError if `blocks` do not add up to d columns.
template <class Scalar>
GradientOuterProduct<Scalar> gradient_outer_product(const KernelMachine<Scalar>& machine,
                                                    const GradientOptions& options, const RandomStream& stream);

}  // namespace ansatz::rfm
