#include <cmath>

#include "core/statistics/normal_quantile.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("normal quantiles are those of Python's statistics.NormalDist", "[statistics]") {
  const double known[][2] = {{1e-300, -37.0470962993612},  {1e-7, -5.199337582192817},   {0.01, -2.3263478740408408},
                             {0.075, -1.4395314709384557}, {0.3, -0.5244005127080407},   {0.5, 0.0},
                             {0.9, 1.2815515655446008},    {0.999999, 4.753424308817089}};
  for (const auto& [p, x] : known) CHECK(normal_quantile(p) == Approx(x).epsilon(1e-13).margin(1e-15));
}

TEST_CASE("a normal quantile undoes the normal distribution function", "[statistics]") {
  for (double x = -6; x <= 6; x += 0.37) {
    const double p = 0.5 * std::erfc(-x / std::sqrt(2.0));
    CHECK(normal_quantile(p) == Approx(x).epsilon(1e-6));
  }
  CHECK(normal_quantile(0) == -INFINITY);
  CHECK(normal_quantile(1) == INFINITY);
  CHECK(std::isnan(normal_quantile(1.5)));
}
