// Feature maps: their kernels are those of the table in expectation, with errors of the size that theory gives.
#include "core/base/error.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/random_features/random_features.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

constexpr Index kPoints = 12, kWidth = 4;

Matrix<double> random_gram(const RandomFeatures<double>& features, const Matrix<double>& x) {
  const Matrix<double> phi = features.map(x);
  return phi * phi.transpose();
}

/// The Cauchy kernel, as its formula is written.
Matrix<double> cauchy_matrix(const Matrix<double>& root_times_x, double bandwidth) {
  const Index n = root_times_x.rows();
  Matrix<double> k(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      k(i, j) = 1;
      for (Index l = 0; l < root_times_x.cols(); ++l) {
        const double u = (root_times_x(i, l) - root_times_x(j, l)) / bandwidth;
        k(i, j) /= 1 + u * u;
      }
    }
  return k;
}

struct Case {
  std::string name;
  SpectralDensity density;
  std::function<Matrix<double>(const Matrix<double>&, double)> kernel;  ///< of points, times a factor
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const KernelSpec& spec : all_kernels()) {
    const Kernel kernel = Kernel::make(spec);
    const std::optional<SpectralDensity> density = spectral_density(kernel);
    if (!density) continue;
    cases.push_back({kernel.describe(), *density, [kernel](const Matrix<double>& x, double factor) {
                       return kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(x.cols()), factor * x);
                     }});
  }
  cases.push_back({"cauchy", cauchy_kernel_density(3),
                   [](const Matrix<double>& x, double factor) { return cauchy_matrix(factor * x, 3); }});
  return cases;
}

/// Means and standard errors over draws of maps.
struct Trials {
  Matrix<double> mean, standard_error;
  double mean_square = 0, mean_square_error = 0;  ///< over the pairs, of K^ - K; and its standard error
};

Trials trials(const SpectralDensity& density, const Matrix<double>& x, const Matrix<double>& k,
              const RandomFeatureOptions& options, Index count) {
  Matrix<double> sum = Matrix<double>::Zero(k.rows(), k.cols()), squares = sum;
  double total = 0, total_squares = 0;
  const double draws = double(count);
  for (Index t = 0; t < count; ++t) {
    const RandomFeatures<double> features(density, FeatureMatrix<double>::identity(x.cols()), x, options,
                                          RandomStream(7).named("trial/" + std::to_string(t)));
    const Matrix<double> error = random_gram(features, x) - k;
    sum += error;
    squares += error.cwiseAbs2();
    const double square = error.squaredNorm() / double(k.size());
    total += square;
    total_squares += square * square;
  }
  Trials result;
  result.mean = sum / draws;
  result.standard_error = ((squares / draws - result.mean.cwiseAbs2()).cwiseMax(0.0) / (draws - 1)).cwiseSqrt();
  result.mean_square = total / draws;
  result.mean_square_error = std::sqrt((total_squares / draws - std::pow(total / draws, 2)) / (draws - 1));
  return result;
}

/// By least squares, and its standard error.
std::pair<double, double> slope(const std::vector<double>& x, const std::vector<double>& y,
                                const std::vector<double>& y_error) {
  double mean = 0, sxx = 0, sxy = 0, variance = 0;
  for (const double value : x) mean += value / double(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    sxx += (x[i] - mean) * (x[i] - mean);
    sxy += (x[i] - mean) * y[i];
    variance += std::pow((x[i] - mean) * y_error[i], 2);
  }
  return {sxy / sxx, std::sqrt(variance) / sxx};
}

}  // namespace

TEST_CASE("random features have the kernel as their mean") {
  const Matrix<double> x = normal(kPoints, kWidth, 1);
  for (const Case& c : all_cases()) {
    CAPTURE(c.name);
    for (const bool orthogonal : {false, true}) {
      if (orthogonal && !c.density.isotropic) continue;
      const Trials found = trials(c.density, x, c.kernel(x, 1), {32, orthogonal}, 400);
      double worst = 0;
      for (Index i = 0; i < found.mean.size(); ++i) {
        const double error = found.standard_error.data()[i];
        if (error < 1e-12) CHECK(std::abs(found.mean.data()[i]) < 1e-12);  // x with itself: exact
        if (error > 1e-12) worst = std::max(worst, std::abs(found.mean.data()[i]) / error);
      }
      CHECK(worst < 4.5);
    }
  }
}

TEST_CASE("the error of Fourier features is that of their law") {
  const Matrix<double> x = normal(kPoints, kWidth, 2);
  for (const Case& c : all_cases()) {
    if (c.density.function != FeatureFunction::fourier) continue;
    CAPTURE(c.name);
    const Matrix<double> k = c.kernel(x, 1), twice = c.kernel(x, 2);
    const double variance = (1 + twice.array() - 2 * k.array().square()).mean();  // of one pair, over 2
    const Trials found = trials(c.density, x, k, {64, false}, 400);
    CHECK(std::abs(found.mean_square - variance / 64) < 4.5 * found.mean_square_error);
    CHECK(found.mean_square_error < 0.1 * found.mean_square);
  }
}

TEST_CASE("the kernel's error falls as one over the root of the number of features") {
  const Matrix<double> x = normal(kPoints, kWidth, 3);
  for (const Case& c : all_cases()) {
    CAPTURE(c.name);
    const Matrix<double> k = c.kernel(x, 1);
    std::vector<double> sizes, errors, standard_errors;
    for (const Index features : {32, 128, 512, 2048}) {
      const Trials found = trials(c.density, x, k, {features, false}, 40);
      sizes.push_back(std::log(double(features)));
      errors.push_back(std::log(found.mean_square) / 2);
      standard_errors.push_back(found.mean_square_error / found.mean_square / 2);
    }
    const auto [value, error] = slope(sizes, errors, standard_errors);
    CAPTURE(value, error);
    CHECK(error < 0.04);
    CHECK(std::abs(value + 0.5) < 4 * error);
  }
}

TEST_CASE("orthogonal features err less") {
  const Matrix<double> x = normal(kPoints, 8, 4);
  KernelSpec spec;
  spec.family = KernelFamily::gaussian;
  for (const double bandwidth : {2.0, 4.0}) {
    spec.bandwidth = bandwidth;
    const Kernel kernel = Kernel::make(spec);
    const Matrix<double> k = kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(8), x);
    const SpectralDensity density = *spectral_density(kernel);
    const Trials plain = trials(density, x, k, {32, false}, 300), orthogonal = trials(density, x, k, {32, true}, 300);
    CHECK(orthogonal.mean_square + 4 * orthogonal.mean_square_error <
          0.9 * (plain.mean_square - 4 * plain.mean_square_error));
  }
}

TEST_CASE("orthogonal frequencies are orthogonal in groups, and as long as others") {
  KernelSpec spec;
  spec.family = KernelFamily::gaussian;
  spec.bandwidth = 1;
  const Matrix<double> w = draw_orthogonal_frequencies(*spectral_density(Kernel::make(spec)), 3000, 5, RandomStream(1));
  REQUIRE(w.rows() == 3000);
  for (Index first : {0, 5, 2995}) {
    Matrix<double> gram = w.middleRows(first, 5) * w.middleRows(first, 5).transpose();
    gram.diagonal().setZero();
    CHECK(gram.cwiseAbs().maxCoeff() < 1e-12);
  }
  CHECK(std::abs(w.rowwise().squaredNorm().mean() - 5) < 4 * std::sqrt(10.0 / 3000));  // chi-square of 5 degrees
  CHECK(w.colwise().mean().cwiseAbs().maxCoeff() < 4 / std::sqrt(3000.0));
}

TEST_CASE("random features follow every form of M") {
  const Matrix<double> x = normal(kPoints, 6, 5);
  for (const NamedMetric& named : all_metrics(6)) {
    CAPTURE(named.name);
    for (const KernelFamily family :
         {KernelFamily::gaussian, KernelFamily::laplace, KernelFamily::product_laplace, KernelFamily::nngp}) {
      const Kernel kernel = Kernel::make(spec_of(family, 4));
      CAPTURE(kernel.describe());
      const Matrix<double> k = kernel_matrix<double>(kernel, named.metric, x);
      const RandomFeatures<double> features(kernel, named.metric, x, {60000, false}, RandomStream(3));
      // Of products below 1 (nngp: of lengths) the standard error is below sqrt(5/D) times the size.
      CHECK((random_gram(features, x) - k).cwiseAbs().maxCoeff() < 4.5 * std::sqrt(5.0 / 60000) * k.maxCoeff());
    }
  }
}

TEST_CASE("random features: fewer are the first of more, and float32 agrees") {
  const Matrix<double> x = normal(kPoints, kWidth, 6);
  const auto metric = FeatureMatrix<double>::diagonal_form(Vector<double>{{1, 2, 0.5, 0.1}});
  const Kernel kernel = Kernel::make(spec_of(KernelFamily::gaussian, 2));
  const RandomFeatures<double> few(kernel, metric, x, {20, false}, RandomStream(3));
  const RandomFeatures<double> many(kernel, metric, x, {50, false}, RandomStream(3));
  CHECK(few.frequencies() == many.frequencies().topRows(10));
  const RandomFeatures<float> single(kernel, FeatureMatrix<float>::diagonal_form(Vector<float>{{1, 2, 0.5f, 0.1f}}),
                                     x.cast<float>(), {50, false}, RandomStream(3));
  CHECK((single.map(x.cast<float>()).cast<double>() - many.map(x)).cwiseAbs().maxCoeff() < 1e-5);
  const Matrix<double> one = many.map(x.topRows(1));
  CHECK((one - many.map(x).topRows(1)).norm() < 1e-14);
}

TEST_CASE("random features of M = 0 are constant") {
  const Matrix<double> x = normal(kPoints, kWidth, 7);
  const auto nothing = FeatureMatrix<double>::diagonal_form(Vector<double>::Zero(kWidth));
  const RandomFeatures<double> features(Kernel::make(spec_of(KernelFamily::laplace, 3)), nothing, x, {16, true},
                                        RandomStream(1));
  CHECK((random_gram(features, x).array() - 1).abs().maxCoeff() < 1e-12);
}

TEST_CASE("random features: errors say what to do") {
  const Matrix<double> x = normal(kPoints, kWidth, 8);
  const auto metric = FeatureMatrix<double>::identity(kWidth);
  const auto message = [&](const KernelSpec& spec, const RandomFeatureOptions& options) {
    return message_of<ConfigError>(
        [&] { RandomFeatures<double>(Kernel::make(spec), metric, x, options, RandomStream(1)); });
  };
  CHECK(contains(message(spec_of(KernelFamily::ntk, 1), {}), "kernels that have: laplace, gaussian"));
  CHECK(contains(message(spec_of(KernelFamily::nngp, 1, 1, 2), {}), "nngp"));
  CHECK(contains(message(polynomial(2, 1, 1), {}), "polynomial"));
  CHECK(contains(message(spec_of(KernelFamily::laplace, 1), {7, false}), "must be even"));
  CHECK(contains(message(spec_of(KernelFamily::laplace, 1), {0, false}), "at least 1"));
  CHECK(contains(message(spec_of(KernelFamily::product_laplace, 1), {8, true}), "Euclidean"));
  CHECK(message(spec_of(KernelFamily::nngp, 1), {7, true}).empty());
}
