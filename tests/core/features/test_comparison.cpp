#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/features/comparison.h"
#include "tests/support/catch.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

// Pearson r by its textbook definition, in long double, over a list of pairs.
double slow_pearson(const std::vector<std::pair<double, double>>& pairs) {
  long double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
  for (const auto& [a, b] : pairs) mean_a += a, mean_b += b;
  mean_a /= pairs.size();
  mean_b /= pairs.size();
  for (const auto& [a, b] : pairs)
    aa += (a - mean_a) * (a - mean_a), bb += (b - mean_b) * (b - mean_b), ab += (a - mean_a) * (b - mean_b);
  return double(ab / std::sqrt(aa * bb));
}

double slow_cosine(const std::vector<std::pair<double, double>>& pairs) {
  long double aa = 0, bb = 0, ab = 0;
  for (const auto& [a, b] : pairs) aa += (long double)a * a, bb += (long double)b * b, ab += (long double)a * b;
  return double(ab / std::sqrt(aa * bb));
}

template <class Keep>
std::vector<std::pair<double, double>> entries(const Matrix<double>& a, const Matrix<double>& b, const Keep& keep) {
  std::vector<std::pair<double, double>> pairs;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j)
      if (keep(i, j)) pairs.emplace_back(a(i, j), b(i, j));
  return pairs;
}

// Of M = Q diag(l) Q^T in the span of some of its eigenvectors: their eigenvalues' share.
template <class Scalar>
void check_share_in_subspace(double tolerance) {
  const Matrix<Scalar> factor = random_matrix<Scalar>(6, 9, 3);
  const FeatureMatrix<Scalar> sandwich = FeatureMatrix<Scalar>::sandwich(factor);
  const FeatureMatrix<Scalar> dense = FeatureMatrix<Scalar>::dense(factor.transpose() * factor);
  const EigenPairs<Scalar> pairs = dense.top_eigenpairs(9);
  const double all = pairs.values.template cast<double>().sum();
  for (const Index r : {1, 2, 6}) {
    const Matrix<Scalar> u = pairs.first(r).vectors;
    const double expected = pairs.values.head(r).template cast<double>().sum() / all;
    CHECK(share_in_subspace(sandwich, u) == Approx(expected).epsilon(tolerance));
    CHECK(share_in_subspace(dense, u) == Approx(expected).epsilon(tolerance));
  }
  // Coordinates: sums of the diagonal, also of one that a gradient outer product would leave out.
  Matrix<Scalar> u = Matrix<Scalar>::Zero(2, 4);
  u(0, 1) = u(1, 3) = 1;
  Vector<Scalar> diagonal(4);
  diagonal << 1, 2, 3, 4;
  CHECK(share_in_subspace(FeatureMatrix<Scalar>::diagonal_form(diagonal), u) == Approx(0.6));
  CHECK(std::isnan(share_in_subspace(FeatureMatrix<Scalar>::diagonal_form(Vector<Scalar>::Zero(4)), u)));
  CHECK_THROWS_AS(share_in_subspace(sandwich, u), DataError);
}

const auto everywhere = [](Index, Index) { return true; };
const auto on_diagonal = [](Index i, Index j) { return i == j; };
const auto off_diagonal = [](Index i, Index j) { return i != j; };

// Against a loop over the entries, and (with eigenvectors of distinct eigenvalues) numpy.corrcoef of the eigenvectors.
template <class Scalar>
void check_entries(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b, double tolerance) {
  const Matrix<double> x = a.to_dense().template cast<double>(), y = b.to_dense().template cast<double>();
  const FeatureComparison c = compare(a, b);
  CHECK(std::abs(c.matrix_pearson - slow_pearson(entries(x, y, everywhere))) < tolerance);
  CHECK(std::abs(c.cosine - slow_cosine(entries(x, y, everywhere))) < tolerance);
  CHECK(std::abs(c.diagonal_pearson - slow_pearson(entries(x, y, on_diagonal))) < tolerance);
  CHECK(std::abs(c.diagonal_cosine - slow_cosine(entries(x, y, on_diagonal))) < tolerance);
  CHECK(std::abs(c.off_diagonal_pearson - slow_pearson(entries(x, y, off_diagonal))) < tolerance);
  CHECK(std::abs(c.off_diagonal_cosine - slow_cosine(entries(x, y, off_diagonal))) < tolerance);
  const auto of_a = symmetric_eigenpairs(x), of_b = symmetric_eigenpairs(y);
  REQUIRE(c.top_eigenvector_pearson.size() == 3);
  for (Index i = 0; i < 3; ++i) {
    std::vector<std::pair<double, double>> pairs;
    for (Index j = 0; j < x.cols(); ++j) pairs.emplace_back(of_a.vectors(i, j), of_b.vectors(i, j));
    CHECK(std::abs(c.top_eigenvector_pearson[std::size_t(i)] - std::abs(slow_pearson(pairs))) < 100 * tolerance);
  }
}

std::vector<FeatureMatrix<double>> forms(Index d) {
  const auto f = std::make_shared<const Matrix<double>>(random_matrix(8, d, 3));
  return {FeatureMatrix<double>::dense(random_psd(d, 9, 1)), FeatureMatrix<double>::sandwich(random_matrix(7, d, 2)),
          FeatureMatrix<double>::sandwich(f, random_psd(8, 9, 4)),
          FeatureMatrix<double>::sandwich(random_matrix(3 * d, d, 5))};
}

double angle_between(const Vector<double>& a, const Vector<double>& b) {
  return std::acos(std::abs(a.normalized().dot(b.normalized()))) * 180 / 3.14159265358979323846;
}

}  // namespace

TEST_CASE("the share in a subspace is that of its eigenvalues, whatever the form of the matrix") {
  check_share_in_subspace<double>(1e-12);
  check_share_in_subspace<float>(1e-5);
}

TEST_CASE("Comparisons agree with a loop over all entries") {
  for (const auto& a : forms(24))
    for (const auto& b : forms(24)) {
      INFO(a.describe() << " with " << b.describe());
      check_entries(a, b, 1e-11);  // differences of sums over 576 entries in float64
    }
}

TEST_CASE("Comparisons of float32 matrices agree with a loop over all entries") {
  const Matrix<float> f = random_matrix<float>(10, 50, 1), g = random_matrix<float>(12, 50, 2);
  const auto a = FeatureMatrix<float>::sandwich(f), b = FeatureMatrix<float>::sandwich(g);
  check_entries(a, b, 1e-6);  // entries differ by float32 rounding between the forms
  const auto dense_a = FeatureMatrix<float>::dense(a.to_dense()), dense_b = FeatureMatrix<float>::dense(b.to_dense());
  CHECK(compare(dense_a, dense_b).matrix_pearson == Approx(compare(a, b).matrix_pearson).margin(1e-6));
  // Same float32 entries on both sides here: only the sums' precision is left, which is double's.
  const EntrySimilarity c = entry_similarity(MatrixSummary<float>(dense_a), MatrixSummary<float>(dense_b));
  const Matrix<double> x = dense_a.to_dense().cast<double>(), y = dense_b.to_dense().cast<double>();
  CHECK(std::abs(c.matrix_pearson - slow_pearson(entries(x, y, everywhere))) < 1e-12);
}

TEST_CASE("A large common mean does not drown the correlation of float32 matrices") {
  // Entries 1 plus a variation of 1e-3: variation/norm^2 is 1e-6. float32 sums would see noise only.
  const Matrix<float> x = random_psd<float>(200, 5, 1) * 1e-4f, y = random_psd<float>(200, 5, 2) * 1e-4f;
  const Matrix<float> a = x.array() + 1.0f, b = y.array() + 1.0f;
  const FeatureComparison c = compare(FeatureMatrix<float>::dense(a), FeatureMatrix<float>::dense(b));
  const double expected = slow_pearson(entries(a.cast<double>(), b.cast<double>(), everywhere));
  CHECK(std::abs(c.matrix_pearson - expected) < 1e-8);
}

TEST_CASE("Comparing is symmetric and ignores scale") {
  for (const auto& a : forms(20))
    for (const auto& b : forms(20)) {
      const FeatureComparison ab = compare(a, b), ba = compare(b, a), scaled = compare(a.scaled(1e6), b.scaled(1e-3));
      for (const FeatureComparison* other : {&ba, &scaled}) {
        CHECK(other->matrix_pearson == Approx(ab.matrix_pearson).margin(1e-11));
        CHECK(other->cosine == Approx(ab.cosine).margin(1e-12));
        CHECK(other->diagonal_pearson == Approx(ab.diagonal_pearson).margin(1e-11));
        CHECK(other->off_diagonal_pearson == Approx(ab.off_diagonal_pearson).margin(1e-11));
        for (std::size_t i = 0; i < 3; ++i) {
          CHECK(other->principal_angles_deg[i] == Approx(ab.principal_angles_deg[i]).margin(1e-8));
          CHECK(other->top_eigenvector_pearson[i] == Approx(ab.top_eigenvector_pearson[i]).margin(1e-9));
        }
      }
      CHECK(ba.eigenvalues_a == ab.eigenvalues_b);
      CHECK(ba.relative_gaps_b == ab.relative_gaps_a);
    }
}

TEST_CASE("Equal matrices are entirely alike, whatever their forms") {
  for (const auto& a : forms(20)) {
    const FeatureMatrix<double> b = FeatureMatrix<double>::dense(a.to_dense());
    const FeatureComparison c = compare(a, b);
    CHECK(c.matrix_pearson == Approx(1).epsilon(1e-12));
    CHECK(c.cosine == Approx(1).epsilon(1e-12));
    CHECK(c.diagonal_pearson == Approx(1).epsilon(1e-12));
    CHECK(c.off_diagonal_pearson == Approx(1).epsilon(1e-12));
    CHECK(c.off_diagonal_cosine == Approx(1).epsilon(1e-12));
    for (const double r : c.top_eigenvector_pearson) CHECK(r == Approx(1).epsilon(1e-12));
    for (const double angle : c.principal_angles_deg) CHECK(angle < 1e-6);
    CHECK(c.matrix_pearson <= 1);
  }
}

TEST_CASE("Cosine and principal angles do not depend on the basis, Pearson r does") {
  const Matrix<double> q = random_orthogonal(20), a = random_psd(20, 6, 1), b = random_psd(20, 6, 2);
  const auto rotated = [&](const Matrix<double>& m) { return FeatureMatrix<double>::dense(q * m * q.transpose()); };
  const FeatureComparison before = compare(FeatureMatrix<double>::dense(a), FeatureMatrix<double>::dense(b));
  const FeatureComparison after = compare(rotated(a), rotated(b));
  CHECK(after.cosine == Approx(before.cosine).epsilon(1e-12));
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(after.principal_angles_deg[i] == Approx(before.principal_angles_deg[i]).margin(1e-9));
  CHECK(std::abs(after.matrix_pearson - before.matrix_pearson) > 1e-4);
}

TEST_CASE("Opposed diagonals correlate negatively") {
  Vector<double> up(4), down(4);
  up << 1, 2, 3, 4;
  down << 4, 3, 2, 1;
  const FeatureComparison c =
      compare(FeatureMatrix<double>::diagonal_form(up), FeatureMatrix<double>::diagonal_form(down));
  CHECK(c.diagonal_pearson == Approx(-1).epsilon(1e-14));
  CHECK(c.matrix_pearson == Approx((20 - 100 / 16.0) / (30 - 100 / 16.0)).epsilon(1e-13));
  CHECK(std::isnan(c.off_diagonal_pearson));
  CHECK(std::isnan(c.off_diagonal_cosine));
  CHECK(c.principal_angles_deg[2] == Approx(90));
}

TEST_CASE("What is undefined is NaN and not an error") {
  const auto zero = FeatureMatrix<double>::dense(Matrix<double>::Zero(5, 5));
  const auto m = FeatureMatrix<double>::dense(random_psd(5, 5));
  const FeatureComparison with_zero = compare(zero, m);
  CHECK(std::isnan(with_zero.matrix_pearson));
  CHECK(std::isnan(with_zero.cosine));
  CHECK(std::isnan(with_zero.diagonal_pearson));
  CHECK(std::isnan(with_zero.top_eigenvector_pearson[0]));
  CHECK(std::isnan(with_zero.principal_angles_deg[0]));
  CHECK(std::isnan(with_zero.relative_gaps_a[0]));
  CHECK(with_zero.eigenvalues_a[0] == 0);
  // A constant diagonal, exact and to rounding.
  CHECK(std::isnan(compare(FeatureMatrix<double>::identity(5).scaled(0.1), m).diagonal_pearson));
  Matrix<float> unit = random_matrix<float>(7, 9, 3);
  unit.colwise().normalize();
  const auto constant = FeatureMatrix<float>::sandwich(unit);
  CHECK(std::isnan(compare(constant, FeatureMatrix<float>::dense(random_psd<float>(9, 9))).diagonal_pearson));
  // One dimension: one entry.
  const auto one = FeatureMatrix<double>::identity(1);
  const FeatureComparison single = compare(one, one);
  CHECK(single.cosine == 1);
  CHECK(std::isnan(single.matrix_pearson));
  CHECK(std::isnan(single.off_diagonal_cosine));
  REQUIRE(single.principal_angles_deg.size() == 1);
  CHECK(single.principal_angles_deg[0] == 0);
  CHECK(single.eigenvalues_a == std::vector<double>{1});
  CHECK(single.relative_gaps_a == std::vector<double>{1});
}

TEST_CASE("Subspaces are compared up to the lower rank") {
  const Index d = 12;
  const Matrix<double> q = random_orthogonal(d);
  const Matrix<double> two = 3 * q.row(0).transpose() * q.row(0) + q.row(1).transpose() * q.row(1);
  const Matrix<double> four = two + 0.5 * q.row(2).transpose() * q.row(2) + 0.25 * q.row(3).transpose() * q.row(3);
  const FeatureComparison c = compare(FeatureMatrix<double>::dense(two), FeatureMatrix<double>::dense(four));
  REQUIRE(c.principal_angles_deg.size() == 3);
  CHECK(c.principal_angles_deg[0] < 1e-6);
  CHECK(c.principal_angles_deg[1] < 1e-6);
  CHECK(std::isnan(c.principal_angles_deg[2]));
  CHECK(c.top_eigenvector_pearson[1] == Approx(1));
  CHECK(std::isnan(c.top_eigenvector_pearson[2]));
  CHECK(c.relative_gaps_a[0] == Approx(2.0 / 3));
  CHECK(c.relative_gaps_b[1] == Approx(0.5 / 3));
}

TEST_CASE("With a repeated eigenvalue the angles agree where eigenvectors do not") {
  // The lesson of the task x1x2: the leading eigenvalues are equal, the eigenvectors any basis of the same plane.
  const Index d = 10;
  Matrix<double> a = Matrix<double>::Zero(d, d), b = Matrix<double>::Zero(d, d);
  a(0, 0) = 1.0001, a(1, 1) = 1;
  b(0, 0) = b(1, 1) = 1, b(0, 1) = b(1, 0) = 0.0001;
  const FeatureComparison c = compare(FeatureMatrix<double>::dense(a), FeatureMatrix<double>::dense(b), {2});
  CHECK(c.top_eigenvector_pearson[0] < 0.8);
  CHECK(c.principal_angles_deg[1] < 1e-6);
  CHECK(c.relative_gaps_a[0] < 1e-3);
}

TEST_CASE("Nested eigenspaces are compared one by one, and the leading ones end at a gap") {
  // Eigenvalues 1, 0.97, 0.3, 0.1; the second matrix has the first two eigenvectors turned within their plane by 30
  // degrees, and the third by 20 degrees out of the first three.
  const auto with = [](double in_plane, double out, double second) {
    const double c = std::cos(in_plane), s = std::sin(in_plane), co = std::cos(out), so = std::sin(out);
    Matrix<double> v(4, 4);
    v << c, s, 0, 0, -s, c, 0, 0, 0, 0, co, so, 0, 0, -so, co;
    Vector<double> values(4);
    values << 1, second, 0.3, 0.1;
    return FeatureMatrix<double>::dense(Matrix<double>(v.transpose() * values.asDiagonal() * v));
  };
  constexpr double degree = 3.14159265358979323846 / 180;
  const FeatureComparison close = compare(with(0, 0, 0.97), with(30 * degree, 20 * degree, 0.97));
  REQUIRE(close.subspace_angles_deg.size() == 3);
  CHECK(close.subspace_angles_deg[0] == Approx(30));
  CHECK(close.subspace_angles_deg[1] == Approx(0).margin(1e-6));
  CHECK(close.subspace_angles_deg[2] == Approx(20));
  CHECK(leading_dimension(close) == 2);
  CHECK(leading_dimension(compare(with(0, 0, 0.5), with(30 * degree, 20 * degree, 0.97))) == 2);  // both must be clear
  CHECK(leading_dimension(compare(with(0, 0, 0.5), with(30 * degree, 20 * degree, 0.6))) == 1);
  const auto identity = FeatureMatrix<double>::identity(4);
  CHECK(leading_dimension(compare(identity, identity)) == 3);
  CHECK(leading_dimension(FeatureComparison()) == 1);
}

TEST_CASE("Principal angles match closed forms, small and large") {
  const Index d = 9;
  const Matrix<double> q = random_orthogonal(d);
  for (const double angle : {1e-9, 1e-5, 0.3, 44.0, 46.0, 80.0, 89.9999}) {
    const double t = angle * 3.14159265358979323846 / 180;
    Matrix<double> a(2, d), b(2, d);
    a << q.row(0), q.row(1);
    b << q.row(1) * 2 - q.row(0) * std::cos(t) - q.row(2) * std::sin(t), 5 * q.row(1);  // any basis, any lengths
    const std::vector<double> angles = principal_angles_deg(a, b);
    CHECK(angles[0] < 1e-12);
    CHECK(angles[1] == Approx(angle).epsilon(1e-6).margin(1e-12));
  }
  const Matrix<double> x = random_matrix(1, d, 1), y = random_matrix(1, d, 2);
  CHECK(principal_angles_deg(x, y)[0] == Approx(angle_between(x.row(0), y.row(0))));
}

TEST_CASE("Comparing needs equal dimensions and a count of eigenvectors") {
  const auto m = FeatureMatrix<double>::identity(3);
  CHECK_THROWS_AS(compare(m, FeatureMatrix<double>::identity(4)), DataError);
  CHECK_THROWS_AS(compare(m, m, {-1}), ConfigError);
  CHECK(compare(m, m, {0}).principal_angles_deg.empty());
  CHECK(compare(m, m, {8}).principal_angles_deg.size() == 3);
}

TEST_CASE("Two wide sandwiches are compared without forming them") {
  const Index d = 30000;
  const auto a = FeatureMatrix<float>::sandwich(random_matrix<float>(20, d, 1));
  const auto b = FeatureMatrix<float>::sandwich(random_matrix<float>(20, d, 2));
  const FeatureComparison c = compare(a, b);
  // Two random rank-20 projections: <A,B> / (|A||B|) is about r/d.
  CHECK(c.cosine == Approx(20.0 / d).epsilon(0.3));
  CHECK(c.principal_angles_deg[0] > 80);
}

TEST_CASE("Comparing does not depend on how large or small the entries are") {
  for (const auto& a : forms(20)) {
    for (const auto& b : forms(20)) {
      const FeatureComparison expected = compare(a, b);
      for (const int exponent : {660, -660, 1000, -1000}) {  // 2^660 is about 5e198
        const FeatureMatrix<double> large = a.scaled(std::ldexp(1, exponent)),
                                    small = b.scaled(std::ldexp(1, -exponent));
        INFO(a.describe() << ", 2^" << exponent);
        const FeatureComparison c = compare(large, small);
        CHECK(c.diagonal_pearson == Approx(expected.diagonal_pearson).margin(1e-12));
        CHECK(c.diagonal_cosine == Approx(expected.diagonal_cosine).margin(1e-12));
        CHECK(c.matrix_pearson == Approx(expected.matrix_pearson).margin(1e-12));
        CHECK(c.cosine == Approx(expected.cosine).margin(1e-12));
        CHECK(c.off_diagonal_pearson == Approx(expected.off_diagonal_pearson).margin(1e-12));
        CHECK(c.eigenvalues_a[0] == Approx(std::ldexp(expected.eigenvalues_a[0], exponent)));
        for (std::size_t i = 0; i < 3; ++i) {
          CHECK(c.top_eigenvector_pearson[i] == Approx(expected.top_eigenvector_pearson[i]).margin(1e-9));
          CHECK(c.principal_angles_deg[i] == Approx(expected.principal_angles_deg[i]).margin(1e-6));
          CHECK(c.relative_gaps_a[i] == Approx(expected.relative_gaps_a[i]).margin(1e-9));
        }
      }
    }
  }
}

TEST_CASE("Eigenvalues below the rounding of the entries' type are of no rank") {
  // Two directions, rounded to float32 and then read as doubles.
  const Matrix<double> f = random_matrix(2, 30, 1);
  const Matrix<double> rounded = (f.transpose() * f).cast<float>().cast<double>();
  const auto m = FeatureMatrix<double>::dense(rounded);
  const double single = std::ldexp(1, -23);
  const FeatureComparison c = compare(MatrixSummary<double>(m, 4, single), MatrixSummary<double>(m, 4, single));
  CHECK(c.top_eigenvector_pearson[1] == Approx(1));
  CHECK(std::isnan(c.top_eigenvector_pearson[2]));
  CHECK_FALSE(std::isnan(compare(m, m).top_eigenvector_pearson[2]));  // as doubles these are three directions
}
