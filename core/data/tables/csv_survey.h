// Which columns of a table are numbers and which are categories, and what is odd about them.
#pragma once

#include "core/data/tables/csv_columns.h"

namespace ansatz {

/// Reads the training file and decides each column that the options leave open; counts rows; collects the categories
/// and the classes of the target; writes the plan's notes and warnings.
///   numbers     every cell that is not missing is a number
///   refused     at least half of the cells are numbers, or would be in another spelling (12 %, 1.234,5), and others
///               are not: the message names the first such cell and the ways out. Also texts that are numbers with one
///               unit, dates, more than 255 different texts, or (nearly) a different one in every row
///   categories  otherwise
/// Warns of leading zeros, of whole numbers beyond 2^53, of points that may separate thousands, of a column that counts
/// the rows, of categories that differ in spelling only or hardly ever occur twice. Throws DataError naming row and
/// column.
void survey_columns(std::string_view text, CsvPlan& plan);

}  // namespace ansatz
