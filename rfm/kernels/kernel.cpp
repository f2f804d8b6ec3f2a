#include "rfm/kernels/kernel.h"

#include <fmt/format.h>

namespace ansatz::rfm {

Kernel Kernel::make(const KernelSpec& spec) {
  validate(spec);
  Kernel kernel;
  kernel.spec_ = spec;
  kernel.bandwidth_ = spec.bandwidth;
  with_family(spec.family, [&](auto row) {
    using Row = decltype(row);
    if constexpr (Row::shape == KernelShape::p_norm) {
      kernel.spec_.norm = Row::norm(spec);
      kernel.spec_.exponent = Row::exponent(spec);
    }
  });
  return kernel;
}

Kernel Kernel::with_bandwidth(double bandwidth) const {
  Kernel kernel = *this;
  kernel.bandwidth_ = bandwidth;
  return kernel;
}

bool Kernel::by_norm_product() const {
  return with_family(spec_.family, [&](auto row) {
    using Row = decltype(row);
    if constexpr (Row::shape == KernelShape::dot_product) return Row::by_norm_product(spec_);
    return false;
  });
}

std::string Kernel::describe() const {
  const KernelInfo& info = info_of(spec_.family);
  std::string text = info.name;
  for (const KernelParameter& parameter : info.parameters) {
    const bool is_bandwidth = parameter.key == std::string(kBandwidth.key);
    text += fmt::format(", {} = {}", parameter.symbol,
                        is_bandwidth ? fmt::format("{:.6g}", bandwidth_) : text_of(spec_, parameter));
    if (is_bandwidth && spec_.bandwidth_mode == BandwidthMode::adaptive)
      text += fmt::format(" (adaptive, {:.6g} x median)", spec_.bandwidth);
  }
  return text + ": " + info.formula;
}

}  // namespace ansatz::rfm
