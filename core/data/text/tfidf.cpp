#include "core/data/text/tfidf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/data/tables/cell_format.h"

namespace ansatz {
namespace {

using Counts = std::map<std::string, Index>;

Counts count_ngrams(std::string_view text, std::size_t number, const TfIdfOptions& options) {
  if (!is_utf8(text))
    throw DataError(
        fmt::format("text {} (from 0), {}, is no UTF-8 text; save the file as UTF-8", number, in_quotes(text)));
  Counts counts;
  each_word_ngram(text, options.words, [&](std::string name) { ++counts[std::move(name)]; });
  each_character_ngram(text, options.characters, [&](std::string characters) { ++counts["'" + characters + "'"]; });
  return counts;
}

/// In how many texts an n-gram occurs, and how often in all of them.
struct Occurrence {
  Index texts = 0, times = 0;
};

using Found = std::vector<std::pair<std::string, Occurrence>>;

/// Leaves those of `found`, in the order of their bytes, that options.min_df and options.vocabulary_size let in.
void choose(const TfIdfOptions& options, Found& found) {
  found.erase(
      std::remove_if(found.begin(), found.end(), [&](const auto& one) { return one.second.texts < options.min_df; }),
      found.end());
  const auto most = static_cast<std::size_t>(options.vocabulary_size);
  if (most == 0 || found.size() <= most) return;
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.second.times > b.second.times; });
  found.resize(most);
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

}  // namespace

TfIdf::TfIdf(const std::vector<std::string_view>& training_texts, const TfIdfOptions& options) : options_(options) {
  std::map<std::string, Occurrence> occurrences;
  for (std::size_t i = 0; i < training_texts.size(); ++i) {
    for (const auto& [name, count] : count_ngrams(training_texts[i], i, options)) {
      Occurrence& seen = occurrences[name];
      ++seen.texts;
      seen.times += count;
    }
  }
  Found found(occurrences.begin(), occurrences.end());
  choose(options, found);
  if (found.empty())
    throw DataError(
        fmt::format("no n-gram occurs in {} of the {} training texts; lower `min_df`, or check that the texts are in "
                    "the column that is read",
                    options.min_df, training_texts.size()));
  const auto n = static_cast<double>(training_texts.size());
  for (const auto& [name, seen] : found) {
    columns_.emplace(name, static_cast<Index>(names_.size()));
    names_.push_back(name);
    idf_.push_back(std::log((1 + n) / (1 + static_cast<double>(seen.texts))) + 1);
  }
}

TfIdf::TfIdf(const TfIdfOptions& options, std::vector<std::string> names, std::vector<double> idf)
    : options_(options), names_(std::move(names)), idf_(std::move(idf)) {
  for (const std::string& name : names_) columns_.emplace(name, static_cast<Index>(columns_.size()));
}

Eigen::SparseMatrix<double, Eigen::RowMajor> TfIdf::rows(const std::vector<std::string_view>& texts) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t first = entries.size();
    double squares = 0;
    for (const auto& [name, count] : count_ngrams(texts[i], i, options_)) {
      const auto column = columns_.find(name);
      if (column == columns_.end()) continue;
      const auto times = static_cast<double>(count);
      const double value =
          (options_.sublinear_tf ? 1 + std::log(times) : times) * idf_[static_cast<std::size_t>(column->second)];
      entries.emplace_back(static_cast<int>(i), static_cast<int>(column->second), value);
      squares += value * value;
    }
    for (std::size_t k = first; k < entries.size(); ++k)
      entries[k] = {entries[k].row(), entries[k].col(), entries[k].value() / std::sqrt(squares)};
  }
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(static_cast<Index>(texts.size()),
                                                      static_cast<Index>(names_.size()));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace ansatz
