#include "experiments/benchmark/set_warnings.h"
#include "tests/support/catch.h"

using namespace ansatz::experiments;

TEST_CASE("warnings that differ in numbers are one line, with their count and range") {
  const std::vector<std::string> lines = summarized({
      "kernel system of 500 rows, ridge 0.001: changes predictions by 0.03; solving it in float64",
      "RFM fails: no memory",
      "kernel system of 250 rows, ridge 0.001: changes predictions by 5e-05; solving it in float64",
      "kernel system of 500 rows, ridge 0.001: changes predictions by 0.031; solving it in float64",
      "kernel system of 500 rows, ridge 0.001: changes predictions by 0.03; solving it in float32",
  });
  CHECK(lines == std::vector<std::string>{
                     "3 times: kernel system of 250 to 500 rows, ridge 0.001: changes predictions by 5e-05 to 0.031; "
                     "solving it in "
                     "float64",
                     "RFM fails: no memory",
                     "kernel system of 500 rows, ridge 0.001: changes predictions by 0.03; solving it in float32"});
}

TEST_CASE("warnings: equal ones, numbers at the ends, and none") {
  CHECK(summarized({"3 of 4", "3 of 4", "9. Of 2.5e-3", "10. Of 2.5e-3", "x86_64 2e"}) ==
        std::vector<std::string>{"2 times: 3 of 4", "2 times: 9 to 10. Of 2.5e-3", "x86_64 2e"});
  CHECK(summarized({}).empty());
}
