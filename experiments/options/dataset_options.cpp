// The section `dataset` of a config file.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/data/synthetic/synthetic.h"
#include "experiments/options/options.h"

namespace ansatz::experiments {
namespace {

void parse_arrays(const Config& section, DatasetOptions& dataset) {
  dataset.arrays.train_inputs = section.get_path("train_inputs");
  dataset.arrays.train_targets = section.get_path("train_targets");
  dataset.arrays.validation_inputs = section.get_path("validation_inputs");
  dataset.arrays.validation_targets = section.get_path("validation_targets");
  dataset.arrays.test_inputs = section.get_path("test_inputs");
  dataset.arrays.test_targets = section.get_path("test_targets");
  for (const auto& [key, path] :
       {std::pair("train_inputs", dataset.arrays.train_inputs),
        std::pair("train_targets", dataset.arrays.train_targets), std::pair("test_inputs", dataset.arrays.test_inputs),
        std::pair("test_targets", dataset.arrays.test_targets)}) {
    if (path.empty()) section.fail(key, "is needed by dataset arrays: the path of a .npy file");
  }
  if (dataset.arrays.validation_inputs.empty() != dataset.arrays.validation_targets.empty()) {
    section.fail("validation_inputs", "validation_inputs and validation_targets go together");
  }
  dataset.arrays.image_layout = section.get_choice<ImageLayout>("image_layout", "auto",
                                                                {{"auto", ImageLayout::automatic},
                                                                 {"channels_first", ImageLayout::channels_first},
                                                                 {"channels_last", ImageLayout::channels_last}});
  if (section.is_list("feature_names"))
    dataset.arrays.feature_names = section.get("feature_names", std::vector<std::string>{});
  else
    dataset.arrays.feature_names_file = section.get_path("feature_names");
  const std::vector<Index> shape = section.get_list("image_shape", std::vector<Index>{}, 1, 1'000'000);
  if (shape.empty()) return;
  if (shape.size() != 3) section.fail("image_shape", "must be [channels, height, width]");
  dataset.arrays.image_shape = ImageShape{shape[0], shape[1], shape[2]};
}

void parse_csv(const Config& section, DatasetOptions& dataset) {
  dataset.csv.target_column = section.require("target");
  dataset.csv.categorical = section.get("categorical", std::vector<std::string>{});
  dataset.csv.ignore_columns = section.get("ignore_columns", std::vector<std::string>{});
  dataset.csv.delimiter = section.get("delimiter", ",");
  dataset.csv.cells.decimal = section.get_choice("decimal", ".", {".", ","}).front();
  dataset.csv.cells.missing_values = section.get("missing_values", std::vector<std::string>{});
  dataset.csv.cells.default_missing_values = section.get("default_missing_values", true);
  dataset.csv.missing = section.get_choice<MissingValues>(
      "missing", "error",
      {{"error", MissingValues::error}, {"drop", MissingValues::drop}, {"mean", MissingValues::mean}});
  dataset.csv.test_path = section.get_path("test_path");
  dataset.csv.unknown_category = section.get_choice<UnknownCategory>(
      "unknown_category", "error", {{"error", UnknownCategory::error}, {"zero", UnknownCategory::zero}});
  if (dataset.csv.unknown_category == UnknownCategory::zero && dataset.csv.test_path.empty())
    section.fail("unknown_category", "zero is for test rows in a file of their own (test_path)");
}

NgramLengths parse_ngrams(const Config& section, const std::string& key, std::vector<Index> by_default) {
  constexpr Index kLongest = 20;
  const std::vector<Index> lengths = section.get_list(key, std::move(by_default), Index{1}, kLongest);
  if (lengths.empty()) return {0, 0};
  if (lengths.size() != 2 || lengths[0] > lengths[1]) section.fail(key, "must be [shortest, longest], or [] for none");
  return {lengths[0], lengths[1]};
}

void parse_text_weights(const Config& section, DatasetOptions& dataset) {
  TfIdfOptions& weights = dataset.text.weights;
  weights.words = parse_ngrams(section, "word_ngrams", {1, 1});
  weights.characters = parse_ngrams(section, "character_ngrams", {});
  if (weights.words.longest == 0 && weights.characters.longest == 0)
    section.fail("word_ngrams", "and character_ngrams are both empty: there would be no inputs");
  weights.vocabulary_size = section.get_or_word("vocabulary_size", 0, "all", 0, 1);
  weights.min_df = section.get_at_least("min_df", Index{1}, Index{1});
  weights.sublinear_tf = section.get("sublinear_tf", false);
}

void parse_text(const Config& section, DatasetOptions& dataset) {
  TextOptions& text = dataset.text;
  text.columns.label = section.get("label", text.columns.label);
  text.columns.text = section.get("text", text.columns.text);
  text.columns.delimiter = section.get_choice<char>("delimiter", "tab", {{"tab", '\t'}, {",", ','}, {";", ';'}});
  text.test_path = section.get_path("test_path");
  parse_text_weights(section, dataset);
}

void parse_sizes(const Config& section, const DatasetInfo& set, double validation_fraction, DatasetOptions& dataset) {
  const bool synthetic = set.form == DatasetForm::computed;
  dataset.draw.train_size = section.get_or_word("train_size", synthetic ? 1000 : 0, "all", 0, synthetic ? 2 : 0);
  dataset.draw.test_size = section.get_or_word("test_size", synthetic ? 10000 : 0, "all", 0, synthetic ? 1 : 0);
  dataset.draw.validation_size = section.get_at_least("validation_size", Index{0}, Index{0});
  if (synthetic) return;
  if (section.has("train_limit")) {
    if (dataset.draw.train_size > 0) section.fail("train_limit", "is for a set of unknown size; leave out train_size");
    dataset.draw.train_limit = section.get_at_least("train_limit", Index{0}, Index{2});
  }
  dataset.draw.which =
      section.get_choice<RowDraw>("draw", "random", {{"random", RowDraw::random}, {"first", RowDraw::first}});
  dataset.draw.validation_fraction = section.get_fraction("validation_fraction", validation_fraction);
  if (set.in_one_piece) dataset.draw.test_fraction = section.get_fraction("test_fraction", 0.2);
}

/// `class_sizes`: what is drawn if the section says nothing; empty: all rows.
void parse_classes(const Config& section, const std::vector<Index>& class_sizes, DatasetOptions& dataset) {
  dataset.draw.classes = section.get("classes", std::vector<std::string>{});
  dataset.draw.balanced = section.get("balanced", false);
  dataset.class_coding = section.get_choice<ClassCoding>(
      "class_coding", "one_hot", {{"one_hot", ClassCoding::one_hot}, {"prevalence", ClassCoding::prevalence}});
  const bool by_default = dataset.draw.classes.empty() && dataset.draw.train_size == 0 && !dataset.draw.balanced;
  dataset.draw.class_sizes = section.get_list("class_sizes", by_default ? class_sizes : std::vector<Index>{}, 1);
  if (dataset.draw.class_sizes.empty()) return;
  if (dataset.draw.train_size > 0 || dataset.draw.train_limit > 0 || dataset.draw.balanced)
    section.fail("class_sizes", "says which training rows are drawn; leave out train_size, train_limit and balanced");
}

/// The size that images are resized to: without the keys that of the set, or of `side` if its files have any size.
void parse_image_size(const Config& section, std::optional<Index> side, DatasetOptions& dataset) {
  for (const auto& [key, size] :
       {std::pair("image_height", &dataset.image.height), std::pair("image_width", &dataset.image.width)}) {
    if (side || section.has(key)) *size = section.get_at_least(key, side.value_or(0), Index{1}, Index{16384});
  }
}

void parse_image_files(const Config& section, Index side, DatasetOptions& dataset) {
  parse_image_size(section, side, dataset);
  dataset.image.crop =
      section.get_choice<ImageCrop>("crop", "whole", {{"whole", ImageCrop::whole}, {"center", ImageCrop::center}});
}

void parse_image_folder(const Config& section, DatasetOptions& dataset) { parse_image_files(section, 32, dataset); }

void parse_celeba(const Config& section, DatasetOptions& dataset) {
  parse_image_files(section, 96, dataset);
  if (dataset.attribute.empty()) dataset.attribute = section.require("attribute");
}

void parse_starred(const Config& section, DatasetOptions& dataset) {
  parse_image_size(section, std::nullopt, dataset);
  dataset.starred.marker =
      section.get_choice<StarMarker>("marker", "star", {{"star", StarMarker::star}, {"square", StarMarker::square}});
  dataset.starred.photographs = section.get_choice("source", "cifar10", {"cifar10", "stl10"});
}

/// Beyond these the moments of the variables, of twice the power, leave float32.
constexpr Index kLargestPower = 16;
constexpr std::size_t kMostTerms = 1000;

PolynomialTerm parse_term(const Config& term, Index dimension) {
  const std::vector<Index> variables = term.get_list("variables", std::vector<Index>{}, 1, dimension);
  const std::vector<Index> powers = term.get_list("powers", std::vector<Index>(variables.size(), 1), 1, kLargestPower);
  if (variables.size() != powers.size()) term.fail("powers", "must be as many as variables");
  PolynomialTerm monomial{term.get_at_least("coefficient", 1.0, -Config::kLargestNumber), {}};
  for (std::size_t i = 0; i < variables.size(); ++i) {
    Index& power = monomial.powers[variables[i] - 1];
    power += powers[i];
    if (power > kLargestPower)
      term.fail("powers", fmt::format("of x{} come to more than {}", variables[i], kLargestPower));
  }
  return monomial;
}

}  // namespace

LowRankOptions parse_low_rank(const Config& section) {
  LowRankOptions low_rank;
  low_rank.target = section.get_choice("target", "x1x2", {"x1x2", "he2_he4", "piecewise", "hermite", "custom"});
  low_rank.dimension = section.get_at_least("dimension", Index{30}, Index{1});
  low_rank.input_distribution = section.get_choice("input_distribution", "gaussian", {"gaussian", "rademacher"});
  low_rank.input_variance = section.get_positive("input_variance", 1);
  low_rank.input_noise_variance = section.get_at_least("input_noise_variance", 0.0, 0.0);
  low_rank.label_noise_variance = section.get_at_least("label_noise_variance", 0.0, 0.0);
  if (const Index least = least_dimension(low_rank.target); low_rank.dimension < least)
    section.fail("dimension", fmt::format("must be at least {} for target {}", least, low_rank.target));
  if (low_rank.target == "hermite") {
    low_rank.directions = section.get_at_least("directions", low_rank.directions, Index{1}, low_rank.dimension);
    low_rank.degree = section.get_at_least("degree", low_rank.degree, kLeastHermiteDegree, kMostHermiteDegree);
  }
  if (low_rank.target != "custom") return low_rank;
  for (const Config& term : section.list("terms")) low_rank.terms.push_back(parse_term(term, low_rank.dimension));
  if (low_rank.terms.size() > kMostTerms) section.fail("terms", fmt::format("must be at most {}", kMostTerms));
  if (low_rank.terms.empty())
    section.fail("terms", "target: custom needs a list such as [{coefficient: 1, variables: [1, 2]}]");
  return low_rank;
}

namespace {

/// Keys and defaults that one data set alone has.
struct OwnKeys {
  const char* name;
  void (*parse)(const Config&, DatasetOptions&);
  std::vector<Index> class_sizes = {};
};

const OwnKeys& own_keys(const DatasetInfo& set) {
  static const std::vector<OwnKeys> table = {
      {"arrays", parse_arrays},
      {"csv", parse_csv},
      {"text", parse_text},
      {"sms_spam", parse_text_weights},
      {"celeba", parse_celeba},
      {"image_folder", parse_image_folder},
      {"starred_planes_trucks", parse_starred, {500, 53}},  // airplanes, trucks: appendix D
      {"low_rank", [](const Config& section, DatasetOptions& dataset) { dataset.low_rank = parse_low_rank(section); }},
  };
  static const OwnKeys images = {
      "", [](const Config& section, DatasetOptions& dataset) { parse_image_size(section, std::nullopt, dataset); }};
  const auto row = std::find_if(table.begin(), table.end(), [&](const OwnKeys& keys) { return keys.name == set.name; });
  return row == table.end() ? images : *row;
}

/// `target_scaling` of a regression on the user's own data. Beside an imported network auto
/// is none: its outputs are in the unit that it was trained with (keep_unit_of_network).
TargetNormalization parse_target_scaling(const Config& section, Task task) {
  if (task == Task::classification) {
    if (section.has("target_scaling"))
      section.fail("target_scaling", "is for task: regression; class labels are never scaled");
    return TargetNormalization::none;
  }
  return section.get_choice<TargetNormalization>("target_scaling", "auto",
                                                 {{"auto", TargetNormalization::automatic},
                                                  {"standardize", TargetNormalization::standardize},
                                                  {"none", TargetNormalization::none}});
}

const DatasetInfo& parse_name(const Config& section) {
  std::vector<std::pair<std::string, const DatasetInfo*>> sets;
  for (const DatasetInfo& info : dataset_table()) sets.emplace_back(info.name, &info);
  if (!section.has("name")) section.fail("name", "is needed: one of those that `ansatz list datasets` prints");
  return *section.get_choice<const DatasetInfo*>("name", "", sets);
}

}  // namespace

DatasetOptions parse_dataset(const Config& section, const std::string& attribute, double validation_fraction) {
  const DatasetInfo& set = parse_name(section);
  const OwnKeys& own = own_keys(set);
  DatasetOptions dataset;
  dataset.name = set.name;
  dataset.attribute = attribute;
  parse_sizes(section, set, validation_fraction, dataset);
  dataset.normalize = section.get_choice<Normalization>("normalize", "none",
                                                        {{"none", Normalization::none},
                                                         {"unit_norm", Normalization::unit_norm},
                                                         {"standardize", Normalization::standardize},
                                                         {"min_max", Normalization::min_max}});
  if (set.form != DatasetForm::computed) {
    dataset.task = Task::classification;
    if (set.form == DatasetForm::arrays || set.form == DatasetForm::table) {
      dataset.task = section.get_choice<Task>(
          "task", "regression", {{"regression", Task::regression}, {"classification", Task::classification}});
      dataset.target_scaling = parse_target_scaling(section, dataset.task);
    }
    if (dataset.task == Task::classification) parse_classes(section, own.class_sizes, dataset);
    if (set.form != DatasetForm::arrays) dataset.path = section.get_path("path");
  }
  own.parse(section, dataset);
  return dataset;
}

void keep_unit_of_network(const Config& section, DatasetOptions& dataset) {
  if (dataset.target_scaling == TargetNormalization::standardize)
    section.fail("target_scaling",
                 "standardize is not for an imported network, whose outputs are in the unit it was trained with; use "
                 "none, with targets in that unit");
  dataset.target_scaling = TargetNormalization::none;
}

}  // namespace ansatz::experiments
