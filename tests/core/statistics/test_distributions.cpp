// Constants: scipy.stats 1.17 (t.cdf, t.ppf, studentized_range with df = inf, chi2.sf, f.sf).
#include <cmath>

#include "core/statistics/distributions.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("Student's t: distribution and quantiles as SciPy's") {
  CHECK(student_t_cdf(-1.3, 1) == Approx(0.20871440016015272).epsilon(1e-12));
  CHECK(student_t_cdf(2.5, 7) == Approx(0.9795038907071235).epsilon(1e-12));
  CHECK(student_t_cdf(0.3, 59) == Approx(0.617384195661056).epsilon(1e-12));
  CHECK(student_t_cdf(6, 2) == Approx(0.9866642633922876).epsilon(1e-12));
  CHECK(student_t_cdf(40, 3) == Approx(0.9999828096596054).epsilon(1e-12));
  CHECK(student_t_quantile(0.975, 1) == Approx(12.706204736174694).epsilon(1e-10));
  CHECK(student_t_quantile(0.975, 59) == Approx(2.000995378088267).epsilon(1e-12));
  CHECK(student_t_quantile(0.025, 5) == Approx(-2.5705818356363146).epsilon(1e-12));
  CHECK(student_t_quantile(0.6, 4) == Approx(0.2707222947075976).epsilon(1e-12));
  CHECK(student_t_quantile(0.5, 4) == 0);
}

TEST_CASE("Student's t: closed forms of 1 and 2 degrees of freedom") {
  for (const double t : {-30.0, -2.0, -0.1, 0.0, 0.7, 5.0}) {
    CHECK(student_t_cdf(t, 1) == Approx(0.5 + std::atan(t) / std::acos(-1.0)).epsilon(1e-12));
    CHECK(student_t_cdf(t, 2) == Approx(0.5 + t / (2 * std::sqrt(2 + t * t))).epsilon(1e-12));
  }
}

TEST_CASE("range of standard normals: SciPy's studentised range, and the closed form of two") {
  CHECK(normal_range_cdf(3, 5) == Approx(0.789123495036462).epsilon(1e-8));
  CHECK(normal_range_cdf(5, 100) == Approx(0.5214522935530123).epsilon(1e-8));
  CHECK(normal_range_cdf(0.1, 3) == Approx(0.002752819375131484).epsilon(1e-8));
  CHECK(normal_range_cdf(2, 10) == Approx(0.07678576139314684).epsilon(1e-8));
  for (const double r : {0.2, 1.0, 2.5, 6.0})  // two: |N(0, 2)|
    CHECK(normal_range_cdf(r, 2) == Approx(2 * normal_cdf(r / std::sqrt(2.0)) - 1).epsilon(1e-12));
  CHECK(normal_range_quantile(0.95, 2) == Approx(2.771807648699355).epsilon(1e-8));
  CHECK(normal_range_quantile(0.95, 10) == Approx(4.474124221725907).epsilon(1e-8));
  CHECK(normal_range_quantile(0.9, 5) == Approx(3.478280550703068).epsilon(1e-8));
  CHECK(normal_range_quantile(0.95, 182) == Approx(6.441369684745617).epsilon(1e-8));
}

TEST_CASE("tails of chi-squared and F as SciPy's") {
  CHECK(chi_squared_tail(0.3, 1) == Approx(0.583882420770365).epsilon(1e-12));
  CHECK(chi_squared_tail(7.8, 3) == Approx(0.050331097859853326).epsilon(1e-12));
  CHECK(chi_squared_tail(200, 181) == Approx(0.15855309537714055).epsilon(1e-11));
  CHECK(chi_squared_tail(150, 181) == Approx(0.9551830855350278).epsilon(1e-11));
  CHECK(chi_squared_tail(60, 4) == Approx(2.9008631203404573e-12).epsilon(1e-10).margin(0));
  CHECK(chi_squared_tail(2, 0.5) == Approx(0.06792113201010888).epsilon(1e-12));
  CHECK(chi_squared_tail(0, 3) == 1);
  CHECK(f_tail(0.4, 2, 20) == Approx(0.6755641688257988).epsilon(1e-12));
  CHECK(f_tail(3.1, 3, 174) == Approx(0.02817109943164222).epsilon(1e-12));
  CHECK(f_tail(25, 4, 40) == Approx(2.008745193810445e-10).epsilon(1e-10).margin(0));
  CHECK(f_tail(1.2, 1, 1) == Approx(0.4710227301641437).epsilon(1e-12));
  CHECK(f_tail(HUGE_VAL, 3, 9) == 0);
}
