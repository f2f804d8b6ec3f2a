// What an Mlp holds. For sources of nets/ only.
#pragma once

#include "nets/mlp.h"
#include "nets/stack.h"

namespace ansatz::nets {

template <class Scalar>
struct Mlp<Scalar>::Impl {
  MlpOptions options;
  detail::Stack stack;

  std::unique_ptr<Impl> copy_to(at::Device device) const {
    return std::make_unique<Impl>(Impl{options, stack.copy_to(device)});
  }
};

}  // namespace ansatz::nets
