#include "core/run/input_range.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

/// Ten rows of a column from 20 to 80, one that is always 7, and a category that is 0 or 1.
Matrix<double> training_rows() {
  Matrix<double> x(10, 3);
  for (Index i = 0; i < 10; ++i) x.row(i) << 20 + 60.0 * double(i) / 9, 7, double(i % 2);
  return x;
}

/// The same three inputs in every row.
Matrix<double> rows(Index n, double first, double second, double third) {
  Matrix<double> x(n, 3);
  x.col(0).setConstant(first);
  x.col(1).setConstant(second);
  x.col(2).setConstant(third);
  return x;
}

}  // namespace

TEST_CASE("new rows far outside of the training rows are told by column, in the unit of the file") {
  const InputRange range = range_of(training_rows());
  InputTransform transform;
  const auto said = [&](const Matrix<double>& x) { return unfamiliar_inputs(x, range, transform); };
  CHECK(said(training_rows()).empty());
  CHECK(said(rows(4, 85, 7, 1)).empty());  // a little outside, few rows
  CHECK(said(rows(1, 139, 7, 0)).empty());
  REQUIRE(said(rows(1, 141, 7, 0)).size() == 1);  // farther away than the training rows are wide
  CHECK(contains(
      said(rows(1, 141, 7, 0)).front(),
      "column 0 (counted from 0): 1 of 1 values lie outside of the 20 to 80 of the training rows, the farthest "
      "at 141"));
  CHECK(said(rows(5, 1.234, 7, 0)).size() == 1);  // all of five a little outside: thousands, perhaps
  CHECK(said(rows(1, 50, 8, 0)).size() == 1);     // constant in training
  transform.shift = InputTransform::Row{{-1000, 0, 0}};
  transform.scale = InputTransform::Row{{100, 1, 1}};
  transform.table.emplace();
  transform.table->columns = {{"area", {}}, {"year", {}}, {"city", {"Rome"}}};
  CHECK(contains(said(rows(1, -500, 7, 0)).front(),
                 "column \"area\": 1 of 1 values lie outside of the 1000 to 7000 of the training rows, the farthest at "
                 "-51000"));
  CHECK(contains(said(rows(6, 50, 7, 3)).front(), "column \"city=Rome\""));
  CHECK(
      unfamiliar_inputs(rows(1, 1e9, 7, 0), InputRange(), transform).empty());  // a model that does not know its range
  CHECK(unfamiliar_inputs(Matrix<float>(rows(1, 141, 7, 0).cast<float>()), range, {}).size() == 1);
}
