// A data set on its way from files to a Split: what is known before its values are read, and how to read them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/table_rows.h"

namespace ansatz {

/// Train, validation or test as the files have them, before rows are drawn.
struct PartOutline {
  Index rows = 0;
  std::vector<Index> labels;       ///< class of each row; empty if the targets are not class labels
  std::vector<Index> source_rows;  ///< each row's place in the data set's own list; empty: not needed
};

/// What is needed to draw rows. It is cheap to get: headers and labels are read, input values are not.
struct DataOutline {
  std::string name;  ///< for messages: "mnist", "houses.csv"
  PartOutline train, validation, test;
  bool one_piece = false;            ///< test rows are still to be split off `train`
  Index dimension = 0, outputs = 0;  ///< d and c
  Task task = Task::classification;
  std::vector<std::string> class_names;  ///< one per label value; empty if the targets are not class labels
  std::vector<std::string> input_names, target_names;  ///< d and c names where the columns have any (csv, arrays)
  std::vector<ColumnGroup> column_groups;              ///< where the variables are known (csv)
  std::optional<TableSchema> table;                    ///< of a text table (csv)
  std::optional<TextSchema> text;                      ///< of a file of texts
  bool fills_missing = false;  ///< a NaN among the inputs becomes the column's mean over the drawn training rows
  std::optional<ImageShape> image_shape;
  bool channels_last = false;  ///< the files have images as height, width, channel
  std::vector<std::string> notes;
  /// Bytes held while the values are read, beyond the drawn rows themselves: files that must be decoded whole.
  double reading_bytes = 0;
  std::vector<std::string> announcements, warnings;  ///< further notes, which are also printed on the terminal
};

/// The rows of each part whose values are needed, ascending. A source may leave all other rows unread.
struct WantedRows {
  std::vector<Index> train, validation, test;
};

/// Writes the d values of a row in the precision of the run. An image that is made from others (resized, put together)
/// is computed from values already rounded to that precision: the result is the same as if each step wrote a file and
/// the next step read it.
struct RowReader {
  std::function<void(Index row, float* out)> to_float;
  std::function<void(Index row, double* out)> to_double;

  void operator()(Index row, float* out) const { to_float(row, out); }
  void operator()(Index row, double* out) const { to_double(row, out); }
  explicit operator bool() const { return static_cast<bool>(to_double); }
};

/// A reader that calls read(row, out), where `out` is a float* or a double*.
template <class Read>
RowReader row_reader(Read read) {
  const auto shared = std::make_shared<const Read>(std::move(read));
  return {[shared](Index row, float* out) { (*shared)(row, out); },
          [shared](Index row, double* out) { (*shared)(row, out); }};
}

/// The values of one part. Only rows that are wanted are read, converted or decoded.
struct PartValues {
  RowReader read_row;  ///< for wanted rows only; called from several threads at once. Empty: `inputs` has the values
  TableRows inputs;    ///< d columns; NaN marks a missing value that is to become the training mean
  TableRows targets;   ///< c columns; empty if the outline has labels
};

struct DataValues {
  PartValues train, validation, test;
};

struct RowSource {
  DataOutline outline;
  std::function<DataValues(const WantedRows&)> read;
  /// Of a set whose inputs are learnt from its drawn training rows (the words of a text): the source with its inputs.
  /// Until then the outline's dimension is 0, and nothing can be read. Empty: nothing is learnt.
  std::function<RowSource(const std::vector<Index>& train)> learn;
};

}  // namespace ansatz
