#include <cmath>
#include <nlohmann/json.hpp>

#include "core/record/json/fit_json.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("fit_json: an iteration survives state/ without loss") {
  RfmIteration it;
  it.iteration = 2;
  it.train = {0.1 + 0.2, 1.0 / 3.0, -1e-300};
  it.test = Metrics{std::nullopt, 0.7, 0.123456789012345678};
  it.solve.method = "cholesky with jitter";
  it.solve.note = "why";
  it.solve.relative_residual = 1e-7 / 3;
  it.gradients = GradientSummary{"direct", 17, 0.5, 1e9};
  it.bandwidth = 10.0 / 3;
  it.test->standardized_mse = 2.0 / 3;
  it.test->r2_by_output = {0.1 + 0.2, std::nan("")};
  const RfmIteration back = iteration_from_state(JsonValue(Json::parse(state_json(it).dump()), "state.json"));
  CHECK(to_json(back).dump() == to_json(it).dump());
  CHECK(timing_json(back).dump() == timing_json(it).dump());
  CHECK(back.train.mse == it.train.mse);
  CHECK(back.test->standardized_mse == it.test->standardized_mse);
  CHECK(back.test->r2_by_output.front() == it.test->r2_by_output.front());
  CHECK(std::isnan(back.test->r2_by_output.back()));
  CHECK_FALSE(back.validation.has_value());
}
