// Features that should not matter but do: paste a stranger's eyes where the RFM looks, and a network is fooled (paper,
// Section 4.4 and Fig. 9).
//
// Section spurious_features: `attributes` (parts on dataset celeba); `threshold`; `template`, an attribute; and for
// each part a mapping of its name: `excluded`, `compared` (regions), `label`. The mask is where the RFM's diagonal
// exceeds the threshold, without `excluded`: where the attribute itself is. The template is the first test image, in
// the order of list_attr_celeba.txt, that has the attribute `template` and lacks the task's. Its pixels are pasted
// into all test images at the mask, at `compared`, or, as a control, at as many random places as the mask has; then
// the images are normalised as those the models were trained on. Findings, a part each: test accuracies of network and
// RFM, the points each loses by each pasting, recall before and after the mask, r of the diagonals, sizes of the mask
// and of the region. Figures: diagonals and mask; images before and after (people: they stay in the run's folder);
// accuracies. pasting.csv: the same in numbers.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/data/class_coding.h"
#include "experiments/options/option_names.h"
#include "experiments/paper/faces/pasted_images.h"
#include "experiments/paper/faces/spurious_pictures.h"
#include "experiments/paper/image_regions.h"
#include "experiments/results/score_findings.h"
#include "viz/images/feature_image.h"

namespace ansatz::experiments {
namespace {

constexpr int kExamplesOfEach = 3;  ///< class

/// What stands in spurious_features.<part>.
struct TaskOptions {
  std::string label;  ///< of the compared region: "lips"
  std::vector<Region> excluded, compared;
};

struct SpuriousOptions {
  MaskOptions mask;
  std::string template_attribute;
  std::map<std::string, TaskOptions> tasks;  ///< by the parts' names
};

const char* const kModels[] = {"network", "rfm"};
const char* const kPasted[] = {"mask", "compared", "random"};

std::vector<std::string> finding_names(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    const std::string prefix = part.name + ".";
    for (std::string& name : accuracy_names(prefix, part.options)) names.push_back(std::move(name));
    for (const char* what : {"diagonal_pearson", "mask_pixels", "compared_pixels"}) names.push_back(prefix + what);
    for (const char* model : kModels) {
      names.push_back(fmt::format("{}{}_accuracy_mask", prefix, model));
      for (const char* pasted : kPasted) names.push_back(fmt::format("{}{}_drop_{}", prefix, model, pasted));
      for (const char* what : {"drop_excess", "recall", "recall_mask"})
        names.push_back(fmt::format("{}{}_{}", prefix, model, what));
    }
  }
  return names;
}

/// The test rows' classes, and how outputs say theirs.
struct Truth {
  std::vector<Index> classes;
  Matrix<double> codes;
};

Scores scores_of(const Matrix<double>& predictions, const Truth& truth) {
  const std::vector<Index> called = decode_classes(predictions, truth.codes);
  double with = 0, found = 0;
  for (std::size_t i = 0; i < called.size(); ++i) {
    with += truth.classes[i] == 1;
    found += truth.classes[i] == 1 && called[i] == 1;
  }
  return {100 * share_of_hits(called, truth.classes),
          with > 0 ? 100 * found / with : std::numeric_limits<double>::quiet_NaN()};
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

/// The template (with the first row only), then the chosen images after pasting.
std::vector<viz::PanelCell> example_row(const PastingImages& images, const Truth& truth,
                                        const std::vector<Index>& pixels, const Matrix<double>& predictions) {
  const std::vector<Index> called = decode_classes(predictions, truth.codes);
  std::vector<viz::PanelCell> cells(1);
  if (pixels.empty()) {
    cells[0].rgb = picture(images.source(), images.shape);
    cells[0].title = "template";
  }
  for (const Index i : choose_examples(truth.classes, images.template_row)) {
    const auto at = static_cast<std::size_t>(i);
    Matrix<float> image = images.decoded.row(i);
    paste_pixels(images.source(), pixels, images.shape, image);
    viz::PanelCell cell;
    cell.rgb = picture(image.row(0).transpose(), images.shape);
    if (pixels.empty()) cell.title = truth.classes[at] == 1 ? "has it" : "has it not";
    cell.captions = {called[at] == 1 ? "yes" : "no"};
    cells.push_back(std::move(cell));
  }
  return cells;
}

/// In the order of SpuriousDigest::pastings; scores still to come.
std::vector<Pasting> pastings_of(const SpuriousOptions& options, const Part& part, const SpuriousDigest& digest,
                                 const RunContext& run) {
  const TaskOptions& task = options.tasks.at(part.name);
  const std::vector<Index> mask = feature_mask(digest.rfm, digest.shape, options.mask, task.excluded);
  if (mask.empty()) {
    throw DataError(fmt::format(
        "{}: outside of the excluded regions no entry of the RFM's diagonal, scaled to 0..1, exceeds {}{}, so "
        "there is nothing to paste; lower spurious_features.threshold",
        part.name, options.mask.threshold, options.mask.keep_largest ? "" : " but the largest (keep_largest: false)"));
  }
  RandomStream random = run.stream.named("spurious/random pixels");
  const std::vector<Index> anywhere =
      random.sample(digest.shape.height * digest.shape.width, static_cast<Index>(mask.size()));
  return {{"untouched", "as they are", {}, {}, {}},
          {"mask", "mask", mask, {}, {}},
          {"compared", task.label, pixels_in(task.compared, digest.shape), {}, {}},
          {"random", "random", anywhere, {}, {}}};
}

void add_model_findings(const Part& part, const char* model, Scores Pasting::*scores, SpuriousDigest& digest) {
  const std::string name = fmt::format("{}.{}_", part.name, model), comma = fmt::format(", {}", model);
  const std::vector<Pasting>& pastings = digest.pastings;
  const Scores before = pastings[0].*scores, mask = pastings[1].*scores;
  const auto add = [&](const std::string& what, const std::string& meaning, double value) {
    digest.findings.push_back({name + what, part.name + ": " + meaning + comma, value, "%"});
  };
  add("accuracy_mask", "test accuracy with the mask pasted", mask.accuracy);
  for (std::size_t kind = 1; kind < pastings.size(); ++kind) {
    const Pasting& pasting = pastings[kind];
    const std::string what = pasting.name == "random" ? "as many random pixels" : "the " + pasting.label;
    add("drop_" + pasting.name, "points lost by pasting " + what, before.accuracy - (pasting.*scores).accuracy);
  }
  add("drop_excess", "points that the mask costs more than the " + pastings[2].label,
      (pastings[2].*scores).accuracy - mask.accuracy);
  add("recall", "images with the attribute that are recognised", before.recall);
  add("recall_mask", "the same with the mask pasted", mask.recall);
}

void add_findings(const Part& part, const RunRecord& record, SpuriousDigest& digest) {
  const std::string of = part.name + ": ";
  for (Finding& finding : accuracy_findings(part.name + ".", of, record)) digest.findings.push_back(std::move(finding));
  digest.findings.push_back({part.name + ".diagonal_pearson", of + "r of the diagonals",
                             record.find_pair(FeatureId::nfm(), record.rfm->feature_id())->values.diagonal_pearson});
  digest.findings.push_back({part.name + ".mask_pixels", of + "pixels in the mask",
                             pixel_share(digest.pastings[1].pixels, digest.shape), "%"});
  digest.findings.push_back({part.name + ".compared_pixels", of + "pixels in the " + digest.pastings[2].label,
                             pixel_share(digest.pastings[2].pixels, digest.shape), "%"});
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
  digest.pastings = pastings_of(options, part, digest, run);
  const PastingImages images = in_section("dataset", [&] {
    return load_pasting_images(part.options.dataset, options.template_attribute, models.source_rows(Rows::test),
                               run.stream);
  });
  for (Pasting& pasting : digest.pastings) {
    const Matrix<double> predictions = predict_pasted(models.network(), images, pasting.pixels);
    pasting.network = scores_of(predictions, truth);
    pasting.rfm = scores_of(predict_pasted(models.rfm(), images, pasting.pixels), truth);
    if (pasting.name != "random") digest.examples.push_back(example_row(images, truth, pasting.pixels, predictions));
  }
  add_findings(part, record, digest);
  return digest;
}

std::string pasting_csv(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests) {
  std::string text = "part,model,pasted,pixels_percent,test_accuracy_percent,recall_percent\n";
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const Pasting& pasting : digests[i].pastings)
      for (const auto& [model, scores] : {std::pair(kModels[0], pasting.network), std::pair(kModels[1], pasting.rfm)})
        text += fmt::format("{},{},{},{},{},{}\n", parts[i].name, model, pasting.name,
                            pixel_share(pasting.pixels, digests[i].shape), scores.accuracy, scores.recall);
  return text;
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests,
                            const RunContext& run) {
  ExperimentSummary summary;
  for (const SpuriousDigest& digest : digests)
    summary.findings.insert(summary.findings.end(), digest.findings.begin(), digest.findings.end());
  run.directory.write_table("pasting.csv", pasting_csv(parts, digests));
  if (!parts.front().options.save.images) return summary;
  summary.figures = {draw_masks(parts, digests, run), draw_accuracies(parts, digests, run),
                     draw_examples(parts, digests, run)};
  return summary;
}

TaskOptions parse_task(const Config& own, const Part& part) {
  if (!own.has(part.name)) {
    own.fail(part.name,
             "is needed: which regions are compared, such as {label: lips, compared: [{rows: [0.66, 0.78]}], "
             "excluded: [{rows: [0.62, 1]}]}");
  }
  const Config section = own.section(part.name);
  const std::string label = section.get("label", "region");
  if (label.find_first_not_of(' ') == std::string::npos)
    section.fail("label", "must say what the compared region shows, such as lips");
  const TaskOptions task{label, parse_regions(section, "excluded"), parse_regions(section, "compared")};
  const ImageShape shape{3, part.options.dataset.image.height, part.options.dataset.image.width};
  if (pixels_in(task.compared, shape).empty())
    section.fail("compared", fmt::format("is needed, with at least one pixel of {} x {}", shape.height, shape.width));
  if (static_cast<Index>(pixels_in(task.excluded, shape).size()) == shape.height * shape.width)
    section.fail("excluded", "is the whole image, so that no pixel is left to paste");
  return task;
}

SpuriousOptions parse_spurious(const Config& root, const Config& own, const std::vector<Part>& parts) {
  SpuriousOptions options;
  options.mask.threshold = own.get_fraction("threshold", options.mask.threshold);
  options.mask.keep_largest = own.get("keep_largest", options.mask.keep_largest);
  options.template_attribute = own.get("template", "Male");
  for (const Part& part : parts) {
    if (part.options.dataset.attribute == options.template_attribute)
      own.fail("template",
               "has " + options.template_attribute + " and lacks the task's attribute, so it cannot be that");
    options.tasks.emplace(part.name, parse_task(own, part));
  }
  const FeatureComparisonOptions& shared = parts.front().options;
  if (!shared.network || !shared.rfm || shared.rfm->iterations < 1)
    root.fail("",
              "spurious_features pastes where an RFM looks and asks a network what it sees: network and rfm "
              "(iterations: 1) are needed");
  if (!shared.dataset.draw.classes.empty())
    root.section("dataset").fail("classes", "are those of the attribute where several attributes are the tasks");
  const Normalization kind = shared.dataset.normalize;
  if (kind != Normalization::none && kind != Normalization::unit_norm)
    root.section("dataset").fail("normalize", "must be unit_norm or none where pixels are pasted");
  return options;
}

/// After the stages of each part: its test images once more.
Plan with_pasting(const Plan& plan, const std::vector<Part>& parts) {
  Plan all;
  all.size = plan.size;
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const PlannedStage& stage = plan.stages[i];
    all.stages.push_back(stage);
    if (i + 1 < plan.stages.size() && plan.stages[i + 1].part == stage.part) continue;
    const Part& part = parts[static_cast<std::size_t>(stage.part)];
    const DatasetSize size = in_section("dataset", [&] { return dataset_size(part.options.dataset); });
    PlannedStage pasting{part.name + ": pasting", {"test images once more", ""}, stage.part};
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
  PartsExperiment<SpuriousDigest> experiment{parts, parse_expectations(root, finding_names(parts)), {}, summarize};
  experiment.digest = [options](const Part& part, const RunRecord& record, const Models& models,
                                const RunContext& run) { return digest(options, part, record, models, run); };
  PreparedExperiment prepared = prepare_parts(common, experiment);
  prepared.plan = [plan = prepared.plan, parts] { return with_pasting(plan(), parts); };
  prepared.load = [load = prepared.load, parts, options](const RandomStream& stream) {
    for (const Part& part : parts)
      in_section("dataset", [&] { require_template(part.options.dataset, options.template_attribute, stream); });
    return load(stream);
  };
  return prepared;
}

}  // namespace ansatz::experiments
