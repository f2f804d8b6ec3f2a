// What of a file of texts is read, but may not be what was meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/text/text_file.h"

namespace ansatz {

/// Which cells of a row are label and text.
struct TextPlaces {
  std::optional<std::size_t> label;
  std::size_t text = 0;
  std::size_t cells = 0;  ///< of every row
  bool header = false;
};

/// A sentence for each doubt: a text in quotes that may have swallowed rows, labels that mean none or hold characters
/// that do not show; of texts to predict, a first row that may be a header, labels that are none.
std::vector<std::string> doubts_of(const TextFile& file, const TextPlaces& places, char delimiter, TextLabels labels);

/// Says so if accents stand in some texts as characters of their own, and in others as part of their letters: they are
/// different words.
std::optional<std::string> mixed_accents(const std::string& file, const std::vector<std::string>& texts,
                                         const std::vector<std::string>& others);

}  // namespace ansatz
