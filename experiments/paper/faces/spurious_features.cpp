// Features that should not matter but do: paste a stranger's eyes where the RFM looks, and a network is fooled (paper,
// Section 4.4 and Fig. 9).
//
// Section spurious_features: `attributes` (parts on dataset celeba); `threshold`; `template`, an attribute, and
// `templates`, how many; and for each part a mapping of its name: `excluded`, `compared`, `narrow` (regions), `label`.
// The mask is where the RFM's diagonal exceeds the threshold, without `excluded`: where the attribute itself is. The
// templates are the first test images, in the order of list_attr_celeba.txt, that have the attribute `template` and
// lack the task's. Of each in turn the pixels are pasted into all test images at the mask, at `compared`, at `narrow`,
// or, as a control, in a random connected region as large as the mask; then the images are normalised as those the
// models were trained on. Findings, a part each: test accuracies of network and RFM, the points each loses by each
// pasting (mean and standard deviation over templates), recall before and after the mask, r of the diagonals, sizes of
// the regions. Figures: diagonals and mask; images before and after (people: they stay in the run's folder);
// accuracies. pasting.csv: the same in numbers, template by template.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/machine/interrupt.h"
#include "core/record/findings/standard_errors.h"
#include "experiments/options/option_names.h"
#include "experiments/paper/faces/spurious_options.h"
#include "experiments/paper/faces/spurious_pictures.h"
#include "experiments/results/score_findings.h"
#include "experiments/stages/run_context.h"
#include "viz/images/feature_image.h"

namespace ansatz::experiments {
namespace {

constexpr int kExamplesOfEach = 3;  ///< class

const char* const kModels[] = {"network", "rfm"};

/// What is pasted, by name; `narrow` only where the task has it.
std::vector<std::string> pasted_names(const SpuriousTask& task) {
  if (task.narrow.empty()) return {"mask", "compared", "region"};
  return {"mask", "compared", "narrow", "region"};
}

std::vector<std::string> finding_names(const std::vector<Part>& parts, const SpuriousOptions& options) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    const std::string prefix = part.name + ".";
    const std::vector<std::string> pasted = pasted_names(options.tasks.at(part.name));
    for (std::string& name : accuracy_names(prefix, part.options)) names.push_back(std::move(name));
    names.push_back(prefix + "diagonal_pearson");
    for (const std::string& what : pasted)
      if (what != "region") names.push_back(prefix + what + "_pixels");
    for (const char* model : kModels) {
      const std::string of = prefix + model + "_";
      for (const std::string& what : pasted) {
        names.insert(names.end(), {of + "drop_" + what, of + "drop_" + what + "_sd"});
        if (what != "mask") names.push_back(of + "excess_over_" + what);
      }
      names.insert(names.end(), {of + "accuracy_mask", of + "recall", of + "recall_mask"});
    }
  }
  return names;
}

/// The first test images of both classes.
std::vector<Index> choose_examples(const std::vector<Index>& classes, Index template_row) {
  std::vector<Index> chosen;
  for (const Index wanted : {1, 0}) {
    int found = 0;
    for (Index i = 0; i < static_cast<Index>(classes.size()) && found < kExamplesOfEach; ++i) {
      if (classes[static_cast<std::size_t>(i)] != wanted || i == template_row) continue;
      chosen.push_back(i);
      ++found;
    }
  }
  return chosen;
}

viz::Image picture(const Vector<float>& image, const ImageShape& shape) {
  return viz::rgb_image(image.cast<double>(), shape, 0, 1);
}

/// The first template (where nothing is pasted), then the chosen images with its pixels.
std::vector<viz::PanelCell> example_row(const PastingImages& images, const Truth& truth, const Pasting& pasting) {
  const std::vector<Index>& pixels = pasting.pixels.front();
  std::vector<viz::PanelCell> cells(1);
  if (pixels.empty()) {
    cells[0].rgb = picture(images.source(0), images.shape);
    cells[0].title = "template";
  }
  for (const Index i : choose_examples(truth.classes, images.template_rows.front())) {
    const bool has_it = truth.classes[static_cast<std::size_t>(i)] == 1, right = pasting.network.right(i, 0) > 0.5;
    Matrix<float> image = images.decoded.row(i);
    paste_pixels(images.source(0), pixels, images.shape, image);
    viz::PanelCell cell;
    cell.rgb = picture(image.row(0).transpose(), images.shape);
    if (pixels.empty()) cell.title = has_it ? "has it" : "has it not";
    cell.captions = {has_it == right ? "yes" : "no"};
    cells.push_back(std::move(cell));
  }
  return cells;
}

/// A mean over rows and templates, with its error; in percent.
Finding mean_finding(std::string name, std::string meaning, const Matrix<double>& differences) {
  return {std::move(name), std::move(meaning), 100 * differences.mean(), "%",
          100 * crossed_standard_error(differences)};
}

/// Its error is that of hits as 1 and misses as -1, halved: an accuracy's, where all templates are one.
Finding mean_accuracy(std::string name, std::string meaning, const Outcome& outcome) {
  const Matrix<double> hits = (2 * outcome.right.array() - 1).matrix();
  return {std::move(name), std::move(meaning), outcome.accuracy().mean(), "%", 50 * crossed_standard_error(hits)};
}

std::string pasted_in_words(const Pasting& pasting) {
  return pasting.name == "region" ? "a random region as large as the mask" : "the " + pasting.label;
}

void add_model_findings(const Part& part, const char* model, Outcome Pasting::*outcome, SpuriousDigest& digest) {
  const std::string name = fmt::format("{}.{}_", part.name, model), of = part.name + ": ",
                    comma = fmt::format(", {}", model);
  const Outcome &before = digest.pastings[0].*outcome, &mask = digest.pastings[1].*outcome;
  std::vector<Finding>& findings = digest.findings;
  const auto add = [&](const std::string& what, const std::string& meaning, double value) {
    findings.push_back({name + what, of + meaning + comma, value, "%"});
  };
  findings.push_back(mean_accuracy(name + "accuracy_mask", of + "test accuracy with the mask pasted" + comma, mask));
  for (std::size_t kind = 1; kind < digest.pastings.size(); ++kind) {
    const Pasting& pasting = digest.pastings[kind];
    const std::string words = pasted_in_words(pasting);
    const Matrix<double> cost = costs(before, pasting.*outcome);
    findings.push_back(
        mean_finding(name + "drop_" + pasting.name, of + "points lost by pasting " + words + comma, cost));
    add("drop_" + pasting.name + "_sd", "these points' standard deviation over templates", sd_over_templates(cost));
    if (kind > 1)
      findings.push_back(mean_finding(name + "excess_over_" + pasting.name,
                                      of + "points that the mask costs more than " + words + comma,
                                      costs(pasting.*outcome, mask)));
  }
  add("recall", "images with the attribute that are recognised", before.recall.mean());
  add("recall_mask", "the same with the mask pasted", mask.recall.mean());
}

void add_findings(const Part& part, const RunRecord& record, SpuriousDigest& digest) {
  const std::string of = part.name + ": ";
  for (Finding& finding : accuracy_findings(part.name + ".", of, record)) digest.findings.push_back(std::move(finding));
  digest.findings.push_back({part.name + ".diagonal_pearson", of + "r of the diagonals",
                             record.find_pair(FeatureId::nfm(), record.rfm->feature_id())->values.diagonal_pearson});
  for (const Pasting& pasting : digest.pastings)
    if (pasting.name != "untouched" && pasting.name != "region")
      digest.findings.push_back({part.name + "." + pasting.name + "_pixels",
                                 of + "pixels in " + pasted_in_words(pasting),
                                 pixel_share(pasting.pixels.front(), digest.shape), "%"});
  add_model_findings(part, kModels[0], &Pasting::network, digest);
  add_model_findings(part, kModels[1], &Pasting::rfm, digest);
}

SpuriousDigest digest(const SpuriousOptions& options, const Part& part, const RunRecord& record, const Models& models,
                      const RunContext& run) {
  const Truth truth{models.classes(Rows::test), record.data->class_codes};
  SpuriousDigest digest;
  digest.shape = *record.data->image_shape;
  digest.network = record.find(FeatureId::nfm())->diagonal;
  digest.rfm = record.find(record.rfm->feature_id())->diagonal;
  digest.pastings = pastings_of(options, part, digest.rfm, digest.shape, run.stream);
  const PastingImages images = in_section("dataset", [&] {
    return load_pasting_images(part.options.dataset, options.templates, models.source_rows(Rows::test), run.stream);
  });
  Index done = 0, all = 0;
  for (const Pasting& pasting : digest.pastings) all += 2 * static_cast<Index>(pasting.pixels.size());
  Progress progress("pasting", all, "predictions", run.quiet);
  const auto after_each = [&] {
    progress.update(++done);
    throw_if_interrupted();
  };
  for (Pasting& pasting : digest.pastings) {
    pasting.network = outcome_of(models.network(), images, truth, pasting.pixels, after_each);
    pasting.rfm = outcome_of(models.rfm(), images, truth, pasting.pixels, after_each);
    if (pasting.name != "region") digest.examples.push_back(example_row(images, truth, pasting));
  }
  progress.finish();
  add_findings(part, record, digest);
  return digest;
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests,
                            const RunContext& run) {
  ExperimentSummary summary;
  std::string csv = pasting_csv_header();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SpuriousDigest& digest = digests[i];
    summary.findings.insert(summary.findings.end(), digest.findings.begin(), digest.findings.end());
    csv += pasting_csv_rows(parts[i].name, digest.pastings, digest.shape);
  }
  run.directory.write_table("pasting.csv", csv);
  if (!parts.front().options.save.images) return summary;
  summary.figures = {draw_masks(parts, digests, run), draw_accuracies(parts, digests, run),
                     draw_examples(parts, digests, run)};
  return summary;
}

/// Of the RFM's predictions, each of all test images: x M, then a row of kernel values. The network's are few beside
/// them.
double pasting_flops(const SpuriousOptions& options, const Part& part, const DatasetSize& size) {
  const auto d = static_cast<double>(size.dimension), test = static_cast<double>(size.test),
             train = static_cast<double>(size.train);
  const std::size_t kinds = pasted_names(options.tasks.at(part.name)).size();
  const double predictions = 1 + static_cast<double>(options.templates.count) * static_cast<double>(kinds);
  const double metric = part.options.rfm->gradients.diagonal ? d : d * std::min(d, train);
  return predictions * test * 2 * (metric + train * d);
}

/// After the stages of each part: its test images once more, pasted into.
Plan with_pasting(const Plan& plan, const SpuriousOptions& options, const std::vector<Part>& parts) {
  Plan all = plan;
  all.stages.clear();
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const PlannedStage& stage = plan.stages[i];
    all.stages.push_back(stage);
    if (i + 1 < plan.stages.size() && plan.stages[i + 1].part == stage.part) continue;
    const Part& part = parts[static_cast<std::size_t>(stage.part)];
    const DatasetSize size = in_section("dataset", [&] { return dataset_size(part.options.dataset); });
    PlannedStage pasting{part.name + ": pasting", {"test images once more", ""}, stage.part};
    pasting.cost.flops = pasting_flops(options, part, size);
    pasting.cost.working_bytes = static_cast<double>(size.test) * static_cast<double>(size.dimension) * sizeof(float);
    all.stages.push_back(pasting);
  }
  return all;
}

}  // namespace

PreparedExperiment prepare_spurious_features(const Config& root, const CommonOptions& common) {
  const Config own = root.section("spurious_features");
  const std::vector<Part> parts = parse_attribute_parts(root, own, common);
  const SpuriousOptions options = parse_spurious(root, own, parts);
  PartsExperiment<SpuriousDigest> experiment{
      parts, parse_expectations(root, finding_names(parts, options)), {}, summarize};
  experiment.digest = [options](const Part& part, const RunRecord& record, const Models& models,
                                const RunContext& run) { return digest(options, part, record, models, run); };
  PreparedExperiment prepared = prepare_parts(common, experiment);
  prepared.plan = [plan = prepared.plan, options, parts] { return with_pasting(plan(), options, parts); };
  prepared.load = [load = prepared.load, parts, options](const RandomStream& stream) {
    for (const Part& part : parts)
      in_section("dataset", [&] { require_templates(part.options.dataset, options.templates, stream); });
    return load(stream);
  };
  return prepared;
}

}  // namespace ansatz::experiments
