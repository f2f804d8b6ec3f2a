// How the rows of a data set become the inputs that models see: a value, learnt from the training rows, by which new
// rows are brought to the same form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

enum class Normalization { none, unit_norm, standardize, min_max };

/// What the rows are before they are scaled.
/// - numbers: of a table or an array; scaled in double, then rounded to the run's precision.
/// - pixels: from 0 to 1, rounded to the run's precision before they are scaled.
/// - computed: numbers of a formula, rounded like pixels.
enum class RawInputs { numbers, pixels, computed };

/// The columns of a text table that become inputs, in their order, and how its cells are read.
struct TableSchema {
  struct Column {
    std::string name;
    std::vector<std::string> categories;  ///< each becomes an input that is 0 or 1; none: the column is numbers
    bool operator==(const Column& o) const { return name == o.name && categories == o.categories; }
  };
  std::vector<Column> columns;
  std::string target;  ///< the column that is predicted; a table of new rows need not have it
  char delimiter = ',', decimal = '.';
  std::vector<std::string> missing_values;  ///< further spellings of missing
  bool default_missing_values = true;       ///< whether the usual ones count, too
  bool unknown_category_is_none = false;    ///< a category that is none of the column's; else it is a mistake

  bool operator==(const TableSchema& o) const {
    return columns == o.columns && target == o.target && delimiter == o.delimiter && decimal == o.decimal &&
           missing_values == o.missing_values && default_missing_values == o.default_missing_values &&
           unknown_category_is_none == o.unknown_category_is_none;
  }
};

/// The column of texts that becomes inputs, one for each n-gram, and what each weighs (core/data/text/tfidf.h).
struct TextSchema {
  std::string label, text;  ///< columns, by a header's names or, in a file without a header, by number from 1
  char delimiter = '\t';
  std::vector<Index> words, characters;  ///< the shortest and the longest n-gram; empty: none
  bool sublinear_tf = false;
  std::vector<std::string> names;  ///< d n-grams
  std::vector<double> idf;         ///< d

  bool operator==(const TextSchema& o) const {
    return label == o.label && text == o.text && delimiter == o.delimiter && words == o.words &&
           characters == o.characters && sublinear_tf == o.sublinear_tf && names == o.names && idf == o.idf;
  }
};

struct InputTransform {
  using Row = Eigen::Array<double, 1, Eigen::Dynamic>;

  RawInputs raw = RawInputs::numbers;
  bool channels_last = false;  ///< raw rows of images are flattened height, width, channel
  Normalization normalization = Normalization::none;
  Row fill;                          ///< d: what takes the place of NaN; empty: no value may be missing
  Row shift, scale;                  ///< d, for standardize and min_max: x becomes (x - shift) / scale; else empty
  std::optional<TableSchema> table;  ///< of a text table
  std::optional<TextSchema> text;    ///< of a file of texts

  /// Scales the rows of x (b x d) in place, computing in double. unit_norm: x / |x| for each row; a row of zeros stays
  /// as it is.
  template <class Scalar>
  void apply(Matrix<Scalar>& x) const;
};

}  // namespace ansatz
