#include <cmath>
#include <random>
#include <vector>

#include "core/base/error.h"
#include "core/record/findings/standard_errors.h"
#include "core/record/findings/verdict.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("a verdict takes two standard errors on the right side of the bound") {
  const Bound least{0.8, {}};
  CHECK(judge(0.9, 0.049, least) == Verdict::holds);
  CHECK(judge(0.9, 0.051, least) == Verdict::unclear);
  CHECK(judge(0.79, 0.01, least) == Verdict::unclear);
  CHECK(judge(0.7, 0.051, least) == Verdict::unclear);
  CHECK(judge(0.7, 0.049, least) == Verdict::differs);
  const Bound most{{}, 5};
  CHECK(judge(4, 0.4, most) == Verdict::holds);
  CHECK(judge(5.5, 0.4, most) == Verdict::unclear);
  CHECK(judge(6, 0.4, most) == Verdict::differs);
  const Bound both{0, 1};
  CHECK(judge(0.5, 0.2, both) == Verdict::holds);
  CHECK(judge(0.5, 0.3, both) == Verdict::unclear);
  CHECK(judge(2, 0.3, both) == Verdict::differs);
  CHECK(judge(-1, 0.3, both) == Verdict::differs);
}

TEST_CASE("an exact value is judged with its bounds included, an unknown error leaves it open, NaN differs") {
  CHECK(judge(0.8, 0.0, {0.8, {}}) == Verdict::holds);
  CHECK(judge(std::nextafter(0.8, 0.0), 0.0, {0.8, {}}) == Verdict::differs);
  CHECK(judge(0.99, std::nullopt, {0.8, {}}) == Verdict::unclear);
  CHECK(judge(0.99, std::nan(""), {0.8, {}}) == Verdict::unclear);
  CHECK(judge(std::nan(""), 0.01, {0.8, {}}) == Verdict::differs);
  CHECK(judge(std::nan(""), std::nullopt, {0.8, {}}) == Verdict::differs);
}

TEST_CASE("a gain of 3 images in 150 is unclear, one of 30 holds") {
  // 120 of 150 right before; afterwards 3 (or 30) of the wrong ones too.
  const auto gain = [](int gained) {
    std::vector<bool> before(150), after(150);
    for (int i = 0; i < 150; ++i) {
      before[static_cast<std::size_t>(i)] = i < 120;
      after[static_cast<std::size_t>(i)] = i < 120 + gained;
    }
    return judge(gained / 150.0, paired_standard_error(after, before), {0.0, {}});
  };
  CHECK(gain(3) == Verdict::unclear);
  CHECK(gain(30) == Verdict::holds);
}

TEST_CASE("standard errors of accuracies are what drawing the test rows again gives") {
  constexpr int kRows = 400, kDraws = 4000;
  constexpr double kRight = 0.85, kBoth = 0.8, kOther = 0.82;  // P(a), P(a and b), P(b)
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform;
  double sum = 0, squares = 0, difference_sum = 0, difference_squares = 0, told = 0, told_paired = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<bool> a(kRows), b(kRows);
    double right = 0, other = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double u = uniform(random);
      a[i] = u < kRight;
      b[i] = u < kBoth || u > 1 - (kOther - kBoth);
      right += a[i];
      other += b[i];
    }
    const double accuracy = right / kRows, gain = (right - other) / kRows;
    sum += accuracy;
    squares += accuracy * accuracy;
    difference_sum += gain;
    difference_squares += gain * gain;
    told += accuracy_standard_error(accuracy, kRows) / kDraws;
    told_paired += paired_standard_error(a, b) / kDraws;
  }
  const auto deviation = [&](double total, double total_squares) {
    return std::sqrt((total_squares - total * total / kDraws) / (kDraws - 1));
  };
  // 4000 draws know a deviation to 1.1 %; the added hit and miss weigh about 1 % and, paired, 4 %.
  CHECK(told == Approx(deviation(sum, squares)).epsilon(0.05));
  CHECK(told_paired == Approx(deviation(difference_sum, difference_squares)).epsilon(0.08));
  CHECK(told_paired < told);  // models that are right on the same rows
}

TEST_CASE("all rows right do not make an accuracy certain") {
  CHECK(accuracy_standard_error(1, 150) > 0.005);
  CHECK(accuracy_standard_error(1, 150) < 0.01);
  CHECK(std::isnan(accuracy_standard_error(1, 0)));
  CHECK(paired_standard_error({true, true}, {true, true}) > 0);
  CHECK_THROWS_AS(paired_standard_error({true}, {true, false}), DataError);
}

TEST_CASE("the error of a mean over rows and templates is what drawing both again gives") {
  constexpr Index kRows = 300, kTemplates = 8;
  constexpr int kDraws = 1500;
  constexpr double kMean = 0.3, kOfRows = 0.5, kOfTemplates = 0.08, kRest = 0.3;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  double sum = 0, squares = 0, told = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    Matrix<double> differences = Matrix<double>::Constant(kRows, kTemplates, kMean);
    for (Index i = 0; i < kRows; ++i) differences.row(i).array() += kOfRows * normal(random);
    for (Index t = 0; t < kTemplates; ++t) differences.col(t).array() += kOfTemplates * normal(random);
    for (Index i = 0; i < differences.size(); ++i) differences(i) += kRest * normal(random);
    const double mean = differences.mean(), error = crossed_standard_error(differences);
    sum += mean;
    squares += mean * mean;
    told += error * error / kDraws;
  }
  const double variance = (squares - sum * sum / kDraws) / (kDraws - 1);
  CHECK(std::sqrt(told) == Approx(std::sqrt(variance)).epsilon(0.08));
  // Templates alone, or rows alone, would not do.
  CHECK(std::sqrt(variance) > 1.1 * kOfTemplates / std::sqrt(kTemplates));
  CHECK(std::sqrt(variance) > 1.1 * kOfRows / std::sqrt(kRows));
}

TEST_CASE("where all templates cost the same, the crossed error is the paired one, and one template has none") {
  std::vector<bool> before(40), after(40);
  Matrix<double> differences(40, 3);
  for (std::size_t i = 0; i < before.size(); ++i) {
    before[i] = i < 30;
    after[i] = i % 3 == 0;
    differences.row(static_cast<Index>(i)).setConstant(double(before[i]) - double(after[i]));
  }
  CHECK(crossed_standard_error(differences) == Approx(paired_standard_error(before, after)).epsilon(1e-12));
  CHECK(std::isnan(crossed_standard_error(differences.leftCols(1))));
  CHECK(std::isnan(crossed_standard_error(Matrix<double>(0, 3))));
  CHECK(crossed_standard_error(Matrix<double>::Zero(40, 3)) > 0);
}
