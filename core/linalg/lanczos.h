// The largest eigenpairs of an operator that is known only through its products with vectors. Spectra stays in the
// source.
#pragma once

#include <functional>
#include <optional>

#include "core/linalg/linalg.h"

namespace ansatz {

/// y = M x for a symmetric d x d operator. Called on one thread: it opens a ThreadScope of its own if it is worth more.
using SymmetricOperator = std::function<Vector<double>(const Vector<double>& x)>;

/// The k algebraically largest eigenpairs (k < d), residuals |M v - l v| within about `tolerance` times the largest
/// eigenvalue; or nothing if that was not reached. Implicitly restarted Lanczos from a fixed start vector, on M / s + I
/// (so that convergence is judged against the largest eigenvalue, not against each one's own size, which may be 0). One
/// start vector sees one copy of a repeated eigenvalue, so the orthogonal complement is searched until it holds nothing
/// larger than what was found. `tolerance` must exceed the rounding of the operator.
std::optional<EigenPairs<double>> lanczos_largest(const SymmetricOperator& apply, Index d, Index k, double tolerance);

}  // namespace ansatz
