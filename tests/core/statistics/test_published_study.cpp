// Metrics of the 179 classifiers of Fernandez-Delgado et al. (JMLR 2014) on 121 sets, as that paper (table 2) and
// Radhakrishnan et al. (Fig. 4a) print them. Needs their table: $ANSATZ_DATA/uci121/results/results.txt.
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/data/collections/published_results.h"
#include "core/statistics/ranks.h"
#include "core/statistics/table_metrics.h"
#include "tests/core/statistics/slow_statistics.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

/// The study's table as shares.
ScoreTable read_study(const std::filesystem::path& path) {
  const PublishedResults results = read_published_results(path);
  return {results.sets, results.methods, results.accuracy / 100};
}

}  // namespace

TEST_CASE("published study: averages and ranks of the best classifiers come back") {
  const char* data = std::getenv("ANSATZ_DATA");
  const std::filesystem::path path = std::filesystem::path(data ? data : "") / "uci121/results/results.txt";
  if (!data || !exists(path)) {
    WARN("skipped: $ANSATZ_DATA has no uci121/results/results.txt");
    return;
  }
  const ScoreTable table = read_study(path);
  REQUIRE((table.scores.rows() == 121 && table.scores.cols() == 179));
  const std::vector<MethodMetrics> metrics = table_metrics(table);
  const auto of = [&](const char* method) { return metrics[static_cast<std::size_t>(find_method(table, method))]; };
  struct Printed {
    const char* method;
    double rank, average;
  };
  for (const Printed& printed : {Printed{"parRF_caret", 32.9, 82.0},
                                 {"svm_C", 36.8, 81.8},
                                 {"svmPoly_caret", 38.0, 81.2},
                                 {"rforest_R", 39.4, 81.9},
                                 {"elm_kernel_matlab", 39.6, 82.0},
                                 {"C5.0_caret", 42.9, 80.6},
                                 {"avNNet_caret", 44.1, 79.4}}) {
    INFO(printed.method);
    CHECK(of(printed.method).rank == Approx(printed.rank).margin(0.05));
    CHECK(of(printed.method).score.mean * 100 == Approx(printed.average).margin(0.051));
  }
  const MethodMetrics net = of("avNNet_caret");  // the paper's "Neural Net"
  CHECK(net.p90 * 100 == Approx(73.55).margin(0.005));
  CHECK(net.p95 * 100 == Approx(53.72).margin(0.005));
  CHECK(net.pma.mean * 100 == Approx(91.14).margin(0.005));
  CHECK(net.pma.sd * std::sqrt(120 / 121.0) * 100 == Approx(12.81).margin(0.005));  // theirs divides by n

  const Vector<double> slow = slow_friedman_ranks(table);
  for (Index j = 0; j < slow.size(); ++j) CHECK(metrics[static_cast<std::size_t>(j)].rank == Approx(slow(j)));
}
