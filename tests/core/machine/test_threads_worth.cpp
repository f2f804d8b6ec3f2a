#include "core/machine/threads_worth.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("a step takes as many threads as its work is worth") {
  const auto network = [](double weights, double rows) { return 6 * weights * rows; };
  CHECK(threads_worth(0, 16) == 1);
  CHECK(threads_worth(network(256.0 * (256 + 25), 32), 16) == 1);  // a table of one's own
  CHECK(threads_worth(network(512.0 * (512 + 100), 32), 16) == 7);
  CHECK(threads_worth(network(1024.0 * (1024 + 3072), 100), 16) == 16);  // the paper's
  CHECK(threads_worth(1e30, 2) == 2);
}
