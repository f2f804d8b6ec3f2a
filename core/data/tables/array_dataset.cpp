#include "core/data/tables/array_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/base/error.h"
#include "core/data/formats/image_layout.h"
#include "core/data/formats/npy_table.h"
#include "core/data/tables/feature_names.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<Index>;

struct ArrayPart {
  NpyRows inputs, targets;
};

std::optional<ArrayPart> open_part(const fs::path& inputs, const fs::path& targets, const char* name) {
  if (inputs.empty() && targets.empty()) return std::nullopt;
  if (inputs.empty() || targets.empty()) {
    throw DataError(fmt::format("arrays: `{}_inputs` and `{}_targets` go together; one is not given", name, name));
  }
  ArrayPart part{NpyRows(inputs), NpyRows(targets)};
  const Index n = part.inputs.header().rows(), targets_n = part.targets.header().rows();
  if (n != targets_n) {
    throw DataError(fmt::format("{} has {} rows but {} has {}; inputs and targets must agree", inputs.string(), n,
                                targets.string(), targets_n));
  }
  return part;
}

void check_same_columns(const NpyRows& file, const NpyRows& train, const char* letter) {
  const Index columns = file.header().cols(), train_columns = train.header().cols();
  if (columns == train_columns) return;
  throw DataError(fmt::format("{} has {} = {} but {} has {} = {}; they must agree", file.path().string(), letter,
                              columns, train.path().string(), letter, train_columns));
}

std::string rows_in_words(const std::vector<Index>& shape) {
  return "n x " + fmt::format("{}", fmt::join(shape.begin() + 1, shape.end(), " x "));
}

/// Refuses rows that have as many values as the training rows, but with their dimensions in another order.
void check_same_order(const NpyRows& file, const NpyRows& train) {
  const std::vector<Index>&a = file.header().shape, &b = train.header().shape;
  if (a.size() < 3 || b.size() < 3 || std::equal(a.begin() + 1, a.end(), b.begin() + 1, b.end())) return;
  throw DataError(fmt::format("{} is {} but {} is {}; they must agree", file.path().string(), rows_in_words(a),
                              train.path().string(), rows_in_words(b)));
}

/// Refuses a part whose rows are flattened already, where those of the others have their channels moved.
void check_same_dimensions(const NpyRows& file, const NpyRows& train, const ArrayImages& images) {
  if (!images.channels_last || file.header().shape.size() == train.header().shape.size()) return;
  throw DataError(fmt::format("{} is {} but {} is {}, channels last; they must agree", file.path().string(),
                              rows_in_words(file.header().shape), train.path().string(),
                              rows_in_words(train.header().shape)));
}

std::vector<std::string> feature_names_of(const ArrayOptions& options, const DataOutline& outline) {
  const fs::path& file = options.feature_names_file;
  std::vector<std::string> names = file.empty() ? options.feature_names : read_feature_names(file);
  const std::string where = file.empty() ? "`feature_names`" : file.string();
  if (file.empty() && names.empty()) return names;
  if (outline.image_shape) throw DataError(where + ": images have pixels, which need no names; leave it out");
  check_feature_names(names, outline.dimension, where);
  return names;
}

/// A class label: any whole number of 64 bits, signed or not. A double could not tell large ones from their neighbours.
struct Label {
  bool negative = false;
  std::uint64_t magnitude = 0;
  bool operator==(const Label& o) const { return negative == o.negative && magnitude == o.magnitude; }
  bool operator<(const Label& o) const {
    if (negative != o.negative) return negative;
    return negative ? o.magnitude < magnitude : magnitude < o.magnitude;
  }
  std::string name() const { return (negative ? "-" : "") + std::to_string(magnitude); }
};

Label label_of(std::uint64_t value) { return {false, value}; }
Label label_of(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? Label{true, std::uint64_t{0} - bits} : Label{false, bits};
}

using Labels = std::vector<Label>;

template <class Integer>
Labels integer_labels(const NpyRows& file) {
  Labels labels;
  read_blocks<Integer>(file, all_rows(file), [&](Index, Matrix<Integer>& block) {
    for (Index i = 0; i < block.size(); ++i) labels.push_back(label_of(block.data()[i]));
  });
  return labels;
}

/// Labels stored as floating-point numbers. They must be whole numbers no larger than the type can tell apart.
Labels floating_labels(const NpyRows& file) {
  const double limit = 2 / epsilon_of(file.header());
  Labels labels;
  const Rows rows = all_rows(file);
  read_blocks<double>(file, rows, [&](Index first, Matrix<double>& block) {
    check_numbers(file, rows, first, block);
    for (Index i = 0; i < block.size(); ++i) {
      const double value = block.data()[i];
      const auto complain = [&](const char* text) {
        throw DataError(
            fmt::format("{}: row {} (counted from 0) is {}: {}", file.path().string(), first + i, value, text));
      };
      if (value != std::floor(value)) complain("class labels must be whole numbers (or say task: regression)");
      if (std::abs(value) >= limit)
        complain("floating-point numbers of this size do not tell whole numbers apart; save class labels as integers");
      labels.push_back(label_of(static_cast<std::int64_t>(value)));
    }
  });
  return labels;
}

/// Reads one label a row.
Labels read_labels(const NpyRows& file) {
  if (!file.header().is_integer()) return floating_labels(file);
  return file.header().dtype.find("u8") == std::string::npos ? integer_labels<std::int64_t>(file)
                                                             : integer_labels<std::uint64_t>(file);
}

Labels labels_of_one_hot(const NpyRows& file) {
  Labels labels;
  read_blocks<double>(file, all_rows(file), [&](Index first, Matrix<double>& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      Index at = 0;
      const double largest = block.row(i).maxCoeff(&at);
      if (largest != 1 || (block.row(i).array() != 0).count() != 1) {
        throw DataError(fmt::format(
            "{}: row {} (counted from 0) is not one-hot (a single 1 among 0s); use class labels, or task: regression",
            file.path().string(), first + i));
      }
      labels.push_back({false, static_cast<std::uint64_t>(at)});
    }
  });
  return labels;
}

bool is_zero_one(const Labels& labels) {
  return std::all_of(labels.begin(), labels.end(), [](const Label& v) { return !v.negative && v.magnitude <= 1; });
}

/// The label values that are classes, ascending. Of the values from 0 to the largest, some may be missing by chance,
/// for instance because rows were left out; they are classes nevertheless. If most are missing, the labels must be
/// codes (such as 0 and 255 in a mask), and empty classes would only distort every score.
Labels class_values(const std::vector<Labels>& parts, DataOutline& outline) {
  std::set<Label> values;
  for (const Labels& labels : parts) values.insert(labels.begin(), labels.end());
  if (values.empty() || !(*values.begin() == Label{})) return {values.begin(), values.end()};
  const std::uint64_t largest = values.rbegin()->magnitude, missing = largest + 1 - values.size();
  if (missing == 0) return {values.begin(), values.end()};
  if (missing > largest / 2) {
    outline.announcements.push_back(
        fmt::format("labels 0 to {}, of which only {} occur: these are the classes", largest, values.size()));
    return {values.begin(), values.end()};
  }
  std::vector<std::uint64_t> empty;
  for (std::uint64_t v = 0; v < largest; ++v)
    if (values.insert(Label{false, v}).second) empty.push_back(v);
  constexpr std::size_t kShown = 10;
  const bool cut = empty.size() > kShown;
  if (cut) empty.resize(kShown);
  outline.warnings.push_back(fmt::format("classes 0 to {}: {} of them without a row (label{} {}{})", largest, missing,
                                         missing == 1 ? "" : "s", fmt::join(empty, ", "), cut ? ", ..." : ""));
  return {values.begin(), values.end()};
}

/// Fills in labels and class names, or leaves them empty if the targets are to be used as they are.
void outline_classes(const std::vector<const ArrayPart*>& parts, const std::vector<PartOutline*>& outlines,
                     DataOutline& outline) {
  const NpyHeader& header = parts.front()->targets.header();
  const Index columns = header.cols();
  std::vector<Labels> labels;
  for (const ArrayPart* part : parts)
    labels.push_back(columns == 1 ? read_labels(part->targets) : labels_of_one_hot(part->targets));
  const bool is_column = header.shape.size() > 1 && columns == 1;
  if (is_column && std::all_of(labels.begin(), labels.end(), is_zero_one)) return;
  Labels classes;
  if (columns == 1) {
    classes = class_values(labels, outline);
  } else {
    for (Index c = 0; c < columns; ++c) classes.push_back({false, static_cast<std::uint64_t>(c)});
  }
  for (const Label& value : classes) outline.class_names.push_back(value.name());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const Label& label : labels[p]) {
      outlines[p]->labels.push_back(std::lower_bound(classes.begin(), classes.end(), label) - classes.begin());
    }
  }
  outline.outputs = static_cast<Index>(classes.size());
  outline.notes = outline.announcements;
  outline.notes.insert(outline.notes.end(), outline.warnings.begin(), outline.warnings.end());
}

PartValues values_of(const std::optional<ArrayPart>& part, const ArrayImages& images, bool with_targets) {
  PartValues values;
  if (!part) return values;
  values.inputs = npy_table(part->inputs);
  if (images.channels_last) values.inputs = with_channels_first(std::move(values.inputs), *images.shape);
  if (with_targets) values.targets = npy_table(part->targets);
  return values;
}

}  // namespace

RowSource open_arrays(const ArrayOptions& options, Task task) {
  const auto train = open_part(options.train_inputs, options.train_targets, "train");
  const auto validation = open_part(options.validation_inputs, options.validation_targets, "validation");
  const auto test = open_part(options.test_inputs, options.test_targets, "test");
  if (!train) throw DataError("arrays: `train_inputs` and `train_targets` are not given");
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = "arrays";
  outline.task = task;
  outline.dimension = train->inputs.header().cols();
  outline.outputs = train->targets.header().cols();
  std::vector<const ArrayPart*> parts;
  std::vector<PartOutline*> outlines;
  for (const auto& [part, part_outline] :
       {std::pair(&train, &outline.train), std::pair(&validation, &outline.validation),
        std::pair(&test, &outline.test)}) {
    if (!*part) continue;
    const ArrayPart& p = **part;
    check_same_columns(p.inputs, train->inputs, "d");
    check_same_order(p.inputs, train->inputs);
    check_same_columns(p.targets, train->targets, "c");
    part_outline->rows = p.inputs.header().rows();
    parts.push_back(&p);
    outlines.push_back(part_outline);
  }
  const ArrayImages images =
      images_of(train->inputs.header().shape, options.image_shape, options.image_layout, train->inputs.path().string());
  for (const ArrayPart* part : parts) check_same_dimensions(part->inputs, train->inputs, images);
  outline.image_shape = images.shape;
  outline.channels_last = images.channels_last;
  outline.input_names = feature_names_of(options, outline);
  if (task == Task::classification) outline_classes(parts, outlines, outline);
  if (images.channels_last) {
    outline.announcements.push_back(fmt::format("images stored channels last ({}) are read as {} x {} x {}",
                                                rows_in_words(train->inputs.header().shape), images.shape->channels,
                                                images.shape->height, images.shape->width));
    outline.notes.push_back(outline.announcements.back());
  }
  source.read = [train, validation, test, images, as_is = outline.class_names.empty()](const WantedRows&) {
    return DataValues{values_of(train, images, as_is), values_of(validation, images, as_is),
                      values_of(test, images, as_is)};
  };
  return source;
}

}  // namespace ansatz
