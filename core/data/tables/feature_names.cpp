#include "core/data/tables/feature_names.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "core/base/error.h"
#include "core/data/tables/cell_format.h"
#include "core/files/files.h"

namespace ansatz {

std::vector<std::string> read_feature_names(const std::filesystem::path& file) {
  std::string text = read_file(file);
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
  std::istringstream lines(text);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    names.push_back(line);
  }
  return names;
}

void check_feature_names(const std::vector<std::string>& names, Index d, const std::string& where) {
  if (static_cast<Index>(names.size()) != d)
    throw DataError(fmt::format("{}: {} names for d = {} features; there must be one each", where, names.size(), d));
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (name.empty()) throw DataError(fmt::format("{}: name {} is empty", where, i + 1));
    if (!is_utf8(name))
      throw DataError(
          fmt::format("{}: name {}, {}, is no UTF-8 text; save it as UTF-8", where, i + 1, in_quotes(name)));
    const auto [first, is_new] = seen.emplace(name, i);
    if (!is_new)
      throw DataError(fmt::format("{}: names {} and {} are both {}; features must have different names", where,
                                  first->second + 1, i + 1, in_quotes(name)));
  }
}

}  // namespace ansatz
