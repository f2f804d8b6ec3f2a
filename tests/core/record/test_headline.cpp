#include <limits>

#include "core/record/headline.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

struct Likeness {
  double diagonal, top, angle;  ///< angle: between the spans of the first two eigenvectors
};

/// Network against RFM, and the initial weights against it. The first two eigenvalues of the network are 1 and
/// 1 - gap, then 0.1.
RunRecord run(const Likeness& now, const Likeness& before, double gap = 0.5) {
  RunRecord record;
  record.data.emplace();
  record.has_headline = true;
  for (const auto& [a, likeness] : {std::pair(FeatureId::nfm(), now), std::pair(FeatureId::initial_nfm(), before)}) {
    FeaturePair pair{a, FeatureId::rfm(12), {}};
    pair.values.diagonal_pearson = likeness.diagonal;
    pair.values.top_eigenvector_pearson = {likeness.top, 0, 0};
    pair.values.subspace_angles_deg = {45, likeness.angle, 90};
    pair.values.relative_gaps_a = {gap, 0.9 - gap, 0.05};
    pair.values.relative_gaps_b = {0.4, 0.3, 0.1};
    record.pairs.push_back(pair);
  }
  return record;
}

TuningRecord chosen(const std::vector<std::string>& bandwidths, const std::string& bandwidth,
                    const std::vector<std::string>& kernels, const std::string& kernel) {
  TuningRecord tuning;
  tuning.axes = {{"rfm.bandwidth", bandwidths}, {"rfm.kernel", kernels}};
  tuning.cells = {{{bandwidth, kernel}, {}, {}, 0}};
  return tuning;
}

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("the headline is the diagonals and the top eigenvectors where these stand alone") {
  const std::string text = headline(run({0.9, 0.95, 7}, {0.1, 0.2, 80}), {"<b>", "</b>"});
  CHECK(text ==
        "The diagonals of network W₁ᵀW₁ and RFM M₁₂ correlate with <b>r = 0.900</b>, their top eigenvectors with "
        "<b>|r| = "
        "0.950</b>. Before training the same numbers were 0.100 and 0.200: the likeness was learned.");
}

TEST_CASE("a negative correlation has the minus of all other numbers") {
  CHECK(contains(headline(run({-0.12, 0.95, 7}, {0.1, 0.2, 80})), "correlate with r = −0.120,"));
}

TEST_CASE("where the leading eigenvalues are nearly equal, the headline is the angle between the subspaces") {
  const std::string text = headline(run({0.9, 0.05, 7}, {0.1, 0.2, 80}, 0.02));
  CHECK(contains(text,
                 "single eigenvectors are arbitrary, and the largest angle between the spans of the first 2 is "
                 "7.0°. Before training the same numbers were 0.100 and 80.0°: the likeness was learned."));
  CHECK(contains(text, "; the leading eigenvalues of network W₁ᵀW₁ are nearly equal"));
  CHECK_FALSE(contains(text, "0.050"));
  RunRecord both = run({0.9, 0.05, 7}, {0.1, 0.2, 80}, 0.02);
  both.pairs.front().values.relative_gaps_b = {0.05, 0.5, 0.1};
  CHECK(contains(headline(both), "; the leading eigenvalues of both are nearly equal"));
}

TEST_CASE("training added little only where neither number came nearer") {
  const auto ends = [](const RunRecord& record, const std::string& verdict) {
    INFO(headline(record));
    return contains(headline(record), verdict);
  };
  CHECK(ends(run({0.45, 0.3, 0}, {0.4, 0.28, 0}), ", so training added little."));
  CHECK(ends(run({0.97, 0.99, 0}, {0.96, 0.985, 0}), ", so training added little."));
  CHECK(ends(run({0.88, 0.99, 0}, {0.86, 0.1, 0}),
             ": the likeness of the leading directions was learned."));  // of the top eigenvectors
  CHECK(ends(run({0.95, 0.1, 0}, {0.88, 0.1, 0}),
             ": the likeness of the diagonals was learned."));  // more than half of what was missing
  CHECK(ends(run({kUndefined, 0.9, 0}, {0.1, 0.1, 0}), ": the likeness of the leading directions was learned."));
  CHECK(ends(run({kUndefined, 0.1, 0}, {0.1, 0.1, 0}), ", so training added little."));
  CHECK(ends(run({kUndefined, kUndefined, 0}, {0.1, 0.1, 0}), "were 0.100 and 0.100."));  // nothing can be said
  CHECK(ends(run({0.2, 0.1, 0}, {0.6, 0.1, 0}), ": training made them less alike."));
  CHECK(ends(run({0.9, 0.1, 0}, {0.2, 0.6, 0}), ": training brought the diagonals together, and the leading"));
  CHECK(ends(run({0.9, 0.1, 80}, {0.9, 0.1, 30}, 0.02), ": training made them less alike."));
}

TEST_CASE("a model that predicts no better than a constant is named before any correlation") {
  RunRecord record = run({0.9, 0.95, 7}, {0.1, 0.2, 80});
  record.data->test_size = 10;
  record.data->constant = Metrics{std::nullopt, 1, 0};
  record.network.emplace();
  record.network->metrics.test = Metrics{std::nullopt, 20, -19};
  CHECK(headline(record).rfind("The network predicts no better than a constant, so that a likeness says nothing", 0) ==
        0);
  record.rfm.emplace();
  record.rfm->iterations.resize(1);
  record.rfm->iterations[0].test = Metrics{std::nullopt, 2, -1};
  CHECK(headline(record).rfind("The network and the RFM predict no better than a constant", 0) == 0);
  record.network->metrics.test = Metrics{std::nullopt, 0.1, 0.9};
  CHECK(headline(record).rfind("The RFM predicts no better", 0) == 0);
  record.rfm->iterations[0].test = Metrics{std::nullopt, 0.1, 0.9};
  CHECK(headline(record).rfind("The diagonals of", 0) == 0);
  record.has_headline = false;
  CHECK(headline(record).empty());
}

TEST_CASE("a chosen number at the end of those tried is named, words and numbers between are not") {
  const std::vector<std::string> kernels = {"laplace", "gaussian"};
  CHECK(tuning_edges(chosen({"5", "20", "1e1"}, "20", kernels, "gaussian")) ==
        "rfm.bandwidth = 20 is the largest value tried, so a larger one may be better. ");
  CHECK(tuning_edges(chosen({"20", "5", "10"}, "5", kernels, "laplace")) ==
        "rfm.bandwidth = 5 is the smallest value tried, so a smaller one may be better. ");
  CHECK(tuning_edges(chosen({"5", "1e1", "20"}, "1e1", kernels, "laplace")).empty());
  CHECK(tuning_edges(chosen({"0", "5"}, "0", kernels, "laplace")).empty());
  CHECK(tuning_edges(chosen({"5"}, "5", kernels, "laplace")).empty());  // nothing was tried beside it
  CHECK(tuning_edges(chosen({"5", "auto"}, "5", kernels, "laplace")).empty());
}
