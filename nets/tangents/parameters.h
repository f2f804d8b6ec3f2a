// Points and directions in the space of a network's parameters.
#pragma once

#include <vector>

#include "nets/mlp.h"

namespace ansatz::nets {

/// One entry a layer: what the optimiser steps on, without the multipliers of a parameterisation or the output scale
/// (Mlp::weight has them). A direction has the same shapes.
template <class Scalar>
using Parameters = std::vector<LinearLayer<Scalar>>;

template <class Scalar>
Parameters<Scalar> parameters(const Mlp<Scalar>& network);

/// The network with these parameters in place of its own; options and multipliers stay. DataError if shapes differ.
template <class Scalar>
Mlp<Scalar> with_parameters(const Mlp<Scalar>& network, const Parameters<Scalar>& parameters);

/// p + factor * q; DataError if shapes differ.
template <class Scalar>
Parameters<Scalar> plus(Parameters<Scalar> p, const Parameters<Scalar>& q, double factor = 1);

/// The Euclidean length of all entries together, summed in double.
template <class Scalar>
double length(const Parameters<Scalar>& p);

}  // namespace ansatz::nets
