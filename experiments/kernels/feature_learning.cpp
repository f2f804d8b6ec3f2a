// Lazy or feature learning on a data set: what the width of a network does to its features, its kernel and its score.
//
// The network of the config is trained at several widths of its hidden layers, everything else alike. Findings, at the
// least and the largest width: the score on test of the network, and of ridge regression with its tangent kernel before
// and after training and with the last layer's part of it; how far hidden features turned (1 - cosine), the alignment
// of the features before and after (CKA), the cosine of W_1^T W_1 before and after, the drift of the tangent kernel,
// and its gain of alignment with the targets. And the slopes of turn and drift over the width: falling, as training
// gets lazier. Kernels are those of some training rows. Figure: scores, and how far things moved, over the width.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>

#include "core/files/files.h"
#include "core/run/input_digest.h"
#include "experiments/kernels/tangents_between.h"
#include "experiments/options/option_names.h"
#include "experiments/results/score_findings.h"
#include "experiments/summary.h"
#include "experiments/theory/limit_curves.h"
#include "nets/tangents/tangent_kernel.h"
#include "nets/training/trainer.h"
#include "viz/images/feature_image.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

struct FeatureLearningOptions {
  FeatureComparisonOptions models;  ///< its data set and network, of whose hidden layers the number counts
  std::vector<Index> widths = {32, 128, 512, 2048};
  Index kernel_rows = 500;  ///< training rows, at most, of the kernels
  double ridge = 1e-3;      ///< of the kernels, times the mean of the kernel matrix' diagonal
};

/// At one width.
struct AtWidth {
  std::optional<Metrics> network, before, after, last_layer;  ///< on test
  double turned = 0, hidden_alignment = 0, weight_cosine = 0, drift = 0, alignment_gain = 0;
};

struct ScoreOf {
  const char *name, *label;
  std::optional<Metrics> AtWidth::*metrics;
};
constexpr std::array<ScoreOf, 4> kScores = {
    {{"network", "network", &AtWidth::network},
     {"before_kernel", "its kernel before training", &AtWidth::before},
     {"after_kernel", "its kernel after training", &AtWidth::after},
     {"last_layer_kernel", "the last layer's kernel after training", &AtWidth::last_layer}}};

struct Quantity {
  const char *name, *label;
  double AtWidth::*value;
};
constexpr std::array<Quantity, 5> kQuantities = {
    {{"turned", "1 − cosine of hidden features before and after", &AtWidth::turned},
     {"drift", "drift of the tangent kernel", &AtWidth::drift},
     {"hidden_alignment", "alignment of hidden features before and after (CKA)", &AtWidth::hidden_alignment},
     {"weight_cosine", "cosine of W₁ᵀW₁ before and after", &AtWidth::weight_cosine},
     {"alignment_gain", "gain of the kernel's alignment with the targets", &AtWidth::alignment_gain}}};
constexpr std::size_t kFalling = 2;  // of these the slopes over the width are findings

Score score_of(const FeatureLearningOptions& o) {
  return o.models.dataset.task == Task::classification ? Score::accuracy : Score::r2;
}

template <class Scalar>
Split<Scalar> fewer_rows(const Split<Scalar>& split, Index rows, RandomStream stream) {
  Split<Scalar> few = split;
  few.train = split.train.rows(stream.sample(split.train.size(), std::min(rows, split.train.size())));
  return few;
}

template <class Scalar>
AtWidth train_at(const FeatureLearningOptions& o, Index width, const Split<Scalar>& split, const Split<Scalar>& few,
                 const RandomStream& stream) {
  const NetworkOptions& network = *o.models.network;
  nets::MlpOptions architecture = network.architecture;
  for (Index& one : architecture.hidden_layers) one = width;
  const nets::Mlp<Scalar> start(split.train.dimension(), split.train.outputs(), architecture,
                                stream.named(fmt::format("network/{}", width)));
  const nets::TrainState<Scalar> state =
      nets::train<Scalar>(nets::TrainState<Scalar>(start), split.train, split.validation, network.training,
                          stream.named(fmt::format("batches/{}", width)));
  const nets::Mlp<Scalar> end = state.best();
  const TangentsBetween between = tangents_between(start, end, few, o.ridge);
  AtWidth result;
  result.network = evaluate<Scalar>(end, split.test, network.training.loss);
  result.before = between.before;
  result.after = between.after;
  result.last_layer = between.last_layer;
  result.turned = 1 - between.change.hidden_cosine.back();
  result.hidden_alignment = between.change.hidden_alignment.back();
  result.weight_cosine = between.change.weight_cosine;
  result.drift = between.drift;
  result.alignment_gain = between.alignment_after - between.alignment_before;
  return result;
}

std::vector<double> sizes(const FeatureLearningOptions& o) { return {o.widths.begin(), o.widths.end()}; }

std::vector<double> values(const std::vector<AtWidth>& found, const Quantity& quantity) {
  std::vector<double> all;
  for (const AtWidth& at : found) all.push_back(at.*quantity.value);
  return all;
}

/// log_slope() with the standard error that the scatter about the line gives, of three widths or more.
Finding slope_finding(const FeatureLearningOptions& o, const std::vector<AtWidth>& found, const Quantity& quantity) {
  const std::vector<double> x = sizes(o), y = values(found, quantity);
  const auto n = static_cast<double>(x.size());
  Finding slope{fmt::format("{}.slope", quantity.name), fmt::format("{}: slope over the width", quantity.label),
                log_slope(x, y)};
  if (x.size() < 3) return slope;
  double mean_x = 0, mean_y = 0, squares = 0, scatter = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / n;
    mean_y += std::log(y[i]) / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double from_mean = std::log(x[i]) - mean_x;
    squares += from_mean * from_mean;
    scatter += std::pow(std::log(y[i]) - mean_y - slope.value * from_mean, 2);
  }
  slope.standard_error = std::sqrt(scatter / (n - 2) / squares);
  return slope;
}

std::vector<Finding> findings_of(const FeatureLearningOptions& o, const std::vector<AtWidth>& found, Index test_rows) {
  const Score score = score_of(o);
  std::vector<Finding> findings;
  for (std::size_t q = 0; q < kFalling; ++q) findings.push_back(slope_finding(o, found, kQuantities[q]));
  for (const auto& [end, index] : {std::pair("narrow", std::size_t{0}), std::pair("wide", found.size() - 1)}) {
    const std::string at = fmt::format("width {}: ", o.widths[index]);
    for (const ScoreOf& row : kScores) {
      const std::string name = fmt::format("{}.{}_{}", end, row.name, name_of(score));
      const std::string meaning =
          fmt::format("{}{} on test, {}", at, score == Score::accuracy ? "accuracy" : "R²", row.label);
      const double value = value_of(score, found[index].*row.metrics);
      findings.push_back(score == Score::accuracy ? accuracy_finding(name, meaning, value, test_rows)
                                                  : Finding{name, meaning, value});
    }
    for (const Quantity& q : kQuantities)
      findings.push_back({fmt::format("{}.{}", end, q.name), at + q.label, found[index].*q.value});
  }
  return findings;
}

std::vector<std::string> finding_names(const FeatureLearningOptions& o) {
  std::vector<std::string> names;
  for (std::size_t q = 0; q < kFalling; ++q) names.push_back(fmt::format("{}.slope", kQuantities[q].name));
  for (const char* end : {"narrow", "wide"}) {
    for (const ScoreOf& row : kScores) names.push_back(fmt::format("{}.{}_{}", end, row.name, name_of(score_of(o))));
    for (const Quantity& q : kQuantities) names.push_back(fmt::format("{}.{}", end, q.name));
  }
  return names;
}

Figure draw(const FeatureLearningOptions& o, const std::vector<AtWidth>& found, const RunContext& run) {
  const Score score = score_of(o);
  viz::LinePlot scores{"On test", "width", score == Score::accuracy ? "accuracy (%)" : "R²", true, false, {}, {}, {}};
  for (const ScoreOf& row : kScores) {
    std::vector<double> of_model;
    for (const AtWidth& at : found) of_model.push_back(value_of(score, at.*row.metrics));
    scores.series.push_back({row.label, sizes(o), of_model, true});
  }
  viz::LinePlot moved{"How far training moved them", "width", "", true, true, {}, {}, {}};
  for (std::size_t q = 0; q < kFalling; ++q)
    moved.series.push_back({kQuantities[q].label, sizes(o), values(found, kQuantities[q]), true});
  viz::draw_lines({scores, moved}, run.directory.path() / "images/feature_learning");
  return {"feature_learning", "Lazy or feature learning",
          "Left: test scores of networks of growing width, and of ridge regression with their tangent kernels on some "
          "of the training rows. Right: how far the features of the last hidden layer turned, and the kernel moved."};
}

void write_table(const FeatureLearningOptions& o, const std::vector<AtWidth>& found, const RunContext& run) {
  std::string table = "width";
  for (const ScoreOf& row : kScores) table += fmt::format(",{}_{}", row.name, name_of(score_of(o)));
  for (const Quantity& q : kQuantities) table += fmt::format(",{}", q.name);
  for (std::size_t i = 0; i < found.size(); ++i) {
    table += fmt::format("\n{}", o.widths[i]);
    for (const ScoreOf& row : kScores) table += fmt::format(",{}", value_of(score_of(o), found[i].*row.metrics));
    for (const Quantity& q : kQuantities) table += fmt::format(",{}", found[i].*q.value);
  }
  run.directory.write_table("widths.csv", table + "\n");
}

template <class Scalar>
std::function<void(const RunContext&)> load(const FeatureLearningOptions& o, const Expectations& expectations,
                                            const RandomStream& stream) {
  const auto split = std::make_shared<const Split<Scalar>>(
      in_section("dataset", [&] { return load_dataset<Scalar>(o.models.dataset, stream, viz::read_image_planes); }));
  if (split->test.empty()) throw ConfigError("dataset.test_size: experiment feature_learning needs test rows");
  InputDigest digest;
  digest.add(*split);
  digest.add_sources(o.models.dataset);
  return [=](const RunContext& run) {
    digest.keep_in(run.directory);
    make_folder(run.directory.path() / "images");
    const Split<Scalar> few = fewer_rows(*split, o.kernel_rows, run.stream.named("kernel_rows"));
    Progress progress("networks", static_cast<Index>(o.widths.size()), "widths", run.quiet);
    std::vector<AtWidth> found;
    for (const Index width : o.widths) {
      found.push_back(in_section("network", [&] { return train_at(o, width, *split, few, run.stream); }));
      progress.update(static_cast<Index>(found.size()), fmt::format("width {}", width));
    }
    progress.finish();
    write_table(o, found, run);
    ExperimentSummary summary;
    summary.findings = findings_of(o, found, split->test.size());
    summary.figures = {draw(o, found, run)};
    write_summary(o.models.common, {}, expectations, summary, run);
  };
}

Plan plan_feature_learning(const FeatureLearningOptions& o) {
  FeatureComparisonOptions widest = o.models;
  for (Index& width : widest.network->architecture.hidden_layers) width = o.widths.back();
  Plan plan = plan_feature_comparison(widest);
  const std::size_t scalar = o.models.common.precision == Precision::float32 ? sizeof(float) : sizeof(double);
  const Index rows = std::min(o.kernel_rows, plan.size.train);
  const Cost one = nets::tangent_kernel_cost(widest.network->architecture, plan.size.dimension, plan.size.outputs, rows,
                                             rows + plan.size.test, nets::TangentOptions::Outputs::summed, scalar);
  PlannedStage kernels{"tangent kernels", one};
  kernels.cost.flops *= 3;
  plan.stages.push_back(kernels);
  plan.notes.push_back("the stages are those of the widest network; the others cost about as much together");
  return plan;
}

FeatureLearningOptions parse_feature_learning(const Config& root, const CommonOptions& common) {
  FeatureLearningOptions o;
  o.models = parse_feature_comparison(root, common);
  for (const char* other : {"rfm", "kernel_machines"})
    if (root.has(other)) root.fail(other, "experiment feature_learning trains networks alone");
  if (!o.models.network || !o.models.network->train || o.models.network->architecture.hidden_layers.empty())
    root.fail("network", "experiment feature_learning trains a network with hidden layers");
  const Config section = root.section("feature_learning");
  o.widths = parse_sizes(section, "widths", o.widths);
  o.kernel_rows = section.get_at_least("kernel_rows", o.kernel_rows, Index{2}, Index{100'000});
  o.ridge = section.get_positive("ridge", o.ridge);
  return o;
}

}  // namespace

PreparedExperiment prepare_feature_learning(const Config& root, const CommonOptions& common) {
  const FeatureLearningOptions options = parse_feature_learning(root, common);
  const Expectations expectations = parse_expectations(root, finding_names(options));
  PreparedExperiment prepared;
  prepared.plan = [=] { return plan_feature_learning(options); };
  prepared.load = [=](const RandomStream& stream) {
    return common.precision == Precision::float32 ? load<float>(options, expectations, stream)
                                                  : load<double>(options, expectations, stream);
  };
  return prepared;
}

}  // namespace ansatz::experiments
