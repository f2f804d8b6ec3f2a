// ARFF, the table format of Weka and OpenML, brought to the form of a CSV table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ansatz {

struct ArffAttribute {
  enum class Kind { numeric, nominal, text };
  std::string name;
  Kind kind = Kind::numeric;
  std::vector<std::string> values;  ///< that a nominal attribute may take, in the declared order
};

/// What all readers of tables take (core/data/tables/csv_columns.h), and what the file says of its columns.
struct ArffTable {
  std::vector<ArffAttribute> attributes;
  /// CSV text with a comma between cells. It has the file's own lines, the header where @data stands, so that messages
  /// about it name the right ones. A missing value is an empty cell, and nothing else is.
  std::string csv;
};

/// Reads @relation, @attribute (numeric, real, integer, a list of values, string, date) and the rows after @data;
/// keywords in any case, names and values in single or double quotes with backslashes, % comments, LF, CRLF or CR line
/// ends, a UTF-8 byte order mark. An unquoted ? is a missing value, and so is an empty text. Dates stay text. Throws
/// DataError naming line and attribute: a number that is none or not finite, a value that is not declared, a row of
/// another length, an empty cell; sparse rows, weights and relational attributes, which are not read.
ArffTable read_arff(std::string_view text, const std::string& label);

}  // namespace ansatz
