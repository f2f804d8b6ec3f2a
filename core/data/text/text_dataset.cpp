#include "core/data/text/text_dataset.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <memory>

#include "core/base/error.h"
#include "core/data/tables/categories.h"
#include "core/data/tables/cell_format.h"
#include "core/data/text/text_doubts.h"

namespace ansatz {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Texts = std::shared_ptr<const TextFile>;

std::vector<std::string_view> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

/// The rows of a file by its vocabulary.
TableRows sparse_rows(const Texts& file, const std::shared_ptr<const Sparse>& rows) {
  TableRows table;
  table.where = [file](Index row, Index) { return file->place(static_cast<std::size_t>(row)); };
  table.read = [rows](const std::vector<Index>& drawn, const TableRows::Take& take) {
    const auto count = static_cast<Index>(drawn.size());
    const Index step = rows_of_a_block(rows->cols());
    Matrix<double> block;
    for (Index first = 0; first < count; first += step) {
      block.setZero(std::min(step, count - first), rows->cols());
      for (Index i = 0; i < block.rows(); ++i)
        for (Sparse::InnerIterator it(*rows, drawn[static_cast<std::size_t>(first + i)]); it; ++it)
          block(i, it.col()) = it.value();
      take(first, block);
    }
  };
  return table;
}

Index empty_rows(const Sparse& rows) {
  Index empty = 0;
  for (Index i = 0; i < rows.rows(); ++i) empty += Sparse::InnerIterator(rows, i) ? 0 : 1;
  return empty;
}

/// Training texts without an n-gram that another has, too: its idf is the largest that there is.
Index lonely_texts(const Sparse& rows, const std::vector<Index>& training, const std::vector<double>& idf) {
  const double lonely_idf = std::log((1 + static_cast<double>(training.size())) / 2) + 1;
  Index lonely = 0;
  for (const Index row : training) {
    bool shares = false;
    for (Sparse::InnerIterator it(rows, row); it; ++it)
      shares |= idf[static_cast<std::size_t>(it.col())] < lonely_idf - 1e-9;
    lonely += shares ? 0 : 1;
  }
  return lonely;
}

/// "1 word", "2 to 4 characters"; "" for none.
std::string lengths_in_words(const std::string& what, NgramLengths lengths) {
  if (lengths.longest == 0) return "";
  const std::string many = lengths.longest == 1 ? what : what + "s";
  return lengths.shortest == lengths.longest ? fmt::format("{} {}", lengths.longest, many)
                                             : fmt::format("{} to {} {}", lengths.shortest, lengths.longest, many);
}

std::string vocabulary_in_words(const TfIdfOptions& options, const TfIdf& weights, std::size_t texts) {
  const std::string words = lengths_in_words("word", options.words);
  const std::string characters = lengths_in_words("character", options.characters);
  return fmt::format("inputs are TF-IDF weights of {} n-grams ({}{}{}) that occur in at least {} of {} training texts",
                     weights.names().size(), words, words.empty() || characters.empty() ? "" : ", ", characters,
                     options.min_df, texts);
}

std::vector<Index> lengths_list(NgramLengths lengths) {
  if (lengths.longest == 0) return {};
  return {lengths.shortest, lengths.longest};
}

NgramLengths lengths_of(const std::vector<Index>& list) {
  return list.size() == 2 ? NgramLengths{list[0], list[1]} : NgramLengths{0, 0};
}

TextSchema schema_of(const TextOptions& options, const TfIdf& weights) {
  return {options.columns.label,
          options.columns.text,
          options.columns.delimiter,
          lengths_list(options.weights.words),
          lengths_list(options.weights.characters),
          options.weights.sublinear_tf,
          weights.names(),
          weights.idf()};
}

/// Rows and class labels of a file. Refuses labels that the training file does not have.
PartOutline outline_of(const TextFile& file, const Categories& classes, const std::string& training_file) {
  PartOutline part;
  part.rows = static_cast<Index>(file.texts.size());
  for (std::size_t i = 0; i < file.labels.size(); ++i) {
    const std::optional<Index> label = classes.find(file.labels[i]);
    if (!label)
      throw DataError(fmt::format("{}: the label {} does not occur in {}; mend it, or leave the row out", file.place(i),
                                  in_quotes(file.labels[i]), training_file));
    part.labels.push_back(*label);
  }
  return part;
}

/// The source with its inputs, by what the training rows say.
RowSource with_inputs(RowSource source, const Texts& train, const Texts& test, const TextOptions& options,
                      const std::vector<Index>& drawn) {
  std::vector<std::string_view> training;
  for (const Index row : drawn) training.emplace_back(train->texts[static_cast<std::size_t>(row)]);
  const TfIdf weights(training, options.weights);
  const auto train_rows = std::make_shared<const Sparse>(weights.rows(views(train->texts)));
  const auto test_rows = std::make_shared<const Sparse>(test ? weights.rows(views(test->texts)) : Sparse());
  DataOutline& outline = source.outline;
  outline.dimension = static_cast<Index>(weights.names().size());
  outline.input_names = weights.names();
  outline.text = schema_of(options, weights);
  std::vector<std::string> notes = {vocabulary_in_words(options.weights, weights, training.size())};
  if (const Index empty = empty_rows(*train_rows) + empty_rows(*test_rows); empty > 0)
    notes.push_back(fmt::format("of {} texts {} have none of these n-grams: rows of zeros",
                                train_rows->rows() + test_rows->rows(), empty));
  constexpr std::size_t kFew = 10;  // texts that may well have nothing in common
  if (const Index lonely = lonely_texts(*train_rows, drawn, weights.idf());
      drawn.size() >= kFew && 2 * lonely > static_cast<Index>(drawn.size())) {
    outline.warnings.push_back(fmt::format(
        "{}: {} of {} training texts have no n-gram in common with any other, so that nothing learnt from them "
        "carries over; for languages without spaces between words set `character_ngrams`, such as [1, 2]",
        outline.name, lonely, drawn.size()));
    outline.notes.push_back(outline.warnings.back());
  }
  for (std::string& note : notes) {
    outline.notes.push_back(note);
    outline.announcements.push_back(outline.name + ": " + std::move(note));
  }
  source.read = [train, test, train_rows, test_rows](const WantedRows&) {
    DataValues values;
    values.train.inputs = sparse_rows(train, train_rows);
    if (test) values.test.inputs = sparse_rows(test, test_rows);
    return values;
  };
  source.learn = {};
  return source;
}

}  // namespace

RowSource open_texts(const std::filesystem::path& path, const TextOptions& options) {
  const auto read = [&](const std::filesystem::path& file) {
    return std::make_shared<const TextFile>(read_text_file(file, options.columns, TextLabels::needed));
  };
  const Texts train = read(path), test = options.test_path.empty() ? nullptr : read(options.test_path);
  Categories classes;
  for (const std::string& label : train->labels) classes.add(label);
  classes.finish();
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = train->name;
  outline.task = Task::classification;
  outline.class_names = classes.names();
  outline.outputs = static_cast<Index>(outline.class_names.size());
  outline.train = outline_of(*train, classes, train->name);
  outline.one_piece = test == nullptr;
  if (test) outline.test = outline_of(*test, classes, train->name);
  if (const auto alike = classes.alike())
    outline.warnings.push_back(fmt::format("{}: the labels {} and {} are different classes", train->name,
                                           in_quotes(alike->first), in_quotes(alike->second)));
  for (const TextFile* file : {train.get(), test.get()}) {
    if (!file) continue;
    for (const std::string& text : file->texts) outline.reading_bytes += 5 * static_cast<double>(text.size());
    outline.warnings.insert(outline.warnings.end(), file->warnings.begin(), file->warnings.end());
  }
  if (const auto mixed = mixed_accents(train->name, train->texts, test ? test->texts : std::vector<std::string>()))
    outline.warnings.push_back(*mixed);
  outline.notes.insert(outline.notes.end(), outline.warnings.begin(), outline.warnings.end());
  source.learn = [source, train, test, options](const std::vector<Index>& drawn) {
    return with_inputs(source, train, test, options, drawn);
  };
  return source;
}

NewTexts open_new_texts(const std::filesystem::path& path, const TextSchema& schema) {
  const TextColumns columns{schema.label, schema.text, schema.delimiter};
  const auto file = std::make_shared<const TextFile>(read_text_file(path, columns, TextLabels::optional));
  for (const std::string& warning : file->warnings) spdlog::warn("{}", warning);
  if (const auto mixed = mixed_accents(file->name, file->texts, schema.names)) spdlog::warn("{}", *mixed);
  TfIdfOptions options;
  options.words = lengths_of(schema.words);
  options.characters = lengths_of(schema.characters);
  options.sublinear_tf = schema.sublinear_tf;
  const TfIdf weights(options, schema.names, schema.idf);
  const auto rows = std::make_shared<const Sparse>(weights.rows(views(file->texts)));
  if (const Index empty = empty_rows(*rows); empty > 0)
    spdlog::warn("{}: {} of {} texts have none of the n-grams that the model knows: rows of zeros", file->name, empty,
                 file->texts.size());
  return {sparse_rows(file, rows), rows->rows()};
}

}  // namespace ansatz
