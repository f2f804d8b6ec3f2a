// Which feature matrices are compared, by what the run has of them.
#include "experiments/stages/comparison_stage.h"
#include "tests/support/catch.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

using Pair = std::pair<std::string, std::string>;

std::vector<Pair> names(const ComparisonResult<double>& result) {
  std::vector<Pair> pairs;
  for (const FeaturePair& pair : result.pairs) pairs.emplace_back(pair.a.name(), pair.b.name());
  return pairs;
}

FeatureMatrix<double> some(std::uint64_t seed) { return FeatureMatrix<double>::dense(testing::random_psd(5, 7, seed)); }

NetworkResult<double> network(bool with_initial) {
  nets::MlpOptions options;
  options.hidden_layers = {6};
  const nets::Mlp<double> mlp(5, 1, options, RandomStream(1)), initial(5, 1, options, RandomStream(2));
  NetworkResult<double> result(mlp);
  result.nfm = FeatureMatrix<double>::sandwich(mlp.weight(1));
  result.agop = some(3);
  result.agop_centered = some(4);
  if (with_initial) {
    result.initial = initial;
    result.initial_nfm = FeatureMatrix<double>::sandwich(initial.weight(1));
  }
  return result;
}

/// An RFM of that many updates, of which `reported` was the best.
RfmResult<double> rfm_result(Index updates, Index reported) {
  RfmResult<double> result;
  for (Index t = 0; t <= updates; ++t) {
    result.trace.feature_matrices.push_back(some(static_cast<std::uint64_t>(10 + t)));
    result.trace.iterations.push_back({});
    result.trace.iterations.back().iteration = t;
  }
  result.trace.reported = reported;
  return result;
}

}  // namespace

TEST_CASE("network and RFM: the headline comes first, then its baseline, and every iteration once") {
  const auto result = compare_features<double>(network(true), rfm_result(2, 2), std::nullopt, {});
  CHECK(result.has_headline);
  CHECK(names(result) == std::vector<Pair>{{"network.nfm", "rfm.M2"},
                                           {"network.nfm0", "rfm.M2"},
                                           {"network.nfm", "network.agop"},
                                           {"network.nfm", "network.agop_centered"},
                                           {"network.nfm", "network.nfm0"},
                                           {"network.agop", "rfm.M2"},
                                           {"network.nfm", "rfm.M1"}});
  CHECK(result.variants.size() == 13);
  CHECK(result.variants.back().baseline);
  const FeatureComparison direct = compare(result.find(FeatureId::nfm())->matrix(), some(12));
  CHECK(result.find_pair(FeatureId::nfm(), FeatureId::rfm(2))->values.diagonal_pearson ==
        Approx(direct.diagonal_pearson));
}

TEST_CASE("where the plain kernel was best, the features of the first update stand for the RFM") {
  const auto result = compare_features<double>(network(false), rfm_result(2, 0), std::nullopt, {});
  CHECK(names(result).front() == Pair{"network.nfm", "rfm.M1"});
  CHECK(result.find_pair(FeatureId::nfm(), FeatureId::initial_nfm()) == nullptr);
  CHECK(result.find(FeatureId::initial_nfm()) == nullptr);
}

TEST_CASE("an RFM that made no update has no features to compare") {
  const auto result = compare_features<double>(network(false), rfm_result(0, 0), std::nullopt, {});
  CHECK_FALSE(result.has_headline);
  for (const FeaturePair& pair : result.pairs) CHECK(pair.b.kind != FeatureId::Kind::rfm);
}

TEST_CASE("a known truth is compared with all that was learned, and without a network nothing else is") {
  GroundTruth<double> truth;
  truth.expected_agop = some(9);
  const auto result = compare_features<double>(std::nullopt, rfm_result(1, 1), truth, {});
  CHECK_FALSE(result.has_headline);
  CHECK(names(result) == std::vector<Pair>{{"rfm.M1", "truth"}});
  CHECK(result.variants.empty());
  CHECK_FALSE(result.evolution);
}
