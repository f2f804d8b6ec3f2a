#include "experiments/options/tune_options.h"

#include <algorithm>

#include "core/base/error.h"

namespace ansatz::experiments {
namespace {

const std::string kMachines = "kernel_machines.";

bool begins_with(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

/// kernel_machines.<label>.<key> with the machine's number in the place of its label, as overrides want it.
std::string with_number(const Config& section, const std::string& key, const FeatureComparisonOptions& base) {
  const std::string rest = key.substr(kMachines.size());
  std::string labels;
  for (std::size_t i = 0; i < base.kernel_machines.size(); ++i) {
    const std::string number = std::to_string(i), label = base.kernel_machines[i].label;
    for (const std::string& name : {label, number})
      if (begins_with(rest, name + ".")) return kMachines + number + rest.substr(name.size());
    labels += (labels.empty() ? "" : ", ") + label;
  }
  section.fail("", key + " names none of the kernel machines" + (labels.empty() ? "" : ": " + labels));
}

/// Which model the key belongs to: "network", "rfm" or "kernel_machines.0".
std::string model_of(const Config& section, const std::string& key) {
  for (const char* model : {"network", "rfm"})
    if (begins_with(key, std::string(model) + ".")) return model;
  if (!begins_with(key, kMachines))
    section.fail("", key + " belongs to no model; keys begin with network., rfm. or kernel_machines.<label>.");
  return key.substr(0, key.find('.', kMachines.size()));
}

/// A machine's label and its number may have named one key twice.
void require_different_keys(const Config& section, const Grid& grid) {
  for (std::size_t i = 0; i < grid.axes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (grid.axes[i].key == grid.axes[j].key) section.fail("", grid.axes[i].key + " is there twice");
}

void take_model(const Config& section, const FeatureComparisonOptions& base, TuneOptions& tune) {
  std::string model;
  for (GridAxis& axis : tune.grid.axes) {
    if (begins_with(axis.key, kMachines)) axis.key = with_number(section, axis.key, base);
    const std::string own = model_of(section, axis.key);
    if (model.empty()) model = own;
    if (own != model)
      section.fail(
          "", "has keys of " + model + " and of " + own + "; tune the keys of one model, and others in a run after it");
    if (begins_with(own, kMachines) && axis.key == own + ".label") section.fail("", axis.key + " is a name, no option");
  }
  require_different_keys(section, tune.grid);
  if (begins_with(model, kMachines)) {
    tune.kind = TunedModel::kernel_machine;
    tune.machine = std::stoul(model.substr(kMachines.size()));
  } else if (model == "network") {
    tune.kind = TunedModel::network;
    if (!base.network || !base.network->train) section.fail("", "has keys of a network, and none is trained");
  } else {
    if (!base.rfm) section.fail("", "has keys of rfm, and there is no section rfm");
  }
}

FeatureComparisonOptions parse_cell(const Config& root, const Config& section, const Grid& grid, Index cell,
                                    const std::string& name) {
  std::vector<std::string> assignments = grid.assignments(cell);
  assignments.push_back("tune=null");
  try {
    const Config config = root.with(assignments, section.where(""));
    config.has("tune");
    FeatureComparisonOptions options = parse_feature_comparison(config, parse_common(config, name));
    config.finish();
    for (const std::string& note : config.notes()) root.note(note);
    return options;
  } catch (const ConfigError& error) {
    throw ConfigError(std::string(error.what()) + " (with " + grid.describe(cell) + ")");
  }
}

}  // namespace

const char* section_of(TunedModel model) {
  switch (model) {
    case TunedModel::network:
      return "network";
    case TunedModel::rfm:
      return "rfm";
    case TunedModel::kernel_machine:
      break;
  }
  return "kernel_machines";
}

std::string TuneOptions::model() const {
  return kind == TunedModel::kernel_machine ? cells.front().kernel_machines[machine].label : section_of(kind);
}

std::optional<TuneOptions> parse_tune(const Config& root, const FeatureComparisonOptions& base) {
  const Config section = root.section("tune");
  if (!section.present()) return std::nullopt;
  TuneOptions tune;
  tune.grid = parse_grid(section);
  root.finish();
  take_model(section, base, tune);
  for (Index cell = 0; cell < tune.grid.cells(); ++cell)
    tune.cells.push_back(parse_cell(root, section, tune.grid, cell, base.common.name));
  return tune;
}

}  // namespace ansatz::experiments
