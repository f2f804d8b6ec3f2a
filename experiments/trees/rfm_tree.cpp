// A tree of RFMs on data of many rows, whose inputs need not be in memory.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/machine/memory.h"
#include "core/machine/parallel.h"
#include "core/machine/terminal.h"
#include "core/record/json/run_record_json.h"
#include "core/run/input_digest.h"
#include "experiments/experiment.h"
#include "experiments/options/option_names.h"
#include "experiments/options/rfm_tree_options.h"
#include "experiments/pictures/feature_pictures.h"
#include "experiments/results/feature_tables.h"
#include "experiments/results/summary_table.h"
#include "experiments/trees/tree_results.h"
#include "rfm/trees/fitting/tree_cost.h"
#include "viz/images/feature_image.h"

namespace ansatz::experiments {
namespace {

constexpr const char* kSection = "rfm_tree";

std::size_t scalar_bytes(const TreeRunOptions& options) {
  return options.common.precision == Precision::float32 ? sizeof(float) : sizeof(double);
}

Plan plan_tree(const TreeRunOptions& options) {
  Plan plan;
  plan.size = in_section("dataset", [&] { return dataset_size(options.dataset, RandomStream(options.common.seed)); });
  const DatasetSize& size = plan.size;
  const std::size_t scalar = scalar_bytes(options);
  const double rows = static_cast<double>(size.train + size.validation + size.test),
               d = static_cast<double>(size.dimension), bytes = static_cast<double>(scalar);
  PlannedStage data{"data", {"read, draw, split", ""}};
  data.cost.kept_bytes = rows * static_cast<double>(size.outputs) * bytes;
  if (in_section("dataset", [&] { return inputs_stay_stored(options.dataset, scalar); })) {
    plan.notes.emplace_back("the inputs stay in their files and are read as they are needed");
  } else {
    data.cost.kept_bytes += rows * d * bytes;
    data.cost.working_bytes = data.cost.kept_bytes + size.reading_bytes;
  }
  const Cost tree =
      rfm::tree_cost(options.tree, {size.train, size.dimension, size.outputs}, scalar, available_memory(), threads());
  plan.stages = {std::move(data), {"tree", tree}};
  if (options.save.models) plan.model_bytes = tree.kept_bytes;
  return plan;
}

template <class Scalar>
TreeData<Scalar> read_data(const TreeRunOptions& options, const RandomStream& stream) {
  return in_section("dataset", [&] {
    StoredParts<Scalar> parts = load_stored<Scalar>(options.dataset, stream, viz::read_image_planes);
    if (options.tree.rfm.blocks) rfm::require_one_hot_groups(parts.train.rest.column_groups);
    return TreeData<Scalar>{{std::move(parts.train), std::move(parts.validation)},
                            std::move(parts.test),
                            std::move(parts.transform),
                            std::move(parts.notes)};
  });
}

/// Of the inputs, which may be more than anybody wants to read once more, the files' sizes and times alone.
template <class Scalar>
InputDigest digest_of(const TreeRunOptions& options, const TreeData<Scalar>& data) {
  InputDigest digest;
  digest.add<Scalar>("train_targets", data.split.train.rest.targets);
  if (!data.split.validation.empty()) digest.add<Scalar>("validation_targets", data.split.validation.rest.targets);
  if (!data.test.empty()) digest.add<Scalar>("test_targets", data.test.rest.targets);
  digest.add_sources(options.dataset);
  return digest;
}

template <class Scalar>
rfm::RfmTreeFit<Scalar> fit(const TreeRunOptions& options, const TreeData<Scalar>& data, const RunContext& run) {
  const Index expected = rfm::tree_size(data.split.train.size(), options.tree.leaf_size).leaves;
  Progress progress(kTreeLabel, expected, "leaves", run.quiet);
  auto fitted = rfm::fit_rfm_tree(
      data.split, options.tree, run.stream.named("rfm"),
      [&](const rfm::LeafRecord&, Index done, Index /*leaves*/) { progress.update(std::min(done, expected)); });
  progress.finish(fmt::format("temperature {:.3g}", fitted.tree.routing().options().temperature));
  return fitted;
}

/// metrics.json, tables, the terminal and the pictures.
void show(const TreeRunOptions& options, const RunRecord& record, const RunContext& run) {
  for (const std::string& text : record.warnings) spdlog::warn("{}", text);
  if (!record.features.empty() && options.save.feature_matrices != SavedMatrices::none)
    run.directory.write_table("features.csv", features_csv(record));
  run.directory.write_json("metrics.json", to_json(record));
  if (!run.quiet) std::fputs(summary_table(record, terminal_columns(STDOUT_FILENO)).c_str(), stdout);
  if (options.save.images) draw_pictures(record, run.directory.path() / "images");
}

template <class Scalar>
std::function<void(const RunContext&)> load(const TreeRunOptions& options, const RandomStream& stream) {
  const auto data = std::make_shared<const TreeData<Scalar>>(read_data<Scalar>(options, stream));
  return [options, data](const RunContext& run) {
    const InputDigest digest = digest_of(options, *data);
    digest.keep_in(run.directory);
    if (run.directory.finished()) {  // a part whose whole is not: what it wrote stands
      record_from_json(read_metrics(run.directory.path()));
      return;
    }
    const auto fitted = in_section(kSection, [&] { return fit(options, *data, run); });
    RunRecord record = write_tree_results(options, *data, fitted, run);
    record.data->digest = digest.values();
    show(options, record, run);
  };
}

TreeRunOptions parse(const Config& root, const CommonOptions& common) {
  TreeRunOptions options;
  options.common = common;
  options.dataset = parse_dataset(root.section("dataset"));
  options.dataset_yaml = root.section("dataset").resolved_yaml();
  options.tree = parse_rfm_tree(root.section(kSection));
  if (options.tree.rfm.blocks && options.dataset.name != "csv")
    root.section(kSection).fail("feature_matrix", "blocks needs categorical columns, which only a csv data set has");
  options.save = parse_save(root.section("save"));
  options.top_eigenvectors =
      root.section("comparison")
          .get_at_least("top_eigenvectors", options.top_eigenvectors, Index{1}, kMostEigenvectors);
  return options;
}

}  // namespace

PreparedExperiment prepare_rfm_tree(const Config& root, const CommonOptions& common) {
  const TreeRunOptions options = parse(root, common);
  PreparedExperiment prepared;
  prepared.plan = [options] { return plan_tree(options); };
  prepared.load = [options](const RandomStream& stream) {
    return options.common.precision == Precision::float32 ? load<float>(options, stream)
                                                          : load<double>(options, stream);
  };
  return prepared;
}

}  // namespace ansatz::experiments
