#include <rapidcheck.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/features/agop.h"
#include "rfm/gradient_outer_product.h"
#include "rfm/gradients/gradient_form.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

std::vector<GradientForm> forms_of(const KernelSpec& spec) {
  if (Kernel::make(spec).p_norm()) return {GradientForm::direct};
  return {GradientForm::direct, GradientForm::gram, GradientForm::sample_space};
}

/// A predictor whose gradient is a hair wrong.
class Wrong final : public Predictor<double> {
 public:
  explicit Wrong(KernelMachine<double> f) : f_(std::move(f)) {}
  Index input_dimension() const override { return f_.input_dimension(); }
  Index output_dimension() const override { return f_.output_dimension(); }
  Matrix<double> predict(const MatrixView<double>& x) const override { return f_.predict(x); }
  Matrix<double> input_jacobian(const MatrixView<double>& x) const override {
    Matrix<double> j = f_.input_jacobian(x);
    j(0, 0) += 1e-3 * j.cwiseAbs().maxCoeff();
    return j;
  }

 private:
  KernelMachine<double> f_;
};

/// AGOP of the machine at the given rows of its centres, from its Jacobian.
Matrix<double> by_definition(const KernelMachine<double>& f, const Matrix<double>& x, bool center) {
  const Index m = x.rows(), c = f.output_dimension(), d = x.cols();
  const Matrix<double> jacobian = f.input_jacobian(x);
  Matrix<double> sum = Matrix<double>::Zero(d, d);
  for (Index j = 0; j < c; ++j) {
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(d);
    if (center)
      for (Index i = 0; i < m; ++i) mean += jacobian.row(i * c + j) / double(m);
    for (Index i = 0; i < m; ++i) {
      const Eigen::RowVectorXd g = jacobian.row(i * c + j) - mean;
      sum += g.transpose() * g;
    }
  }
  return sum / double(m);
}

/// AGOP of a machine over its centres, from the slow kernels' finite differences.
Matrix<double> slow_agop(const KernelSpec& spec, const Matrix<double>& m, const Matrix<double>& x,
                         const Matrix<double>& alpha) {
  Matrix<double> sum = Matrix<double>::Zero(x.cols(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    Matrix<double> gradients = Matrix<double>::Zero(alpha.cols(), x.cols());
    for (Index j = 0; j < x.rows(); ++j)
      gradients += alpha.row(j).transpose() * textbook::slow_gradient(spec, m, x.row(i), x.row(j)).transpose();
    sum += gradients.transpose() * gradients;
  }
  return sum / double(x.rows());
}

/// What of a full matrix the blocks keep.
Matrix<double> masked(const Matrix<double>& full, const std::vector<ColumnGroup>& groups) {
  Matrix<double> kept = Matrix<double>::Zero(full.rows(), full.cols());
  for (const ColumnGroup& g : groups)
    for (Index i = g.first; i < g.first + g.width; ++i)
      for (Index j = g.first; j < g.first + g.width; ++j) kept(i, j) = full(i, j);
  return kept;
}

/// Columns cut into groups of 1 to 4.
std::vector<ColumnGroup> cut(Index d, std::uint64_t seed) {
  std::vector<ColumnGroup> groups;
  const std::vector<Index> order = RandomStream(seed).sample(4 * d, 4 * d);
  for (Index first = 0; first < d;) {
    const Index width = std::min(d - first, 1 + order[groups.size()] % 4);
    groups.push_back({"g", first, width, width > 1});
    first += width;
  }
  return groups;
}

/// Centres of which two pairs coincide and one row is zero.
Matrix<double> with_duplicates(Index n, Index d, std::uint64_t seed) {
  Matrix<double> x = normal(n, d, seed);
  if (n >= 6) {
    x.row(n - 1) = x.row(0);
    x.row(n - 2) = x.row(1);
    x.row(3).setZero();
  }
  return x;
}

}  // namespace

TEST_CASE("gradients of every kernel, with every form of M, agree with finite differences") {
  const Index d = 5;
  const Matrix<double> centers = normal(30, d, 11), x = normal(9, d, 12);
  for (const NamedMetric& m : all_metrics(d)) {
    for (const KernelSpec& spec : all_kernels()) {
      INFO(name_of(spec.family) << " depth " << spec.depth << " exponent " << spec.exponent << ", M " << m.name);
      const KernelMachine<double> f = random_machine(spec, m.metric, centers, 2, 13);
      // Of the differences: step^2 f''' + epsilon f / step; |u|^p with p < 2 has a large f''' at a small u.
      CHECK(input_jacobian_error<double>(f, x) < (f.kernel().p_norm() ? 1e-5 : 1e-6));
    }
  }
}

TEST_CASE("gradient outer products of every kernel, with every form of M, equal those of the slow kernels") {
  const Index n = 12, d = 4;
  const Matrix<double> x = normal(n, d, 51), alpha = normal(n, 2, 52);
  for (const NamedMetric& m : all_metrics(d)) {
    for (const KernelSpec& spec : all_kernels()) {
      INFO(name_of(spec.family) << " depth " << spec.depth << " exponent " << spec.exponent << ", M " << m.name);
      const KernelMachine<double> f(Kernel::make(spec), m.metric, share(x), alpha);
      const Matrix<double> want = slow_agop(spec, m.metric.to_dense(), x, alpha);
      // Of the differences beside a kink: the NTK's at a centre, a p-norm's at a small coordinate. With biases the kink
      // is not the same on both sides: step times the difference of its curvatures.
      const bool lopsided = !f.kernel().radial() && !f.kernel().by_norm_product();
      CHECK(relative_error(gradient_outer_product(f, {}, RandomStream(1)).matrix.to_dense(), want) <
            (lopsided ? 2e-6 : 1e-7));
    }
  }
}

TEST_CASE("a wrong gradient is caught") {
  const Matrix<double> centers = normal(30, 4, 14), x = normal(3, 4, 15);
  const KernelMachine<double> f =
      random_machine(spec_of(KernelFamily::laplace, 3), FeatureMatrix<double>::identity(4), centers, 1, 16);
  CHECK(input_jacobian_error<double>(f, x) < 1e-6);
  CHECK(input_jacobian_error<double>(Wrong(f), x) > 5e-4);
}

TEST_CASE("the gradient of one pair") {
  Matrix<double> x(1, 2), z(1, 2);
  x << 1, 0;
  z << 0, 0;
  const KernelMachine<double> f(Kernel::make(spec_of(KernelFamily::laplace, 10)), FeatureMatrix<double>::identity(2),
                                share(x), Matrix<double>::Ones(1, 1));
  CHECK(f.predict(z)(0, 0) == Approx(.904837418036).epsilon(1e-11));
  CHECK(f.input_jacobian(z)(0, 0) == Approx(.0904837418).epsilon(1e-9));
  CHECK(f.input_jacobian(z)(0, 1) == 0);
}

TEST_CASE("at coincident points radial gradients are zero and dot-product gradients are finite") {
  const Matrix<double> z = normal(1, 4, 17);
  Matrix<double> x(3, 4);
  x << z, 3.0 * z, -2.0 * z;
  for (const NamedMetric& m : all_metrics(4)) {
    for (const KernelSpec& spec : all_kernels()) {
      INFO(name_of(spec.family) << " depth " << spec.depth << ", M " << m.name);
      const Kernel kernel = Kernel::make(spec);
      const KernelMachine<double> f(kernel, m.metric, share(z), Matrix<double>::Ones(1, 1));
      const Matrix<double> j = f.input_jacobian(x);
      CHECK(j.allFinite());
      if (kernel.radial()) {
        CHECK(j.row(0).cwiseAbs().maxCoeff() == 0);
      } else {
        const double step = 1e-5;  // along x itself there is no kink but with biases, where it is lopsided
        const double tolerance = kernel.by_norm_product() ? 1e-8 : 1e-6;
        const Matrix<double> along_x = (f.predict((1 + step) * x) - f.predict((1 - step) * x)) / (2 * step);
        for (Index i = 0; i < 3; ++i)
          CHECK(j.row(i).dot(x.row(i)) == Approx(along_x(i, 0)).epsilon(tolerance).margin(1e-9));
        const Matrix<double> along = m.metric.apply(z);  // kinked directions drop out: parallel to M z
        for (Index i = 0; i < 3; ++i) {
          const Eigen::RowVectorXd rest = j.row(i) - along.row(0) * (j.row(i).dot(along.row(0)) / along.squaredNorm());
          CHECK(rest.norm() < 1e-7 * (1 + j.row(i).norm()));
        }
      }
    }
  }
}

TEST_CASE("the value at a kink of the NTK is the mean of the gradients on both sides") {
  const Index d = 3;
  const Matrix<double> z = normal(1, d, 18);
  Matrix<double> side = normal(1, d, 19);
  side -= z * (side.row(0).dot(z.row(0)) / z.squaredNorm());
  const KernelMachine<double> f(Kernel::make(spec_of(KernelFamily::ntk, 1, 1, 2)), FeatureMatrix<double>::identity(d),
                                share(z), Matrix<double>::Ones(1, 1));
  const double step = 1e-4;
  const Matrix<double> mean = (f.input_jacobian(z + step * side) + f.input_jacobian(z - step * side)) / 2;
  CHECK((mean - f.input_jacobian(z)).norm() < 3 * step);
  CHECK((f.input_jacobian(z + step * side) - f.input_jacobian(z)).norm() > 0.1);  // there is a kink
}

TEST_CASE("a point of norm zero has gradient zero under dot-product kernels") {
  const KernelMachine<double> f =
      random_machine(spec_of(KernelFamily::ntk, 1, 1, 2), FeatureMatrix<double>::identity(4), normal(5, 4, 20), 2, 21);
  CHECK(f.input_jacobian(Matrix<double>::Zero(1, 4)).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("every form of the outer product equals the definition, for every kernel and form of M") {
  const Index n = 23, d = 7;
  const Matrix<double> x = with_duplicates(n, d, 22);
  for (const NamedMetric& m : all_metrics(d)) {
    for (const KernelSpec& spec : all_kernels()) {
      const KernelMachine<double> f = random_machine(spec, m.metric, x, 2, 23);
      for (const bool center : {false, true}) {
        INFO(name_of(spec.family) << " depth " << spec.depth << ", M " << m.name << ", centred " << center);
        const Matrix<double> want = by_definition(f, x, center);
        for (const GradientForm form : forms_of(spec)) {
          INFO(name_of(form));
          GradientOptions options;
          options.center = center;
          options.form = form;
          const auto full = gradient_outer_product(f, options, RandomStream(1));
          CHECK(full.summary.points == n);
          CHECK(relative_error(full.matrix.to_dense(), want) < 1e-12);
          options.diagonal = true;
          const auto diagonal = gradient_outer_product(f, options, RandomStream(1));
          CHECK(diagonal.matrix.form() == FeatureMatrix<double>::Form::diagonal);
          CHECK(relative_error(diagonal.matrix.diagonal(), want.diagonal()) < 1e-12);
        }
        AgopOptions slow;
        slow.center = center;
        CHECK(relative_error(agop<double>(f, x, slow).to_dense(), want) < 1e-12);
      }
    }
  }
}

TEST_CASE("property: every form equals the definition, on problems of every shape") {
  const std::vector<KernelSpec> kernels = all_kernels();
  const bool passed = rc::check([&] {
    const Index n = *rc::gen::inRange<Index>(1, 45), d = *rc::gen::inRange<Index>(1, 25);
    const Index c = *rc::gen::inRange<Index>(1, 11), m = *rc::gen::inRange<Index>(1, n + 1);
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000000);
    const KernelSpec spec = *rc::gen::elementOf(kernels);
    const std::vector<NamedMetric> metrics = all_metrics(d);
    const NamedMetric& metric = metrics[*rc::gen::inRange<std::size_t>(0, metrics.size())];
    GradientOptions options;
    options.center = *rc::gen::arbitrary<bool>();
    options.diagonal = *rc::gen::arbitrary<bool>();
    options.samples = m;

    const Matrix<double> x = with_duplicates(n, d, seed);
    const KernelMachine<double> f = random_machine(spec, metric.metric, x, c, seed + 1);
    const std::vector<Index> rows = RandomStream(seed).sample(n, m);
    Matrix<double> chosen(m, d);
    for (Index i = 0; i < m; ++i) chosen.row(i) = x.row(rows[std::size_t(i)]);
    const Matrix<double> full = by_definition(f, chosen, options.center);
    const Matrix<double> want = options.diagonal ? Matrix<double>(full.diagonal().asDiagonal()) : full;
    const double scale = by_definition(f, chosen, false).cwiseAbs().maxCoeff();  // centring may leave nothing
    for (const GradientForm form : forms_of(spec)) {
      options.form = form;
      const Matrix<double> got = gradient_outer_product(f, options, RandomStream(seed)).matrix.to_dense();
      const double error = (got - want).cwiseAbs().maxCoeff();
      RC_LOG() << name_of(spec.family) << ", M " << metric.name << ", " << name_of(form) << ": error " << error
               << " of " << scale << std::endl;
      RC_ASSERT(error <= 1e-10 * scale);
    }
  });
  CHECK(passed);
}

TEST_CASE("property: blocks equal the masked full matrix, centred and sampled, in every form") {
  const std::vector<KernelSpec> kernels = all_kernels();
  const bool passed = rc::check([&] {
    const Index n = *rc::gen::inRange<Index>(2, 40), d = *rc::gen::inRange<Index>(1, 14);
    const Index c = *rc::gen::inRange<Index>(1, 4), m = *rc::gen::inRange<Index>(1, n + 1);
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000000);
    const KernelSpec spec = *rc::gen::elementOf(kernels);
    const std::vector<NamedMetric> metrics = all_metrics(d);
    const NamedMetric& metric = metrics[*rc::gen::inRange<std::size_t>(0, metrics.size())];
    const KernelMachine<double> f = random_machine(spec, metric.metric, with_duplicates(n, d, seed), c, seed + 1);
    GradientOptions options;
    options.center = *rc::gen::arbitrary<bool>();
    options.samples = m;
    const std::vector<ColumnGroup> groups = cut(d, seed);
    for (const GradientForm form : forms_of(spec)) {
      options.form = form;
      options.blocks.clear();
      const Matrix<double> full = gradient_outer_product(f, options, RandomStream(seed)).matrix.to_dense();
      options.blocks = groups;
      const Matrix<double> got = gradient_outer_product(f, options, RandomStream(seed)).matrix.to_dense();
      const Matrix<double> want = masked(full, groups);
      options.center = false;
      const double scale =
          gradient_outer_product(f, options, RandomStream(seed)).matrix.to_dense().cwiseAbs().maxCoeff();
      RC_ASSERT((got - want).cwiseAbs().maxCoeff() <= 1e-10 * scale);
      RC_ASSERT((want.array() != 0 || got.array() == 0).all());
    }
  });
  CHECK(passed);
}

TEST_CASE("blocks that do not add up to the columns are refused") {
  const KernelMachine<double> f =
      random_machine(spec_of(KernelFamily::laplace, 3), FeatureMatrix<double>::identity(4), normal(6, 4, 40), 1, 41);
  GradientOptions options;
  options.blocks = {{"a", 0, 2, true}, {"b", 2, 1, false}};
  CHECK_THROWS_AS(gradient_outer_product(f, options, RandomStream(1)), DataError);
}

TEST_CASE("the form follows from the sizes") {
  const auto chosen = [](Index m, Index n, Index q, Index c, bool diagonal = false, bool low_rank = false) {
    return choose_gradient_form({m, n, q, c, diagonal, low_rank, 0}, GradientForm::automatic, 4).form;
  };
  CHECK(chosen(8000, 8000, 50, 1) == GradientForm::direct);
  CHECK(chosen(20000, 20000, 100, 2) == GradientForm::direct);
  CHECK(chosen(5000, 5000, 784, 10) == GradientForm::gram);
  CHECK(chosen(2000, 2000, 27648, 2) == GradientForm::sample_space);
  CHECK(chosen(2000, 2000, 27648, 2, true) == GradientForm::gram);
  CHECK(chosen(500, 2000, 27648, 2, false, true) != GradientForm::sample_space);
}

TEST_CASE("gradient samples are drawn by seed, without replacement") {
  const Index n = 60, d = 4, m = 17;
  Matrix<double> x = normal(n, d, 27);
  const RandomStream stream(28);
  const std::vector<Index> rows = RandomStream(stream).sample(n, m);
  Matrix<double> chosen(m, d);
  for (Index i = 0; i < m; ++i) chosen.row(i) = x.row(rows[std::size_t(i)]);
  for (const KernelSpec& spec : all_kernels()) {
    for (const bool center : {false, true}) {
      const KernelMachine<double> f = random_machine(spec, FeatureMatrix<double>::identity(d), x, 3, 29);
      GradientOptions options;
      options.center = center;
      options.samples = m;
      const auto got = gradient_outer_product(f, options, stream);
      CHECK(got.summary.points == m);
      CHECK(relative_error(got.matrix.to_dense(), by_definition(f, chosen, center)) < 1e-12);
      const auto other = gradient_outer_product(f, options, RandomStream(30));
      CHECK(relative_error(other.matrix.to_dense(), got.matrix.to_dense()) > 1e-3);
    }
  }
}

TEST_CASE("rows sorted by the first input do not bias the sampled gradient outer product") {
  // The first rows alone would see one side of the target only.
  const Index n = 400;
  Matrix<double> x = normal(n, 3, 31);
  Vector<double> sorted = x.col(0);
  std::sort(sorted.data(), sorted.data() + n);
  x.col(0) = sorted;
  const Matrix<double> y = x.col(0).array().max(0.0).matrix();
  const KernelMachine<double> f =
      fit_kernel_machine<double>(spec_of(KernelFamily::laplace, 5), FeatureMatrix<double>::identity(3), share(x), y,
                                 solver(SolverKind::cholesky, 1e-3), RandomStream(1))
          .machine;
  GradientOptions options;
  const double all = gradient_outer_product(f, options, RandomStream(1)).matrix.diagonal()[0];
  options.samples = 100;
  const double sampled = gradient_outer_product(f, options, RandomStream(1)).matrix.diagonal()[0];
  CHECK(sampled == Approx(all).epsilon(0.25));  // 100 of 400: relative sd near 0.1
}

TEST_CASE("float32 gradient outer products agree with float64, duplicates and a far origin included") {
  const Index n = 150, d = 20, c = 2;
  for (const double offset : {0.0, 100.0}) {
    const Matrix<float> single = (with_duplicates(n, d, 32).array() + offset).cast<float>();
    const Matrix<double> rounded = single.cast<double>();
    const Matrix<double> alpha = normal(n, c, 33);
    for (const KernelSpec& spec : all_kernels()) {
      const Kernel kernel = Kernel::make(spec);
      if (!kernel.radial() && offset > 0)
        continue;  // every cosine within 1e-4 of 1: gradients of opposite points cancel
      INFO(name_of(spec.family) << " depth " << spec.depth << " exponent " << spec.exponent << ", offset " << offset);
      const KernelMachine<double> f(kernel, FeatureMatrix<double>::identity(d), share(rounded), alpha);
      const KernelMachine<float> g(kernel, FeatureMatrix<float>::identity(d), share(single), alpha.cast<float>());
      const Matrix<double> want = gradient_outer_product(f, {}, RandomStream(1)).matrix.to_dense();
      const Matrix<float> got = gradient_outer_product(g, {}, RandomStream(1)).matrix.to_dense();
      CHECK(relative_error(got.cast<double>(), want) < 1e-5);
      for (const GradientForm form : forms_of(spec)) {
        GradientOptions options;
        options.form = form;
        const Matrix<float> same = gradient_outer_product(g, options, RandomStream(1)).matrix.to_dense();
        CHECK(relative_error(same.cast<double>(), want) < 2e-5);
      }
      const Matrix<float> jacobian = g.input_jacobian(single.topRows(10));
      CHECK(relative_error(jacobian.cast<double>(), f.input_jacobian(rounded.topRows(10))) < 2e-5);
    }
  }
}

TEST_CASE("a full feature matrix above the dense limit is refused with advice, a diagonal one is not") {
  const Index d = kDenseLimit + 1;
  const KernelMachine<float> f(Kernel::make(spec_of(KernelFamily::laplace, 10)), FeatureMatrix<float>::identity(d),
                               share(normal<float>(3, d, 34)), Matrix<float>(Matrix<float>::Ones(3, 1)));
  GradientOptions options;
  options.form = GradientForm::direct;
  CHECK_THROWS_AS(gradient_outer_product(f, options, RandomStream(1)), MemoryError);
  CHECK(gradient_outer_product(f, {}, RandomStream(1)).matrix.form() == FeatureMatrix<float>::Form::sandwich);
  options.diagonal = true;
  CHECK(gradient_outer_product(f, options, RandomStream(1)).matrix.dimension() == d);
}

TEST_CASE("direct form: outputs whose gradients come from several products") {
  CHECK(outputs_together(10, 5) == 10);
  CHECK(outputs_together(100, 3) == 85);
  CHECK(outputs_together(10, 1000) == 1);
  CHECK(outputs_together(3, 0) == 3);
  const Index n = 30, d = 3, c = 100;
  const KernelMachine<double> f(Kernel::make(spec_of(KernelFamily::laplace, 2)), FeatureMatrix<double>::identity(d),
                                share(normal<double>(n, d, 35)), normal<double>(n, c, 36));
  for (const bool center : {false, true})
    for (const Index samples : {Index{0}, n / 2}) {
      GradientOptions options;
      options.center = center;
      options.samples = samples;
      options.form = GradientForm::direct;
      const Matrix<double> direct = gradient_outer_product(f, options, RandomStream(1)).matrix.to_dense();
      options.form = GradientForm::gram;
      const Matrix<double> gram = gradient_outer_product(f, options, RandomStream(1)).matrix.to_dense();
      CHECK(relative_error(direct, gram) < 1e-12);
      if (samples == 0) CHECK(relative_error(direct, by_definition(f, normal<double>(n, d, 35), center)) < 1e-12);
    }
}
