// How far both sides of the paper's Theorem 1 and Propositions 1, 3, 4 and 5 are apart at finite width.
#pragma once

#include <vector>

#include "core/base/matrix.h"
#include "core/base/random.h"

namespace ansatz::experiments {

/// |A - B|_F / |B|_F, with A the gradient outer product and B the feature matrix that it tends to, all in double.
/// Everything random comes from `stream`.

/// Theorem 1: g of L = 1 + outer_layers hidden ReLU layers with W_1 (k_1 x d) fixed and the outer layers' weights
/// N(0,1) of `width`. A = E_x E_a[grad g grad g^T] over `points` draws x ~ N(0, I) and, exactly, over the last layer's
/// a; B = W_1^T W_1 / k_1. No weight is drawn anew for the gradient: the gradient independence ansatz is put to the
/// test.
double theorem1_error(const Matrix<double>& w1, Index outer_layers, Index width, Index points, RandomStream stream);

/// Proposition 3: one hidden layer, A averaged over `draws` draws of a and, exactly, over x ~ N(0, I).
double proposition3_error(const Matrix<double>& w1, Index draws, RandomStream stream);

/// Gradient descent on f(x) = A B x / sqrt(k) from B = 0 and A ~ N(0,1), on x (n x d) and y (n).
struct LinearTraining {
  Index steps = 2;
  double learning_rate = 0.1;  ///< of the sum of halved squares, divided by the largest eigenvalue of x^T x
  bool train_outer = false;    ///< Proposition 4: only B; Proposition 5: A too
};
/// Propositions 4 and 5: A = grad f grad f^T, B = B^T B after the steps, at width k.
double linear_network_error(const Matrix<double>& x, const Vector<double>& y, Index width,
                            const LinearTraining& training, RandomStream stream);

/// Proposition 1: the largest |K_M(z, z') - f(z) f(z')| over pairs of `points`, beside the largest |f f'|, for
/// f = beta^T x, M the AGOP of f over them, and K the linear kernel under M, both as the library computes them.
double proposition1_error(Index dimension, Index points, RandomStream stream);

/// The gradient outer product of Theorem 1 at one x, mean over a: d x d. `outer`: W_2, ..., W_L, each width x (width
/// before). grad g = sqrt(2^L / (k_1 ... k_L)) W_1^T D_1 W_2^T D_2 ... W_L^T D_L a.
Matrix<double> deep_gradient_outer_product(const Matrix<double>& w1, const std::vector<Matrix<double>>& outer,
                                           const Vector<double>& x);

}  // namespace ansatz::experiments
