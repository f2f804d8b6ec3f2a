// The library against the paper's Algorithm 1 as one would write it down, on random small problems.
#include "rfm/gradient_outer_product.h"
#include "rfm/kernel_fit.h"
#include "tests/support/catch.h"
#include "tests/textbook/textbook.h"

using namespace ansatz;
using namespace ansatz::rfm;
using ansatz::textbook::Textbook;

namespace {

constexpr int kProblems = 200;

struct Problem {
  double bandwidth, ridge;
  Matrix<double> x, y, test, metric;  // metric: empty for I
};

Problem random_problem(int seed) {
  RandomStream stream(static_cast<std::uint64_t>(1000 + seed));
  const auto below = [&](Index n) { return static_cast<Index>(stream.uniform() * static_cast<double>(n)); };
  const Index n = 5 + below(60), d = 1 + below(12), c = 1 + below(3);
  Problem p;
  p.bandwidth = std::exp2(4 * stream.uniform() - 1);
  p.ridge = std::pow(10, -3 * stream.uniform());
  p.x = stream.normal_matrix<double>(n, d).cast<float>().cast<double>();  // both types see the same numbers
  p.y = stream.normal_matrix<double>(n, c).cast<float>().cast<double>();
  p.test = stream.normal_matrix<double>(10, d).cast<float>().cast<double>();
  if (seed % 2 == 1) {
    const Matrix<double> w = stream.normal_matrix<double>(d + 2, d);
    p.metric = (w.transpose() * w / static_cast<double>(d)).cast<float>().cast<double>();
  }
  return p;
}

struct Answer {
  Matrix<double> predictions, agop;
};

Answer plain(const Problem& p) {
  Textbook<double> book(p.bandwidth, p.ridge);
  const Matrix<double> alpha = book.fit(p.x, p.y, p.metric);
  return {book.predict(p.test, p.x, alpha, p.metric), book.agop(p.x, alpha, p.metric)};
}

template <class Scalar>
Answer ours(const Problem& p) {
  KernelSpec kernel;
  kernel.bandwidth = p.bandwidth;
  SolverOptions solver;
  solver.ridge = p.ridge;
  const auto metric = p.metric.size() == 0 ? FeatureMatrix<Scalar>::identity(p.x.cols())
                                           : FeatureMatrix<Scalar>::dense(p.metric.cast<Scalar>());
  const auto fit =
      fit_kernel_machine<Scalar>(kernel, metric, std::make_shared<const Matrix<Scalar>>(p.x.cast<Scalar>()),
                                 p.y.cast<Scalar>(), solver, RandomStream(1));
  const auto agop = gradient_outer_product(fit.machine, GradientOptions{}, RandomStream(1));
  return {fit.machine.predict(p.test.cast<Scalar>()).template cast<double>(),
          agop.matrix.to_dense().template cast<double>()};
}

double difference(const Matrix<double>& got, const Matrix<double>& want) {
  return (got - want).cwiseAbs().maxCoeff() / want.cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("200 random problems: predictions and gradient outer products are the textbook's, in both precisions") {
  for (int seed = 0; seed < kProblems; ++seed) {
    const Problem p = random_problem(seed);
    CAPTURE(seed, p.x.rows(), p.x.cols(), p.y.cols(), p.bandwidth, p.ridge);
    const Answer want = plain(p), got = ours<double>(p), single = ours<float>(p);
    // The textbook's distances on the diagonal are sqrt(rounding), some 1e-8, where ours are 0.
    CHECK(difference(got.predictions, want.predictions) < 1e-5);
    CHECK(difference(got.agop, want.agop) < 1e-5);
    CHECK(difference(single.predictions, want.predictions) < 2e-3);
    CHECK(difference(single.agop, want.agop) < 5e-3);
  }
}
