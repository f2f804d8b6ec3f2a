// A kernel by name and parameters, ready for use.
#pragma once

#include <string>

#include "rfm/kernels/kernel_families.h"

namespace ansatz::rfm {

/// A kernel ready for use: a small value. Its formula is in its row in rfm/kernels/kernel_families.h.
class Kernel {
 public:
  /// Takes the bandwidth as constant, whatever its mode in `spec`: make_kernel() of rfm/pairs/kernel_matrix.h resolves
  /// an adaptive one. Throws ConfigError if a parameter is out of range.
  static Kernel make(const KernelSpec& spec);

  Kernel with_bandwidth(double bandwidth) const;  ///< resolved: in the unit of the distances

  /// `norm` and `exponent` are p and q of every p-norm kernel, also where the family sets them.
  const KernelSpec& spec() const { return spec_; }
  double bandwidth() const { return bandwidth_; }  ///< the resolved L
  KernelShape shape() const { return info_of(spec_.family).shape; }
  bool radial() const { return shape() != KernelShape::dot_product; }  ///< a function of a distance of x and z
  /// Whether that distance is a p-norm. It then comes from elementwise differences of M^1/2 x and M^1/2 z, not from a
  /// matrix product.
  bool p_norm() const { return shape() == KernelShape::p_norm; }
  /// Of a dot-product kernel: whether K depends on |x|_M and |z|_M by their product alone, which makes the weights of
  /// its gradients symmetric in x and z.
  bool by_norm_product() const;
  std::string describe() const;  ///< "laplace, L = 10: exp(-|x-z|_M / L)"

 private:
  KernelSpec spec_;
  double bandwidth_ = 10;
};

}  // namespace ansatz::rfm
