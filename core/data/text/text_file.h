// Files of labelled texts, one a row.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Where a file has labels and texts: two names of its header line, or two numbers of columns (from 1) of a file
/// without a header.
struct TextColumns {
  std::string label = "1", text = "2";
  char delimiter = '\t';  ///< between tabs quotes are characters like any other; else they may enclose a cell
};

struct TextFile {
  std::string name;                          ///< for messages
  std::vector<std::string> labels, texts;    ///< n; no labels if the file has none
  std::vector<Index> lines;                  ///< n, where each row begins, from 1
  std::vector<std::string> warnings;         ///< what may not be meant (core/data/text/text_doubts.h)
  std::string place(std::size_t row) const;  ///< "sms.txt: line 17"
};

enum class TextLabels {
  needed,
  optional  ///< texts to predict: a file may have one column only, or no column of labels among the names of its header
};

/// Reads a plain or gzipped file. Throws DataError naming the line: rows of different numbers of cells (a delimiter
/// within a text), a text that is no UTF-8, a column that is not there or there twice, an empty label, a first row that
/// seems to be a header. In a file of one column empty lines between others are empty texts, so that each line keeps
/// its place among the predictions.
TextFile read_text_file(const std::filesystem::path& path, const TextColumns& columns, TextLabels labels);

}  // namespace ansatz
