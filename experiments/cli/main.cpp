// What has to be settled before the program's libraries are set up; then the program.
#include <unistd.h>

#include <cstdlib>

#include "core/machine/interrupt.h"
#include "core/machine/parallel.h"
#include "experiments/cli/program.h"
#include "experiments/jobs/end_with_parent.h"

namespace {

/// Where the system offers it, before the libraries that the program is linked with set themselves up: that takes most
/// of a second.
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_the_libraries)() = ansatz::end_when_interrupted;

/// An OpenBLAS with a pthread pool of its own spins against OpenMP's: both must wait passively, which they read from
/// the environment when they are loaded. So set it and start again, once.
void restart_with_passive_waiting(char** argv) {
  if (!ansatz::blas_has_its_own_threads() || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv("OPENBLAS_THREAD_TIMEOUT", "4", 0);
  execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
  ansatz::end_when_interrupted();
  restart_with_passive_waiting(argv);
  ansatz::experiments::end_with_parent();
  return ansatz::experiments::run_program(argc, argv);
}
