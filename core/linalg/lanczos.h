// The largest eigenpairs of an operator that is known only through its products with vectors. Spectra stays in the
// source.
#pragma once

#include <functional>
#include <optional>

#include "core/linalg/linalg.h"

namespace ansatz {

/// y = M x for a symmetric d x d operator. It is called with one thread set; an operator that is worth more threads
/// opens a ThreadScope of its own.
using SymmetricOperator = std::function<Vector<double>(const Vector<double>& x)>;

/// The k algebraically largest eigenpairs (k < d) with residuals |M v - l v| within about `tolerance` times the largest
/// eigenvalue, or nothing if that was not reached. `tolerance` must exceed the rounding of the operator.
/// - The method is implicitly restarted Lanczos from a fixed start vector. It works on M / s + I, so that convergence
///   is judged against the largest eigenvalue and not against each eigenvalue's own size, which may be 0.
/// - One start vector finds one copy of a repeated eigenvalue. The orthogonal complement is therefore searched again
///   until it holds nothing larger than what was found.
std::optional<EigenPairs<double>> lanczos_largest(const SymmetricOperator& apply, Index d, Index k, double tolerance);

}  // namespace ansatz
