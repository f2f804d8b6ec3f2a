#include "tests/textbook/textbook.h"

#include <torch/torch.h>

#include <chrono>

#include "core/machine/parallel.h"

namespace ansatz::textbook {
namespace {

constexpr int64_t kBatch = 256;  // gradient points at once

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <class Scalar>
constexpr torch::ScalarType kType = sizeof(Scalar) == 4 ? torch::kFloat32 : torch::kFloat64;

template <class Scalar>
torch::Tensor tensor(const Matrix<Scalar>& m) {
  return torch::from_blob(const_cast<Scalar*>(m.data()), {m.rows(), m.cols()}, kType<Scalar>);
}

template <class Scalar>
Matrix<Scalar> matrix(const torch::Tensor& t) {
  const torch::Tensor dense = t.contiguous();
  return Eigen::Map<const Matrix<Scalar>>(dense.data_ptr<Scalar>(), dense.size(0), dense.size(1));
}

template <class Scalar>
torch::Tensor times_metric(const torch::Tensor& x, const Matrix<Scalar>& metric) {
  return metric.size() == 0 ? x : x.mm(tensor(metric));
}

template <class Scalar>
torch::Tensor distances(const torch::Tensor& x, const torch::Tensor& z, const Matrix<Scalar>& metric) {
  const torch::Tensor xm = times_metric(x, metric);
  const torch::Tensor zm = times_metric(z, metric);
  const torch::Tensor x_norms = (xm * x).sum(1, true), z_norms = (zm * z).sum(1).view({1, -1});
  return (x_norms + z_norms - 2 * xm.mm(z.t())).clamp_min(0).sqrt();
}

}  // namespace

template <class Scalar>
Textbook<Scalar>::Textbook(double bandwidth, double ridge) : bandwidth_(bandwidth), ridge_(ridge) {
  torch::set_num_threads(threads());
}

template <class Scalar>
Matrix<Scalar> Textbook<Scalar>::fit(const Matrix<Scalar>& x, const Matrix<Scalar>& y, const Matrix<Scalar>& metric) {
  const torch::NoGradGuard no_gradients;
  const double start = now();
  const torch::Tensor k = (distances(tensor(x), tensor(x), metric) * (-1 / bandwidth_)).exp();
  const torch::Tensor system = k + ridge_ * torch::eye(x.rows(), kType<Scalar>);
  const Matrix<Scalar> alpha = matrix<Scalar>(torch::linalg_solve(system, tensor(y)));
  seconds_.fit += now() - start;
  return alpha;
}

template <class Scalar>
Matrix<Scalar> Textbook<Scalar>::predict(const Matrix<Scalar>& x, const Matrix<Scalar>& centers,
                                         const Matrix<Scalar>& alpha, const Matrix<Scalar>& metric) {
  const torch::NoGradGuard no_gradients;
  const double start = now();
  const torch::Tensor k = (distances(tensor(x), tensor(centers), metric) * (-1 / bandwidth_)).exp();
  const Matrix<Scalar> predictions = matrix<Scalar>(k.mm(tensor(alpha)));
  seconds_.predict += now() - start;
  return predictions;
}

template <class Scalar>
Matrix<Scalar> Textbook<Scalar>::agop(const Matrix<Scalar>& x, const Matrix<Scalar>& alpha,
                                      const Matrix<Scalar>& metric) {
  const torch::NoGradGuard no_gradients;
  const double start = now();
  const int64_t n = x.rows(), d = x.cols(), c = alpha.cols();
  const torch::Tensor points = tensor(x), coefficients = tensor(alpha);
  const torch::Tensor dist = distances(points, points, metric);
  torch::Tensor k = (dist * (-1 / bandwidth_)).exp() / dist;
  k = torch::where(dist < 1e-10, torch::zeros_like(k), k);
  const torch::Tensor xm = times_metric(points, metric);
  const torch::Tensor terms = (coefficients.view({n, c, 1}) * xm.view({n, 1, d})).reshape({n, c * d});
  torch::Tensor sum = torch::zeros({d, d}, kType<Scalar>);
  for (int64_t begin = 0; begin < n; begin += kBatch) {
    const int64_t end = std::min(n, begin + kBatch), rows = end - begin;
    const torch::Tensor weights = k.slice(0, begin, end);
    const torch::Tensor pulled = weights.mm(terms).view({rows, c, d});
    const torch::Tensor own = weights.mm(coefficients).view({rows, c, 1}) * xm.slice(0, begin, end).view({rows, 1, d});
    const torch::Tensor gradients = ((pulled - own) / bandwidth_).reshape({rows * c, d});
    sum += gradients.t().mm(gradients);
  }
  const Matrix<Scalar> result = matrix<Scalar>(sum / double(n));
  seconds_.agop += now() - start;
  return result;
}

template class Textbook<float>;
template class Textbook<double>;

}  // namespace ansatz::textbook
