// RFMs that are fitted as a family are those that fit_rfm() fits one by one.
#include "core/base/error.h"
#include "rfm/rfm_family.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

/// Three classes (or, if `test`, with rows to test as well), as float32 sees them.
template <class Scalar>
std::shared_ptr<const Split<Scalar>> rows(Index n, Index d, bool test = false) {
  auto split = std::make_shared<Split<Scalar>>();
  const auto fill = [d](Dataset<Scalar>& part, Index count, std::uint64_t seed) {
    part.inputs = normal<Scalar>(count, d, seed);
    part.targets = Matrix<Scalar>::Zero(count, 3);
    part.task = Task::classification;
    part.class_names = {"a", "b", "c"};
    for (Index i = 0; i < count; ++i)
      part.targets(i, part.inputs(i, 0) > 0 ? 0 : part.inputs(i, 0) * part.inputs(i, 1) > Scalar(0.3) ? 1 : 2) = 1;
  };
  fill(split->train, n, 21);
  fill(split->validation, n / 2 + 1, 22);
  if (test) fill(split->test, n / 3, 23);
  return split;
}

RfmOptions options_of(const KernelSpec& kernel, double ridge, bool diagonal, Index iterations = 2) {
  RfmOptions options;
  options.kernel = kernel;
  options.solver.ridge = ridge;
  options.iterations = iterations;
  options.gradients.diagonal = diagonal;
  return options;
}

void check_same(const std::optional<Metrics>& got, const std::optional<Metrics>& want) {
  REQUIRE(got.has_value() == want.has_value());
  if (!got) return;
  CHECK(got->accuracy == want->accuracy);
  CHECK(got->mse == want->mse);
}

template <class Scalar>
void check_same(const RfmTrace<Scalar>& got, const RfmTrace<Scalar>& want, const Matrix<Scalar>& inputs) {
  REQUIRE(got.iterations.size() == want.iterations.size());
  CHECK(got.reported == want.reported);
  for (std::size_t t = 0; t < got.iterations.size(); ++t) {
    CAPTURE(t);
    CHECK(got.machines[t].alpha() == want.machines[t].alpha());
    CHECK(got.feature_matrices[t].form() == want.feature_matrices[t].form());
    CHECK(got.feature_matrices[t].to_dense() == want.feature_matrices[t].to_dense());
    CHECK(got.machines[t].predict(inputs) == want.machines[t].predict(inputs));
    CHECK(got.iterations[t].iteration == Index(t));
    CHECK(got.iterations[t].solve.method == want.iterations[t].solve.method);
    CHECK(got.iterations[t].solve.relative_residual == want.iterations[t].solve.relative_residual);
    CHECK(got.iterations[t].bandwidth == want.iterations[t].bandwidth);
    CHECK(got.iterations[t].gradients.has_value() == want.iterations[t].gradients.has_value());
    check_same(got.iterations[t].train, want.iterations[t].train);
    check_same(got.iterations[t].validation, want.iterations[t].validation);
    check_same(got.iterations[t].test, want.iterations[t].test);
  }
}

/// Kernels of each kind of distance, with bandwidths beside them.
std::vector<KernelSpec> some_kernels() {
  KernelSpec adaptive = spec_of(KernelFamily::laplace, 0.7);
  adaptive.bandwidth_mode = BandwidthMode::adaptive;
  return {spec_of(KernelFamily::laplace, 3),
          spec_of(KernelFamily::laplace, 8),
          adaptive,
          spec_of(KernelFamily::gaussian, 3),
          lpq(1.5, 1.2, 6),
          spec_of(KernelFamily::ntk, 1)};
}

template <class Scalar>
void check_grid(Index n, Index d, bool test, Index iterations = 2) {
  const auto split = rows<Scalar>(n, d, test);
  RfmFamily<Scalar> family(split, RandomStream(5));
  for (const double ridge : {1.0, 1e-2})
    for (const KernelSpec& kernel : some_kernels())
      for (const bool diagonal : {false, true}) {
        const RfmOptions options = options_of(kernel, ridge, diagonal, iterations);
        CAPTURE(n, d, ridge, diagonal, Kernel::make(kernel).describe());
        check_same(family.fit(options), fit_rfm<Scalar>(split, options, RandomStream(5)), split->validation.inputs);
      }
}

}  // namespace

TEMPLATE_TEST_CASE("a family of RFMs over a grid is, to the bit, the RFMs fitted one by one", "", float, double) {
  check_grid<TestType>(260, 5, false, 1);  // more than a tile of rows
  check_grid<TestType>(70, 20, false);     // wide enough for kernels to share their distances
  check_grid<TestType>(40, 60, true);      // in sample space where M is full
}

TEST_CASE("a family goes on after a fit that fails") {
  auto split = std::make_shared<Split<float>>(*rows<float>(40, 3));
  split->train.inputs.row(1) = split->train.inputs.row(0);  // the same row twice, of two classes
  split->train.targets.topRows(2) << 1, 0, 0, 0, 1, 0;
  RfmFamily<float> family(split, RandomStream(5));
  for (const double ridge : {1e-1, 0.0, 1e-2}) {
    const RfmOptions options = options_of(spec_of(KernelFamily::gaussian, 30), ridge, false);
    std::optional<RfmTrace<float>> shared, alone;
    const std::string refusal = message_of<NumericalError>([&] { shared = family.fit(options); });
    CHECK(refusal == message_of<NumericalError>([&] { alone = fit_rfm<float>(split, options, RandomStream(5)); }));
    REQUIRE(shared.has_value() == alone.has_value());
    if (shared) check_same(*shared, *alone, split->validation.inputs);
  }
}

TEST_CASE("a family calls back at every iteration and stops when told so") {
  const auto split = rows<double>(50, 4);
  RfmFamily<double> family(split, RandomStream(5));
  for (const Index last : {2, 0, 1, 0}) {  // iteration 0 is fitted anew, then found
    Index calls = 0;
    const auto trace = family.fit(options_of(spec_of(KernelFamily::laplace, 3), 0.1, false, 3),
                                  [&](const RfmIteration& iteration, const KernelMachine<double>& machine) {
                                    CHECK(iteration.iteration == calls++);
                                    CHECK(machine.alpha().rows() == 50);
                                    return iteration.iteration < last;
                                  });
    CHECK(calls == last + 1);
    CHECK(Index(trace.machines.size()) == last + 1);
  }
}

TEST_CASE("a family refuses what fit_rfm() refuses") {
  RfmFamily<double> family(rows<double>(20, 3), RandomStream(5));
  RfmOptions options = options_of(spec_of(KernelFamily::laplace, 3), 0.1, false, -1);
  CHECK_THROWS_AS(family.fit(options), ConfigError);
  options.iterations = 1;
  options.blocks = true;  // without categorical columns
  CHECK_THROWS_AS(family.fit(options), ConfigError);
  options.blocks = false;
  options.solver.ridge = -1;
  CHECK_THROWS_AS(family.fit(options), ConfigError);
}
