// A data set between its files and a Split: what is known before its values are read, and how to read them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/dataset.h"
#include "core/table_rows.h"

namespace ansatz {

/// Train, validation or test as the files have them, before rows are drawn.
struct PartOutline {
  Index rows = 0;
  std::vector<Index> labels;       ///< class of each row; empty if the targets are not class labels
  std::vector<Index> source_rows;  ///< which of the set's own list each row is; empty: nobody asks
};

/// All that drawing rows needs; cheap to get (headers and labels, no input values).
struct DataOutline {
  std::string name;  ///< for messages: "mnist", "houses.csv"
  PartOutline train, validation, test;
  bool one_piece = false;            ///< test rows are still to be split off `train`
  Index dimension = 0, outputs = 0;  ///< d and c
  Task task = Task::classification;
  std::vector<std::string> class_names;  ///< one per label value; empty if the targets are not class labels
  std::vector<std::string> input_names, target_names;  ///< d and c names where the columns have any (csv)
  std::vector<ColumnGroup> column_groups;              ///< where the variables are known (csv)
  std::optional<ImageShape> image_shape;
  std::vector<std::string> notes;
  /// Held while the values are read, beyond the rows drawn: what has to be decoded whole.
  double reading_bytes = 0;
  std::vector<std::string> announcements, warnings;  ///< notes too, which are also said on the terminal
};

/// The rows of each part whose values are needed, ascending; a source may leave all others unread.
struct WantedRows {
  std::vector<Index> train, validation, test;
};

/// The values of one part. Only rows that are wanted are read, converted or decoded.
template <class Scalar>
struct PartValues {
  /// Writes the d values of a wanted row; called from several threads at once. Empty: the values are in `inputs`.
  std::function<void(Index row, Scalar* out)> read_row;
  TableRows inputs;   ///< d columns; NaN marks a missing value that is to become the training mean
  TableRows targets;  ///< c columns; empty where there are labels
};

template <class Scalar>
struct DataValues {
  PartValues<Scalar> train, validation, test;
};

template <class Scalar>
struct DataSource {
  DataOutline outline;
  std::function<DataValues<Scalar>(const WantedRows&)> read;
};

}  // namespace ansatz
