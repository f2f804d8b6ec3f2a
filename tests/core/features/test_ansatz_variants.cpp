#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/features/ansatz_variants.h"
#include "core/features/fitted_power.h"
#include "tests/support/catch.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

const AnsatzVariant& find(const std::vector<AnsatzVariant>& variants, const std::string& name) {
  for (const AnsatzVariant& v : variants)
    if (v.name == name) return v;
  throw std::logic_error("no variant " + name);
}

using Summary = MatrixSummary<double>;

std::optional<Summary> summary(const FeatureMatrix<double>& m) {
  return m.empty() ? std::optional<Summary>() : Summary(m);
}

LayerFeatures<double> layer(const Matrix<double>& w, const Matrix<double>* w0, const FeatureMatrix<double>& agop,
                            const FeatureMatrix<double>& centered) {
  LayerFeatures<double> features{Summary(FeatureMatrix<double>::sandwich(w)), {}, {}, summary(agop), summary(centered)};
  if (w0 == nullptr) return features;
  features.change = summary(change_features(w, *w0));
  features.initial = summary(FeatureMatrix<double>::sandwich(*w0));
  return features;
}

}  // namespace

TEST_CASE("Every variant is there under its own name, the baseline last") {
  const Matrix<double> w = random_matrix(6, 10, 1), w0 = random_matrix(6, 10, 2);
  const auto g = FeatureMatrix<double>::dense(random_psd(10, 12, 3)),
             h = FeatureMatrix<double>::dense(random_psd(10, 12, 4));
  const auto variants = ansatz_variants(layer(w, &w0, g, h));
  REQUIRE(variants.size() == 13);
  const std::vector<AnsatzVariantName> known = ansatz_variant_table();
  REQUIRE(known.size() == 13);
  for (std::size_t i = 0; i < known.size(); ++i) {
    CHECK(variants[i].name == known[i].name);
    CHECK(variants[i].left == known[i].left);
    CHECK(variants[i].right == known[i].right);
  }
  std::set<std::string> names, labels;
  for (const AnsatzVariant& v : variants) {
    names.insert(v.name);
    labels.insert(v.label);
    CHECK(v.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos);
    CHECK(v.label == v.left + " ~ " + v.right);
  }
  CHECK(names.size() == 13);
  CHECK(labels.size() == 13);
  CHECK(variants.front().name == "w_agop");
  CHECK(find(variants, "dw_centered_agop_sqrt").label == "(W−W₀)ᵀ(W−W₀) ~ centred AGOP^1/2");
  CHECK(find(variants, "dw_centered_agop_sqrt").power == 0.5);
  CHECK(find(variants, "dw_centered_agop_sqrt").centered);
  CHECK(variants.back().baseline);
  CHECK(variants.back().label == "WᵀW ~ W₀ᵀW₀");
}

TEST_CASE("Each variant compares the two matrices it names") {
  const Index k = 6, d = 10;
  const Matrix<double> w = random_matrix(k, d, 1), w0 = random_matrix(k, d, 2), dw = w - w0;
  const Matrix<double> left[] = {w.transpose() * w, dw.transpose() * dw};
  const auto shared = std::make_shared<const Matrix<double>>(w);
  const FeatureMatrix<double> gradients[] = {FeatureMatrix<double>::sandwich(shared, random_psd(k, 8, 3)),
                                             FeatureMatrix<double>::dense(random_psd(d, 12, 4))};
  const auto variants = ansatz_variants(layer(w, &w0, gradients[0], gradients[1]));
  std::size_t i = 0;
  for (const auto& l : left)
    for (const auto& g : gradients)
      for (const double nominal : {1.0, 0.5, 0.0}) {
        const double p = nominal > 0 ? nominal : variants[i].power;  // 0: the fitted one
        const auto expected =
            compare(FeatureMatrix<double>::dense(l), FeatureMatrix<double>::dense(g.power(p).to_dense()));
        INFO(variants[i].label);
        CHECK(variants[i].power == p);
        CHECK(variants[i].similarity.matrix_pearson == Approx(expected.matrix_pearson).margin(1e-10));
        CHECK(variants[i].similarity.off_diagonal_pearson == Approx(expected.off_diagonal_pearson).margin(1e-10));
        CHECK(variants[i].similarity.diagonal_pearson == Approx(expected.diagonal_pearson).margin(1e-10));
        CHECK(variants[i].similarity.cosine == Approx(expected.cosine).margin(1e-10));
        ++i;
      }
  const auto baseline = compare(FeatureMatrix<double>::sandwich(w), FeatureMatrix<double>::sandwich(w0));
  CHECK(variants[i].similarity.matrix_pearson == Approx(baseline.matrix_pearson).margin(1e-12));
}

TEST_CASE("Where the ansatz holds exactly its variant says 1") {
  const Matrix<double> w = random_matrix(5, 9, 1), w0 = random_matrix(5, 9, 2);
  const Matrix<double> nfm = w.transpose() * w;
  const auto agop = FeatureMatrix<double>::dense(nfm * nfm);  // (WᵀW)^2: its square root is WᵀW
  const auto variants = ansatz_variants(layer(w, &w0, agop, FeatureMatrix<double>()));
  CHECK(find(variants, "w_agop_sqrt").similarity.matrix_pearson == Approx(1).epsilon(1e-9));
  CHECK(find(variants, "w_agop").similarity.matrix_pearson < 0.999);
  CHECK(find(variants, "w_agop_fitted").power == Approx(0.5).margin(2e-4));  // the tolerance of the fit
  CHECK(find(variants, "w_agop_fitted").similarity.matrix_pearson == Approx(1).epsilon(1e-6));
  CHECK(variants.size() == 7);  // no centred ones
}

TEST_CASE("Without initial weights only their variants are missing, an untrained layer has no direction of change") {
  const Matrix<double> w = random_matrix(5, 9, 1);
  const auto g = FeatureMatrix<double>::dense(random_psd(9, 9));
  CHECK(ansatz_variants(layer(w, nullptr, g, g)).size() == 6);
  const auto untrained = ansatz_variants(layer(w, &w, g, g));
  CHECK(std::isnan(find(untrained, "dw_agop").similarity.matrix_pearson));
  CHECK(std::isnan(find(untrained, "dw_agop_fitted").power));
  CHECK(untrained.back().similarity.matrix_pearson == Approx(1));
  const Matrix<double> other = random_matrix(4, 9);
  CHECK_THROWS_AS(change_features(w, other), DataError);
  CHECK_THROWS_AS(ansatz_variants(layer(random_matrix(5, 8), nullptr, g, g)), DataError);
}

TEST_CASE("The fitted power is the best of all, by brute force over powers formed in full") {
  const Index d = 9;
  const auto left = FeatureMatrix<double>::dense(random_psd(d, 4, 1));
  // One whose best power is inside, and a sandwich of rank 3 < d.
  const FeatureMatrix<double> right[] = {
      FeatureMatrix<double>::dense(left.power(1.7).to_dense() + 0.01 * random_psd(d, 12, 2)),
      FeatureMatrix<double>::sandwich(std::make_shared<const Matrix<double>>(random_matrix(3, d, 3)),
                                      random_psd(3, 5, 4))};
  for (const FeatureMatrix<double>& g : right) {
    const double p = fitted_power(left, g.top_eigenpairs(d));
    const auto likeness = [&](double power) {
      return compare(left, FeatureMatrix<double>::dense(g.power(power).to_dense())).matrix_pearson;
    };
    INFO("p = " << p);
    CHECK(p >= kLeastPower);
    CHECK(p <= kLargestPower);
    for (double q = kLeastPower; q <= kLargestPower; q += 0.01) CHECK(likeness(q) <= likeness(p) + 1e-7);
  }
  CHECK_THROWS_AS(fitted_power(left, FeatureMatrix<double>::dense(random_psd(8, 8, 5)).top_eigenpairs(8)), DataError);
}
