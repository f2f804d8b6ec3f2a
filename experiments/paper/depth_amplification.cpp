// What depth does to the features of the first layer (paper, Section 6, Figs 10 to 14).
//
// The top level's network, of which `hidden_layers` is one width, at each of depth_amplification.depths; beside each
// the kernel machines, of which ntk and nngp take the network's depth, and those that depend on neither depth nor
// network are fitted once, with the first. One part a depth: parts/depth1/, ...
//
// Findings of each: R² (classification: accuracy and mean squared error) of every model on test, the network's error on
// the training rows, and how much of W₁ᵀW₁ lies in the subspace that the target depends on (low_rank) or how much of
// its diagonal on the depth_amplification.largest = 300 largest entries (image data), r of that diagonal and the
// centred AGOP's; over all depths what the deepest network gains over the shallowest, as does each kernel on the
// network's features, and what each of these gains over its network, and over the same kernel without them, at the
// depth where that is least.
// Figures: W₁ᵀW₁ by depth (images: with what training added and the centred AGOP), its sorted or normalised diagonals,
// and the scores by depth. Also scores.csv.
#include "experiments/paper/depth_amplification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "experiments/paper/depth_pictures.h"

namespace ansatz::experiments {
namespace {

struct DepthOptions {
  std::vector<Index> depths;
  Index largest = 300;
};

bool synthetic(const Part& part) { return part.options.dataset.name == "low_rank"; }

std::vector<Score> scores_shown(const Part& part) {
  if (part.options.dataset.task == Task::classification) return {Score::accuracy, Score::mse};
  return {Score::r2};
}

std::string share_name(const Part& part) { return synthetic(part) ? "relevant_share" : "largest_share"; }

/// A kernel machine on the network's own features, and that of the same kernel without them.
struct MachineOnNetwork {
  std::string label;
  std::optional<std::string> plain;
};

std::vector<MachineOnNetwork> machines_on_network(const Part& part) {
  std::vector<MachineOnNetwork> found;
  for (const KernelMachineOptions& machine : part.options.kernel_machines) {
    if (machine.metric != Metric::network) continue;
    found.push_back({machine.label, std::nullopt});
    for (const KernelMachineOptions& other : part.options.kernel_machines)
      if (other.metric == Metric::identity && other.kernel.family == machine.kernel.family)
        found.back().plain = other.label;
  }
  return found;
}

std::vector<std::string> finding_names(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    names.push_back(part.name + "." + share_name(part));
    for (const char* what : {".network_train_loss", ".agop_pearson"}) names.push_back(part.name + what);
    for (const Score score : scores_shown(part))
      for (std::string& name : score_names(part.name + ".", score, part.options)) names.push_back(std::move(name));
  }
  if (parts.size() > 1) names.insert(names.end(), {"network_depth_gain", "share_depth_gain", "agop_share_depth_gain"});
  for (const MachineOnNetwork& machine : machines_on_network(parts.front())) {
    if (parts.size() > 1) names.push_back(machine.label + "_depth_gain");
    names.push_back(machine.label + "_least_gain");
    if (machine.plain) names.push_back(machine.label + "_least_gain_over_plain");
  }
  return names;
}

/// What the share of a matrix is a share in. `d`: how many entries its diagonal has.
std::string share_of(const std::string& matrix, const Part& part, const DepthOptions& options, Index d) {
  return synthetic(part)
             ? fmt::format("share of {} in the subspace that the target depends on", matrix)
             : fmt::format("share of diag {} on its {} largest entries", matrix, std::min(options.largest, d));
}

std::vector<Finding> findings_of(const Part& part, const DepthOptions& options, const DepthDigest& digest) {
  const std::string of = part.name + ": ";
  std::vector<Finding> findings = {
      {part.name + "." + share_name(part), of + share_of("W₁ᵀW₁", part, options, digest.nfm.size()), digest.share, "%"},
      {part.name + ".network_train_loss", of + "the network's loss on the training rows", digest.train_loss},
      {part.name + ".agop_pearson", of + "r of the diagonals of W₁ᵀW₁ and the centred AGOP",
       pearson(digest.nfm, digest.agop)}};
  for (const Score score : scores_shown(part))
    for (Finding& finding : score_findings(part.name + ".", of, score, digest.scores, digest.test_rows))
      findings.push_back(std::move(finding));
  return findings;
}

DepthDigest digest(const DepthOptions& options, const Part& part, const RunRecord& record) {
  DepthDigest digest;
  digest.depth = static_cast<Index>(part.options.network->architecture.hidden_layers.size());
  digest.shape = record.data->image_shape;
  const FeatureRecord& nfm = *record.find(FeatureId::nfm());
  const Index shown = std::min(kCorner, nfm.corner.rows());
  digest.corner = nfm.corner.topLeftCorner(shown, shown);
  digest.nfm = nfm.diagonal;
  digest.learned = record.network->learned_diagonal;
  digest.agop = record.find(FeatureId::centered_agop())->diagonal;
  const auto share = [&](const FeatureId& id, const Vector<double>& diagonal) {
    return 100 * (synthetic(part) ? record.subspace_share(id) : largest_share(diagonal, options.largest));
  };
  digest.share = share(FeatureId::nfm(), digest.nfm);
  digest.agop_share = share(FeatureId::centered_agop(), digest.agop);
  digest.train_loss = record.network->metrics.train.loss();
  digest.scores = scores_of(record);
  digest.test_rows = record.data->test_size;
  digest.findings = findings_of(part, options, digest);
  return digest;
}

/// The score of a model less that of another. `other_depth`: that of the other; null: the same.
Finding gain_of(const DepthDigest& digest, const std::string& model, const std::string& other, Score score,
                const DepthDigest* other_depth = nullptr) {
  const double value = value_of(score, digest.scores, model);
  const double less = value_of(score, (other_depth != nullptr ? *other_depth : digest).scores, other);
  return score == Score::accuracy ? gain_finding("", "", value, less, digest.test_rows) : Finding{"", "", value - less};
}

/// The score of a model less that of another (of the depth at hand, or, if that is at no other, of the first), where
/// that is least; NaN if it is at any depth.
Finding least_gain(const std::vector<DepthDigest>& digests, const std::string& model, const std::string& other,
                   Score score) {
  const auto at_each = [&](const DepthDigest& digest) { return !std::isnan(value_of(score, digest.scores, other)); };
  const bool everywhere = std::all_of(digests.begin(), digests.end(), at_each);
  Finding least = gain_of(digests.front(), model, other, score);
  for (const DepthDigest& digest : digests) {
    Finding gain = gain_of(digest, model, other, score, everywhere ? nullptr : &digests.front());
    if (std::isnan(gain.value) || gain.value < least.value) least = std::move(gain);
    if (std::isnan(least.value)) break;
  }
  return least;
}

/// What the section on depth claims: deeper networks do better, their features are clearer, and kernels on these do
/// better still.
std::vector<Finding> findings_over_depths(const std::vector<DepthDigest>& digests, const Part& part,
                                          const DepthOptions& options) {
  const std::vector<MachineOnNetwork> machines = machines_on_network(part);
  const Score score = main_score(digests);
  const std::string what = score == Score::accuracy ? "accuracy" : "R²";
  std::vector<Finding> findings;
  const auto add = [&](std::string name, std::string meaning, Finding finding) {
    finding.name = std::move(name);
    finding.meaning = std::move(meaning);
    findings.push_back(std::move(finding));
  };
  const auto [shallow, deep] = std::minmax_element(
      digests.begin(), digests.end(), [](const DepthDigest& a, const DepthDigest& b) { return a.depth < b.depth; });
  if (shallow != deep) {
    const std::string depths = fmt::format(" at depth {} less that at depth {}", deep->depth, shallow->depth);
    const auto share = [&](const std::string& matrix) { return share_of(matrix, part, options, deep->nfm.size()); };
    add("network_depth_gain", fmt::format("{} of the network{}", what, depths),
        gain_of(*deep, "network", "network", score, &*shallow));
    findings.push_back({"share_depth_gain", share("W₁ᵀW₁") + depths, deep->share - shallow->share, "%"});
    findings.push_back(
        {"agop_share_depth_gain", share("the centred AGOP") + depths, deep->agop_share - shallow->agop_share, "%"});
    for (const MachineOnNetwork& machine : machines)
      add(machine.label + "_depth_gain", fmt::format("{} of {}{}", what, machine.label, depths),
          gain_of(*deep, machine.label, machine.label, score, &*shallow));
  }
  for (const MachineOnNetwork& machine : machines) {
    add(machine.label + "_least_gain",
        fmt::format("{} of {} less that of its network, least over depths", what, machine.label),
        least_gain(digests, machine.label, "network", score));
    if (machine.plain)
      add(machine.label + "_least_gain_over_plain",
          fmt::format("{} of {} less that of {}, least over depths", what, machine.label, *machine.plain),
          least_gain(digests, machine.label, *machine.plain, score));
  }
  return findings;
}

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string scores_csv(const std::vector<DepthDigest>& digests) {
  const bool logits = std::any_of(digests.begin(), digests.end(), [](const DepthDigest& digest) {
    return std::any_of(digest.scores.begin(), digest.scores.end(),
                       [](const ModelScores& model) { return model.metrics.train.cross_entropy.has_value(); });
  });
  std::string text = "depth,model,test_accuracy_percent,test_mse,test_r2";
  text += logits ? ",test_cross_entropy\n" : "\n";
  for (const DepthDigest& digest : digests)
    for (const ModelScores& model : digest.scores) {
      const std::optional<Metrics>& test = model.metrics.test;
      text += fmt::format("{},{},{},{},{}", digest.depth, model.model, csv_number(value_of(Score::accuracy, test)),
                          csv_number(value_of(Score::mse, test)), csv_number(value_of(Score::r2, test)));
      if (logits) text += "," + (test && test->cross_entropy ? csv_number(*test->cross_entropy) : "");
      text += "\n";
    }
  return text;
}

ExperimentSummary summarize(const DepthOptions& options, const std::vector<Part>& parts,
                            const std::vector<DepthDigest>& digests, const RunContext& run) {
  ExperimentSummary summary;
  for (const DepthDigest& digest : digests)
    summary.findings.insert(summary.findings.end(), digest.findings.begin(), digest.findings.end());
  for (Finding& finding : findings_over_depths(digests, parts.front(), options))
    summary.findings.push_back(std::move(finding));
  run.directory.write_table("scores.csv", scores_csv(digests));
  if (parts.front().options.save.images) summary.figures = draw_depths(digests, run.directory.path() / "images");
  return summary;
}

DepthOptions parse_depths(const Config& own) {
  DepthOptions options;
  options.depths = own.get_list("depths", std::vector<Index>{1, 2, 3, 4, 5}, 1);
  options.largest = own.get_at_least("largest", options.largest, Index{1});
  std::vector<Index> sorted = options.depths;
  std::sort(sorted.begin(), sorted.end());
  constexpr Index kDeepest = 1000;
  if (sorted.empty() || sorted.front() < 1 || sorted.back() > kDeepest ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    own.fail("depths",
             fmt::format("must be a list of different numbers of hidden layers, 1 to {}, such as [1, 2, 3]", kDeepest));
  return options;
}

bool follows_depth(const KernelMachineOptions& machine) {
  return rfm::info_of(machine.kernel.family).find("depth") != nullptr;
}

/// The comparison at one depth; `first`: with the machines that are the same at each.
Part at_depth(FeatureComparisonOptions options, Index depth, bool first) {
  std::vector<Index>& layers = options.network->architecture.hidden_layers;
  layers.assign(static_cast<std::size_t>(depth), layers.front());
  std::vector<KernelMachineOptions> machines;
  for (KernelMachineOptions machine : options.kernel_machines) {
    if (follows_depth(machine)) machine.kernel.depth = depth;
    if (first || follows_depth(machine) || machine.metric == Metric::network) machines.push_back(machine);
  }
  options.kernel_machines = std::move(machines);
  return {fmt::format("depth{}", depth), std::move(options)};
}

std::vector<Part> parts_of(const Config& root, const CommonOptions& common, const std::vector<Index>& depths) {
  const FeatureComparisonOptions options = parse_feature_comparison(root, common);
  if (!options.network || !options.network->train || options.network->architecture.hidden_layers.size() != 1)
    root.fail("network", "depth_amplification trains one network a depth: give hidden_layers one width, such as [512]");
  if (options.rfm) root.fail("rfm", "depth_amplification compares networks and fixed kernels; leave rfm out");
  for (const Config& machine : root.list("kernel_machines"))
    if (machine.has("depth")) machine.fail("depth", "is the network's here; leave it out");
  std::vector<Part> parts;
  for (const Index depth : depths) parts.push_back(at_depth(options, depth, parts.empty()));
  return parts;
}

}  // namespace

double largest_share(const Vector<double>& values, Index count) {
  std::vector<double> sorted(values.data(), values.data() + values.size());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const auto end = sorted.begin() + std::min(count, values.size());
  return std::accumulate(sorted.begin(), end, 0.0) / values.sum();
}

PreparedExperiment prepare_depth_amplification(const Config& root, const CommonOptions& common) {
  const DepthOptions options = parse_depths(root.section("depth_amplification"));
  const std::vector<Part> parts = parts_of(root, common, options.depths);
  PartsExperiment<DepthDigest> experiment{parts, parse_expectations(root, finding_names(parts)), {}, {}};
  experiment.digest = [options](const Part& part, const RunRecord& record, const Models&, const RunContext&) {
    return digest(options, part, record);
  };
  experiment.summarize = [options](const std::vector<Part>& all, const std::vector<DepthDigest>& digests,
                                   const RunContext& run) { return summarize(options, all, digests, run); };
  return prepare_parts(common, experiment);
}

}  // namespace ansatz::experiments
