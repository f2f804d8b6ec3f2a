#include "core/base/error.h"
#include "core/linalg/alignment.h"
#include "tests/support/catch.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::testing;

TEST_CASE("alignment of kernel matrices: 1 for multiples, and the sum over entries otherwise") {
  const Matrix<double> a = random_psd(6, 6, 1), b = random_psd(6, 3, 2);
  CHECK(alignment(a, 3 * a) == Approx(1));
  CHECK(alignment(a, -a) == Approx(-1));
  double product = 0, first = 0, second = 0;
  for (Index i = 0; i < a.size(); ++i) {
    product += a.data()[i] * b.data()[i];
    first += a.data()[i] * a.data()[i];
    second += b.data()[i] * b.data()[i];
  }
  CHECK(alignment(a, b) == Approx(product / std::sqrt(first * second)));
  CHECK(alignment(a, Matrix<double>::Zero(6, 6)) == 0);
  CHECK_THROWS_AS(alignment(a, random_psd(5, 5, 1)), DataError);
}

TEST_CASE("target alignment is that with the outer product of the targets") {
  const Matrix<double> k = random_psd(7, 7, 1), y = random_matrix(7, 3, 4);
  CHECK(target_alignment(k, y) == Approx(alignment(k, y * y.transpose())));
  CHECK(target_alignment(y * y.transpose(), y) == Approx(1));
  CHECK_THROWS_AS(target_alignment(k, random_matrix(6, 3, 4)), DataError);
}

TEST_CASE("relative distance: 0 for equal matrices, 1 from twice the matrix") {
  const Matrix<double> a = random_psd(5, 5, 1);
  CHECK(relative_distance(a, a) == 0);
  CHECK(relative_distance(2 * a, a) == Approx(1));
  CHECK_THROWS_AS(relative_distance(a, random_psd(4, 4, 1)), DataError);
}
