#include "experiments/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/printable_text.h"
#include "core/files/files.h"
#include "experiments/options/option_names.h"
#include "experiments/stages/metrics_json.h"

namespace ansatz::experiments {
namespace {

/// Results and the data they borrow.
template <class Scalar>
struct PartRun {
  ComparisonInputs<Scalar> inputs;
  Results<Scalar> results;
};

template <class Scalar>
std::shared_ptr<const Results<Scalar>> run_part(const Part& part, const Observe<Scalar>& observe,
                                                const RunContext& run) {
  const auto all = std::make_shared<PartRun<Scalar>>();
  all->inputs = load_inputs<Scalar>(part.options, run.stream);
  const NetworkObserver<Scalar> observer = observe ? observe(part, all->inputs.split, run) : NetworkObserver<Scalar>();
  all->results = compare_models(part.options, all->inputs, run, observer);
  return {all, &all->results};
}

struct PartsExperiment {
  CommonOptions common;
  std::vector<Part> parts;
  Expectations expectations;
  std::function<PartsVisitor()> make_visitor;
};

/// The part's data and comparison, taken in by the visitor. A part that was finished comes from its state, and what it
/// wrote stands.
void run_part(const PartsExperiment& experiment, const Part& part, const PartsVisitor& visitor, const RunContext& run) {
  try {
    if (experiment.common.precision == Precision::float32)
      visitor.single(part, run_part<float>(part, visitor.observe.single, run), run);
    else
      visitor.twice(part, run_part<double>(part, visitor.observe.twice, run), run);
  } catch (Error& error) {
    name_on_command_line(error);
    if (!run.directory.finished()) run.directory.finish(error.exit_code(), error.what());
    throw;
  }
  if (!run.directory.finished()) run.directory.finish(0);
}

void run_parts(const PartsExperiment& experiment, const RunContext& run) {
  const PartsVisitor visitor = experiment.make_visitor();
  std::vector<std::string> names;
  for (const Part& part : experiment.parts) {
    names.push_back(part.name);
    if (!run.quiet)
      std::fprintf(stderr, "part %zu of %zu: %s\n", names.size(), experiment.parts.size(), part.name.c_str());
    const RunDirectory directory = run.directory.part(part.name);
    run_part(experiment, part, visitor, {directory, run.stream, run.quiet});
  }
  make_folder(run.directory.path() / "images");
  const Json json = summary_json(experiment.common, names, experiment.expectations, visitor.conclude(run));
  run.directory.write_json("metrics.json", json);
  if (!run.quiet) std::fputs(findings_table(json.at("findings")).c_str(), stdout);
}

Plan plan_parts(const std::vector<Part>& parts, PartsHeld held) {
  Plan all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Plan plan = plan_feature_comparison(parts[i].options);
    all.size = plan.size;
    for (PlannedStage& stage : plan.stages) {
      stage.name = parts[i].name + ": " + stage.name;
      if (held == PartsHeld::one) stage.part = static_cast<Index>(i);
      all.stages.push_back(std::move(stage));
    }
  }
  return all;
}

}  // namespace

Json summary_json(const CommonOptions& common, const std::vector<std::string>& parts, const Expectations& expectations,
                  const PartsSummary& summary) {
  Json json = {{"schema", 1},
               {"experiment", common.experiment},
               {"name", common.name},
               {"seed", common.seed},
               {"conventions", conventions()},
               {"findings", findings_json(summary.findings, expectations)},
               {"figures", Json::array()},
               {"parts", parts}};
  for (const Figure& figure : summary.figures) {
    json["figures"].push_back({{"file", figure.file}, {"title", figure.title}, {"caption", figure.caption}});
    if (figure.shows_data) json["figures"].back()["shows_data"] = true;
  }
  return json;
}

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
                                 PartsHeld held, std::function<PartsVisitor()> make_visitor) {
  const auto experiment = std::make_shared<const PartsExperiment>(
      PartsExperiment{common, std::move(parts), std::move(expectations), std::move(make_visitor)});
  PreparedExperiment prepared;
  prepared.plan = [=] { return plan_parts(experiment->parts, held); };
  prepared.load = [=](const RandomStream&) { return [=](const RunContext& run) { run_parts(*experiment, run); }; };
  return prepared;
}

PreparedExperiment prepare_parts(const CommonOptions& common, std::vector<Part> parts, Expectations expectations,
                                 SummarizeAny summarize, ObserveAny observe) {
  const auto make_visitor = [=] {
    const auto single = std::make_shared<AllResults<float>>();
    const auto twice = std::make_shared<AllResults<double>>();
    PartsVisitor visitor;
    visitor.observe = observe;
    visitor.single = [=](const Part&, auto results, const RunContext&) { single->push_back(std::move(results)); };
    visitor.twice = [=](const Part&, auto results, const RunContext&) { twice->push_back(std::move(results)); };
    visitor.conclude = [=](const RunContext& run) {
      return common.precision == Precision::float32 ? summarize.single(parts, *single, run)
                                                    : summarize.twice(parts, *twice, run);
    };
    return visitor;
  };
  return prepare_parts(common, parts, std::move(expectations), PartsHeld::all, make_visitor);
}

}  // namespace ansatz::experiments
