#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/data/normalization.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

template <class Scalar>
Split<Scalar> random_split() {
  RandomStream stream(3);
  Split<Scalar> split;
  for (Dataset<Scalar>* part : {&split.train, &split.validation, &split.test}) {
    part->inputs = stream.normal_matrix<Scalar>(200, 7) * Scalar(3);
    part->inputs.col(1).array() += Scalar(1000);  // a large mean must not cost digits
    part->inputs.col(4).setConstant(Scalar(0.1));
    part->targets = Matrix<Scalar>::Zero(200, 1);
  }
  split.test.inputs.row(5).setZero();
  return split;
}

template <class Scalar>
constexpr double kRounding = sizeof(Scalar) == 4 ? 2e-4 : 1e-12;  // a deviation of 3 around 1000 in 24 or 53 bits

}  // namespace

TEMPLATE_TEST_CASE("unit_norm scales each row, and leaves a row of zeros", "", float, double) {
  Split<TestType> split = random_split<TestType>();
  const Matrix<TestType> before = split.test.inputs;
  normalize(split, Normalization::unit_norm);
  CHECK((split.train.inputs.rowwise().norm().array() - 1).abs().maxCoeff() < 1e-6);
  CHECK(split.test.inputs.row(5).isZero(0));
  CHECK(split.test.inputs(0, 1) == Approx(before(0, 1) / before.row(0).norm()));
  CHECK(split.notes.size() == 1);
}

TEMPLATE_TEST_CASE("standardize takes mean and deviation from the training rows only", "", float, double) {
  Split<TestType> split = random_split<TestType>();
  const Matrix<double> train = split.train.inputs.template cast<double>(),
                       test = split.test.inputs.template cast<double>();
  normalize(split, Normalization::standardize);
  const Matrix<double> scaled = split.train.inputs.template cast<double>();
  for (const Index j : {0, 1, 2, 3, 5, 6}) {
    const double mean = train.col(j).mean();
    const double deviation = std::sqrt((train.col(j).array() - mean).square().mean());
    CHECK(std::abs(scaled.col(j).mean()) < kRounding<TestType>);
    CHECK(scaled.col(j).squaredNorm() / 200 == Approx(1).epsilon(kRounding<TestType>));
    CHECK(split.test.inputs(7, j) == Approx((test(7, j) - mean) / deviation).epsilon(kRounding<TestType>));
  }
  CHECK(split.train.inputs.col(4).isZero(0));  // constant: only centred
  CHECK(std::abs(split.test.inputs(5, 4) + 0.1) < 1e-7);
  CHECK(contains(split.notes.at(0), "1 constant column"));
}

TEMPLATE_TEST_CASE("min_max maps the training rows onto [0, 1]", "", float, double) {
  Split<TestType> split = random_split<TestType>();
  const double low = split.train.inputs.col(2).minCoeff(), high = split.train.inputs.col(2).maxCoeff();
  const double value = split.test.inputs(9, 2);
  normalize(split, Normalization::min_max);
  for (const Index j : {0, 1, 2, 3, 5, 6}) {
    CHECK(split.train.inputs.col(j).minCoeff() == 0);
    CHECK(split.train.inputs.col(j).maxCoeff() == 1);
  }
  CHECK(split.train.inputs.col(4).isZero(0));
  CHECK(split.test.inputs(9, 2) == Approx((value - low) / (high - low)).epsilon(kRounding<TestType>));
}

TEST_CASE("scaling leaves nothing to say about the expected AGOP of unscaled inputs") {
  Split<double> split = random_split<double>();
  split.truth.emplace();
  normalize(split, Normalization::none);
  CHECK(split.truth);
  normalize(split, Normalization::unit_norm);
  CHECK_FALSE(split.truth);
  CHECK(contains(split.notes.back(), "expected AGOP"));
}

namespace {

/// A table in memory, as a file would give it.
TableRows table_of(const Matrix<double>& values, double epsilon = std::numeric_limits<double>::epsilon()) {
  TableRows table;
  table.epsilon = epsilon;
  table.where = [](Index row, Index column) { return fmt::format("row {}, column {}", row, column); };
  table.read = [values](const std::vector<Index>& rows, const TableRows::Take& take) {
    for (std::size_t first = 0; first < rows.size(); first += 3) {  // blocks of 3
      Matrix<double> block(static_cast<Index>(std::min<std::size_t>(3, rows.size() - first)), values.cols());
      for (Index i = 0; i < block.rows(); ++i) block.row(i) = values.row(rows[first + static_cast<std::size_t>(i)]);
      take(static_cast<Index>(first), block);
    }
  };
  return table;
}

std::vector<Index> first_rows(Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

template <class Scalar>
Matrix<Scalar> scaled(const Matrix<double>& values, Normalization kind) {
  const std::vector<Index> rows = first_rows(values.rows());
  const TableScaling scaling(table_of(values), rows, {}, kind, false);
  return read_table<Scalar>(table_of(values), rows, values.cols(),
                            [&](auto& block) { scaling.transform().apply(block); });
}

}  // namespace

TEST_CASE("missing values become the mean of the training rows") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Matrix<double> values(4, 2);
  values << 1, 4, nan, 6, 4, nan, nan, nan;  // the last row is no training row
  const TableScaling scaling(table_of(values), first_rows(3), {"a", "b"}, Normalization::none, true);
  Matrix<double> block = values;
  scaling.transform().apply(block);
  CHECK(block(1, 0) == 2.5);
  CHECK(block(2, 1) == 5);
  CHECK(block(3, 0) == 2.5);
  CHECK(block(0, 1) == 4);
  values.col(1).setConstant(nan);
  CHECK(contains(message_of<DataError>([&] {
                   TableScaling(table_of(values), first_rows(3), {"a", "b"}, Normalization::none, true);
                 }),
                 "column \"b\""));
}

TEMPLATE_TEST_CASE("a table is scaled in double, then narrowed", "", float, double) {
  RandomStream stream(5);
  Matrix<double> values = stream.normal_matrix<double>(100, 3);
  values.col(0) = values.col(0) * 30.0 + Vector<double>::Constant(100, 1.7e9);  // Unix times, seconds apart
  values.col(2) *= 1e-3;
  for (const Normalization kind : {Normalization::standardize, Normalization::min_max, Normalization::unit_norm}) {
    Split<double> exact;
    exact.train.inputs = values;
    normalize(exact, kind);
    const Matrix<double> got = scaled<TestType>(values, kind).template cast<double>();
    const double tolerance = sizeof(TestType) == 4 ? 2.4e-7 : 1e-15;  // half a unit of values up to 4
    CHECK((got - exact.train.inputs).cwiseAbs().maxCoeff() <= tolerance);
  }
  // Far from what float32 would have made of the same column.
  CHECK((scaled<TestType>(values, Normalization::standardize).col(0).array() > 0).count() > 30);
}

TEST_CASE("columns that differ by rounding only are constant, and said to be") {
  Matrix<double> values(4, 3);
  values << 0.3, 1, 1e-9, 0.1 + 0.2, 2, 1.5e-9, 0.3, 3, 1e-9, 0.1 + 0.2, 4, 1.5e-9;
  REQUIRE(values(0, 0) != values(1, 0));
  for (const Normalization kind : {Normalization::standardize, Normalization::min_max}) {
    const Matrix<double> got = scaled<double>(values, kind);
    CHECK(got.col(0).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(got.col(2).cwiseAbs().maxCoeff() == Approx(1));  // small, but not rounding
  }
  const TableScaling scaling(table_of(values), first_rows(4), {"a", "b", "c"}, Normalization::standardize, false);
  REQUIRE(scaling.warnings().size() == 1);
  CHECK(contains(scaling.warnings()[0], "column \"a\""));
  CHECK(contains(scaling.notes().at(0), "1 constant column only shifted"));

  // In float32 the unit is larger: 0.1f + 0.2f and 0.3f.
  const Matrix<double> single = values.cast<float>().cast<double>() + Matrix<double>::Constant(4, 3, 0);
  Matrix<double> rounded = single;
  rounded.col(0) << 0.3F, double(0.3F) * (1 + 1.2e-7), 0.3F, 0.3F;
  CHECK(TableScaling(table_of(rounded), first_rows(4), {}, Normalization::standardize, false).warnings().empty());
  CHECK(TableScaling(table_of(rounded, std::numeric_limits<float>::epsilon()), first_rows(4), {},
                     Normalization::standardize, false)
            .warnings()
            .size() == 1);
  // Integers are exact: 2^40 and 2^40 + 1 differ.
  Matrix<double> whole(2, 1);
  whole << 0x1p40, 0x1p40 + 1;
  CHECK(TableScaling(table_of(whole, 0), first_rows(2), {}, Normalization::standardize, false).warnings().empty());
  CHECK(scaled<float>(whole, Normalization::standardize)(1, 0) == 1);
}

TEMPLATE_TEST_CASE("in memory, too, a spread of a few units in the last place is constant", "", float, double) {
  Split<TestType> split;
  split.train.inputs.resize(2, 2);
  const TestType next = std::nextafter(TestType(0.3), TestType(1));
  split.train.inputs << TestType(0.3), 1, next, 2;
  normalize(split, Normalization::standardize);
  CHECK(split.train.inputs.col(0).cwiseAbs().maxCoeff() < 1e-6);
  CHECK(split.train.inputs.col(1).cwiseAbs().minCoeff() == 1);
}

TEST_CASE("squares of huge and tiny values neither overflow nor vanish") {
  for (const double scale : {1e200, 1e-200, 1e300, 1e-290}) {
    Matrix<double> values(4, 2);
    values << 1, -3, 2, 5, 3, 1, 4, 0;
    const Matrix<double> plain = values;
    values *= scale;
    for (const Normalization kind : {Normalization::standardize, Normalization::min_max, Normalization::unit_norm}) {
      const Matrix<double> difference = scaled<double>(values, kind) - scaled<double>(plain, kind);
      CHECK(difference.cwiseAbs().maxCoeff() < 1e-14);
    }
  }
  Matrix<double> huge(2, 1);
  huge << 1.7e308, -1.7e308;
  CHECK(contains(message_of<DataError>([&] { scaled<double>(huge, Normalization::standardize); }),
                 "column 0 (counted from 0): its values"));
}

TEST_CASE("what float32 rounds away is measured within groups of values too") {
  const Index n = 400;
  RandomStream stream(3);
  Matrix<double> values = stream.normal_matrix<double>(n, 6);
  for (Index i = 0; i < n; ++i) {
    if (i % 5 < 3) values(i, 0) = 1e9;          // stands for missing in most rows: nothing is lost
    values(i, 1) += i % 2 == 0 ? 1e7 : -1e7;    // two groups, the unit is 1
    if (i % 5 < 3) values(i, 2) += 1e8;         // one of two, the unit is 8
    if (i == 7) values(i, 3) = 1e9;             // one wrong value: it is what it was
    values(i, 4) = std::exp(4 * values(i, 4));  // far and near, always to 7 digits
    values(i, 5) = i % 3 == 0 ? 0.1 : 0.7;      // codes
  }
  RoundingShare share;
  read_table<float>(table_of(values), first_rows(n), 6, {}, &share);
  for (const std::size_t j : {0u, 3u, 4u, 5u}) CHECK(share.local[j] < 1e-5);
  for (const std::size_t j : {1u, 2u}) CHECK(share.overall[j] < 1e-6);
  CHECK(share.local[1] == Approx(1 / std::sqrt(12)).epsilon(0.5));  // of a deviation of 1
  CHECK(share.local[2] > 0.2);                                      // all of it, in 60 % of the rows
  const auto scale = [](Matrix<double>& block) { block /= 1e9; };   // whoever scales the column loses the others
  read_table<float>(table_of(values), first_rows(n), 6, scale, &share);
  CHECK(share.local[0] < 1e-5);
  CHECK(share.local[1] > 0.1);
}

TEST_CASE("what float32 rounds away is measured against the column's deviation") {
  Matrix<double> values(64, 4);
  RandomStream stream(2);
  const Matrix<double> noise = stream.normal_matrix<double>(64, 1);
  values.col(0) = noise;                                        // kept
  values.col(1) = noise + Vector<double>::Constant(64, 1.7e9);  // lost: the unit is 128
  values.col(2) = noise + Vector<double>::Constant(64, 1e5);    // the unit is 2^-7
  values.col(3) = Vector<double>::Constant(64, 0.1);            // constant: nothing to lose
  RoundingShare share;
  read_table<float>(table_of(values), first_rows(64), 4, {}, &share);
  CHECK(share.overall[0] < 1e-7);
  CHECK(share.overall[1] > 0.9);
  CHECK(share.overall[2] == Approx(0x1p-7 / std::sqrt(12)).epsilon(0.3));
  CHECK(share.overall[3] == 0);
  values.col(3).head(32).setConstant(std::nextafter(0.1, 1.0));  // constant but for rounding
  read_table<float>(table_of(values), first_rows(64), 4, {}, &share);
  CHECK(share.overall[3] == 0);
  values(7, 2) = 1e39;
  CHECK(contains(message_of<DataError>([&] { read_table<float>(table_of(values), first_rows(64), 4); }),
                 "row 7, column 2: 1e+39 is too large for float32"));
}
