// Experiments that are several feature comparisons: one part a task, an attribute or a depth, each in a folder of its
// own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/feature_comparison.h"
#include "experiments/summary.h"

namespace ansatz::experiments {

struct Part {
  std::string name;  ///< a plain folder name
  FeatureComparisonOptions options;
};

/// The list `parts` of an experiment's config: each has a `name` and any of dataset, network, rfm, kernel_machines and
/// comparison; a section it lacks is the one of the top level. ConfigError if there is none, or a name comes twice.
std::vector<Part> parse_parts(const Config& root, const CommonOptions& common);

/// The list `attributes` of an experiment's own section: one part an attribute of CelebA, named as it is in small
/// letters, all with the sections of the top level (whose dataset leaves its `attribute` out). ConfigError if there is
/// none, one comes twice, or the data set is not celeba.
std::vector<Part> parse_attribute_parts(const Config& root, const Config& own, const CommonOptions& common);

/// "Wearing Hat": a part's attribute of CelebA, for pictures.
std::string readable(const Part& part);

/// An experiment that takes from each part, in its run directory, what its summary needs; the summary then draws into
/// the images/ of the whole. One part at a time is in memory.
template <class Digest>
struct PartsExperiment {
  std::vector<Part> parts;
  Expectations expectations;
  std::function<Digest(const Part&, const RunRecord&, const Models&, const RunContext&)> digest;
  std::function<ExperimentSummary(const std::vector<Part>&, const std::vector<Digest>&, const RunContext&)> summarize;
};

/// The digest of an experiment whose summary needs no more than the records.
inline RunRecord whole_record(const Part&, const RunRecord& record, const Models&, const RunContext&) { return record; }

/// Called with the parts in their order, each in its own run directory; then asked to conclude in that of the whole.
struct PartsVisitor {
  std::function<void(const Part&, const ComparedModels&, const RunContext&)> take;
  std::function<ExperimentSummary(const RunContext&)> conclude;
};

/// The plan of every part (which opens the data of each), then part by part its data and comparison in parts/<name>/ (a
/// run directory that `ansatz report` reads), then the conclusion: metrics.json with `findings`, `figures` and `parts`.
/// Resumes part by part.
PreparedExperiment prepare_parts(const CommonOptions& common, std::vector<Part> parts, Expectations expectations,
                                 std::function<PartsVisitor()> make_visitor);

template <class Digest>
PreparedExperiment prepare_parts(const CommonOptions& common, const PartsExperiment<Digest>& experiment) {
  return prepare_parts(common, experiment.parts, experiment.expectations, [experiment] {
    const auto digests = std::make_shared<std::vector<Digest>>();
    return PartsVisitor{[=](const Part& part, const ComparedModels& compared, const RunContext& run) {
                          digests->push_back(experiment.digest(part, compared.record, *compared.models, run));
                        },
                        [=](const RunContext& run) { return experiment.summarize(experiment.parts, *digests, run); }};
  });
}

}  // namespace ansatz::experiments
