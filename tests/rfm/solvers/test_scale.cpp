// The unit of inputs and targets makes no difference, or the solver says that it does.
#include <Eigen/Dense>

#include "core/base/error.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/pairs/range.h"
#include "rfm/rfm.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

constexpr Index kRows = 60, kWidth = 4;

/// In units of 2^inputs and 2^targets, which change no digit.
template <class Scalar>
Split<Scalar> task(int inputs, int targets) {
  Split<Scalar> split;
  std::uint64_t seed = 140;
  for (Dataset<Scalar>* part : {&split.train, &split.test}) {
    const Matrix<Scalar> x = normal<Scalar>(kRows, kWidth, seed++);
    part->inputs = x * static_cast<Scalar>(std::exp2(inputs));
    part->targets = x.col(0).cwiseProduct(x.col(1)) * static_cast<Scalar>(std::exp2(targets));
  }
  return split;
}

RfmOptions options_for(const KernelSpec& kernel, MetricNormalization mode) {
  RfmOptions options;
  options.kernel = kernel;
  options.solver.ridge = 1e-3;
  options.iterations = 2;
  options.normalize_feature_matrix = mode;
  return options;
}

template <class Scalar>
RfmTrace<Scalar> fit(const Split<Scalar>& split, const RfmOptions& options) {
  return fit_rfm<Scalar>(split, options, RandomStream(1));
}

KernelSpec scaled(KernelSpec spec, int inputs) {
  spec.bandwidth *= std::exp2(inputs);
  return spec;
}

std::vector<KernelSpec> radial_kernels() {
  std::vector<KernelSpec> kernels;
  for (const KernelSpec& spec : all_kernels())
    if (Kernel::make(spec).radial()) kernels.push_back(spec);
  return kernels;
}

/// Predictions, M and derivatives of an RFM in other units are those in plain ones.
template <class Scalar>
void check_units(const KernelSpec& kernel, int inputs, int targets, double tolerance) {
  CAPTURE(name_of(kernel.family), inputs, targets, sizeof(Scalar));
  const RfmTrace<Scalar> plain = fit(task<Scalar>(0, 0), options_for(kernel, MetricNormalization::max));
  const Split<Scalar> split = task<Scalar>(inputs, targets);
  const RfmTrace<Scalar> other = fit(split, options_for(scaled(kernel, inputs), MetricNormalization::max));
  const Matrix<Scalar> test = task<Scalar>(0, 0).test.inputs;
  for (std::size_t t = 0; t < 3; ++t) {
    const Matrix<double> got = other.machines[t].predict(split.test.inputs).template cast<double>();
    const Matrix<double> want = plain.machines[t].predict(test).template cast<double>();
    CHECK(relative_error(got * std::exp2(-targets), want) < tolerance);
    CHECK(relative_error(other.feature_matrices[t].to_dense().template cast<double>(),
                         plain.feature_matrices[t].to_dense().template cast<double>()) < tolerance);
  }
  const Matrix<double> slopes = other.machines[1].input_jacobian(split.test.inputs).template cast<double>();
  CHECK(relative_error(slopes * std::exp2(inputs - targets),
                       plain.machines[1].input_jacobian(test).template cast<double>()) < tolerance);
}

}  // namespace

TEST_CASE("an RFM in other units of its targets is the same RFM") {
  for (const KernelSpec& kernel : {spec_of(KernelFamily::laplace, 3), spec_of(KernelFamily::ntk, 1)}) {
    check_units<float>(kernel, 0, -76, 1e-5);  // 1e-23: squares are 0 in float32
    check_units<float>(kernel, 0, 80, 1e-5);
    check_units<double>(kernel, 0, -600, 1e-12);
    check_units<double>(kernel, 0, 600, 1e-12);
  }
}

TEST_CASE("an RFM in other units of its inputs and bandwidth is the same RFM") {
  for (const KernelSpec& kernel : radial_kernels()) {
    check_units<float>(kernel, -100, 0, 1e-4);  // 1e-30
    check_units<float>(kernel, 70, 0, 1e-4);
    check_units<double>(kernel, -500, 0, 1e-10);
  }
  KernelSpec adaptive = spec_of(KernelFamily::laplace, 1);
  adaptive.bandwidth_mode = BandwidthMode::adaptive;
  const Split<float> small = task<float>(-100, 0), plain = task<float>(0, 0);
  const RfmOptions options = options_for(adaptive, MetricNormalization::trace);
  CHECK(relative_error(fit(small, options).machines[1].predict(small.test.inputs).cast<double>(),
                       fit(plain, options).machines[1].predict(plain.test.inputs).cast<double>()) < 1e-4);
}

TEST_CASE("a feature matrix beyond the scalar's range names the key that mends it") {
  const RfmOptions options = options_for(spec_of(KernelFamily::laplace, 3), MetricNormalization::none);
  for (const int targets : {-76, 80}) {
    const std::string message = message_of<NumericalError>([&] { fit(task<float>(0, targets), options); });
    CAPTURE(message);
    CHECK(contains(message, "`normalize_feature_matrix`"));
  }
  CHECK_NOTHROW(fit(task<float>(0, -40), options));
}

TEST_CASE("inputs or a bandwidth that the scalar cannot work with are named") {
  const auto message_for = [](const KernelSpec& kernel, int inputs) {
    return message_of<NumericalError>(
        [&] { fit(task<float>(inputs, 0), options_for(kernel, MetricNormalization::max)); });
  };
  CHECK(contains(message_for(spec_of(KernelFamily::ntk, 1), -100), "normalize the data set"));
  for (const KernelFamily family : {KernelFamily::laplace, KernelFamily::gaussian, KernelFamily::product_laplace})
    CHECK(contains(message_for(spec_of(family, 1e-300), 0), "bandwidth 1e-300"));
  Split<double> split = task<double>(0, 0);
  split.train.inputs(17, 2) = 1e308;
  CHECK(contains(message_of<NumericalError>(
                     [&] { fit(split, options_for(spec_of(KernelFamily::laplace, 3), MetricNormalization::max)); }),
                 "row 17 of the inputs"));
}

namespace {

/// Of the plain kernels: what float32 predicts is what double does.
void check_digits_of_others(const Split<double>& split, const Split<float>& single) {
  for (const KernelSpec& kernel : radial_kernels()) {
    CAPTURE(name_of(kernel.family), kernel.norm, kernel.exponent);
    RfmOptions options = options_for(kernel, MetricNormalization::max);
    options.iterations = 0;
    const Matrix<double> want = fit(split, options).machine().predict(split.test.inputs);
    const Matrix<float> got = fit(single, options).machine().predict(split.test.inputs.cast<float>());
    CHECK(relative_error(got.cast<double>(), want) < 1e-3);
  }
}

}  // namespace

TEST_CASE("one huge value leaves float32 its digits of all others") {
  Split<double> split = task<double>(0, 0);
  split.train.inputs(17, 2) = 1e9;
  Split<float> single;
  single.train.inputs = split.train.inputs.cast<float>();
  single.train.targets = split.train.targets.cast<float>();
  check_digits_of_others(split, single);
}

TEST_CASE("a huge value that stands for missing in most rows leaves float32 its digits of the others") {
  Split<double> split = task<double>(0, 0);
  for (Index i = 0; i < split.train.inputs.rows(); ++i)
    if (i % 5 < 3) split.train.inputs(i, 2) = 1e9;
  Split<float> single;
  single.train.inputs = split.train.inputs.cast<float>();
  single.train.targets = split.train.targets.cast<float>();
  split.train.inputs = single.train.inputs.cast<double>();
  check_digits_of_others(split, single);
}

TEST_CASE("one huge input of a dot-product kernel leaves the answer at the others") {
  const double size = 1e9, ridge = 1e-3;
  for (const KernelFamily family : {KernelFamily::ntk, KernelFamily::nngp}) {
    Split<double> split = task<double>(0, 0);
    // K(s x, z) = s K(x, z), so the coefficient of the huge row is 1/s of that in the system of plain rows below.
    Matrix<double> k = kernel_matrix<double>(Kernel::make(spec_of(family, 1)), FeatureMatrix<double>::identity(kWidth),
                                             split.train.inputs);
    k.diagonal().array() += ridge;
    k(17, 17) += ridge / (size * size) - ridge;
    Matrix<double> y = split.train.targets;
    y.row(17) /= size;
    const Matrix<double> alpha = k.ldlt().solve(y);
    const Matrix<double> want =
        kernel_matrix<double>(Kernel::make(spec_of(family, 1)), FeatureMatrix<double>::identity(kWidth),
                              split.test.inputs, split.train.inputs) *
        alpha;
    split.train.inputs.row(17) *= size;
    RfmOptions options = options_for(spec_of(family, 1), MetricNormalization::max);
    options.iterations = 0;
    const RfmTrace<double> trace = fit(split, options);
    CHECK(relative_error(trace.machine().predict(split.test.inputs), want) < 1e-5);
  }
}

TEST_CASE("the origin is the mean unless few rows hold that far away from the others") {
  Matrix<double> x = normal(200, 3, 142).array() + 5;
  CHECK(relative_error(common_origin<double>(x).transpose(), x.colwise().mean()) < 1e-14);
  x(3, 1) = 1e9;
  CHECK((common_origin<double>(x).transpose() - x.topRows(1)).norm() < 10);
  x(3, 1) = 1e308;
  x(4, 1) = 1e308;  // their sum is not finite
  CHECK(common_origin<double>(x).norm() < 20);
}

TEST_CASE("a unit is a power of two, and 1 for ordinary sizes") {
  CHECK(range_unit<float>(3e-5) == 1);
  CHECK(range_unit<float>(0) == 1);
  CHECK(range_unit<float>(std::numeric_limits<double>::infinity()) == 1);
  CHECK(range_unit<double>(1e-30) == 1);
  CHECK(range_unit<float>(std::exp2(-100)) == std::exp2(-100));
  CHECK(range_unit<double>(std::exp2(900)) == std::exp2(900));
}
