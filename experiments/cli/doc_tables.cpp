#include "experiments/cli/doc_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <vector>

#include "core/base/error.h"
#include "rfm/kernels/kernel_families.h"

namespace ansatz::experiments {
namespace {

using Cells = std::vector<std::string>;

/// A vertical line would end the cell.
std::string escaped(const std::string& cell) {
  std::string text;
  for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
  return text;
}

std::string row(const Cells& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + escaped(cell) + " |";
  return line + "\n";
}

std::string table(const Cells& header, const std::vector<Cells>& rows) {
  std::string text = row(header) + "|";
  for (std::size_t i = 0; i < header.size(); ++i) text += "---|";
  text += "\n";
  for (const Cells& cells : rows) text += row(cells);
  return text;
}

std::string code(const std::string& text) { return "`" + text + "`"; }

std::string kernels() {
  std::vector<Cells> rows;
  for (const rfm::KernelInfo& kernel : rfm::kernel_table())
    rows.push_back({code(kernel.name), name_of(kernel.shape), code(kernel.formula),
                    kernel.where.empty() ? "" : code(kernel.where)});
  return table({"`kernel`", "of a", "K(x, z)", "where"}, rows);
}

std::string default_of(const rfm::KernelParameter& parameter) {
  if (parameter.fallback != nullptr) return parameter.fallback_text;
  const std::string text = text_of(rfm::KernelSpec(), parameter);
  return std::isdigit(static_cast<unsigned char>(text.front())) != 0 ? text : code(text);
}

/// One row a key and range, with the families that share them.
std::string kernel_parameters() {
  std::vector<Cells> rows;
  for (const rfm::KernelInfo& kernel : rfm::kernel_table()) {
    for (const rfm::KernelParameter& parameter : kernel.parameters) {
      const std::string meaning = parameter.meaning[0] != '\0' ? parameter.meaning : parameter.symbol;
      Cells cells = {code(parameter.key), default_of(parameter), range_of(parameter),
                     meaning + " of " + code(kernel.name)};
      const auto same = [&](const Cells& other) {
        return std::equal(cells.begin(), cells.end() - 1, other.begin()) && other.back().find(meaning + " of ") == 0;
      };
      const auto found = std::find_if(rows.begin(), rows.end(), same);
      if (found == rows.end())
        rows.push_back(cells);
      else
        found->back() += ", " + code(kernel.name);
    }
  }
  return table({"key", "default", "range", "meaning"}, rows);
}

const std::map<std::string, std::function<std::string()>> kTables = {{"kernels", kernels},
                                                                     {"kernel parameters", kernel_parameters}};

}  // namespace

std::string with_tables(const std::string& document) {
  const std::string begin = "<!-- table: ", note = " (scripts/update_docs writes it) -->\n",
                    end = "<!-- end of table -->\n";
  std::string text;
  std::size_t done = 0;
  for (std::size_t at = document.find(begin); at != std::string::npos; at = document.find(begin, done)) {
    const std::size_t after = document.find(note, at), close = document.find(end, at);
    if (after == std::string::npos || close == std::string::npos || close < after)
      throw ConfigError("a table of the documentation has no `" + end.substr(0, end.size() - 1) + "`");
    const std::string name = document.substr(at + begin.size(), after - at - begin.size());
    const auto found = kTables.find(name);
    if (found == kTables.end()) throw ConfigError("there is no table \"" + name + "\" for the documentation");
    text += document.substr(done, after + note.size() - done) + found->second() + end;
    done = close + end.size();
  }
  return text + document.substr(done);
}

}  // namespace ansatz::experiments
