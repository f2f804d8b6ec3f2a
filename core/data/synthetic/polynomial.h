// Polynomials of independent, symmetric random variables: values, derivatives and exact expectations.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// One monomial: coefficient * prod_i x_i^powers[i] (indices are 0-based).
struct PolynomialTerm {
  double coefficient = 1;
  std::map<Index, Index> powers;
};

/// A sum of terms coefficient * prod_i x_i^powers[i].
class Polynomial {
 public:
  using Powers = std::map<Index, Index>;  ///< variable -> power >= 1

  Polynomial() = default;
  explicit Polynomial(const std::vector<PolynomialTerm>& terms);

  double value(const double* x) const;
  Polynomial derivative(Index variable) const;
  Polynomial operator*(const Polynomial& other) const;
  std::vector<Index> variables() const;  ///< ascending
  Index degree() const;                  ///< the largest power of a single variable, over all terms
  std::string text() const;              ///< "2 x1^2 x3 - x2", x1 being variable 0

  /// E p(x) for independent x_i that all have E x_i^k = moments[k], k = 0..degree().
  double expectation(const std::vector<double>& moments) const;

 private:
  std::map<Powers, double> terms_;  ///< without zero coefficients
};

/// E x^k, k = 0..count-1, of a normal variable, or of a random sign times sqrt(variance) (Rademacher).
std::vector<double> gaussian_moments(double variance, std::size_t count);
std::vector<double> rademacher_moments(double variance, std::size_t count);

/// E z^k, k = 0..count-1, of z = sum_i weights[i] x_i for independent x_i with the given moments. By cumulants, which
/// add: kappa_k(z) = kappa_k(x) sum_i weights[i]^k, and m_k = sum_(j=1..k) C(k-1, j-1) kappa_j m_(k-j).
std::vector<double> moments_of_sum(const std::vector<double>& moments, const Vector<double>& weights);

}  // namespace ansatz
