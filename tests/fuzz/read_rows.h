// Reads all that a data set holds, as drawing every row would.
#pragma once

#include <numeric>
#include <vector>

#include "core/data_source.h"
#include "tests/fuzz/fuzz.h"

namespace ansatz::fuzz {

inline void read_part(const PartOutline& outline, const PartValues<float>& values, Index dimension) {
  require(outline.labels.empty() || static_cast<Index>(outline.labels.size()) == outline.rows, "a label a row");
  if (!values.read_row) {
    require(values.inputs.rows() == outline.rows && values.inputs.cols() == dimension, "inputs as outlined");
    return;
  }
  if (outline.rows == 0) return;
  std::vector<float> row(static_cast<std::size_t>(dimension));
  for (Index i = 0; i < outline.rows; ++i) values.read_row(i, row.data());
}

inline void read_rows(const DataSource<float>& source) {
  const DataOutline& outline = source.outline;
  for (const PartOutline* part : {&outline.train, &outline.test})
    for (const Index label : part->labels)
      require(label >= 0 && label < static_cast<Index>(outline.class_names.size()),
              "every label is one of the classes");
  const auto all = [](const PartOutline& part) {
    std::vector<Index> rows(static_cast<std::size_t>(part.rows));
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
  };
  const DataValues<float> values = source.read({all(outline.train), {}, all(outline.test)});
  read_part(outline.train, values.train, outline.dimension);
  if (!outline.one_piece) read_part(outline.test, values.test, outline.dimension);
}

}  // namespace ansatz::fuzz
