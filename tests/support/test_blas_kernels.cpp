#include <cstdlib>

#include "core/machine/parallel.h"
#include "tests/support/catch.h"

using namespace ansatz;

#if defined(__x86_64__)
TEST_CASE("products do not run with kernels of 2004 on a processor that can do more") {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) return;  // somebody's choice
  const std::string blas = blas_description();
  INFO(blas);
  CHECK((blas.find("core Prescott") == std::string::npos || !__builtin_cpu_supports("avx2")));
}
#endif
