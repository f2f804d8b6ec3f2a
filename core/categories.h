// The different values of a categorical column or of class labels.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/linalg.h"

namespace ansatz {

/// Where every value is a number they are sorted as numbers, and "1" and "1.0" are the same; otherwise sorted as text.
class Categories {
 public:
  void add(std::string_view value);
  std::size_t seen() const { return texts_.size(); }  ///< different texts so far

  /// Fixes the order. Call once, after the last add.
  void finish();

  const std::vector<std::string>& names() const { return names_; }
  std::optional<Index> find(std::string_view value) const;

 private:
  std::set<std::string, std::less<>> texts_;
  std::map<std::string, Index, std::less<>> by_text_;
  std::map<double, Index> by_number_;  ///< if all are numbers
  std::vector<std::string> names_;
};

}  // namespace ansatz
