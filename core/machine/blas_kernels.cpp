#include "core/machine/blas_kernels.h"

#include <cstdlib>
#include <cstring>

extern "C" {  // OpenBLAS's own entry points; the latter two only where it is built for several processors
char* openblas_get_corename(void);
void gotoblas_dynamic_init(void) __attribute__((weak));
void gotoblas_dynamic_quit(void) __attribute__((weak));
}

namespace ansatz {
namespace {

/// OpenBLAS's name of the kernels for what this processor can do; null: no better than what it falls back to.
const char* best_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

}  // namespace

void choose_blas_kernels() {
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  const char* kernels = best_kernels();
  if (kernels == nullptr || std::getenv(variable) != nullptr || gotoblas_dynamic_init == nullptr ||
      gotoblas_dynamic_quit == nullptr || std::strcmp(openblas_get_corename(), "Prescott") != 0)
    return;
  setenv(variable, kernels, 0);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(variable);  // programs that this one starts choose for themselves
}

}  // namespace ansatz
