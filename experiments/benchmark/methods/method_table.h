// The methods of a benchmark, as a plain table: one row a kind, nothing registers itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/benchmark/methods/method_cells.h"

namespace ansatz::experiments {

struct MethodKind {
  std::string name, summary;
  std::unique_ptr<Method> (*make)(const MethodSection&);  ///< reads and checks the section; ConfigError
};

const std::vector<MethodKind>& method_kinds();

/// A method and the name that the config gives it.
struct NamedMethod {
  std::string name, kind;
  std::shared_ptr<const Method> method;
};

/// The list `benchmark.methods`: each has `kind`, may have a `name` (default: the kind) and `tune`, and has the keys of
/// its kind. ConfigError where there is none, a name comes twice, or a key or kind is unknown.
std::vector<NamedMethod> parse_methods(const Config& root, Precision precision);

}  // namespace ansatz::experiments
