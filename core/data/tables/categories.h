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

/// Values are compared as text, never as floating-point numbers, so that an id of any number of digits stays itself.
/// Only where every value is a whole number without leading zeros are "1", "+1" and "1.0" the same, named "1". Numbers
/// are sorted by value, otherwise by text; "01" and "1", or "1.1" and "1.10", are different.
class Categories {
 public:
  void add(std::string_view value);
  std::size_t seen() const { return texts_.size(); }  ///< different texts so far

  /// Fixes the order. Call once, after the last add.
  void finish();

  const std::vector<std::string>& names() const { return names_; }
  std::optional<Index> find(std::string_view value) const;

  /// Two names that differ only in upper and lower case, in spaces at their ends, or as spellings of one number ("01"
  /// and "1"); if any.
  std::optional<std::pair<std::string, std::string>> alike() const;

 private:
  std::set<std::string, std::less<>> texts_;
  std::map<std::string, Index, std::less<>> index_;
  std::vector<std::string> names_;
  bool whole_ = false;  ///< every value is a whole number
};

}  // namespace ansatz
