#include "core/data/loading/read_drawn.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/data/normalization.h"
#include "core/data/value_range.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

using Rows = std::vector<Index>;
using Notes = std::vector<std::string>;

void warn(std::string text, Notes& notes) {
  spdlog::warn("{}", text);
  notes.push_back(std::move(text));
}

/// "columns "a" (0.12 of its standard deviation), ...", the worst first; "" if none has more than `most`.
std::string rounded_columns(const std::vector<double>& share, const Notes& names, double most,
                            const std::string& measure) {
  constexpr std::size_t kShown = 3;
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < share.size(); ++j)
    if (share[j] > most) columns.push_back(j);
  std::stable_sort(columns.begin(), columns.end(), [&](std::size_t a, std::size_t b) { return share[a] > share[b]; });
  Notes words;
  for (std::size_t k = 0; k < std::min(kShown, columns.size()); ++k) {
    words.push_back(fmt::format("{} ({:.2g} of its {})", column_in_words(names, static_cast<Index>(columns[k])),
                                share[columns[k]], measure));
  }
  if (columns.empty()) return "";
  const std::string more = columns.size() > kShown ? fmt::format(" and {} more", columns.size() - kShown) : "";
  return fmt::format("{} {}{}", columns.size() > 1 ? "columns" : "column", fmt::join(words, ", "), more);
}

constexpr double kNoticeable = 1e-3, kRuined = 0.1;  // rounding, in standard deviations of the column

/// A message about columns that lose more than `most` of their standard deviation in float32, and what to do; "" if
/// there are none. Very small numbers vanish in float32. Others are rounded, which matters if they vary little beside
/// their size.
template <class Scalar>
std::string losses(const std::string& kind, const RoundingShare& share, const Matrix<Scalar>& narrowed,
                   const Notes& names, double most, const std::string& against_rounding) {
  constexpr double kVanishing = 1e-36;  // digits end at 1e-45
  const std::string measure = "standard deviation";
  std::vector<double> vanished = share.overall, rounded = share.overall;
  for (std::size_t j = 0; j < vanished.size(); ++j) {
    const bool tiny = static_cast<double>(narrowed.col(static_cast<Index>(j)).cwiseAbs().maxCoeff()) < kVanishing;
    (tiny ? rounded : vanished)[j] = 0;
  }
  if (const std::string columns = rounded_columns(vanished, names, most, measure); !columns.empty())
    return fmt::format("{} are too small for float32: {}; multiply them, or use precision: float64", kind, columns);
  const std::string columns = rounded_columns(rounded, names, most, measure);
  return columns.empty() ? ""
                         : fmt::format("float32 rounds {} away: {}; {}, or use precision: float64", kind, columns,
                                       against_rounding);
}

/// Warns of inputs that float32 rounds too much; in double nothing is rounded.
template <class Scalar>
void judge_inputs(const DataOutline& outline, const RoundingShare& share, const Matrix<Scalar>& inputs, Notes& notes) {
  const std::string text =
      losses("inputs", share, inputs, outline.input_names, kNoticeable, "use normalize: standardize");
  if (!text.empty()) return warn(outline.name + ": " + text, notes);
  const std::string groups = rounded_columns(share.local, outline.input_names, kNoticeable, "spread");
  if (!groups.empty())
    warn(
        fmt::format("{}: float32 rounds away what sets inputs of a group apart, since other values lie so far off: {}; "
                    "look for wrong values (those that stand for missing are to be listed as such), or use "
                    "precision: float64",
                    outline.name, groups),
        notes);
}

template <class Scalar>
void judge_targets(const DataOutline& outline, const RoundingShare& share, const Matrix<Scalar>& targets,
                   Notes& notes) {
  const auto complaint = [&](double most) {
    return losses("targets", share, targets, outline.target_names, most, "subtract a constant");
  };
  if (const std::string text = complaint(kRuined); !text.empty()) throw DataError(outline.name + ": " + text);
  if (const std::string text = complaint(kNoticeable); !text.empty()) warn(outline.name + ": " + text, notes);
}

template <class Scalar>
Matrix<Scalar> decode_rows(const PartValues& values, const Rows& rows, Index dimension) {
  Matrix<Scalar> inputs(static_cast<Index>(rows.size()), dimension);
  parallel_tiles(inputs.rows(), 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      values.read_row(rows[static_cast<std::size_t>(i)], inputs.data() + i * dimension);
  });
  return inputs;
}

template <class Scalar>
Matrix<Scalar> one_hot_targets(const PartOutline& part, const Rows& rows, const DrawnRows& drawn) {
  Matrix<Scalar> targets =
      Matrix<Scalar>::Zero(static_cast<Index>(rows.size()), static_cast<Index>(drawn.class_names.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Index label = part.labels[static_cast<std::size_t>(rows[i])];
    targets(static_cast<Index>(i), drawn.new_label[static_cast<std::size_t>(label)]) = 1;
  }
  return targets;
}

/// One part of a split, and what its columns lost by rounding.
template <class Scalar>
struct PartReader {
  const DataOutline& outline;
  const DrawnRows& drawn;
  const std::optional<TableScaling>& scaling;
  const TargetScaling& target_scaling;
  RoundingShare inputs_share = {}, targets_share = {};

  Dataset<Scalar> read(const PartOutline& part, const PartValues& values, const Rows& rows) {
    Dataset<Scalar> data;
    data.task = outline.task;
    data.class_names = drawn.class_names;
    data.image_shape = outline.image_shape;
    data.feature_names = outline.input_names;
    data.column_groups = outline.column_groups;
    if (!part.source_rows.empty())
      for (const Index row : rows) data.source_rows.push_back(part.source_rows[static_cast<std::size_t>(row)]);
    if (values.read_row) {
      data.inputs = decode_rows<Scalar>(values, rows, outline.dimension);
    } else {
      const auto scale = [&](Matrix<double>& block) { scaling->transform().apply(block); };
      data.inputs =
          read_table<Scalar>(values.inputs, rows, outline.dimension, scale, kNarrow ? &inputs_share : nullptr);
    }
    if (part.labels.empty())
      data.targets = read_targets(values.targets, rows);
    else
      data.targets = one_hot_targets<Scalar>(part, rows, drawn);
    data.target_scaling = target_scaling;
    return data;
  }

 private:
  static constexpr bool kNarrow = sizeof(Scalar) < sizeof(double);

  Matrix<Scalar> read_targets(const TableRows& table, const Rows& rows) {
    std::function<void(Matrix<double>&)> scale;
    if (target_scaling.scales()) scale = [&](Matrix<double>& block) { target_scaling.apply(block); };
    return read_table<Scalar>(table, rows, outline.outputs, scale, kNarrow ? &targets_share : nullptr);
  }
};

/// Refuses values whose squares would overflow, here where their places are still known.
template <class Scalar>
void require_in_range(const DataOutline& outline, const DataValues& values, const DrawnRows& drawn,
                      const Split<Scalar>& split) {
  const double unit = unit_of_inputs(split.train.inputs);
  const auto check = [&](const PartValues& part, const Rows& rows, const Dataset<Scalar>& data) {
    if (part.inputs) require_inputs_in_range(part.inputs, rows, data.inputs, unit);
    if (part.targets) require_targets_in_range(part.targets, rows, data.targets, data.target_scaling);
  };
  check(values.train, drawn.train, split.train);
  check(outline.validation.rows > 0 ? values.validation : values.train, drawn.validation, split.validation);
  check(outline.one_piece ? values.train : values.test, drawn.test, split.test);
}

/// The rows to read of each part of the files. Validation and test rows may come out of the files' training part.
WantedRows wanted_rows(const DataOutline& outline, const DrawnRows& drawn) {
  WantedRows wanted{drawn.train, {}, {}};
  const auto add = [](Rows& rows, const Rows& more) {
    const auto middle = static_cast<std::ptrdiff_t>(rows.size());
    rows.insert(rows.end(), more.begin(), more.end());
    std::inplace_merge(rows.begin(), rows.begin() + middle, rows.end());
  };
  add(outline.validation.rows > 0 ? wanted.validation : wanted.train, drawn.validation);
  add(outline.one_piece ? wanted.train : wanted.test, drawn.test);
  return wanted;
}

bool may_scale_targets(const DataOutline& outline, TargetNormalization targets) {
  return targets != TargetNormalization::none && outline.task == Task::regression;
}

}  // namespace

TargetScaling scaling_of_targets(const RowSource& source, const DrawnRows& drawn, TargetNormalization targets) {
  if (!may_scale_targets(source.outline, targets)) return {};
  Notes ignored;  // reading says them
  const DataValues values = source.read({drawn.train, {}, {}});
  return learn_target_scaling(targets, values.train.targets, drawn.train, source.outline.target_names, ignored);
}

std::string left_as_they_came(const DataOutline& outline, TargetNormalization targets, const TargetScaling& scaling) {
  if (outline.task != Task::regression || targets != TargetNormalization::automatic || scaling.scales()) return "";
  return "targets as they came: near mean 0 and standard deviation 1 already (target_scaling: auto)";
}

template <class Scalar>
Split<Scalar> read_drawn(const RowSource& source, const DrawnRows& drawn, Normalization normalization,
                         TargetNormalization targets) {
  const DataOutline& outline = source.outline;
  for (const std::string& text : outline.announcements) spdlog::info("{}", text);
  for (const std::string& text : outline.warnings) spdlog::warn("{}", text);
  const DataValues values = source.read(wanted_rows(outline, drawn));
  Split<Scalar> split;
  split.notes = drawn.notes;
  std::optional<TableScaling> scaling;
  if (values.train.inputs)
    scaling.emplace(values.train.inputs, drawn.train, outline.input_names, normalization, outline.fills_missing);
  Notes target_warnings;
  TargetScaling target_scaling;
  if (may_scale_targets(outline, targets))
    target_scaling =
        learn_target_scaling(targets, values.train.targets, drawn.train, outline.target_names, target_warnings);
  PartReader<Scalar> reader{outline, drawn, scaling, target_scaling};
  split.test = reader.read(outline.one_piece ? outline.train : outline.test,
                           outline.one_piece ? values.train : values.test, drawn.test);
  const bool own_validation = outline.validation.rows > 0;
  if (!drawn.validation.empty())
    split.validation = reader.read(own_validation ? outline.validation : outline.train,
                                   own_validation ? values.validation : values.train, drawn.validation);
  split.train = reader.read(outline.train, values.train, drawn.train);
  require_in_range(outline, values, drawn, split);
  // The training rows' shares: they were read last.
  judge_inputs(outline, reader.inputs_share, split.train.inputs, split.notes);
  judge_targets(outline, reader.targets_share, split.train.targets, split.notes);
  for (const std::string& text : target_warnings) warn(text, split.notes);
  if (target_scaling.scales()) {
    spdlog::info("{}", target_scaling.in_words());
    split.notes.push_back(target_scaling.in_words());
  }
  if (std::string text = left_as_they_came(outline, targets, target_scaling); !text.empty())
    split.notes.push_back(std::move(text));
  if (!scaling) {
    split.transform.raw = RawInputs::pixels;
    normalize(split, normalization);
    return split;
  }
  split.transform = scaling->transform();
  split.transform.table = outline.table;
  split.transform.text = outline.text;
  split.transform.channels_last = outline.channels_last;
  split.notes.insert(split.notes.end(), scaling->notes().begin(), scaling->notes().end());
  for (const std::string& text : scaling->warnings()) warn(text, split.notes);
  return split;
}

template Split<float> read_drawn(const RowSource&, const DrawnRows&, Normalization, TargetNormalization);
template Split<double> read_drawn(const RowSource&, const DrawnRows&, Normalization, TargetNormalization);

}  // namespace ansatz
