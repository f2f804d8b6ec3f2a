#include "core/data/collections/uci_description.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <sstream>

#include "core/base/error.h"
#include "core/data/formats/find_files.h"
#include "core/data/tables/cell_format.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

constexpr Index kMostRows = 1'000'000'000, kMostColumns = 1'000'000, kMostClasses = 10'000;

std::string trimmed(const std::string& text) {
  const char* const spaces = " \t\r";
  const std::size_t first = text.find_first_not_of(spaces);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

/// The lines "key= value" of a file.
class KeyFile {
 public:
  explicit KeyFile(std::filesystem::path path) : path_(std::move(path)) {
    std::string text = read_file_or_gzip(path_);
    if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
    std::istringstream lines(text);
    Index number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (trimmed(line).empty()) continue;
      const std::size_t at = line.find('=');
      if (at == line.npos) throw DataError(fmt::format("{}: line {} is no line \"key= value\"", where(), number));
      const std::string key = trimmed(line.substr(0, at));
      if (!values_.emplace(key, Value{trimmed(line.substr(at + 1)), number}).second)
        throw DataError(fmt::format("{}: line {} gives {} a second time", where(), number, in_quotes(key)));
    }
  }

  std::string where() const { return path_.string(); }
  std::string where(const std::string& key) const { return fmt::format("{}: line {}", where(), values_.at(key).line); }

  std::string text(const std::string& key) const {
    const auto found = values_.find(key);
    if (found == values_.end() || found->second.text.empty())
      throw DataError(fmt::format("{}: there is no {}", where(), key));
    return found->second.text;
  }

  Index count(const std::string& key, Index low, Index high) const {
    const std::string value = text(key);
    Index number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < low || number > high)
      throw DataError(fmt::format("{}: {} must be a whole number from {} to {}, is {}", where(key), key, low, high,
                                  in_quotes(value)));
    return number;
  }

 private:
  struct Value {
    std::string text;
    Index line = 0;
  };
  std::filesystem::path path_;
  std::map<std::string, Value> values_;
};

UciDescription::File data_file(const KeyFile& keys, const std::filesystem::path& folder, Index which) {
  const std::string key = fmt::format("fich{}", which), name = keys.text(key);
  if (name.find_first_of("/|") != name.npos)
    throw DataError(fmt::format("{}: {} must be the name of a file in the same folder, is {}", keys.where(key), key,
                                in_quotes(name)));
  return {require_file(folder, name + "|" + name + ".gz"), keys.count(fmt::format("n_patrons{}", which), 1, kMostRows)};
}

}  // namespace

UciDescription read_uci_description(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string() + ".txt";
  const KeyFile keys(require_file(folder, name + "|" + name + ".gz"));
  UciDescription description;
  description.features = keys.count("n_entradas", 1, kMostColumns);
  description.classes = keys.count("n_clases", 2, kMostClasses);
  const Index files = keys.count("n_arquivos", 1, 2);
  for (Index i = 1; i <= files; ++i) description.files.push_back(data_file(keys, folder, i));
  description.tuning_train = keys.count("n_patrons_entrena", 1, kMostRows);
  description.tuning_test = keys.count("n_patrons_valida", 1, kMostRows);
  return description;
}

}  // namespace ansatz
