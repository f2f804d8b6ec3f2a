// Which rows of a data set are used: classes kept, rows drawn, test and validation rows split off.
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/data/row_source.h"

namespace ansatz {

enum class RowDraw { random, first };

struct DrawOptions {
  Index train_size = 0;   ///< 0: all there are
  Index train_limit = 0;  ///< at most so many training rows; 0: no limit
  Index test_size = 0;
  RowDraw which = RowDraw::random;   ///< train and test rows: without replacement, or the first of the file (class)
  double validation_fraction = 0.2;  ///< of the drawn training rows, split off by the stream "data/validation"
  Index validation_size = 0;         ///< synthetic tasks: rows of their own; else overrides the fraction if > 0
  double test_fraction = 0.2;        ///< for sets that come in one piece (csv, image_folder)
  std::vector<std::string> classes;  ///< keep these classes only, in this order (by name); empty: all
  bool balanced = false;             ///< draw equally many of each class
  std::vector<Index> class_sizes;    ///< training rows to draw of each class; empty: by train_size and balanced
};

struct DrawnRows {
  std::vector<Index> train;       ///< rows of the outline's train, ascending
  std::vector<Index> validation;  ///< rows of its validation, if it has any, else of its train
  std::vector<Index> test;        ///< rows of its test, or of its train if it came in one piece
  std::vector<Index> new_label;   ///< label in the file -> label now; -1: class not kept
  std::vector<std::string> class_names;
  std::vector<std::string> notes;
};

/// Draws rows without replacement, from the streams data/split (for test_fraction), data/train, data/test and
/// data/validation, none of which shifts another. Options:
/// - balanced: equally many rows of each class in train and test. The validation rows (and the test rows of a set in
///   one piece) are split off each class separately.
/// - class_sizes: the number of training rows of each class.
/// - which = RowDraw::first: the first training and test rows are taken (the first of each class, if classes are drawn
///   separately). Rows that are split off are still drawn at random.
/// Throws DataError if more rows are asked for than there are, if a class does not exist, or if there are no test rows.
DrawnRows draw_rows(const DataOutline& outline, const DrawOptions& options, const RandomStream& stream);

}  // namespace ansatz
