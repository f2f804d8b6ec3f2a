#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "core/base/error.h"
#include "core/data/loading/load_dataset.h"
#include "core/data/synthetic/synthetic.h"
#include "rfm/rfm.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

/// Four points in three dimensions whose RFM was computed elsewhere, in float64, from the definitions.
Split<double> tiny() {
  Split<double> split;
  split.train.inputs = (Matrix<double>(4, 3) << 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1).finished();
  split.train.targets = (Matrix<double>(4, 1) << 0, 1, -1, .5).finished();
  split.test.inputs = (Matrix<double>(2, 3) << .5, .5, .5, 2, 0, 0).finished();
  split.test.targets = Matrix<double>::Zero(2, 1);
  return split;
}

RfmOptions options_for(const KernelSpec& kernel, Index iterations) {
  RfmOptions options;
  options.kernel = kernel;
  options.solver.ridge = 1e-3;
  options.iterations = iterations;
  return options;
}

void check_predictions(const RfmTrace<double>& trace, std::size_t t, double first, double second) {
  const Matrix<double> p = trace.machines[t].predict(tiny().test.inputs);
  CHECK(p(0, 0) == Approx(first).epsilon(1e-10));
  CHECK(p(1, 0) == Approx(second).epsilon(1e-10));
}

/// A small regression task with all three splits.
Split<double> task(Index n, Index d, Index c, std::uint64_t seed) {
  Split<double> split;
  int which = 0;
  for (Dataset<double>* part : {&split.train, &split.validation, &split.test}) {
    part->inputs = normal(which == 0 ? n : n / 2, d, seed + std::uint64_t(which));
    part->targets.resize(part->inputs.rows(), c);
    for (Index j = 0; j < c; ++j)
      part->targets.col(j) = part->inputs.col(0).cwiseProduct(part->inputs.col((j + 1) % d));
    ++which;
  }
  return split;
}

template <class Scalar>
Split<Scalar> cast(const Split<double>& split) {
  Split<Scalar> result;
  const auto copy = [](const Dataset<double>& from, Dataset<Scalar>& to) {
    to.inputs = from.inputs.cast<Scalar>();
    to.targets = from.targets.cast<Scalar>();
  };
  copy(split.train, result.train);
  copy(split.validation, result.validation);
  copy(split.test, result.test);
  return result;
}

}  // namespace

TEST_CASE("tiny RFM: Laplace") {
  const RfmTrace<double> trace = fit_rfm(tiny(), options_for(spec_of(KernelFamily::laplace, 10), 2), RandomStream(1));
  const double alpha[] = {-.009313792474, 6.336872250905, -8.714692006906, 2.569504149669};
  for (Index i = 0; i < 4; ++i) CHECK(trace.machines[0].alpha()(i, 0) == Approx(alpha[i]).epsilon(1e-9));
  check_predictions(trace, 0, .167241411531, .918552318988);
  const Matrix<double> m = trace.feature_matrices[1].to_dense();
  CHECK(m(0, 0) == Approx(.340012806317).epsilon(1e-10));
  CHECK(m(0, 1) == Approx(-.271442161103).epsilon(1e-10));
  CHECK(m(0, 2) == Approx(.08405943142).epsilon(1e-10));
  CHECK(m(1, 1) == Approx(.221132005465).epsilon(1e-10));
  CHECK(m(1, 2) == Approx(-.065105836025).epsilon(1e-10));
  CHECK(m(2, 2) == Approx(.021689990272).epsilon(1e-10));
  CHECK((m - m.transpose()).cwiseAbs().maxCoeff() == 0);
  check_predictions(trace, 1, .249427618242, .936944584338);
  check_predictions(trace, 2, .248927526533, .913526147416);
}

TEST_CASE("tiny RFM: largest entry scaled to 1") {
  RfmOptions options = options_for(spec_of(KernelFamily::laplace, 10), 2);
  options.normalize_feature_matrix = MetricNormalization::max;
  const RfmTrace<double> trace = fit_rfm(tiny(), options, RandomStream(1));
  CHECK(trace.feature_matrices[1].to_dense().cwiseAbs().maxCoeff() == Approx(1));
  check_predictions(trace, 1, .250091456597, .901490415679);
  check_predictions(trace, 2, .249065824731, .900384812841);
}

TEST_CASE("tiny RFM: centred gradients") {
  RfmOptions options = options_for(spec_of(KernelFamily::laplace, 10), 2);
  options.gradients.center = true;
  const RfmTrace<double> trace = fit_rfm(tiny(), options, RandomStream(1));
  const Vector<double> diagonal = trace.feature_matrices[1].diagonal();
  CHECK(diagonal[0] == Approx(.004750739475).epsilon(1e-9));
  CHECK(diagonal[1] == Approx(.014630633306).epsilon(1e-9));
  CHECK(diagonal[2] == Approx(.000181223189).epsilon(1e-8));
  check_predictions(trace, 1, .223796402958, .933545198452);
  check_predictions(trace, 2, .239179486597, .956113283578);
}

TEST_CASE("tiny RFM: Gaussian") {
  const RfmTrace<double> trace = fit_rfm(tiny(), options_for(spec_of(KernelFamily::gaussian, 1), 1), RandomStream(1));
  const double alpha[] = {.142193209064, 1.344298118184, -1.814657900715, .640667433004};
  for (Index i = 0; i < 4; ++i) CHECK(trace.machines[0].alpha()(i, 0) == Approx(alpha[i]).epsilon(1e-10));
  check_predictions(trace, 0, .214778490372, .82859781834);
  const Vector<double> diagonal = trace.feature_matrices[1].diagonal();
  CHECK(diagonal[0] == Approx(.548459834235).epsilon(1e-10));
  CHECK(diagonal[1] == Approx(.429492627589).epsilon(1e-10));
  CHECK(diagonal[2] == Approx(.037875335189).epsilon(1e-10));
  check_predictions(trace, 1, .258063958303, .915343660266);
}

TEST_CASE("centred and uncentred outer products differ by the mean gradient's") {
  const Split<double> split = task(50, 4, 2, 61);
  const KernelMachine<double> f =
      fit_kernel_machine<double>(spec_of(KernelFamily::laplace, 5), FeatureMatrix<double>::identity(4),
                                 share(split.train.inputs), split.train.targets, {}, RandomStream(1))
          .machine;
  GradientOptions centred;
  centred.center = true;
  Matrix<double> difference = gradient_outer_product(f, {}, RandomStream(1)).matrix.to_dense() -
                              gradient_outer_product(f, centred, RandomStream(1)).matrix.to_dense();
  const Matrix<double> jacobian = f.input_jacobian(split.train.inputs);
  for (Index j = 0; j < 2; ++j) {
    Vector<double> mean = Vector<double>::Zero(4);
    for (Index i = 0; i < 50; ++i) mean += jacobian.row(i * 2 + j).transpose() / 50;
    difference -= mean * mean.transpose();
  }
  CHECK(difference.cwiseAbs().maxCoeff() < 1e-13);
}

TEST_CASE("iteration 0 is the plain kernel, train metrics come from the fitted values") {
  const Split<double> split = task(60, 4, 2, 62);
  const KernelSpec spec = spec_of(KernelFamily::laplace, 5);
  const RfmTrace<double> trace = fit_rfm(split, options_for(spec, 2), RandomStream(1));
  const KernelFit<double> plain = fit_kernel_machine<double>(
      spec, FeatureMatrix<double>::identity(4), share(split.train.inputs), split.train.targets, {}, RandomStream(1));
  CHECK(trace.machines[0].alpha() == plain.machine.alpha());
  CHECK(trace.iterations[0].test->mse == evaluate<double>(plain.machine, split.test).mse);
  for (std::size_t t = 0; t < 3; ++t)
    CHECK(trace.iterations[t].train.mse == Approx(evaluate<double>(trace.machines[t], split.train).mse).epsilon(1e-8));
  CHECK_FALSE(trace.iterations[0].gradients.has_value());
  CHECK(trace.iterations[1].gradients->points == 60);
}

TEST_CASE("rotating the inputs rotates a full M and leaves predictions, a diagonal M is not equivariant") {
  const Split<double> split = task(60, 4, 1, 63);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(normal(4, 4, 64))};
  const Matrix<double> q = qr.householderQ();
  Split<double> rotated = split;
  for (Dataset<double>* part : {&rotated.train, &rotated.validation, &rotated.test})
    part->inputs = (part->inputs * q.transpose()).eval();
  for (const KernelSpec& spec : all_kernels()) {
    if (Kernel::make(spec).p_norm() && Kernel::make(spec).spec().norm != 2) continue;  // a p-norm knows its axes
    INFO(name_of(spec.family) << " depth " << spec.depth);
    RfmOptions options = options_for(spec, 2);
    const RfmTrace<double> a = fit_rfm(split, options, RandomStream(1)), b = fit_rfm(rotated, options, RandomStream(1));
    CHECK(relative_error(b.feature_matrices[2].to_dense(), q * a.feature_matrices[2].to_dense() * q.transpose()) <
          1e-8);
    CHECK(relative_error(b.machines[2].predict(rotated.test.inputs), a.machines[2].predict(split.test.inputs)) < 1e-8);
    options.gradients.diagonal = true;
    const RfmTrace<double> c = fit_rfm(split, options, RandomStream(1)), d = fit_rfm(rotated, options, RandomStream(1));
    CHECK(relative_error(d.machines[2].predict(rotated.test.inputs), c.machines[2].predict(split.test.inputs)) > 1e-4);
  }
}

TEST_CASE("normalising M only rescales the bandwidth of a radial kernel") {
  const Split<double> split = task(50, 4, 1, 65);
  RfmOptions options = options_for(spec_of(KernelFamily::gaussian, 4), 1);
  const RfmTrace<double> plain = fit_rfm(split, options, RandomStream(1));
  for (const MetricNormalization mode : {MetricNormalization::max, MetricNormalization::trace}) {
    options.normalize_feature_matrix = mode;
    const RfmTrace<double> scaled = fit_rfm(split, options, RandomStream(1));
    const FeatureMatrix<double>& m = scaled.feature_matrices[1];
    if (mode == MetricNormalization::max) CHECK(m.largest_diagonal() == Approx(1));
    if (mode == MetricNormalization::trace) CHECK(m.trace() == Approx(4));
    const double s = std::sqrt(m.trace() / plain.feature_matrices[1].trace());
    KernelSpec equivalent = options.kernel;
    equivalent.bandwidth /= s;
    const KernelFit<double> other =
        fit_kernel_machine<double>(equivalent, plain.feature_matrices[1], share(split.train.inputs),
                                   split.train.targets, options.solver, RandomStream(1));
    CHECK(relative_error(scaled.machines[1].alpha(), other.machine.alpha()) < 1e-8);
  }
}

TEST_CASE("adaptive bandwidth makes an RFM blind to the scale of M") {
  const Split<double> split = task(50, 4, 1, 66);
  RfmOptions options = options_for(spec_of(KernelFamily::laplace, 2), 2);
  options.kernel.bandwidth_mode = BandwidthMode::adaptive;
  const RfmTrace<double> plain = fit_rfm(split, options, RandomStream(1));
  options.normalize_feature_matrix = MetricNormalization::max;
  const RfmTrace<double> scaled = fit_rfm(split, options, RandomStream(1));
  CHECK(relative_error(scaled.machines[2].predict(split.test.inputs), plain.machines[2].predict(split.test.inputs)) <
        1e-8);
  CHECK(plain.iterations[2].bandwidth != plain.iterations[0].bandwidth);
}

TEST_CASE("a run cut off after any iteration goes on to the same numbers") {
  const Split<double> split = task(80, 5, 2, 67);
  RfmOptions options = options_for(spec_of(KernelFamily::laplace, 1), 3);
  options.kernel.bandwidth_mode = BandwidthMode::adaptive;
  options.gradients.samples = 30;
  const RandomStream stream(9);
  const RfmTrace<double> whole = fit_rfm(split, options, stream);
  for (Index cut = 1; cut <= 4; ++cut) {
    RfmStart<double> start;
    for (Index t = 0; t < cut; ++t) {
      start.feature_matrices.push_back(whole.feature_matrices[std::size_t(t)]);
      start.alphas.push_back(whole.machines[std::size_t(t)].alpha());
      start.iterations.push_back(whole.iterations[std::size_t(t)]);
    }
    Index calls = 0;
    const RfmTrace<double> resumed = fit_rfm<double>(
        split, options, stream, [&](const RfmIteration&, const KernelMachine<double>&) { return ++calls > 0; }, start);
    CHECK(calls == 4 - cut);
    CHECK(resumed.reported == whole.reported);
    for (std::size_t t = 0; t < 4; ++t) {
      CHECK(resumed.machines[t].alpha() == whole.machines[t].alpha());
      CHECK(resumed.iterations[t].test->mse == whole.iterations[t].test->mse);
      CHECK(resumed.machines[t].kernel().bandwidth() == whole.machines[t].kernel().bandwidth());
    }
  }
}

TEST_CASE("the reported iteration is the best on validation, the last without one or when asked for") {
  Split<double> split = task(60, 4, 1, 68);
  RfmOptions options = options_for(spec_of(KernelFamily::laplace, 5), 3);
  const RfmTrace<double> best = fit_rfm(split, options, RandomStream(1));
  for (const RfmIteration& row : best.iterations)
    CHECK(row.validation->mse >= best.iterations[std::size_t(best.reported)].validation->mse);
  options.report_iteration = ReportIteration::last;
  CHECK(fit_rfm(split, options, RandomStream(1)).reported == 3);
  options.report_iteration = ReportIteration::best;
  split.validation = {};
  CHECK(fit_rfm(split, options, RandomStream(1)).reported == 3);
}

TEST_CASE("the callback stops a fit early") {
  const RfmTrace<double> trace =
      fit_rfm<double>(task(30, 3, 1, 69), options_for(spec_of(KernelFamily::laplace, 5), 5), RandomStream(1),
                      [](const RfmIteration& row, const KernelMachine<double>&) { return row.iteration < 1; });
  CHECK(trace.iterations.size() == 2);
}

TEST_CASE("float32 and float64 fits agree, with every kernel") {
  const Split<double> split = task(120, 6, 2, 70);
  for (const KernelSpec& spec : all_kernels()) {
    INFO(name_of(spec.family) << " depth " << spec.depth << " exponent " << spec.exponent);
    RfmOptions options = options_for(spec, 1);
    options.solver.ridge = 1e-2;
    const RfmTrace<double> exact = fit_rfm(split, options, RandomStream(1));
    const RfmTrace<float> single = fit_rfm(cast<float>(split), options, RandomStream(1));
    const Matrix<float> m = single.feature_matrices[1].to_dense();
    CHECK(relative_error(m.cast<double>(), exact.feature_matrices[1].to_dense()) < 2e-3);  // cond(K + ridge I) epsilon
    CHECK(single.iterations[1].test->mse == Approx(exact.iterations[1].test->mse).epsilon(2e-3));
  }
}

TEST_CASE("one and two training points are enough to fit") {
  for (const Index n : {1, 2}) {
    Split<double> split;
    split.train.inputs = normal(n, 3, 77);
    split.train.targets = normal(n, 1, 78);
    const RfmTrace<double> trace = fit_rfm(split, options_for(spec_of(KernelFamily::laplace, 5), 2), RandomStream(1));
    CHECK(trace.machines[2].alpha().allFinite());
    CHECK_FALSE(trace.iterations[0].test.has_value());
  }
}

TEST_CASE("classification is scored by argmax") {
  Split<double> split = task(80, 4, 1, 79);
  for (Dataset<double>* part : {&split.train, &split.validation, &split.test}) {
    Matrix<double> onehot = Matrix<double>::Zero(part->inputs.rows(), 2);
    for (Index i = 0; i < onehot.rows(); ++i) onehot(i, part->targets(i, 0) > 0) = 1;
    part->targets = onehot;
    part->task = Task::classification;
    part->class_names = {"negative", "positive"};
  }
  const RfmTrace<double> trace = fit_rfm(split, options_for(spec_of(KernelFamily::laplace, 5), 2), RandomStream(1));
  CHECK(*trace.iterations[0].train.accuracy == 1);
  CHECK(*trace.iterations[2].test->accuracy > *trace.iterations[0].test->accuracy);
}

TEST_CASE("feature_matrix_power: M_t is that power of the gradient outer product, in every form") {
  const auto oracle = [](const Matrix<double>& m, double p) {
    const Eigen::SelfAdjointEigenSolver<Matrix<double>> eigen(m);
    const Vector<double>& all = eigen.eigenvalues();  // those within rounding are 0
    const Vector<double> values = (all.array() > 1e-13 * all.maxCoeff()).select(all.array().pow(p), 0.0);
    return Matrix<double>(eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose());
  };
  struct Case {
    Index n, d;
    bool diagonal;
    FeatureMatrix<double>::Form form;
  };
  using Form = FeatureMatrix<double>::Form;
  for (const Case& c :
       {Case{40, 5, false, Form::dense}, {40, 5, true, Form::diagonal}, {12, 20, false, Form::sandwich}}) {
    for (const double power : {0.5, 1.5}) {
      RfmOptions options = options_for(spec_of(KernelFamily::laplace, 5), 1);
      options.gradients.diagonal = c.diagonal;
      const Split<double> split = task(c.n, c.d, 2, 90);
      const FeatureMatrix<double> plain = fit_rfm<double>(split, options, RandomStream(1)).feature_matrices[1];
      options.feature_matrix_power = power;
      const FeatureMatrix<double> raised = fit_rfm<double>(split, options, RandomStream(1)).feature_matrices[1];
      INFO("n " << c.n << ", d " << c.d << ", power " << power);
      CHECK(raised.form() == c.form);
      CHECK(relative_error(raised.to_dense(), oracle(plain.to_dense(), power)) < 1e-9);
    }
  }
  RfmOptions options = options_for(spec_of(KernelFamily::laplace, 5), 1);
  options.feature_matrix_power = 2.5;
  CHECK_THROWS_AS(fit_rfm<double>(task(10, 3, 1, 91), options, RandomStream(1)), ConfigError);
}

TEST_CASE("feature_matrix: blocks follows the data set's column groups, with powers and p-norms too") {
  Split<double> split = task(50, 6, 1, 92);
  RfmOptions options = options_for(spec_of(KernelFamily::product_laplace, 8), 2);
  options.blocks = true;
  options.feature_matrix_power = 0.5;
  options.normalize_feature_matrix = MetricNormalization::trace;
  CHECK_THROWS_AS(fit_rfm<double>(split, options, RandomStream(1)), ConfigError);
  split.train.column_groups = {{"a", 0, 1, false}, {"b", 1, 3, true}, {"c", 4, 2, true}};
  const RfmTrace<double> trace = fit_rfm<double>(split, options, RandomStream(1));
  for (const Index t : {1, 2}) {
    const Matrix<double> m = trace.feature_matrices[std::size_t(t)].to_dense();
    CHECK(m.row(0).tail(5).cwiseAbs().maxCoeff() == 0);
    CHECK(m.block(1, 4, 3, 2).cwiseAbs().maxCoeff() == 0);
    CHECK(std::abs(m(1, 2)) > 0);
    CHECK(std::abs(m(4, 5)) > 0);
  }
}

TEST_CASE("going on after any iteration gives the same bytes, in sample space too") {
  for (const Index d : {4, 30}) {
    const Split<double> split = task(20, d, 1, 93);
    RfmOptions options = options_for(spec_of(KernelFamily::laplace, 5), 3);
    options.feature_matrix_power = 0.5;
    const auto shared = std::make_shared<const Split<double>>(split);
    const RfmTrace<double> whole = fit_rfm<double>(shared, options, RandomStream(1));
    for (std::size_t reached = 1; reached <= 3; ++reached) {
      RfmStart<double> start;
      for (std::size_t t = 0; t < reached; ++t) {
        start.feature_matrices.push_back(whole.feature_matrices[t]);
        start.alphas.push_back(whole.machines[t].alpha());
        start.iterations.push_back(whole.iterations[t]);
      }
      const RfmTrace<double> on = fit_rfm<double>(shared, options, RandomStream(1), {}, start);
      INFO("d " << d << ", after " << reached - 1);
      CHECK(on.machines[3].alpha() == whole.machines[3].alpha());
      CHECK(on.feature_matrices[3].to_dense() == whole.feature_matrices[3].to_dense());
    }
  }
}
