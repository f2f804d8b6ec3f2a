// What kernels of one shape share gives, to the bit, what each of them computes alone.
#include "core/base/error.h"
#include "rfm/kernel_fit.h"
#include "rfm/pairs/kernel_matrix.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

/// Kernels that look at the same numbers; the last one's bandwidth is adaptive where the family has one.
std::vector<std::vector<KernelSpec>> shapes() {
  std::vector<std::vector<KernelSpec>> result = {
      {spec_of(KernelFamily::laplace, 3), spec_of(KernelFamily::gaussian, 5), spec_of(KernelFamily::matern32, 2)},
      {lpq(1.5, 1.2, 6), lpq(1.5, 0.8, 3), lpq(1.5, 1, 1)},
      {lpq(1.3, 1, 6), lpq(1.3, 1, 3), lpq(1.3, 1, 1)},
      {spec_of(KernelFamily::ntk, 1, 1, 1), spec_of(KernelFamily::nngp, 1, 1, 2), polynomial(2, 0.5, 1)}};
  for (std::vector<KernelSpec>& kernels : result) kernels.back().bandwidth_mode = BandwidthMode::adaptive;
  return result;
}

template <class Scalar>
std::vector<FeatureMatrix<Scalar>> metrics(Index d) {
  const Matrix<double> dense = positive_definite(d, 4);
  return {FeatureMatrix<Scalar>::identity(d), FeatureMatrix<Scalar>::dense(dense.cast<Scalar>())};
}

}  // namespace

TEMPLATE_TEST_CASE("kernels that share pairs have the values they have alone", "", float, double) {
  using Scalar = TestType;
  const Index n = 300, d = 20;  // more than a tile of rows
  const auto x = share<Scalar>(normal<Scalar>(n, d, 11));
  const Matrix<Scalar> y = normal<Scalar>(n, 2, 12);
  Dataset<Scalar> validation;
  validation.inputs = normal<Scalar>(kPredictedRows + 7, d, 13);
  validation.targets = normal<Scalar>(kPredictedRows + 7, 2, 14);
  for (const FeatureMatrix<Scalar>& metric : metrics<Scalar>(d))
    for (const std::vector<KernelSpec>& kernels : shapes()) {
      auto pairs = std::make_shared<KernelPairs<Scalar>>(kernels[0], metric, x, &validation, RandomStream(7));
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        CAPTURE(Kernel::make(kernels[i]).describe());
        REQUIRE(pairs->serve(kernels[i]));
        KernelSystem<Scalar> system(kernels[i], pairs, y, RandomStream(7));
        CHECK(pairs->kept() == (i > 0));
        const KernelFit<Scalar> shared = system.fit(solver(SolverKind::cholesky, 0.1));
        const KernelFit<Scalar> alone =
            fit_kernel_machine<Scalar>(kernels[i], metric, x, y, solver(SolverKind::cholesky, 0.1), RandomStream(7));
        const Kernel& kernel = shared.machine.kernel();
        CHECK(kernel.bandwidth() == alone.machine.kernel().bandwidth());
        CHECK(pairs->values(kernel) == kernel_matrix<Scalar>(kernel, metric, *x));
        CHECK(shared.machine.alpha() == alone.machine.alpha());
        CHECK(system.predict_validation(shared.machine) == alone.machine.predict(validation.inputs));
      }
    }
}

TEST_CASE("pairs serve the kernels that see the same distances, and no others") {
  const auto x = share<double>(normal(10, 3, 1));
  const auto pairs = [&x](const KernelSpec& first) {
    return KernelPairs<double>(first, FeatureMatrix<double>::identity(3), x, nullptr, RandomStream(1));
  };
  const KernelSpec laplace = spec_of(KernelFamily::laplace, 3), ntk = spec_of(KernelFamily::ntk, 1);
  CHECK(pairs(laplace).serve(spec_of(KernelFamily::rational_quadratic, 5)));
  CHECK_FALSE(pairs(laplace).serve(lpq(2, 1, 3)));
  CHECK_FALSE(pairs(laplace).serve(ntk));
  CHECK_FALSE(pairs(ntk).serve(laplace));
  CHECK(pairs(lpq(1, 0.7, 3)).serve(spec_of(KernelFamily::product_laplace, 2)));
  CHECK_FALSE(pairs(lpq(1.5, 1, 3)).serve(lpq(1.3, 1, 3)));
}

TEST_CASE("pairs of few columns are not kept: computing them is as fast as reading them") {
  const auto x = share<double>(normal(10, 3, 1));
  KernelPairs<double> pairs(spec_of(KernelFamily::laplace, 3), FeatureMatrix<double>::identity(3), x, nullptr,
                            RandomStream(1));
  pairs.kernel(spec_of(KernelFamily::laplace, 3));
  const Kernel second = pairs.kernel(spec_of(KernelFamily::laplace, 5));
  CHECK_FALSE(pairs.kept());
  CHECK(pairs.values(second) == kernel_matrix<double>(second, FeatureMatrix<double>::identity(3), *x));
  CHECK_THROWS_AS(pairs.validation_values(second), DataError);
}
