// Experiments that are several feature comparisons: one part a task, an attribute or a depth, each in a folder of its
// own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/feature_comparison.h"
#include "experiments/results/findings.h"

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

/// What an experiment of parts leaves in its own folder beside parts/<name>/.
struct Figure {
  std::string file;  ///< images/<file>.png and .svg
  std::string title, caption;
  bool shows_data = false;  ///< single samples of the data set, such as people: not to be published with the numbers
};
struct PartsSummary {
  std::vector<Finding> findings;
  std::vector<Figure> figures;
};

/// metrics.json of an experiment: conventions, findings, figures and the names of its parts.
Json summary_json(const CommonOptions& common, const std::vector<std::string>& parts, const Expectations& expectations,
                  const PartsSummary& summary);

/// What to look at while the network of a part trains; the split and the run outlive the observer. Null: nothing.
template <class Scalar>
using Observe = std::function<NetworkObserver<Scalar>(const Part&, const Split<Scalar>&, const RunContext&)>;

struct ObserveAny {
  Observe<float> single;
  Observe<double> twice;
};

/// Takes in the parts of one run in their order, each with its results (which keep the data they borrow alive) and its
/// own run directory; then concludes in the directory of the whole.
struct PartsVisitor {
  std::function<void(const Part&, std::shared_ptr<const Results<float>>, const RunContext&)> single;
  std::function<void(const Part&, std::shared_ptr<const Results<double>>, const RunContext&)> twice;
  std::function<PartsSummary(const RunContext&)> conclude;
  ObserveAny observe = {};
};

/// Which parts are in memory at a time, for the plan: those whose results the visitor lets go do not add up.
enum class PartsHeld { one, all };

/// The experiment: the plan of every part (which opens the data of each), then part by part its data and comparison in
/// parts/<name>/ (a run directory that `ansatz report` reads), then the conclusion: metrics.json with `findings`,
/// `figures` and `parts`. Resumes part by part.
PreparedExperiment prepare_parts(const CommonOptions& common, std::vector<Part> parts, Expectations expectations,
                                 PartsHeld held, std::function<PartsVisitor()> make_visitor);

/// An experiment that takes from each part what its summary needs, so that one part at a time is in memory.
template <class Digest>
struct Digesting {
  std::function<Digest(const Part&, const Results<float>&, const RunContext&)> single;
  std::function<Digest(const Part&, const Results<double>&, const RunContext&)> twice;
  std::function<PartsSummary(const std::vector<Part>&, const std::vector<Digest>&, const RunContext&)> summarize;
};

template <class Digest>
PreparedExperiment prepare_parts(const CommonOptions& common, const std::vector<Part>& parts, Expectations expectations,
                                 const Digesting<Digest>& experiment) {
  return prepare_parts(common, parts, std::move(expectations), PartsHeld::one, [parts, experiment] {
    const auto digests = std::make_shared<std::vector<Digest>>();
    const auto take = [digests](const auto& digest) {
      return [digests, digest](const Part& part, const auto& results, const RunContext& run) {
        digests->push_back(digest(part, *results, run));
      };
    };
    return PartsVisitor{take(experiment.single), take(experiment.twice),
                        [=](const RunContext& run) { return experiment.summarize(parts, *digests, run); }};
  });
}

/// The results of all parts, in their order, with the data they borrow.
template <class Scalar>
using AllResults = std::vector<std::shared_ptr<const Results<Scalar>>>;

/// Called with them to find what the experiment is about and to draw it into run.directory's images/. For experiments
/// whose parts fit memory together.
template <class Scalar>
using Summarize = std::function<PartsSummary(const std::vector<Part>&, const AllResults<Scalar>&, const RunContext&)>;

/// Both precisions of an experiment's summary.
struct SummarizeAny {
  Summarize<float> single;
  Summarize<double> twice;
};

PreparedExperiment prepare_parts(const CommonOptions& common, std::vector<Part> parts, Expectations expectations,
                                 SummarizeAny summarize, ObserveAny observe = {});

}  // namespace ansatz::experiments
