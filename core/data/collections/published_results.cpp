#include "core/data/collections/published_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>

#include "core/base/error.h"
#include "core/data/tables/cell_format.h"
#include "core/data/tables/csv.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

const std::vector<std::string> kSummaries = {"min", "max", "mean", "std"};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

bool is_rule(const std::string& line) {
  return line.find('-') != line.npos && line.find_first_not_of("- \t\r") == line.npos;
}

/// Reads the table line by line.
class Table {
 public:
  explicit Table(const std::filesystem::path& path) : label_(path.string()), text_(read_file_or_gzip(path)) {}

  PublishedResults read() {
    if (!next()) refuse("empty; the first line must name the methods");
    read_header();
    std::vector<double> values;
    while (next() && !rule_) read_set(values);
    read_closing_lines();
    results_.accuracy = Eigen::Map<const Matrix<double>>(values.data(), static_cast<Index>(results_.sets.size()),
                                                         static_cast<Index>(results_.methods.size()));
    return std::move(results_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw DataError(line_ == 0 ? fmt::format("{}: {}", label_, what)
                               : fmt::format("{}: line {}: {}", label_, line_, what));
  }

  /// The next line that holds anything.
  bool next() {
    for (std::string line; std::getline(text_, line);) {
      ++line_;
      words_ = words_of(line);
      rule_ = is_rule(line);
      if (!words_.empty()) return true;
    }
    rule_ = false;
    return false;
  }

  void read_header() {
    const std::size_t extra = 1 + kSummaries.size();
    if (words_.size() <= extra || !std::equal(kSummaries.begin(), kSummaries.end(), words_.end() - 4))
      refuse("the header must be a first word, the methods, and min, max, mean, std");
    results_.methods.assign(words_.begin() + 1, words_.end() - 4);
    std::set<std::string> seen;
    for (const std::string& method : results_.methods)
      if (!seen.insert(method).second) refuse(fmt::format("method {} is there twice", in_quotes(method)));
  }

  void read_set(std::vector<double>& values) {
    const std::size_t wanted = 1 + results_.methods.size() + kSummaries.size();
    if (words_.size() != wanted) refuse(fmt::format("{} words; the header has {}", words_.size(), wanted));
    if (std::find(results_.sets.begin(), results_.sets.end(), words_[0]) != results_.sets.end())
      refuse(fmt::format("set {} is there twice", in_quotes(words_[0])));
    results_.sets.push_back(words_[0]);
    for (std::size_t i = 0; i < results_.methods.size(); ++i) values.push_back(accuracy(words_[i + 1], i));
  }

  double accuracy(const std::string& word, std::size_t method) const {
    if (word == "--") return std::numeric_limits<double>::quiet_NaN();
    const std::optional<double> value = parse_number(word);
    if (value && *value >= 0 && *value <= 100) return *value;
    refuse(fmt::format("{}, of {}, is no percentage", in_quotes(word), in_quotes(results_.methods[method])));
  }

  /// After the rule: a mean and a standard deviation a method, as told by their names.
  void read_closing_lines() {
    if (results_.sets.empty()) refuse("no set");
    while (next())
      if (words_.size() != 1 + results_.methods.size() || (words_[0] != "mean" && words_[0] != "std"))
        refuse("after the rule there must be nothing but the lines mean and std");
  }

  std::string label_;
  std::istringstream text_;
  std::vector<std::string> words_;
  bool rule_ = false;
  Index line_ = 0;
  PublishedResults results_;
};

}  // namespace

PublishedResults read_published_results(const std::filesystem::path& path) { return Table(path).read(); }

}  // namespace ansatz
