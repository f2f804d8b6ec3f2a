// How classes become targets and outputs become classes again. No other place knows this.
#pragma once

#include <string>
#include <vector>

#include "core/data/dataset.h"

namespace ansatz {

/// - one_hot: c outputs, 1 for the class and 0 for the others. Decoded by the largest output (the first of equals). A
///   single 0/1 column is read with a threshold of 1/2.
/// - prevalence: c - 1 outputs. Class k has the code c_k = q_k - sum_l pi_l q_l, where the q_k are the corners of a
///   regular simplex (edge sqrt 2, the distance of two one-hot targets) and pi_k is the share of class k among the
///   training rows. The mean target is therefore 0, and a prediction of 0 says no more than the prior. The targets'
///   second moment is Q^T (diag(pi) - pi pi^T) Q, which is I / c if all classes are equally frequent. Decoded by the
///   nearest code: every y is C^T p for exactly one vector p with sum 1 (its barycentric coordinates; p = pi at y = 0),
///   and |y - c_k|^2 = |p|^2 - 2 p_k + 1, so that the nearest code belongs to the largest p_k. xRFM uses the same codes
///   up to a rotation.
enum class ClassCoding { one_hot, prevalence };

/// The codes, one a row (c x (c - 1)), for c >= 2 prevalences pi >= 0 with sum 1. The q_k are the rows of the
/// orthonormal Q whose column j is proportional to (1, ..., 1, -j, 0, ..., 0), with j ones.
Matrix<double> prevalence_codes(const Vector<double>& prevalences);

/// How many outputs this many one-hot outputs become; a single one stands for two classes.
Index coded_outputs(ClassCoding coding, Index one_hot_outputs);

/// Replaces the one-hot targets of every part by codes, with the prevalences of the training rows, and adds a note.
/// Leaves regression targets alone.
template <class Scalar>
void encode_classes(Split<Scalar>& split, ClassCoding coding);

/// The class of each row of outputs (n x c). `codes` (classes x c) as in Dataset::class_codes; empty: one-hot.
template <class Scalar>
std::vector<Index> decode_classes(const Matrix<Scalar>& outputs, const Matrix<Scalar>& codes);

/// How many rows are given their class, as a share of all.
double share_of_hits(const std::vector<Index>& called, const std::vector<Index>& classes);
/// The mean of that share over the classes that occur in `classes`, each taken alone: a class of few rows counts as
/// much as one of many. DataError if there are no rows, or not as many `called`.
double balanced_share_of_hits(const std::vector<Index>& called, const std::vector<Index>& classes);

}  // namespace ansatz
