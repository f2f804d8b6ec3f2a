// The different values of a categorical column or of class labels.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Values are compared as text and never as floating-point numbers, so that ids of any length stay different. The one
/// exception: if every value is a whole number without leading zeros, "1", "+1" and "1.0" are the same value, named
/// "1". So "01" and "1", or "1.1" and "1.10", are different. Values that all are numbers are sorted as numbers, others
/// as text.
class Categories {
 public:
  void add(std::string_view value);
  std::size_t seen() const { return texts_.size(); }  ///< different texts so far

  /// Fixes the order. Call once, after the last add.
  void finish();

  const std::vector<std::string>& names() const { return names_; }
  std::optional<Index> find(std::string_view value) const;

  /// Two names, if there are any, that differ only in upper and lower case, in spaces at their ends, or in the spelling
  /// of the same number ("01" and "1").
  std::optional<std::pair<std::string, std::string>> alike() const;

 private:
  std::set<std::string, std::less<>> texts_;
  std::map<std::string, Index, std::less<>> index_;
  std::vector<std::string> names_;
  bool whole_ = false;  ///< every value is a whole number
};

}  // namespace ansatz
