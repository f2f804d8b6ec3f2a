// Ridge regression on random features: the fit, its gradients and AGOP, and the RFM made of them.
#include "core/base/error.h"
#include "core/features/agop.h"
#include "core/features/comparison.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/random_features/random_feature_rfm.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

std::vector<KernelSpec> kernels_with_features() {
  std::vector<KernelSpec> kernels;
  for (const KernelSpec& spec : all_kernels())
    if (spectral_density(Kernel::make(spec))) kernels.push_back(spec);
  return kernels;
}

std::shared_ptr<const RandomFeatures<double>> features_of(const KernelSpec& spec, const FeatureMatrix<double>& metric,
                                                          const Matrix<double>& x, Index count) {
  return std::make_shared<const RandomFeatures<double>>(Kernel::make(spec), metric, x,
                                                        RandomFeatureOptions{count, false}, RandomStream(11));
}

double cosine(const FeatureMatrix<double>& a, const FeatureMatrix<double>& b) {
  return a.inner_product(b) / std::sqrt(a.inner_product(a) * b.inner_product(b));
}

/// y = x0 x1 of standard normal inputs.
Split<double> product_task(Index n, Index d) {
  Split<double> split;
  const auto fill = [d](Dataset<double>& data, Index rows, std::uint64_t seed) {
    data.inputs = normal(rows, d, seed);
    data.targets = data.inputs.col(0).cwiseProduct(data.inputs.col(1));
  };
  fill(split.train, n, 21);
  fill(split.test, 200, 22);
  return split;
}

}  // namespace

TEST_CASE("ridge regression on random features, primal and dual") {
  const Matrix<double> x = normal(40, 3, 1), y = normal(40, 2, 2);
  for (const double ridge : {1e-3, 1.0}) {
    for (const Index count : {24, 100}) {
      const auto features =
          features_of(spec_of(KernelFamily::gaussian, 2), FeatureMatrix<double>::identity(3), x, count);
      const RandomFeatureFit<double> fit = fit_random_features<double>(features, x, y, ridge);
      const Eigen::MatrixXd phi = features->map(x);
      Eigen::MatrixXd system = phi.transpose() * phi;
      system.diagonal().array() += ridge;
      const Eigen::MatrixXd w = system.fullPivLu().solve(phi.transpose() * y);
      CHECK(relative_error(fit.machine.weights(), w) < 1e-7);
      CHECK(relative_error(fit.fitted, phi * w) < 1e-7);
      CHECK(relative_error(fit.machine.predict(x), phi * w) < 1e-7);
      CHECK(contains(fit.summary.method, count == 24 ? "primal" : "dual"));
      CHECK(fit.summary.relative_residual < 1e-8);
      CHECK(fit.summary.note.empty());
    }
  }
}

TEST_CASE("ridge regression on random features without a ridge") {
  Matrix<double> x = normal(30, 3, 3), y = normal(30, 1, 4);
  x.row(1) = x.row(0);  // more features than rows, but the system is singular
  y.row(1) = y.row(0);
  const auto features = features_of(spec_of(KernelFamily::laplace, 1), FeatureMatrix<double>::identity(3), x, 200);
  const RandomFeatureFit<double> fit = fit_random_features<double>(features, x, y, 0);
  CHECK(contains(fit.summary.note, "without 1 of its directions"));
  CHECK(relative_error(fit.machine.predict(x), y) < 1e-6);
  CHECK_THROWS_AS(fit_random_features<double>(features, x, y, -1), ConfigError);
  CHECK_THROWS_AS(fit_random_features<double>(features, x, Matrix<double>(y.topRows(4)), 1), DataError);
  CHECK_THROWS_AS(fit.machine.predict(normal(2, 4, 1)), DataError);
}

TEST_CASE("random features in float32 fit as in float64") {
  const Matrix<double> x = normal(300, 3, 5), y = normal(300, 1, 6);
  const KernelSpec spec = spec_of(KernelFamily::gaussian, 2);
  const auto exact = features_of(spec, FeatureMatrix<double>::identity(3), x, 64);
  const auto single =
      std::make_shared<const RandomFeatures<float>>(Kernel::make(spec), FeatureMatrix<float>::identity(3),
                                                    x.cast<float>(), RandomFeatureOptions{64, false}, RandomStream(11));
  const Matrix<double> found = fit_random_features<float>(single, x.cast<float>(), y.cast<float>(), 1e-2)
                                   .machine.predict(x.cast<float>())
                                   .cast<double>();
  CHECK(relative_error(found, fit_random_features<double>(exact, x, y, 1e-2).machine.predict(x)) < 2e-3);
}

TEST_CASE("gradients of random-feature machines are those of finite differences") {
  const Matrix<double> x = normal(9, 5, 7);
  for (const KernelSpec& spec : kernels_with_features()) {
    for (const NamedMetric& named : all_metrics(5)) {
      CAPTURE(Kernel::make(spec).describe(), named.name);
      const auto features = features_of(spec, named.metric, x, 10);
      const RandomFeatureMachine<double> machine(features, normal(10, 3, 8));
      // The curvature of a heavy tail's longest frequency decides how well finite differences can do.
      const double longest = std::max(1.0, features->frequencies().rowwise().norm().maxCoeff());
      CHECK(input_jacobian_error<double>(machine, x, 1e-6 / longest) < 1e-4);
    }
  }
}

TEST_CASE("AGOP of a random-feature machine is the definition's") {
  const Matrix<double> x = normal(50, 5, 9);
  const KernelSpec spec = spec_of(KernelFamily::gaussian, 2);
  for (const NamedMetric& named : all_metrics(5)) {
    CAPTURE(named.name);
    const RandomFeatureMachine<double> machine(features_of(spec, named.metric, x, 30), normal(30, 2, 10));
    for (const bool center : {false, true}) {
      GradientOptions options;
      options.center = center;
      const GradientOuterProduct<double> found = gradient_outer_product<double>(machine, x, options, RandomStream(1));
      const Matrix<double> want = agop<double>(machine, x, {center}).to_dense();
      CHECK(found.unit == 1);
      CHECK(relative_error(found.matrix.to_dense(), want) < 1e-10);
      options.diagonal = true;
      CHECK(relative_error(gradient_outer_product<double>(machine, x, options, RandomStream(1)).matrix.diagonal(),
                           want.diagonal()) < 1e-10);
    }
    GradientOptions options;
    options.samples = 20;
    const std::vector<Index> rows = RandomStream(1).sample(50, 20);
    CHECK(relative_error(gradient_outer_product<double>(machine, x, options, RandomStream(1)).matrix.to_dense(),
                         agop<double>(machine, Matrix<double>(x(rows, Eigen::all))).to_dense()) < 1e-10);
  }
}

TEST_CASE("AGOPs of a heavy-tailed density leave out its longest frequencies") {
  const Matrix<double> x = normal(50, 5, 12);
  const auto features = features_of(spec_of(KernelFamily::laplace, 3), FeatureMatrix<double>::identity(5), x, 2000);
  CHECK(features->heavy_tailed());
  Matrix<double> weights = normal(2000, 1, 13);
  const RandomFeatureMachine<double> machine(features, weights);
  const Vector<double> lengths = features->frequencies().rowwise().norm();
  std::vector<double> sorted(lengths.data(), lengths.data() + lengths.size());
  std::sort(sorted.begin(), sorted.end());
  Index left_out = 0;
  for (Index j = 0; j < 1000; ++j)
    if (lengths[j] > sorted[950]) {
      weights(j, 0) = weights(1000 + j, 0) = 0;
      ++left_out;
    }
  CHECK(left_out == 49);
  const Matrix<double> found = gradient_outer_product<double>(machine, x, {}, RandomStream(1)).matrix.to_dense();
  const Matrix<double> smooth = agop<double>(RandomFeatureMachine<double>(features, weights), x).to_dense();
  CHECK(relative_error(found, smooth) < 0.1);  // the two may differ in the frequency at the limit
  CHECK(agop<double>(machine, x).trace() > 3 * found.trace());
}

TEST_CASE("random-feature machines approach the kernel machine") {
  const Split<double> split = product_task(120, 4);
  for (const KernelFamily family : {KernelFamily::gaussian, KernelFamily::laplace, KernelFamily::nngp}) {
    const KernelSpec spec = spec_of(family, 3);
    const auto metric = FeatureMatrix<double>::diagonal_form(Vector<double>{{1, 2, 0.5, 0.1}});
    const Matrix<double>& x = split.train.inputs;
    const KernelFit<double> exact = fit_kernel_machine<double>(spec, metric, share(x), split.train.targets,
                                                               solver(SolverKind::cholesky, 0.1), RandomStream(1));
    const Matrix<double> want = exact.machine.predict(split.test.inputs);
    const auto error = [&](Index count) {
      const auto fit = fit_random_features<double>(features_of(spec, metric, x, count), x, split.train.targets, 0.1);
      return (fit.machine.predict(split.test.inputs) - want).norm() / want.norm();
    };
    const double few = error(400), many = error(40000);
    CAPTURE(Kernel::make(spec).describe(), few, many);
    CHECK(many < 0.05);
    CHECK(many < few / 3);  // ten by the rate
  }
}

TEST_CASE("the RFM on random features approaches the RFM") {
  const Split<double> split = product_task(300, 8);
  RfmOptions options;
  options.iterations = 2;
  options.solver.ridge = 1e-2;
  options.normalize_feature_matrix = MetricNormalization::trace;
  for (const KernelFamily family : {KernelFamily::gaussian, KernelFamily::matern52, KernelFamily::laplace}) {
    options.kernel = spec_of(family, 5);
    const RfmTrace<double> exact = fit_rfm<double>(split, options, RandomStream(1));
    const RandomFeatureRfmTrace<double> found =
        fit_random_feature_rfm<double>(split, options, {6000, false}, RandomStream(1));
    REQUIRE(found.iterations.size() == 3);
    CHECK(found.reported == 2);
    CHECK(found.iterations[1].gradients.has_value());
    for (std::size_t t = 1; t <= 2; ++t) {
      CAPTURE(name_of(family), t, found.iterations[t].test->r2, exact.iterations[t].test->r2);
      CHECK(cosine(found.feature_matrices[t], exact.feature_matrices[t]) > 0.98);
      CHECK(std::abs(found.iterations[t].test->r2 - exact.iterations[t].test->r2) < 0.03);
    }
    CHECK(cosine(found.feature_matrices[2], found.feature_matrices[0]) < 0.7);  // M has left the identity
  }
}
