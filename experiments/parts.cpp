#include "experiments/parts.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files.h"
#include "experiments/metrics_json.h"

namespace ansatz::experiments {
namespace {

template <class Scalar>
using PartInputs = std::vector<ComparisonInputs<Scalar>>;

FeatureComparisonOptions part_options(const Config& root, const Config& part, const CommonOptions& common) {
  const auto section = [&](const char* key) { return (part.has(key) ? part : root).section(key); };
  FeatureComparisonOptions options;
  options.common = common;
  options.dataset = parse_dataset(section("dataset"));
  if (section("rfm").present()) options.rfm = parse_rfm(section("rfm"));
  const Index gradient_samples = options.rfm ? options.rfm->gradients.samples : 20000;
  if (section("network").present())
    options.network = parse_network(section("network"), common.device, gradient_samples);
  options.kernel_machines =
      parse_kernel_machines(part.has("kernel_machines") ? part : root, options.network.has_value());
  options.comparison.top_eigenvectors = section("comparison").get_at_least("top_eigenvectors", Index{3}, Index{1});
  options.save = parse_save(root.section("save"));
  return options;
}

/// parts/<name>, whose config.yaml is that of the whole: it is the whole that runs again.
RunDirectory open_part(const RunContext& run, const std::string& name) {
  const std::string config =
      fmt::format("# part {} of this experiment\n{}", name, read_file(run.directory.path() / "config.yaml"));
  Json manifest = Json::parse(read_file(run.directory.path() / "manifest.json"));
  manifest["part"] = name;
  return RunDirectory::open(run.directory.path() / "parts" / name, config, std::move(manifest), true);
}

Json summary_json(const CommonOptions& common, const std::vector<Part>& parts, const Expectations& expectations,
                  const PartsSummary& summary) {
  Json json = {{"schema", 1},
               {"experiment", common.experiment},
               {"name", common.name},
               {"seed", common.seed},
               {"conventions", conventions()},
               {"findings", findings_json(summary.findings, expectations)},
               {"figures", Json::array()},
               {"parts", Json::array()}};
  for (const Figure& figure : summary.figures)
    json["figures"].push_back({{"file", figure.file}, {"title", figure.title}, {"caption", figure.caption}});
  for (const Part& part : parts) json["parts"].push_back(part.name);
  return json;
}

template <class Scalar>
void run_parts(const CommonOptions& common, const std::vector<Part>& parts, const PartInputs<Scalar>& inputs,
               const Expectations& expectations, const Summarize<Scalar>& summarize, const Observe<Scalar>& observe,
               const RunContext& run) {
  std::vector<RunDirectory> directories;
  std::vector<Results<Scalar>> results;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!run.quiet) std::fprintf(stderr, "part %zu of %zu: %s\n", i + 1, parts.size(), parts[i].name.c_str());
    directories.push_back(open_part(run, parts[i].name));
    const RunContext own{directories.back(), run.stream, run.quiet};
    const NetworkObserver<Scalar> observer =
        observe ? observe(parts[i], inputs[i].split, own) : NetworkObserver<Scalar>();
    results.push_back(compare_models(parts[i].options, inputs[i], own, observer));
  }
  make_folder(run.directory.path() / "images");
  const Json json = summary_json(common, parts, expectations, summarize(parts, results, run));
  run.directory.write_json("metrics.json", json);
  if (!run.quiet) std::fputs(findings_table(json.at("findings")).c_str(), stdout);
  for (const RunDirectory& directory : directories) directory.finish(0);  // till then each keeps what it resumes from
}

Plan plan_parts(const std::vector<Part>& parts) {
  Plan all;
  for (const Part& part : parts) {
    Plan plan = plan_feature_comparison(part.options);
    all.size = plan.size;
    for (PlannedStage& stage : plan.stages) {
      stage.name = part.name + ": " + stage.name;
      all.stages.push_back(std::move(stage));
    }
  }
  return all;
}

template <class Scalar>
std::function<void(const RunContext&)> load_parts(const CommonOptions& common, const std::vector<Part>& parts,
                                                  const Expectations& expectations, const Summarize<Scalar>& summarize,
                                                  const Observe<Scalar>& observe, const RandomStream& stream) {
  const auto inputs = std::make_shared<PartInputs<Scalar>>();
  for (const Part& part : parts) inputs->push_back(load_inputs<Scalar>(part.options, stream));
  return
      [=](const RunContext& run) { run_parts<Scalar>(common, parts, *inputs, expectations, summarize, observe, run); };
}

}  // namespace

std::vector<Part> parse_parts(const Config& root, const CommonOptions& common) {
  std::vector<Part> parts;
  std::set<std::string> names;
  for (const Config& section : root.list("parts")) {
    const std::string name = section.require("name");
    if (name.empty() || name.find('/') != std::string::npos || name.front() == '.')
      section.fail("name", "must be a plain folder name");
    if (!names.insert(name).second) section.fail("name", "\"" + name + "\" is taken; give each part its own");
    parts.push_back({name, part_options(root, section, common)});
  }
  if (parts.empty()) root.fail("parts", "is needed: a list such as [{name: first, dataset: {...}}]");
  return parts;
}

PreparedExperiment prepare_parts(const CommonOptions& common, std::vector<Part> parts, Expectations expectations,
                                 SummarizeAny summarize, ObserveAny observe) {
  PreparedExperiment prepared;
  prepared.plan = [parts] { return plan_parts(parts); };
  prepared.load = [=](const RandomStream& stream) {
    return common.precision == Precision::float32
               ? load_parts<float>(common, parts, expectations, summarize.single, observe.single, stream)
               : load_parts<double>(common, parts, expectations, summarize.twice, observe.twice, stream);
  };
  return prepared;
}

}  // namespace ansatz::experiments
