#include "core/data/text/text_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/data/tables/cell_format.h"
#include "core/data/text/ngrams.h"

namespace ansatz {
namespace {

using Doubts = std::vector<std::string>;

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// A line of a text that, read by itself, is a row with one of the file's labels. The text of such a row may hold
/// delimiters, so that a label behind it counts from the end.
bool is_row(std::string_view line, const TextPlaces& places, char delimiter, const std::set<std::string>& labels) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::vector<std::string_view> cells = split(line, delimiter);
  if (cells.size() < places.cells) return false;
  const std::size_t at = *places.label < places.text ? *places.label : cells.size() - (places.cells - *places.label);
  return labels.count(std::string(cells[at])) > 0;
}

/// A quote that is never closed ends at the next one, rows later.
void doubt_quotes(const TextFile& file, const TextPlaces& places, char delimiter, Doubts& doubts) {
  if (!places.label) return;
  const std::set<std::string> labels(file.labels.begin(), file.labels.end());
  for (std::size_t i = 0; i < file.texts.size(); ++i) {
    const std::vector<std::string_view> lines = split(file.texts[i], '\n');
    const auto row = std::find_if(lines.begin() + 1, lines.end(),
                                  [&](std::string_view line) { return is_row(line, places, delimiter, labels); });
    if (row == lines.end()) continue;
    doubts.push_back(fmt::format(
        "{}: the text in quotes that begins here has {} lines, and line {} looks like a row of its own, {}: "
        "is a quote missing, or not doubled? It is read as part of the text",
        file.place(i), lines.size(), file.lines[i] + (row - lines.begin()), in_quotes(*row)));
  }
}

void doubt_labels(const TextFile& file, Doubts& doubts) {
  std::map<std::string, Index> rows;
  for (const std::string& label : file.labels) ++rows[label];
  for (const auto& [label, count] : rows) {
    if (CellFormat().is_missing(label))
      doubts.push_back(
          fmt::format("{}: the label {} of {} {} is a class of its own; if it means that there is none, leave "
                      "these rows out",
                      file.name, in_quotes(label), count, count == 1 ? "row" : "rows"));
    if (const std::string hidden = hidden_characters(label); !hidden.empty())
      doubts.push_back(fmt::format("{}: the label {} of {} {} has {} in it: a class of its own", file.name,
                                   in_quotes(label), count, count == 1 ? "row" : "rows", hidden));
  }
}

/// Nothing says whether the first row of texts to predict is a header line, but that it looks like one.
void doubt_first_row(const TextFile& file, const TextPlaces& places, Doubts& doubts) {
  constexpr std::array kNames = {"text",      "texts",   "message", "messages", "sentence",
                                 "sentences", "review",  "reviews", "comment",  "sms",
                                 "document",  "content", "body",    "tweet",    "v2"};
  const std::string small = lower_case(file.texts.front());
  if (places.header || std::find(kNames.begin(), kNames.end(), small) == kNames.end()) return;
  doubts.push_back(
      fmt::format("{}: the first text is {}: is it a header line? The model was trained on a file without "
                  "one, and this row is predicted, too",
                  file.place(0), in_quotes(file.texts.front())));
}

void doubt_that_labels_are_labels(const TextFile& file, const TextPlaces& places, Doubts& doubts) {
  const std::set<std::string> different(file.labels.begin(), file.labels.end());
  if (file.labels.size() < 3 || different.size() < file.labels.size()) return;
  doubts.push_back(fmt::format(
      "{}: column {} is taken as that of the labels, but has a different text in each row, such "
      "as {}; texts are read from column {}, the first is {}",
      file.name, *places.label + 1, in_quotes(file.labels.back()), places.text + 1, in_quotes(file.texts.front())));
}

/// Whether a text has accents as characters of their own (U+0300 to U+036F); Latin letters with accents in them.
std::pair<bool, bool> accents(std::string_view text) {
  std::pair<bool, bool> found;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]), next = static_cast<unsigned char>(text[i + 1]);
    found.first |= lead == 0xCC || (lead == 0xCD && next < 0xB0);
    found.second |= lead >= 0xC3 && lead <= 0xC9;
  }
  return found;
}

}  // namespace

std::vector<std::string> doubts_of(const TextFile& file, const TextPlaces& places, char delimiter, TextLabels labels) {
  Doubts doubts;
  doubt_quotes(file, places, delimiter, doubts);
  if (labels == TextLabels::needed) {
    doubt_labels(file, doubts);
  } else {
    doubt_first_row(file, places, doubts);
    if (places.label) doubt_that_labels_are_labels(file, places, doubts);
  }
  return doubts;
}

std::optional<std::string> mixed_accents(const std::string& file, const std::vector<std::string>& texts,
                                         const std::vector<std::string>& others) {
  std::pair<bool, bool> here, anywhere;
  for (const std::vector<std::string>* some : {&texts, &others}) {
    for (const std::string& text : *some) {
      const auto [own, part] = accents(text);
      anywhere.first |= own, anywhere.second |= part;
    }
    if (some == &texts) here = anywhere;
  }
  if (!anywhere.first || !anywhere.second || (!here.first && !here.second)) return std::nullopt;
  return fmt::format(
      "{}: accents are characters of their own in some texts (U+0301 after e), part of the letter in others, "
      "here or in the texts beside it: a word spelled both ways counts as two; bring all into one form (NFC)",
      file);
}

}  // namespace ansatz
