// Experiments that are several feature comparisons: one part a task, an attribute or a depth, each in a folder of its
// own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/feature_comparison.h"
#include "experiments/findings.h"

namespace ansatz::experiments {

struct Part {
  std::string name;  ///< a plain folder name
  FeatureComparisonOptions options;
};

/// The list `parts` of an experiment's config: each has a `name` and any of dataset, network, rfm, kernel_machines and
/// comparison; a section it lacks is the one of the top level. ConfigError if there is none, or a name comes twice.
std::vector<Part> parse_parts(const Config& root, const CommonOptions& common);

/// What an experiment of parts leaves in its own folder beside parts/<name>/.
struct Figure {
  std::string file;  ///< images/<file>.png and .svg
  std::string title, caption;
};
struct PartsSummary {
  std::vector<Finding> findings;
  std::vector<Figure> figures;
};

/// Called with the results of all parts, in their order, to find what the experiment is about and to draw it into
/// run.directory's images/.
template <class Scalar>
using Summarize =
    std::function<PartsSummary(const std::vector<Part>&, const std::vector<Results<Scalar>>&, const RunContext&)>;

/// What to look at while the network of a part trains; the split and the run outlive the observer. Null: nothing.
template <class Scalar>
using Observe = std::function<NetworkObserver<Scalar>(const Part&, const Split<Scalar>&, const RunContext&)>;

/// Both precisions of an experiment's summary.
struct SummarizeAny {
  Summarize<float> single;
  Summarize<double> twice;
};
struct ObserveAny {
  Observe<float> single;
  Observe<double> twice;
};

/// The experiment: plan and data of every part, each part's comparison in parts/<name>/ (a run directory that `ansatz
/// report` reads), then the summary: metrics.json with `findings`, `figures` and `parts`. Resumes part by part.
PreparedExperiment prepare_parts(const CommonOptions& common, std::vector<Part> parts, Expectations expectations,
                                 SummarizeAny summarize, ObserveAny observe = {});

}  // namespace ansatz::experiments
