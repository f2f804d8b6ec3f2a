#include "tests/bench/textbook.h"

#include <torch/torch.h>

#include <chrono>

#include "core/parallel.h"

namespace ansatz::bench {
namespace {

constexpr int64_t kBatch = 256;  // gradient points at once

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

torch::Tensor tensor(const Matrix<float>& m) {
  return torch::from_blob(const_cast<float*>(m.data()), {m.rows(), m.cols()}, torch::kFloat32);
}

Matrix<float> matrix(const torch::Tensor& t) {
  const torch::Tensor dense = t.contiguous();
  return Eigen::Map<const Matrix<float>>(dense.data_ptr<float>(), dense.size(0), dense.size(1));
}

torch::Tensor times_metric(const torch::Tensor& x, const Matrix<float>& metric) {
  return metric.size() == 0 ? x : x.mm(tensor(metric));
}

torch::Tensor distances(const torch::Tensor& x, const torch::Tensor& z, const Matrix<float>& metric) {
  const torch::Tensor xm = times_metric(x, metric);
  const torch::Tensor zm = times_metric(z, metric);
  const torch::Tensor x_norms = (xm * x).sum(1, true), z_norms = (zm * z).sum(1).view({1, -1});
  return (x_norms + z_norms - 2 * xm.mm(z.t())).clamp_min(0).sqrt();
}

}  // namespace

Textbook::Textbook(double bandwidth, double ridge) : bandwidth_(bandwidth), ridge_(ridge) {
  torch::set_num_threads(threads());
}

Matrix<float> Textbook::fit(const Matrix<float>& x, const Matrix<float>& y, const Matrix<float>& metric) {
  const torch::NoGradGuard no_gradients;
  const double start = now();
  const torch::Tensor k = (distances(tensor(x), tensor(x), metric) * (-1 / bandwidth_)).exp();
  const torch::Tensor system = k + ridge_ * torch::eye(x.rows());
  const Matrix<float> alpha = matrix(torch::linalg_solve(system, tensor(y)));
  seconds_.fit += now() - start;
  return alpha;
}

Matrix<float> Textbook::predict(const Matrix<float>& x, const Matrix<float>& centers, const Matrix<float>& alpha,
                                const Matrix<float>& metric) {
  const torch::NoGradGuard no_gradients;
  const double start = now();
  const torch::Tensor k = (distances(tensor(x), tensor(centers), metric) * (-1 / bandwidth_)).exp();
  const Matrix<float> predictions = matrix(k.mm(tensor(alpha)));
  seconds_.predict += now() - start;
  return predictions;
}

Matrix<float> Textbook::agop(const Matrix<float>& x, const Matrix<float>& alpha, const Matrix<float>& metric) {
  const torch::NoGradGuard no_gradients;
  const double start = now();
  const int64_t n = x.rows(), d = x.cols(), c = alpha.cols();
  const torch::Tensor points = tensor(x), coefficients = tensor(alpha);
  const torch::Tensor dist = distances(points, points, metric);
  torch::Tensor k = (dist * (-1 / bandwidth_)).exp() / dist;
  k = torch::where(dist < 1e-10, torch::zeros_like(k), k);
  const torch::Tensor xm = times_metric(points, metric);
  const torch::Tensor terms = (coefficients.view({n, c, 1}) * xm.view({n, 1, d})).reshape({n, c * d});
  torch::Tensor sum = torch::zeros({d, d});
  for (int64_t begin = 0; begin < n; begin += kBatch) {
    const int64_t end = std::min(n, begin + kBatch), rows = end - begin;
    const torch::Tensor weights = k.slice(0, begin, end);
    const torch::Tensor pulled = weights.mm(terms).view({rows, c, d});
    const torch::Tensor own = weights.mm(coefficients).view({rows, c, 1}) * xm.slice(0, begin, end).view({rows, 1, d});
    const torch::Tensor gradients = ((pulled - own) / bandwidth_).reshape({rows * c, d});
    sum += gradients.t().mm(gradients);
  }
  const Matrix<float> result = matrix(sum / double(n));
  seconds_.agop += now() - start;
  return result;
}

}  // namespace ansatz::bench
