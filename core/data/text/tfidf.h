// Texts as rows of numbers: how often each n-gram occurs, weighted by how rare it is among the training texts.
#pragma once

#include <Eigen/SparseCore>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/text/ngrams.h"

namespace ansatz {

struct TfIdfOptions {
  NgramLengths words{1, 1}, characters{0, 0};
  Index vocabulary_size = 0;  ///< the n-grams that occur most often in the training texts; 0: all
  Index min_df = 1;           ///< n-grams that occur in fewer training texts are left out
  bool sublinear_tf = false;  ///< 1 + log(count) in place of the count
};

/// A vocabulary and its weights, learnt from training texts alone. The conventions are scikit-learn's TfidfVectorizer:
/// idf = log((1 + n) / (1 + df)) + 1 for an n-gram in df of n texts, and rows of unit length (words and characters
/// together). A text without any known n-gram is a row of zeros.
class TfIdf {
 public:
  /// Among n-grams that occur equally often, those first in the order of their bytes are kept. Throws DataError for
  /// a text that is no UTF-8 (its number from 0), and if no n-gram is left.
  TfIdf(const std::vector<std::string_view>& training_texts, const TfIdfOptions& options);
  /// As it was learnt before: d names and their idf.
  TfIdf(const TfIdfOptions& options, std::vector<std::string> names, std::vector<double> idf);

  /// d, in the order of their bytes. Characters stand in single quotes: 'all', where the word is all.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<double>& idf() const { return idf_; }  ///< d

  /// n x d. Throws DataError for a text that is no UTF-8.
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows(const std::vector<std::string_view>& texts) const;

 private:
  TfIdfOptions options_;
  std::vector<std::string> names_;
  std::vector<double> idf_;
  std::map<std::string, Index, std::less<>> columns_;
};

}  // namespace ansatz
