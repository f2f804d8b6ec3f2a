// Runs an experiment of the paper in small and reads its findings.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/experiments/program.h"
#include "tests/support/catch.h"

namespace ansatz::testing {

/// The finding of that name, NaN for null; fails where there is none.
inline double finding(const nlohmann::ordered_json& metrics, const std::string& name) {
  for (const auto& one : metrics.at("findings").at("list"))
    if (one.at("name") == name) return one.at("value").is_null() ? NAN : one.at("value").get<double>();
  throw std::runtime_error("no finding " + name);
}

/// The standard error of that finding, NaN for none.
inline double standard_error(const nlohmann::ordered_json& metrics, const std::string& name) {
  for (const auto& one : metrics.at("findings").at("list"))
    if (one.at("name") == name)
      return one.contains("standard_error") && !one.at("standard_error").is_null()
                 ? one.at("standard_error").get<double>()
                 : NAN;
  throw std::runtime_error("no finding " + name);
}

/// metrics.json of a run of that config into that folder, which must end well.
inline nlohmann::ordered_json metrics_of_run(const Workspace& work, const std::string& config, const std::string& out) {
  const ProgramResult run = work.run({"run", config, "--out", out, "--quiet"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return work.metrics(out);
}

}  // namespace ansatz::testing
