#include "core/array_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "core/error.h"
#include "core/npy.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

/// `rows`: those of the file that the values are, or empty for all.
template <class Scalar>
void check_finite(const Matrix<Scalar>& values, const fs::path& path, const std::vector<Index>& rows = {}) {
  if (values.allFinite()) return;
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      if (std::isfinite(values(i, j))) continue;
      throw DataError(fmt::format("{}: row {}, column {} (counted from 0) is {}{}", path.string(),
                                  rows.empty() ? i : rows[static_cast<std::size_t>(i)], j, values(i, j),
                                  std::isinf(values(i, j)) && sizeof(Scalar) == 4 ? " as float32" : ""));
    }
  }
}

template <class Scalar>
Matrix<Scalar> read_finite(const fs::path& path) {
  Matrix<Scalar> values = read_npy<Scalar>(path);
  check_finite(values, path);
  return values;
}

struct ArrayPart {
  fs::path inputs, targets;
  NpyHeader inputs_header, targets_header;
};

std::optional<ArrayPart> open_part(const fs::path& inputs, const fs::path& targets, const char* name) {
  if (inputs.empty() && targets.empty()) return std::nullopt;
  if (inputs.empty() || targets.empty()) {
    throw DataError(
        fmt::format("arrays: dataset.{}_inputs and dataset.{}_targets go together; one is not given", name, name));
  }
  ArrayPart part{inputs, targets, read_npy_header(inputs), read_npy_header(targets)};
  if (part.inputs_header.rows() != part.targets_header.rows()) {
    throw DataError(fmt::format("{} has {} rows but {} has {}; inputs and targets must agree", inputs.string(),
                                part.inputs_header.rows(), targets.string(), part.targets_header.rows()));
  }
  return part;
}

void check_same_columns(const fs::path& path, Index columns, const fs::path& train_path, Index train_columns,
                        const char* letter) {
  if (columns == train_columns) return;
  throw DataError(fmt::format("{} has {} = {} but {} has {} = {}; they must agree", path.string(), letter, columns,
                              train_path.string(), letter, train_columns));
}

std::optional<ImageShape> image_shape_of(const DatasetOptions& options, const ArrayPart& train) {
  const std::vector<Index>& shape = train.inputs_header.shape;
  if (options.image_shape) {
    const ImageShape& given = *options.image_shape;
    if (given.size() != train.inputs_header.cols()) {
      throw DataError(fmt::format("dataset.image_shape [{}, {}, {}] has {} values but {} has d = {}", given.channels,
                                  given.height, given.width, given.size(), train.inputs.string(),
                                  train.inputs_header.cols()));
    }
    return given;
  }
  if (shape.size() == 4) return ImageShape{shape[1], shape[2], shape[3]};
  if (shape.size() == 3) return ImageShape{1, shape[1], shape[2]};
  return std::nullopt;
}

/// One number a row, in double: labels of 64 bits survive, and an n-vector is small.
std::vector<double> read_labels(const ArrayPart& part) {
  const Matrix<double> column = read_finite<double>(part.targets);
  std::vector<double> labels(column.data(), column.data() + column.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != std::floor(labels[i])) {
      throw DataError(
          fmt::format("{}: row {} (counted from 0) is {}: class labels must be whole numbers (or say task: regression)",
                      part.targets.string(), i, labels[i]));
    }
  }
  return labels;
}

template <class Scalar>
std::vector<double> labels_of_one_hot(const ArrayPart& part) {
  const Matrix<Scalar> targets = read_finite<Scalar>(part.targets);
  std::vector<double> labels;
  for (Index i = 0; i < targets.rows(); ++i) {
    Index at = 0;
    const Scalar largest = targets.row(i).maxCoeff(&at);
    if (largest != Scalar(1) || (targets.row(i).array() != Scalar(0)).count() != 1) {
      throw DataError(fmt::format(
          "{}: row {} (counted from 0) is not one-hot (a single 1 among 0s); use class labels, or task: regression",
          part.targets.string(), i));
    }
    labels.push_back(static_cast<double>(at));
  }
  return labels;
}

bool is_zero_one(const std::vector<double>& labels) {
  return std::all_of(labels.begin(), labels.end(), [](double v) { return v == 0 || v == 1; });
}

/// The label values that are classes, ascending.
std::vector<double> class_values(const std::vector<std::vector<double>>& parts) {
  std::set<double> values;
  std::size_t rows = 0;
  for (const std::vector<double>& labels : parts) {
    values.insert(labels.begin(), labels.end());
    rows += labels.size();
  }
  // A largest label beyond the number of rows is a code, not a count of classes.
  if (!values.empty() && *values.begin() == 0 && *values.rbegin() <= static_cast<double>(rows)) {
    for (double v = 0; v < *values.rbegin(); ++v) values.insert(v);
  }
  return {values.begin(), values.end()};
}

/// Fills in labels and class names, or leaves them empty where the targets are to be used as they are.
template <class Scalar>
void outline_classes(const std::vector<const ArrayPart*>& parts, const std::vector<PartOutline*>& outlines,
                     DataOutline& outline) {
  const Index columns = parts.front()->targets_header.cols();
  std::vector<std::vector<double>> labels;
  for (const ArrayPart* part : parts)
    labels.push_back(columns == 1 ? read_labels(*part) : labels_of_one_hot<Scalar>(*part));
  const bool is_column = parts.front()->targets_header.shape.size() > 1 && columns == 1;
  if (is_column && std::all_of(labels.begin(), labels.end(), is_zero_one)) return;
  std::vector<double> classes = class_values(labels);
  if (columns > 1) {
    classes.clear();
    for (Index c = 0; c < columns; ++c) classes.push_back(static_cast<double>(c));
  }
  for (const double value : classes) outline.class_names.push_back(fmt::format("{:.0f}", value));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const double label : labels[p]) {
      outlines[p]->labels.push_back(std::lower_bound(classes.begin(), classes.end(), label) - classes.begin());
    }
  }
  outline.outputs = static_cast<Index>(classes.size());
}

template <class Scalar>
PartValues<Scalar> read_part(const std::optional<ArrayPart>& part, const std::vector<Index>& rows, bool with_targets) {
  PartValues<Scalar> values;
  if (!part || rows.empty()) return values;
  values.rows = rows;
  values.inputs = read_npy<Scalar>(part->inputs, rows);
  check_finite(values.inputs, part->inputs, rows);
  if (!with_targets) return values;
  values.targets = read_npy<Scalar>(part->targets, rows);
  check_finite(values.targets, part->targets, rows);
  return values;
}

}  // namespace

template <class Scalar>
DataSource<Scalar> open_arrays(const DatasetOptions& options) {
  const auto train = open_part(options.train_inputs, options.train_targets, "train");
  const auto validation = open_part(options.validation_inputs, options.validation_targets, "validation");
  const auto test = open_part(options.test_inputs, options.test_targets, "test");
  if (!train) throw DataError("arrays: dataset.train_inputs and dataset.train_targets are not given");
  DataSource<Scalar> source;
  DataOutline& outline = source.outline;
  outline.name = options.name;
  outline.task = options.task;
  outline.dimension = train->inputs_header.cols();
  outline.outputs = train->targets_header.cols();
  std::vector<const ArrayPart*> parts;
  std::vector<PartOutline*> outlines;
  for (const auto& [part, part_outline] :
       {std::pair(&train, &outline.train), std::pair(&validation, &outline.validation),
        std::pair(&test, &outline.test)}) {
    if (!*part) continue;
    const ArrayPart& p = **part;
    check_same_columns(p.inputs, p.inputs_header.cols(), train->inputs, outline.dimension, "d");
    check_same_columns(p.targets, p.targets_header.cols(), train->targets, outline.outputs, "c");
    part_outline->rows = p.inputs_header.rows();
    parts.push_back(&p);
    outlines.push_back(part_outline);
  }
  outline.image_shape = image_shape_of(options, *train);
  if (options.task == Task::classification) outline_classes<Scalar>(parts, outlines, outline);
  source.read = [train, validation, test, as_is = outline.class_names.empty()](const WantedRows& wanted) {
    return DataValues<Scalar>{read_part<Scalar>(train, wanted.train, as_is),
                              read_part<Scalar>(validation, wanted.validation, as_is),
                              read_part<Scalar>(test, wanted.test, as_is)};
  };
  return source;
}

template DataSource<float> open_arrays(const DatasetOptions&);
template DataSource<double> open_arrays(const DatasetOptions&);

}  // namespace ansatz
