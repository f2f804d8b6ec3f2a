#include "experiments/benchmark/methods/method_table.h"

#include <algorithm>
#include <set>

#include "core/base/printable_text.h"
#include "experiments/benchmark/xgboost/xgboost_library.h"

namespace ansatz::experiments {

// METHOD(kind, summary): kind is that of the config, and of the function make_<kind>_method, which the method's file
// defines.
// clang-format off
#define ANSATZ_METHODS(METHOD) \
  METHOD(rfm, "Recursive Feature Machine: kernel ridge regression that learns its feature matrix") \
  METHOD(kernel, "kernel ridge regression with a fixed kernel: an RFM without feature updates") \
  METHOD(rfm_tree, "tree of RFMs, for many rows: an RFM in each leaf, mixed near the splits") \
  METHOD(mlp, "fully connected network, stopped at its best epoch on the selection rows") \
  METHOD(random_forest, "random forest (OpenCV)") \
  METHOD(svm, "support vector machine with a Gaussian kernel (OpenCV)") \
  METHOD(xgboost, "gradient-boosted trees (" + xgboost_description() + ")")
// clang-format on

#define ANSATZ_DECLARE(kind, summary) std::unique_ptr<Method> make_##kind##_method(const MethodSection&);
ANSATZ_METHODS(ANSATZ_DECLARE)
#undef ANSATZ_DECLARE

const std::vector<MethodKind>& method_kinds() {
#define ANSATZ_ROW(kind, summary) {#kind, summary, make_##kind##_method},
  static const std::vector<MethodKind> table = {ANSATZ_METHODS(ANSATZ_ROW)};
#undef ANSATZ_ROW
  return table;
}

namespace {

std::string parse_name(const Config& section, const std::string& kind, std::set<std::string>& taken) {
  const std::string name = section.get("name", kind);
  if (name.empty() || name.front() == '.' || name.find_first_of("/,\"|") != std::string::npos ||
      printable(name) != name || name.size() > kLongestName)
    section.fail("name", "must be usable as a file name and in a table: short, no slash, comma, quote or bar");
  if (!taken.insert(name).second) section.fail("name", "\"" + name + "\" is taken; give each method its own");
  return name;
}

const MethodKind& parse_kind(const Config& section) {
  std::vector<std::string> kinds;
  for (const MethodKind& row : method_kinds()) kinds.push_back(row.name);
  section.require("kind");
  const std::string kind = section.get_choice("kind", "", kinds);
  return *std::find_if(method_kinds().begin(), method_kinds().end(), [&](const auto& row) { return row.name == kind; });
}

}  // namespace

std::vector<NamedMethod> parse_methods(const Config& root, Precision precision) {
  const Config benchmark = root.section("benchmark");
  std::vector<NamedMethod> methods;
  std::set<std::string> taken;
  for (const Config& section : benchmark.list("methods")) {
    const MethodKind& kind = parse_kind(section);
    const std::string name = parse_name(section, kind.name, taken);
    const std::size_t number = methods.size();
    methods.push_back({name, kind.name, kind.make({root, number, name, precision})});
  }
  if (methods.empty()) benchmark.fail("methods", "is needed: a list such as [{kind: rfm}, {kind: kernel}]");
  return methods;
}

}  // namespace ansatz::experiments
