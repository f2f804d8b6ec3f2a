#include "experiments/jobs/end_with_parent.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace ansatz::experiments {
namespace {

constexpr const char* kParent = "ANSATZ_PARENT";

}  // namespace

std::string parent_variable() { return std::string(kParent) + "=" + std::to_string(getpid()); }

void end_with_parent() {
  const char* const value = std::getenv(kParent);
  if (value == nullptr) return;
  const std::string parent = value;
  unsetenv(kParent);
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return;
  if (std::to_string(getppid()) != parent) raise(SIGTERM);  // it ended before this line
}

}  // namespace ansatz::experiments
