#include "experiments/theory/theory_limits.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/features/agop.h"
#include "experiments/theory/limit_curves.h"
#include "rfm/pairs/kernel_matrix.h"

namespace ansatz::experiments {
namespace {

/// 1 where positive.
Vector<double> active(const Vector<double>& h) { return (h.array() > 0).cast<double>(); }

/// P(u.x > 0 and v.x > 0) for x ~ N(0, I): (pi - angle(u, v)) / 2 pi.
double both_active(const Vector<double>& u, const Vector<double>& v) {
  const double cosine = std::clamp(u.dot(v) / (u.norm() * v.norm()), -1.0, 1.0);
  return (M_PI - std::acos(cosine)) / (2 * M_PI);
}

/// f(x) = beta^T x.
class LinearTarget final : public Predictor<double> {
 public:
  explicit LinearTarget(Matrix<double> beta) : beta_(std::move(beta)) {}
  Index input_dimension() const override { return beta_.rows(); }
  Index output_dimension() const override { return 1; }
  Matrix<double> predict(const MatrixView<double>& x) const override { return x * beta_; }
  Matrix<double> input_jacobian(const MatrixView<double>& x) const override {
    return beta_.transpose().replicate(x.rows(), 1);
  }

 private:
  Matrix<double> beta_;
};

}  // namespace

Matrix<double> deep_gradient_outer_product(const Matrix<double>& w1, const std::vector<Matrix<double>>& outer,
                                           const Vector<double>& x) {
  Vector<double> h = w1 * x;
  Matrix<double> jacobian = active(h).asDiagonal() * w1;  // of phi(W_1 x), k_1 x d
  double scale = 2.0 / static_cast<double>(w1.rows());
  h = h.cwiseMax(0.0);
  for (const Matrix<double>& w : outer) {
    h = (w * h).eval();
    jacobian = (active(h).asDiagonal() * (w * jacobian)).eval();
    h = h.cwiseMax(0.0);
    scale *= 2.0 / static_cast<double>(w.rows());
  }
  return scale * jacobian.transpose() * jacobian;
}

double theorem1_error(const Matrix<double>& w1, Index outer_layers, Index width, Index points, RandomStream stream) {
  std::vector<Matrix<double>> outer;
  Index inputs = w1.rows();
  for (Index layer = 0; layer < outer_layers; ++layer, inputs = width)
    outer.push_back(stream.normal_matrix<double>(width, inputs));
  Matrix<double> sum = Matrix<double>::Zero(w1.cols(), w1.cols());
  for (Index i = 0; i < points; ++i)
    sum += deep_gradient_outer_product(w1, outer, stream.normal_matrix<double>(w1.cols(), 1));
  const Matrix<double> limit = w1.transpose() * w1 / static_cast<double>(w1.rows());
  return relative_error(sum / static_cast<double>(points), limit);
}

double proposition3_error(const Matrix<double>& w1, Index draws, RandomStream stream) {
  const Index k = w1.rows();
  Matrix<double> together(k, k);  // P(both units active)
  for (Index i = 0; i < k; ++i)
    for (Index j = 0; j < k; ++j) together(i, j) = both_active(w1.row(i).transpose(), w1.row(j).transpose());
  together.diagonal().setConstant(0.5);
  Matrix<double> products = Matrix<double>::Zero(k, k);  // mean of a a^T
  for (Index draw = 0; draw < draws; ++draw) {
    const Vector<double> a = stream.normal_matrix<double>(k, 1);
    products += a * a.transpose() / static_cast<double>(draws);
  }
  const Matrix<double> middle = 2.0 / static_cast<double>(k) * products.cwiseProduct(together);
  const Matrix<double> limit = w1.transpose() * w1 / static_cast<double>(k);
  return relative_error(w1.transpose() * middle * w1, limit);
}

double linear_network_error(const Matrix<double>& x, const Vector<double>& y, Index width,
                            const LinearTraining& training, RandomStream stream) {
  const double root = std::sqrt(static_cast<double>(width));
  const Matrix<double> gram = x.transpose() * x;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(gram, Eigen::EigenvaluesOnly);
  const double rate = training.learning_rate / spectrum.eigenvalues().maxCoeff();
  Vector<double> a = stream.normal_matrix<double>(width, 1);
  Matrix<double> b = Matrix<double>::Zero(width, x.cols());
  for (Index step = 0; step < training.steps; ++step) {
    const Vector<double> residual = y - x * (b.transpose() * a) / root;
    const Vector<double> pull = x.transpose() * residual;  // d
    const Vector<double> a_step = rate / root * (b * pull);
    b += rate / root * a * pull.transpose();
    if (training.train_outer) a += a_step;
  }
  const Vector<double> gradient = b.transpose() * a / root;
  return relative_error(gradient * gradient.transpose(), b.transpose() * b);
}

double proposition1_error(Index dimension, Index points, RandomStream stream) {
  const LinearTarget f(stream.normal_matrix<double>(dimension, 1));
  const Matrix<double> z = stream.normal_matrix<double>(points, dimension);
  const FeatureMatrix<double> m = agop<double>(f, z);
  rfm::KernelSpec linear;
  linear.family = rfm::KernelFamily::polynomial;
  linear.degree = 1;
  linear.offset = 0;
  const Matrix<double> kernel = rfm::kernel_matrix<double>(rfm::Kernel::make(linear), m, z);
  const Vector<double> values = f.predict(z);
  const Matrix<double> ideal = values * values.transpose();
  return (kernel - ideal).cwiseAbs().maxCoeff() / ideal.cwiseAbs().maxCoeff();
}

}  // namespace ansatz::experiments
