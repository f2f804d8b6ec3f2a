#include "experiments/paper/faces/spurious_options.h"

#include <fmt/format.h>

namespace ansatz::experiments {
namespace {

constexpr Index kMostTemplates = 1000;

SpuriousTask parse_task(const Config& own, const Part& part) {
  if (!own.has(part.name)) {
    own.fail(part.name,
             "is needed: which regions are compared, such as {label: lips, compared: [{rows: [0.66, 0.78]}], "
             "excluded: [{rows: [0.62, 1]}]}");
  }
  const Config section = own.section(part.name);
  const std::string label = section.get("label", "region");
  if (label.find_first_not_of(' ') == std::string::npos)
    section.fail("label", "must say what the compared region shows, such as lips");
  const SpuriousTask task{label, parse_regions(section, "excluded"), parse_regions(section, "compared"),
                          parse_regions(section, "narrow")};
  const ImageShape shape{3, part.options.dataset.image.height, part.options.dataset.image.width};
  const auto require_pixels = [&](const char* key, const std::vector<Region>& regions) {
    if (pixels_in(regions, shape).empty())
      section.fail(key, fmt::format("is needed, with at least one pixel of {} x {}", shape.height, shape.width));
  };
  require_pixels("compared", task.compared);
  if (!task.narrow.empty()) require_pixels("narrow", task.narrow);
  if (static_cast<Index>(pixels_in(task.excluded, shape).size()) == shape.height * shape.width)
    section.fail("excluded", "is the whole image, so that no pixel is left to paste");
  return task;
}

}  // namespace

SpuriousOptions parse_spurious(const Config& root, const Config& own, const std::vector<Part>& parts) {
  SpuriousOptions options;
  options.mask.threshold = own.get_fraction("threshold", options.mask.threshold);
  options.mask.keep_largest = own.get("keep_largest", options.mask.keep_largest);
  options.templates.attribute = own.get("template", options.templates.attribute);
  options.templates.count = own.get_at_least("templates", options.templates.count, 1, kMostTemplates);
  for (const Part& part : parts) {
    if (part.options.dataset.attribute == options.templates.attribute)
      own.fail("template",
               "has " + options.templates.attribute + " and lacks the task's attribute, so it cannot be that");
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

}  // namespace ansatz::experiments
