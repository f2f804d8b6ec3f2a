#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/error.h"
#include "experiments/cli/failure.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using ansatz::experiments::current_failure;
using ansatz::experiments::Failure;

namespace {

template <class Body>
Failure failure_of(Body body) {
  try {
    body();
  } catch (...) {
    return current_failure();
  }
  return {};
}

}  // namespace

TEST_CASE("every exception has an exit code and one line") {
  const Failure own = failure_of([] { throw ansatz::NumericalError("the network diverged"); });
  CHECK(own.exit_code == 5);
  CHECK(own.message == "the network diverged");
  CHECK(failure_of([] { throw ansatz::OutputError("choose another `out`, or `resume`"); }).message ==
        "choose another --out, or --resume");
  CHECK(failure_of([] { throw std::bad_alloc(); }).exit_code == 4);
  const Failure json = failure_of([] { nlohmann::ordered_json::parse("{\"a\":").size(); });
  CHECK(json.exit_code == 3);
  CHECK_FALSE(contains(json.message, "json.exception"));
  CHECK(failure_of([] { nlohmann::json::object().at("missing"); }).exit_code == 3);
  CHECK(failure_of([] { nlohmann::json("text").get<int>(); }).exit_code == 3);
  const Failure file = failure_of([] { std::filesystem::rename("/nowhere/a", "/nowhere/b"); });
  CHECK(file.exit_code == 2);
  CHECK(contains(file.message, "/nowhere/a to /nowhere/b: No such file"));
  const Failure mistake = failure_of([] { throw std::out_of_range("vector::at"); });
  CHECK(mistake.exit_code == 1);
  CHECK(contains(mistake.message, "vector::at"));
  CHECK(contains(mistake.message, "report"));
  CHECK(failure_of([] { throw 7; }).exit_code == 1);
}
