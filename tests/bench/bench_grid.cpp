// What a tabular benchmark does with one set: RFMs over a grid of ridges with full and diagonal M, chosen on half of
// the rows, then fitted to four folds; as a family, one by one, and in the textbook's way.
//   bench_grid [--threads T] [--no-textbook] [N D C]      without arguments: sizes of the UCI collection
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "core/base/random.h"
#include "core/machine/parallel.h"
#include "rfm/rfm_family.h"
#include "tests/bench/measure.h"
#include "tests/textbook/textbook.h"

namespace {

using namespace ansatz;
using namespace ansatz::rfm;
using bench::now;

constexpr double kRidges[] = {10, 1, 0.1, 0.01, 0.001};
constexpr Index kIterations = 5;

/// Standardised inputs of which a few decide the class.
Dataset<float> table(Index n, Index d, Index c, std::uint64_t seed) {
  const RandomStream stream(seed);
  Dataset<float> data;
  data.task = Task::classification;
  data.inputs = RandomStream(stream.named("x")).normal_matrix<float>(n, d);
  const Matrix<float> w = RandomStream(1).normal_matrix<float>(std::min<Index>(d, 6), c);
  const Matrix<float> scores =
      data.inputs.leftCols(w.rows()) * w + 0.3F * RandomStream(stream.named("noise")).normal_matrix<float>(n, c);
  data.targets = Matrix<float>::Zero(n, c);
  for (Index i = 0; i < n; ++i) {
    Index best = 0;
    scores.row(i).maxCoeff(&best);
    data.targets(i, best) = 1;
  }
  for (Index k = 0; k < c; ++k) data.class_names.push_back(std::to_string(k));
  return data;
}

std::shared_ptr<const Split<float>> split_of(Index train, Index validation, Index d, Index c) {
  auto split = std::make_shared<Split<float>>();
  split->train = table(train, d, c, 1);
  split->validation = table(validation, d, c, 2);
  return split;
}

RfmOptions cell(double ridge, bool diagonal) {
  RfmOptions options;
  options.solver.ridge = ridge;
  options.gradients.diagonal = diagonal;
  options.iterations = kIterations;
  return options;
}

/// Seconds of all iterations, by what they went into.
struct Parts {
  double kernels = 0, solves = 0, gradients = 0, rest = 0;
  void add(const RfmTrace<float>& trace) {
    for (const RfmIteration& row : trace.iterations) {
      const double gradient = row.gradients ? row.gradients->seconds : 0;
      kernels += row.solve.kernel_seconds;
      solves += row.solve.seconds;
      gradients += gradient;
      rest += row.seconds - row.solve.kernel_seconds - row.solve.seconds - gradient;
    }
  }
};

template <class Fit>
double search(const Fit& fit) {
  const double start = now();
  for (const double ridge : kRidges)
    for (const bool diagonal : {false, true}) fit(cell(ridge, diagonal));
  return now() - start;
}

/// The four fits on three quarters of the rows.
double folds(Index n, Index d, Index c) {
  const auto split = split_of(n - n / 4, 0, d, c);
  const double start = now();
  for (int fold = 0; fold < 4; ++fold) {
    RfmOptions options = cell(0.01, false);
    options.report_iteration = ReportIteration::last;
    fit_rfm<float>(split, options, RandomStream(1)).machine().predict(split->train.inputs.topRows(n / 4));
  }
  return now() - start;
}

double textbook_search(const Split<float>& split) {
  double sum = 0;
  return search([&](const RfmOptions& options) {
           textbook::Textbook<float> book(options.kernel.bandwidth, options.solver.ridge);
           const Matrix<float>& x = split.train.inputs;
           Matrix<float> metric;
           for (Index t = 0; t <= options.iterations; ++t) {
             const Matrix<float> alpha = book.fit(x, split.train.targets, metric);
             sum += double(book.predict(split.validation.inputs, x, alpha, metric)(0, 0));
             if (t == options.iterations) break;
             metric = book.agop(x, alpha, metric);
             if (options.gradients.diagonal) metric = Matrix<float>(metric.diagonal().asDiagonal());
           }
         }) +
         0 * sum;
}

void time_set(Index n, Index d, Index c, bool with_textbook) {
  const auto split = split_of(n / 2, n - n / 2, d, c);
  Parts parts;
  RfmFamily<float> family(split, RandomStream(1));
  const double shared = search([&](const RfmOptions& options) { family.fit(options); });
  const double alone =
      search([&](const RfmOptions& options) { parts.add(fit_rfm<float>(split, options, RandomStream(1))); });
  const double book = with_textbook ? textbook_search(*split) : 0;
  std::printf("%5ld %4ld %4ld %9.3f %9.3f %9.3f %6.1fx %9.3f   %6.3f %6.3f %6.3f %6.3f\n", long(n), long(d), long(c),
              shared, alone, book, book / shared, folds(n, d, c), parts.kernels, parts.solves, parts.gradients,
              parts.rest);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  bool with_textbook = true;
  int threads = 0;
  std::vector<Index> sizes;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--no-textbook") == 0)
      with_textbook = false;
    else if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
      threads = std::atoi(argv[++i]);
    else
      sizes.push_back(std::atol(argv[i]));
  }
  if (!sizes.empty() && sizes.size() != 3) {
    std::fprintf(stderr, "usage: bench_grid [--threads T] [--no-textbook] [N D C]\n");
    return 2;
  }
  set_threads(threads);
  std::printf(
      "10 cells of 6 solves on n/2 rows, in seconds; then 4 fits on 3n/4 rows; the cells fitted one by one, by parts; "
      "%d threads\n",
      ansatz::threads());
  std::printf("    n    d    c    family one by one textbook  ratio     folds   kernel  solve gradients rest\n");
  if (sizes.size() == 3) {
    time_set(sizes[0], sizes[1], sizes[2], with_textbook);
    return 0;
  }
  const Index all[][3] = {{200, 10, 2},  {500, 20, 3},  {1000, 16, 2}, {1000, 60, 10}, {1600, 64, 100},
                          {2000, 30, 2}, {3200, 36, 3}, {4600, 57, 2}, {600, 250, 4}};
  for (const auto& size : all) time_set(size[0], size[1], size[2], with_textbook);
}
