// Finds out which columns of a table are numbers and which are categories, and what is odd about them.
#pragma once

#include "core/data/tables/csv_columns.h"

namespace ansatz {

/// Reads the training file and decides each column that the options leave open; counts rows; collects the categories
/// and the classes of the target; writes the plan's notes and warnings.
/// - A column is numbers if every cell that is not missing is a number.
/// - A column is refused if at least half of its cells are numbers, or would be in another spelling (12 %, 1.234,5),
///   and the others are not: the message names the first other cell and the ways out. It is also refused if its texts
///   are numbers with a unit, or dates, if there are more than 255 different texts, or (nearly) a different one in
///   every row.
/// - All other columns are categories.
/// Warns of leading zeros, of whole numbers beyond 2^53, of points that may separate thousands, of numbers that may
/// be ids, codes or dates (core/data/cells/code_signs.h), and of categories that differ only in spelling or hardly
/// ever occur twice. Throws DataError naming row and column.
void survey_columns(std::string_view text, CsvPlan& plan);

}  // namespace ansatz
