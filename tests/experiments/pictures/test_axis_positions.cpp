#include "experiments/pictures/axis_positions.h"
#include "tests/support/catch.h"

using ansatz::experiments::axis_positions;

TEST_CASE("positions: numbers stand at themselves, logarithmic where they span much") {
  const auto some = axis_positions({"1", "2.5", "4e0"}, false);
  CHECK(some.numbers);
  CHECK_FALSE(some.logarithmic);
  CHECK(some.x == std::vector<double>{1, 2.5, 4});
  CHECK(axis_positions({"1", "2"}, true).logarithmic);
  CHECK(axis_positions({"0.01", "1"}, false).logarithmic);
  CHECK_FALSE(axis_positions({"0", "100"}, true).logarithmic);
}

TEST_CASE("positions: lists of one number, or of as many equal ones, are numbers, and words are places") {
  CHECK(axis_positions({"[64]", "[128]"}, false).x == std::vector<double>{64, 128});
  CHECK(axis_positions({"[64, 64]", "[128, 128]"}, false).x == std::vector<double>{64, 128});
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"[64]", "[64, 64]"}, {"[64, 32]", "[32, 64]"}, {"laplace", "ntk"}, {"1", "auto"}, {"[]", "[1]"}}) {
    const auto positions = axis_positions(words, true);
    CHECK_FALSE(positions.numbers);
    CHECK_FALSE(positions.logarithmic);
    CHECK(positions.x == std::vector<double>{1, 2});
  }
}
