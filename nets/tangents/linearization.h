// The first-order expansion of a network in its parameters: f_lin(x; theta) = f(x; theta_0) + J(x) (theta - theta_0).
#pragma once

#include "nets/tangents/parameters.h"

namespace ansatz::nets {

/// J(x) v (b x c): how fast the outputs at the rows of x move when the parameters move along v. Forward through the
/// layers, no autograd. DataError if v is of another architecture, or x of another width.
template <class Scalar>
Matrix<Scalar> derivative_along(const Mlp<Scalar>& network, const MatrixView<Scalar>& x,
                                const Parameters<Scalar>& direction);

/// J(x)^T a for a (b x c): the gradient in the parameters of sum_ic a_ic f_c(x_i). By back-propagation. DataError if
/// the shapes of x or a do not fit.
template <class Scalar>
Parameters<Scalar> pulled_back(const Mlp<Scalar>& network, const MatrixView<Scalar>& x, const MatrixView<Scalar>& a);

/// f_lin of the expansion at `start`, at the rows of x (b x c): f(x) + J(x) step.
template <class Scalar>
Matrix<Scalar> linearized_outputs(const Mlp<Scalar>& start, const MatrixView<Scalar>& x,
                                  const Parameters<Scalar>& step);

}  // namespace ansatz::nets
