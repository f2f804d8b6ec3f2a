#include "experiments/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <set>

#include "core/base/error.h"
#include "core/base/printable_text.h"
#include "core/files/files.h"
#include "experiments/options/option_names.h"

namespace ansatz::experiments {
namespace {

struct Prepared {
  CommonOptions common;
  std::vector<Part> parts;
  Expectations expectations;
  std::function<PartsVisitor()> make_visitor;
};

/// The part's data and comparison, taken in by the visitor.
void run_part(const Part& part, const PartsVisitor& visitor, const RunContext& run) {
  try {
    visitor.take(part, load_comparison(part.options, run.stream)(run), run);
  } catch (Error& error) {
    name_on_command_line(error);
    if (!run.directory.finished()) run.directory.finish(error.exit_code(), error.what());
    throw;
  }
  if (!run.directory.finished()) run.directory.finish(0);
}

void run_parts(const Prepared& experiment, const RunContext& run) {
  const PartsVisitor visitor = experiment.make_visitor();
  std::vector<std::string> names;
  for (const Part& part : experiment.parts) {
    names.push_back(part.name);
    if (!run.quiet)
      std::fprintf(stderr, "part %zu of %zu: %s\n", names.size(), experiment.parts.size(), part.name.c_str());
    const RunDirectory directory = run.directory.part(part.name);
    run_part(part, visitor, {directory, run.stream, run.quiet});
  }
  make_folder(run.directory.path() / "images");
  write_summary(experiment.common, names, experiment.expectations, visitor.conclude(run), run);
}

Plan plan_parts(const std::vector<Part>& parts) {
  Plan all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Plan plan = plan_feature_comparison(parts[i].options);
    all.size = plan.size;
    all.model_bytes += plan.model_bytes;
    for (PlannedStage& stage : plan.stages) {
      stage.name = parts[i].name + ": " + stage.name;
      stage.part = static_cast<Index>(i);
      all.stages.push_back(std::move(stage));
    }
    for (const std::string& note : plan.notes) all.notes.push_back(parts[i].name + ": " + note);
  }
  return all;
}

}  // namespace

std::vector<Part> parse_parts(const Config& root, const CommonOptions& common) {
  std::vector<Part> parts;
  std::set<std::string> names;
  for (const Config& section : root.list("parts")) {
    const std::string name = section.require("name");
    if (name.empty() || name.find('/') != std::string::npos || name.front() == '.' || printable(name) != name)
      section.fail("name", "must be a plain folder name");
    if (name.size() > kLongestName)
      section.fail("name", fmt::format("must be of at most {} bytes, as it becomes a folder", kLongestName));
    if (!names.insert(name).second) section.fail("name", "\"" + name + "\" is taken; give each part its own");
    parts.push_back({name, parse_feature_comparison(root, section, common, "")});
  }
  if (parts.empty()) root.fail("parts", "is needed: a list such as [{name: first, dataset: {...}}]");
  return parts;
}

std::vector<Part> parse_attribute_parts(const Config& root, const Config& own, const CommonOptions& common) {
  if (root.section("dataset").get("name", "celeba") != "celeba")
    root.section("dataset").fail("name", "attributes are those of celeba");
  std::vector<Part> parts;
  std::set<std::string> names;
  for (const std::string& attribute : own.get("attributes", std::vector<std::string>{})) {
    if (attribute.size() > kLongestName)
      own.fail("attributes", fmt::format("must have names of at most {} bytes, as they become folders", kLongestName));
    std::string name = attribute;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!names.insert(name).second) own.fail("attributes", attribute + " is there twice");
    parts.push_back({name, parse_feature_comparison(root, root, common, attribute)});
  }
  if (parts.empty()) own.fail("attributes", "is needed: a list such as [Eyeglasses, Smiling]");
  return parts;
}

std::string readable(const Part& part) {
  std::string name = part.options.dataset.attribute;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

PreparedExperiment prepare_parts(const CommonOptions& common, std::vector<Part> parts, Expectations expectations,
                                 std::function<PartsVisitor()> make_visitor) {
  const auto experiment = std::make_shared<const Prepared>(
      Prepared{common, std::move(parts), std::move(expectations), std::move(make_visitor)});
  PreparedExperiment prepared;
  prepared.plan = [=] { return plan_parts(experiment->parts); };
  prepared.load = [=](const RandomStream&) { return [=](const RunContext& run) { run_parts(*experiment, run); }; };
  return prepared;
}

}  // namespace ansatz::experiments
