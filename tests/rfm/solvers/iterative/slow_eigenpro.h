// EigenPro with dense n x n matrices, written down as its definition reads.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "core/base/random.h"

namespace ansatz::rfm::test {

/// A = K + ridge I and P = I - R^T E^T D E K(S,X), by Eigen's own eigen-decomposition.
struct SlowEigenPro {
  Eigen::MatrixXd a, p;
  double ridge = 0, tail = 0;   // tail: the eigenvalue q + 1 of K(S,S)
  double beta = 0, lambda = 0;  // of A P: a bound of its diagonal, and its largest eigenvalue over n

  /// `rho`: what is added to the eigenvalues of K(S,S) in p_i; ridge s/n, or 0 for a damping that ignores the ridge.
  SlowEigenPro(const Eigen::MatrixXd& k, const std::vector<Index>& s, Index q, double ridge_, double rho)
      : ridge(ridge_) {
    const Index n = k.rows();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs(k(s, s));
    const Eigen::VectorXd sigma = pairs.eigenvalues().reverse();
    const Eigen::MatrixXd e = pairs.eigenvectors().rowwise().reverse().leftCols(q);
    tail = sigma[q];
    Eigen::VectorXd d(q);
    for (Index i = 0; i < q; ++i) d[i] = (1 - std::pow((tail + rho) / (sigma[i] + rho), 0.95)) / sigma[i];
    a = k + ridge * Eigen::MatrixXd::Identity(n, n);
    p = Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd on_s = e * d.asDiagonal() * e.transpose() * k(s, Eigen::all);
    for (std::size_t i = 0; i < s.size(); ++i) p.row(s[i]) -= on_s.row(static_cast<Index>(i));
    beta = (k * p).diagonal().maxCoeff() + ridge;
    lambda = spectrum()[0] / static_cast<double>(n);
  }

  /// The eigenvalues of A P, descending. They are real: A P is similar to a product of two symmetric matrices.
  Eigen::VectorXd spectrum() const {
    Eigen::VectorXd values = Eigen::EigenSolver<Eigen::MatrixXd>(a * p, false).eigenvalues().real();
    std::sort(values.data(), values.data() + values.size(), std::greater<double>());
    return values;
  }

  /// One epoch: alpha -= step P I_B (A alpha - Y), batch after batch. Returns the relative residual, each batch's
  /// measured before its update.
  double epoch(const Eigen::MatrixXd& y, Index batch, double step, RandomStream& order, Eigen::MatrixXd& alpha) const {
    const std::vector<Index> rows = order.permutation(y.rows());
    double squares = 0;
    for (Index begin = 0; begin < y.rows(); begin += batch) {
      Eigen::MatrixXd g = Eigen::MatrixXd::Zero(y.rows(), y.cols());
      for (Index i = begin; i < std::min(y.rows(), begin + batch); ++i) {
        const Index b = rows[static_cast<std::size_t>(i)];
        g.row(b) = a.row(b) * alpha - y.row(b);
      }
      squares += g.squaredNorm();
      alpha -= step * p * g;
    }
    return std::sqrt(squares / y.squaredNorm());
  }

  /// Epochs until that residual is within the tolerance; `most` if it is not by then, or if it diverges.
  Index epochs(const Eigen::MatrixXd& y, Index batch, double step, double tolerance, Index most,
               const RandomStream& stream) const {
    RandomStream order = stream.named("batches");
    Eigen::MatrixXd alpha = Eigen::MatrixXd::Zero(y.rows(), y.cols());
    for (Index done = 1; done < most; ++done) {
      const double residual = epoch(y, batch, step, order, alpha);
      if (residual <= tolerance) return done;
      if (!(residual < 1e3)) return most;
    }
    return most;
  }
};

}  // namespace ansatz::rfm::test
