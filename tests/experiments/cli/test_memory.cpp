// Under `ulimit -v` a run either has room enough or says that it has not.
#include <fmt/format.h>

#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;

namespace {

constexpr long kMegabyte = 1 << 20;

/// 3000 points: K takes 36 MB. The fixed kernel beside the RFM goes through the same solver.
std::string config(const std::string& solver) {
  return fmt::format(
      "dataset: {{name: low_rank, dimension: 20, train_size: 3000, test_size: 100}}\n"
      "rfm: {{iterations: 1, gradient_samples: all, solver: {0}, solver_epochs: 1, solver_iterations: 10, "
      "solver_tolerance: 0.9}}\n"
      "save: {{images: false}}\nreport: false\n",
      solver);
}

}  // namespace

TEST_CASE("what an address space cannot hold is refused before it starts, and what fits runs") {
  for (const std::string solver : {"cholesky", "pcg", "eigenpro"}) {
    INFO(solver);
    const Workspace work;
    work.write("c.yaml", config(solver));
    bool refused = false, ran = false;
    for (const long megabytes : {900L, 1300L, 1600L, 6000L}) {
      ProgramLimits limits;
      limits.address_space = megabytes * kMegabyte;
      const ProgramResult result =
          work.run({"run", "c.yaml", "--quiet", "--out", fmt::format("out-{}", megabytes)}, limits);
      INFO(megabytes << " MB: " << result.err);
      if (result.exit_code == 0) {
        ran = true;
        continue;
      }
      CHECK(result.exit_code == 4);
      CHECK(result.err.find("memory") != std::string::npos);
      refused = true;
    }
    CHECK(refused);
    CHECK(ran);
  }
}
