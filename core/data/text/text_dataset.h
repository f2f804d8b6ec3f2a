// A data set of labelled texts: words and characters become numbers by weights that the training texts say.
#pragma once

#include <filesystem>

#include "core/data/row_source.h"
#include "core/data/text/text_file.h"
#include "core/data/text/tfidf.h"

namespace ansatz {

struct TextOptions {
  TextColumns columns;
  TfIdfOptions weights;
  std::filesystem::path test_path;  ///< test rows in a file of their own, of the same columns; empty: split off
};

/// Classification of texts. The vocabulary and its weights (core/data/text/tfidf.h) are learnt from the drawn training
/// rows alone; rows stay sparse until they are read. Throws DataError naming file and line.
RowSource open_texts(const std::filesystem::path& path, const TextOptions& options);

/// Texts that a model is asked about.
struct NewTexts {
  TableRows values;  ///< d columns
  Index rows = 0;
};

/// The texts of a file with the columns of the training file, or without its labels. Warns of texts without any n-gram
/// of the vocabulary.
NewTexts open_new_texts(const std::filesystem::path& path, const TextSchema& schema);

}  // namespace ansatz
