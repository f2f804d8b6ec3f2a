// All conversions between Eigen and LibTorch. Only sources of nets/ include this header.
#pragma once

#include <ATen/ATen.h>

#include <string>
#include <type_traits>

#include "core/base/matrix.h"
#include "nets/mlp.h"

namespace ansatz::nets::detail {

template <class Scalar>
constexpr at::ScalarType scalar_type() {
  static_assert(std::is_same_v<Scalar, float> || std::is_same_v<Scalar, double>);
  return std::is_same_v<Scalar, float> ? at::kFloat : at::kDouble;
}

/// A CPU tensor (b x d) over the memory of `x`, which must outlive it. Never write to it.
template <class Scalar>
at::Tensor view_of(const MatrixView<Scalar>& x) {
  const Index stride = x.cols() > 0 ? x.outerStride() : 1;
  return at::from_blob(const_cast<Scalar*>(x.data()), {x.rows(), x.cols()}, {stride, 1},
                       at::TensorOptions().dtype(scalar_type<Scalar>()));
}

/// A CPU tensor over the memory of `x`, to be written through; `x` must outlive it and keep its size.
template <class Scalar>
at::Tensor writable_view_of(Matrix<Scalar>& x) {
  return at::from_blob(x.data(), {x.rows(), x.cols()}, at::TensorOptions().dtype(scalar_type<Scalar>()));
}

/// A copy as a tensor on `device`.
template <class Scalar>
at::Tensor to_tensor(const MatrixView<Scalar>& x, at::Device device = at::kCPU) {
  return view_of<Scalar>(x).clone(at::MemoryFormat::Contiguous).to(device);
}

/// A copy of the 2-D tensor `t`, which may be on any device.
template <class Scalar>
Matrix<Scalar> to_matrix(const at::Tensor& t) {
  Matrix<Scalar> x(t.size(0), t.size(1));
  writable_view_of<Scalar>(x).copy_(t);
  return x;
}

template <class Scalar>
Vector<Scalar> to_vector(const at::Tensor& t) {
  Vector<Scalar> x(t.size(0));
  at::from_blob(x.data(), {t.size(0)}, at::TensorOptions().dtype(scalar_type<Scalar>())).copy_(t);
  return x;
}

/// ConfigError for Device::cuda without a CUDA device.
at::Device torch_device(Device device);

/// Throws MemoryError for a failed allocation and NumericalError for anything else, "<doing>: LibTorch: <first line>",
/// without the backtrace that c10::Error::what() carries.
[[noreturn]] void rethrow(const std::string& doing, const c10::Error& error);

/// Calls body() and turns LibTorch's exceptions into ours.
template <class Body>
auto at_border(const char* doing, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const c10::Error& error) {
    rethrow(doing, error);
  }
}

}  // namespace ansatz::nets::detail
