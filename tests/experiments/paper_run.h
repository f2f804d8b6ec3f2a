// Runs an experiment of the paper in small and reads its findings.
#pragma once

#include <stdexcept>
#include <string>

#include "tests/experiments/program.h"

namespace ansatz::testing {

/// The finding of that name; fails where there is none.
inline double finding(const nlohmann::ordered_json& metrics, const std::string& name) {
  for (const auto& one : metrics.at("findings").at("list"))
    if (one.at("name") == name) return one.at("value").get<double>();
  throw std::runtime_error("no finding " + name);
}

}  // namespace ansatz::testing
