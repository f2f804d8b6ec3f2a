// How classes become targets, and outputs classes again: the one place that knows.
#pragma once

#include <string>
#include <vector>

#include "core/data/dataset.h"

namespace ansatz {

/// one_hot     c outputs, the class's 1 and the others 0; decoded by the largest output (the first of equals). A single
///             0/1 column is read with a threshold of 1/2.
/// prevalence  c - 1 outputs: class k has the code  c_k = q_k - sum_l pi_l q_l,  q_k the corners of a regular simplex
///             (edge sqrt 2, the distance of two one-hot targets) and pi_k the share of class k among the training
///             rows. So the mean target is 0, and a prediction of 0 says no more than the prior. Their second moment is
///             Q^T (diag(pi) - pi pi^T) Q: I / c where all classes are equally frequent. Decoded by the nearest code.
///             Every y is C^T p for one vector p with sum 1 (its barycentric coordinates; p = pi at y = 0), and
///             |y - c_k|^2 = |p|^2 - 2 p_k + 1: the nearest code belongs to the largest p_k. As in xRFM, whose codes
///             are these up to a rotation.
enum class ClassCoding { one_hot, prevalence };

/// Codes c x (c - 1), one a row, for the prevalences pi (c >= 2, >= 0, sum 1), with q_k the rows of the orthonormal Q
/// whose column j is proportional to (1, ..., 1, -j, 0, ..., 0), j ones.
Matrix<double> prevalence_codes(const Vector<double>& prevalences);

/// Outputs that c one-hot outputs become; a single one stands for two classes.
Index coded_outputs(ClassCoding coding, Index one_hot_outputs);

/// Replaces the one-hot targets of every part, with prevalences of the training rows, and adds a note. Leaves
/// regression targets alone.
template <class Scalar>
void encode_classes(Split<Scalar>& split, ClassCoding coding);

/// The class of each row of outputs (n x c). `codes` (classes x c) as in Dataset::class_codes; empty: one-hot.
template <class Scalar>
std::vector<Index> decode_classes(const Matrix<Scalar>& outputs, const Matrix<Scalar>& codes);

}  // namespace ansatz
