#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/features/feature_matrix.h"
#include "tests/support/catch.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

struct Named {
  std::string name;
  FeatureMatrix<double> value;
  Matrix<double> dense;  // formed here, from the definition
};

Named sandwich_with_core(const std::string& name, Index r, Index d, std::uint64_t seed) {
  const Matrix<double> f = random_matrix(r, d, seed), c = random_psd(r, r + 1, seed + 1);
  return {name, FeatureMatrix<double>::sandwich(std::make_shared<const Matrix<double>>(f), c), f.transpose() * c * f};
}

Named sandwich(const std::string& name, Index r, Index d, std::uint64_t seed) {
  const Matrix<double> f = random_matrix(r, d, seed);
  return {name, FeatureMatrix<double>::sandwich(f), f.transpose() * f};
}

// Every form, and every relation of r and d.
std::vector<Named> all_forms(Index d) {
  const Matrix<double> m = random_psd(d, d, 11);
  const Vector<double> v = random_matrix(d, 1, 12).cwiseAbs();
  return {{"dense", FeatureMatrix<double>::dense(m), m},
          {"diagonal", FeatureMatrix<double>::diagonal_form(v), v.asDiagonal()},
          sandwich("sandwich r<d", d / 3 + 1, d, 13),
          sandwich("sandwich r=d", d, d, 14),
          sandwich("sandwich r>d", 3 * d, d, 15),
          sandwich("sandwich r>>d", 40 * d, d, 21),
          sandwich_with_core("core r<d", d / 3 + 1, d, 16),
          sandwich_with_core("core r=d", d, d, 18),
          sandwich_with_core("core r>d", 2 * d + 1, d, 20)};
}

constexpr double kTight = 1e-12;  // float64 against the dense definition

}  // namespace

TEST_CASE("Every form agrees with the dense matrix") {
  for (const Index d : {1, 2, 7, 60})
    for (const Named& m : all_forms(d)) {
      INFO(m.name << ", d = " << d);
      const Matrix<double> v = random_matrix(5, d, 30);
      CHECK(m.value.dimension() == d);
      CHECK(relative_error(m.value.to_dense(), m.dense) < kTight);
      CHECK(relative_error(m.value.apply(v), Matrix<double>(v * m.dense)) < kTight);
      CHECK(relative_error(m.value.diagonal(), m.dense.diagonal()) < kTight);
      CHECK(m.value.trace() == Approx(m.dense.trace()).epsilon(kTight));
      CHECK(m.value.largest_diagonal() == Approx(m.dense.diagonal().maxCoeff()).epsilon(kTight));
      CHECK(std::abs(m.value.sum() - m.dense.sum()) < kTight * m.dense.cwiseAbs().sum());
      for (const Index k : {Index{1}, (d + 1) / 2, d, d + 5}) {
        const Index cut = std::min(k, d);
        CHECK(relative_error(m.value.top_left_block(k), Matrix<double>(m.dense.topLeftCorner(cut, cut))) < kTight);
      }
      const FeatureMatrix<double> scaled = m.value.scaled(2.5);
      CHECK(scaled.form() == m.value.form());
      CHECK(relative_error(scaled.to_dense(), Matrix<double>(2.5 * m.dense)) < kTight);
      CHECK(m.value.scaled(0).trace() == 0);
    }
}

TEST_CASE("Inner products agree with the dense matrices for every pair of forms") {
  for (const Index d : {1, 3, 50}) {
    const std::vector<Named> forms = all_forms(d);
    for (const Named& a : forms)
      for (const Named& b : forms) {
        INFO(a.name << " with " << b.name << ", d = " << d);
        const double sizes = a.dense.norm() * b.dense.norm();
        CHECK(std::abs(a.value.inner_product(b.value) - a.dense.cwiseProduct(b.dense).sum()) < kTight * sizes);
        CHECK(std::abs(a.value.diagonal_inner_product(b.value) - a.dense.diagonal().dot(b.dense.diagonal())) <
              kTight * sizes);
      }
  }
}

TEST_CASE("Inner products of sandwiches with few rows go tile by tile") {
  // Wider than one tile of float32 sums (2048) and with an inner product that stays a sandwich's (r << d).
  const Index d = 5000, r = 40, s = 70;
  const Named a = sandwich_with_core("a", r, d, 1), b = sandwich_with_core("b", s, d, 3), c = sandwich("c", s, d, 5);
  CHECK(a.value.inner_product(b.value) == Approx(a.dense.cwiseProduct(b.dense).sum()).epsilon(1e-12));
  CHECK(a.value.inner_product(c.value) == Approx(a.dense.cwiseProduct(c.dense).sum()).epsilon(1e-12));
  CHECK(c.value.inner_product(c.value) == Approx(c.dense.squaredNorm()).epsilon(1e-12));
  const auto narrow = FeatureMatrix<float>::sandwich(Matrix<float>(c.value.factor().cast<float>()));
  CHECK(narrow.inner_product(narrow) == Approx(c.dense.squaredNorm()).epsilon(1e-6));  // float32 entries of F
}

TEST_CASE("Float32 sums accumulate in double") {
  // 4,000,000 entries of 0.1f: adding them in float32 is off by several percent.
  const Index d = 2000;
  const auto m = FeatureMatrix<float>::dense(Matrix<float>::Constant(d, d, 0.1f));
  const double entry = 0.1f, count = double(d) * double(d);
  CHECK(m.sum() == Approx(count * entry).epsilon(1e-13));
  CHECK(m.trace() == Approx(d * entry).epsilon(1e-13));
  CHECK(m.inner_product(m) == Approx(count * entry * entry).epsilon(1e-13));
}

TEST_CASE("Powers agree with the dense eigen-decomposition") {
  for (const Index d : {1, 2, 9, 40})
    for (const Named& m : all_forms(d))
      for (const double p : {0.5, 0.25, 2.0}) {
        INFO(m.name << ", d = " << d << ", p = " << p);
        // Independent of the library: Q L^p Q^T with Eigen's own solver. A rank-deficient matrix has eigenvalues of
        // rounding size, whose roots are not small: drop them as the library says it does.
        const EigenPairs<double> all = reference_eigenpairs(m.dense);
        const double floor = 1e-12 * all.values[0];
        const Vector<double> raised = all.values.unaryExpr([&](double l) { return l > floor ? std::pow(l, p) : 0.0; });
        const Matrix<double> expected = all.vectors.transpose() * raised.asDiagonal() * all.vectors;
        const FeatureMatrix<double> power = m.value.power(p);
        CHECK(relative_error(power.to_dense(), expected) < 1e-10);  // condition numbers of C up to 1e4
        const bool stays_sandwich =
            m.value.form() == FeatureMatrix<double>::Form::sandwich && m.value.factor().rows() < d;
        CHECK((power.form() == FeatureMatrix<double>::Form::sandwich) == stays_sandwich);
        if (stays_sandwich) CHECK(power.shared_factor() == m.value.shared_factor());
      }
}

TEST_CASE("The square root squares back, and of a zero matrix is zero") {
  const FeatureMatrix<double> m = sandwich_with_core("m", 6, 20, 5).value;
  const Matrix<double> root = m.power(0.5).to_dense();
  CHECK(relative_error(Matrix<double>(root * root), m.to_dense()) < 1e-11);
  CHECK(FeatureMatrix<double>::sandwich(Matrix<double>::Zero(3, 8)).power(0.5).trace() == 0);
  CHECK(FeatureMatrix<double>::dense(Matrix<double>::Zero(8, 8)).power(0.5).trace() == 0);
  CHECK(m.power(1).form() == m.form());
  CHECK_THROWS_AS(m.power(0), std::invalid_argument);
}

TEST_CASE("A matrix with negative eigenvalues has no square root") {
  Vector<double> values(3);
  values << 2, 1, -0.5;
  CHECK_THROWS_AS(FeatureMatrix<double>::dense(with_spectrum(values)).power(0.5), NumericalError);
  const auto f = std::make_shared<const Matrix<double>>(random_matrix(3, 9));
  CHECK_THROWS_AS(FeatureMatrix<double>::sandwich(f, with_spectrum(values)).power(0.5), NumericalError);
}

TEST_CASE("Construction refuses what is no feature matrix") {
  Matrix<double> m = random_psd(4, 4);
  m(1, 2) += 0.1;
  CHECK_THROWS_AS(FeatureMatrix<double>::dense(m), NumericalError);
  m(1, 2) = m(2, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(FeatureMatrix<double>::dense(m), NumericalError);
  CHECK_THROWS_AS(FeatureMatrix<double>::dense(random_matrix(3, 4)), NumericalError);
  CHECK_THROWS_AS(FeatureMatrix<double>::diagonal_form(-Vector<double>::Ones(2)), NumericalError);
  Matrix<double> f = random_matrix(3, 4);
  const auto shared = std::make_shared<const Matrix<double>>(f);
  CHECK_THROWS_AS(FeatureMatrix<double>::sandwich(shared, random_psd(4, 4)), DataError);
  CHECK_THROWS_AS(FeatureMatrix<double>::sandwich(shared, random_matrix(3, 3)), NumericalError);
  f(0, 0) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(FeatureMatrix<double>::sandwich(f), NumericalError);
}

TEST_CASE("Asymmetry and negative diagonals of rounding size are mended") {
  Matrix<float> m = random_psd<float>(50, 60);
  m(3, 4) *= 1 + 1e-6f;
  const Matrix<float> kept = FeatureMatrix<float>::dense(m).dense_part();
  CHECK(kept == kept.transpose());
  Vector<double> v(2);
  v << 1, -1e-12;
  CHECK(FeatureMatrix<double>::diagonal_form(v).diagonal_part()[1] == 0);
}

TEST_CASE("Operations refuse what they cannot do") {
  const FeatureMatrix<double> m = FeatureMatrix<double>::identity(4);
  CHECK_THROWS_AS(m.apply(random_matrix(2, 3)), DataError);
  CHECK_THROWS_AS(m.inner_product(FeatureMatrix<double>::identity(5)), DataError);
  CHECK_THROWS_AS(m.to_dense(3), MemoryError);
  CHECK_THROWS_AS(m.scaled(-1), NumericalError);
  CHECK_THROWS_AS(m.scaled(std::numeric_limits<double>::infinity()), NumericalError);
  CHECK_THROWS_AS(m.factor(), std::logic_error);
  CHECK_THROWS_AS(m.dense_part(), std::logic_error);
  CHECK_THROWS_AS(FeatureMatrix<double>::sandwich(random_matrix(2, 3)).core(), std::logic_error);
}

TEST_CASE("A sandwich shares its factor, and a wide one is never formed") {
  const Index d = 20000;  // d x d would be 3.2 GB
  const auto f = std::make_shared<const Matrix<double>>(random_matrix(4, d));
  const auto m = FeatureMatrix<double>::sandwich(f, random_psd(4, 5));
  CHECK(m.shared_factor() == f);
  CHECK(m.power(0.5).shared_factor() == f);
  CHECK(m.top_eigenpairs(3).vectors.cols() == d);
  CHECK(m.inner_product(m) > 0);
  CHECK_THROWS_AS(m.to_dense(), MemoryError);
}

TEST_CASE("The empty operator has no entries") {
  const FeatureMatrix<double> m;
  CHECK(m.empty());
  CHECK(m.trace() == 0);
  CHECK(m.sum() == 0);
  CHECK(m.to_dense().size() == 0);
  CHECK(m.top_eigenpairs(3).values.size() == 0);
}
