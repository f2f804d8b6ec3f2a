// Reads all that a data set holds, as drawing every row would.
#pragma once

#include <numeric>
#include <vector>

#include "core/data/row_source.h"
#include "tests/fuzz/fuzz.h"

namespace ansatz::fuzz {

inline std::vector<Index> all_of(const PartOutline& part) {
  std::vector<Index> rows(static_cast<std::size_t>(part.rows));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

inline void read_part(const PartOutline& outline, const PartValues& values, Index dimension) {
  require(outline.labels.empty() || static_cast<Index>(outline.labels.size()) == outline.rows, "a label a row");
  if (values.inputs) read_table<float>(values.inputs, all_of(outline), dimension);
  if (!values.read_row || outline.rows == 0) return;
  std::vector<float> row(static_cast<std::size_t>(dimension));
  for (Index i = 0; i < outline.rows; ++i) values.read_row(i, row.data());
}

inline void read_rows(const RowSource& source) {
  const DataOutline& outline = source.outline;
  for (const PartOutline* part : {&outline.train, &outline.test})
    for (const Index label : part->labels)
      require(label >= 0 && label < static_cast<Index>(outline.class_names.size()),
              "every label is one of the classes");
  const DataValues values = source.read({all_of(outline.train), {}, all_of(outline.test)});
  read_part(outline.train, values.train, outline.dimension);
  if (!outline.one_piece) read_part(outline.test, values.test, outline.dimension);
}

}  // namespace ansatz::fuzz
