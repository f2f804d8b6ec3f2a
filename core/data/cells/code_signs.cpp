#include "core/data/cells/code_signs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace ansatz {
namespace {

constexpr Index kEnoughRows = 20;  // fewer rows say little about what a column is
constexpr double kFirstYear = 1500, kLastYear = 2200;

std::string quoted(std::string_view number) { return '"' + std::string(number) + '"'; }

/// Whether it is written as year, month and day: 20200131.
bool is_date(std::string_view cell) {
  if (cell.size() != 8 || !is_whole(cell)) return false;
  const auto part = [&](std::size_t at, std::size_t size) { return std::stoi(std::string(cell.substr(at, size))); };
  const int year = part(0, 4), month = part(4, 2), day = part(6, 2);
  return year >= kFirstYear && year <= kLastYear && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/// Whether a column of this name hardly ever holds amounts: id, customer_id, zip code.
bool is_name_of_codes(const std::string& column) {
  std::string name;
  for (const char c : column)
    if (c != '_' && c != '-' && c != ' ') name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* const word : {"id", "zip", "zipcode", "postcode", "postalcode", "plz"})
    if (name == word) return true;
  const std::size_t size = column.size();
  if (size < 3) return false;
  const std::string end = column.substr(size - 3);
  return end == "_id" || end == " id" || end == "_ID" || (column.substr(size - 2) == "Id" && std::islower(end[0]) != 0);
}

}  // namespace

bool is_whole(std::string_view cell) {
  if (!cell.empty() && (cell.front() == '-' || cell.front() == '+')) cell.remove_prefix(1);
  return !cell.empty() && cell.find_first_not_of("0123456789") == std::string_view::npos;
}

void CodeSigns::see(std::string_view cell, double number) {
  const bool zeros = cell.size() > 1 && cell.front() == '0' && cell.find_first_not_of('0') != std::string_view::npos;
  if (numbers_ == 0) first_cell_ = quoted(cell), first_ = number;
  whole_ = whole_ && is_whole(cell);
  if (zeros && is_whole(cell) && leading_zeros_.empty()) leading_zeros_ = quoted(cell);
  rises_ = rises_ && (numbers_ == 0 || number > last_);
  counts_ = counts_ && number == first_ + static_cast<double>(numbers_);
  years_ = years_ && number >= kFirstYear && number <= kLastYear;
  dates_ = dates_ && is_date(cell);
  last_ = number;
  ++numbers_;
}

/// What the order of the values suggests, if anything.
std::string CodeSigns::of_order(Index rows) const {
  if (numbers_ < rows || rows < kEnoughRows) return "";
  if (counts_ && (first_ == 0 || first_ == 1)) return fmt::format("it counts the rows, from {}", first_);
  if (rises_ && whole_ && !years_) return "its whole numbers rise from row to row";
  return "";
}

std::string CodeSigns::found(const std::string& column, Index rows) const {
  const std::string order = of_order(rows);
  if (numbers_ == 0) return "";
  if (!leading_zeros_.empty()) return "numbers with leading zeros, such as " + leading_zeros_;
  if (dates_ && first_ != last_)
    return fmt::format("whole numbers that may be dates, such as {}, whose differences are no days", first_cell_);
  if (!order.empty()) return order;
  return whole_ && is_name_of_codes(column) ? "whole numbers under the name of an id or a code" : "";
}

}  // namespace ansatz
