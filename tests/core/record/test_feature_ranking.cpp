#include <cmath>

#include "core/record/feature_ranking.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

Vector<double> vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector<double>>(values.data(), static_cast<Index>(values.size()));
}

FeatureRecord features(const FeatureId& id, const std::vector<double>& diagonal) {
  FeatureRecord record;
  record.id = id;
  record.diagonal = vector_of(diagonal);
  return record;
}

/// Columns: age | city (Oslo, Paris) | size.
RunRecord table() {
  RunRecord record;
  record.data.emplace();
  record.data->dimension = 4;
  record.data->feature_names = {"age", "city=Oslo", "city=Paris", "size"};
  record.data->column_groups = {{"age", 0, 1, false}, {"city", 1, 2, true}, {"size", 3, 1, false}};
  record.rfm.emplace();
  record.rfm->iterations.resize(2);
  record.rfm->feature_iteration = 1;
  record.features = {features(FeatureId::rfm(0), {1, 1, 1, 1}), features(FeatureId::initial_nfm(), {1, 1, 1, 1}),
                     features(FeatureId::rfm(1), {0, 3, 1, 4}), features(FeatureId::nfm(), {4, 2, 3, 1})};
  return record;
}

std::vector<std::string> names(const std::vector<RankedFeature>& list) {
  std::vector<std::string> all;
  for (const RankedFeature& feature : list) all.push_back(feature.name);
  return all;
}

}  // namespace

TEST_CASE("a coordinate is called as its column, by its pixel, or x1, x2, ...") {
  DataRecord data;
  data.dimension = 24;
  CHECK(feature_name(data, 0) == "x1");
  CHECK(feature_name(data, 23) == "x24");
  data.image_shape = ImageShape{1, 4, 6};
  CHECK(feature_name(data, 0) == "r1 c1");
  CHECK(feature_name(data, 6) == "r2 c1");
  CHECK(feature_name(data, 23) == "r4 c6");
  data.image_shape = ImageShape{3, 2, 4};
  CHECK(feature_name(data, 7) == "red r2 c4");
  CHECK(feature_name(data, 8) == "green r1 c1");
  CHECK(feature_name(data, 23) == "blue r2 c4");
  data.image_shape = ImageShape{4, 2, 3};
  CHECK(feature_name(data, 19) == "channel 4 r1 c2");
  data.feature_names.assign(24, "own");
  CHECK(feature_name(data, 5) == "own");
}

TEST_CASE("ranks: the largest is 1, equal entries share a rank, and the order of equals is their own") {
  const Vector<double> entries = vector_of({2, 5, 2, 0, 5});
  CHECK(descending_order(entries) == std::vector<Index>{1, 4, 0, 2, 3});
  CHECK(ranks_of(entries) == std::vector<Index>{3, 1, 3, 5, 1});
}

TEST_CASE("the ranking orders by the network and gives shares of the trace and ranks of both") {
  const FeatureRanking ranking = rank_features(table()).value();
  CHECK(ranking.matrices == std::vector<FeatureId>{FeatureId::nfm(), FeatureId::rfm(1)});
  CHECK(names(ranking.by_feature) == std::vector<std::string>{"age", "city=Paris", "city=Oslo", "size"});
  const RankedFeature& paris = ranking.by_feature[1];
  CHECK(paris.first == 2);
  CHECK(paris.shares[0] == Approx(0.3));
  CHECK(paris.shares[1] == Approx(0.125));
  CHECK(paris.ranks == std::vector<Index>{2, 3});
}

TEST_CASE("the columns of one variable are added up") {
  const FeatureRanking ranking = rank_features(table()).value();
  CHECK(names(ranking.by_column) == std::vector<std::string>{"city", "age", "size"});
  CHECK(ranking.by_column[0].first == 1);
  CHECK(ranking.by_column[0].shares[0] == Approx(0.5));
  CHECK(ranking.by_column[0].shares[1] == Approx(0.5));
  CHECK(ranking.by_column[0].ranks == std::vector<Index>{1, 1});
  RunRecord numbers = table();
  for (ColumnGroup& group : numbers.data->column_groups) group.one_hot = false;
  CHECK(rank_features(numbers)->by_column.empty());
}

TEST_CASE("what only one of the matrices holds to be large is not left out") {
  RunRecord record;
  record.data.emplace();
  record.data->dimension = 100;
  std::vector<double> network(100, 1), truth(100, 0);
  for (std::size_t i = 0; i < 30; ++i) network[i] = 40 - static_cast<double>(i);
  truth[99] = 1;
  record.features = {features(FeatureId::truth(), truth), features(FeatureId::nfm(), network)};
  const FeatureRanking ranking = rank_features(record).value();
  CHECK(ranking.matrices == std::vector<FeatureId>{FeatureId::nfm(), FeatureId::truth()});
  REQUIRE(ranking.by_feature.size() == kRankedFeatures);
  CHECK(ranking.by_feature.front().name == "x1");
  CHECK(ranking.by_feature[18].name == "x19");  // the twentieth gave way
  CHECK(ranking.by_feature.back().name == "x100");
  CHECK(ranking.by_feature.back().shares[1] == 1);
}

TEST_CASE("no ranking of pixels, nor of an RFM that learned nothing, and no shares of a matrix of zeros") {
  RunRecord record = table();
  record.data->image_shape = ImageShape{1, 2, 2};
  CHECK_FALSE(rank_features(record));
  record = table();
  record.features = {features(FeatureId::rfm(0), {1, 1, 1, 1})};
  CHECK_FALSE(rank_features(record));
  record.features = {features(FeatureId::rfm(1), {0, 0, 0, 0})};
  CHECK(std::isnan(rank_features(record)->by_feature[0].shares[0]));
}

TEST_CASE("what the leaves of a tree look at stands for an RFM's where there is none") {
  RunRecord record = table();
  CHECK(learned_by_rfm(record) == FeatureId::rfm(1));
  record.rfm.reset();
  record.features = {features(FeatureId::rfm(2), {0, 3, 1, 4})};
  CHECK(learned_by_rfm(record) == FeatureId::rfm(2));
  const std::optional<FeatureRanking> ranking = rank_features(record);
  REQUIRE(ranking);
  CHECK(ranking->matrices == std::vector<FeatureId>{FeatureId::rfm(2)});
  CHECK(names(ranking->by_feature) == std::vector<std::string>{"size", "city=Oslo", "city=Paris", "age"});
  record.features.clear();
  CHECK_FALSE(learned_by_rfm(record));
}

TEST_CASE("feature matrices: the network's, the learned M, then as they were") {
  const RunRecord record = table();
  std::vector<std::string> order;
  for (const FeatureRecord* f : network_and_rfm_first(record)) order.push_back(f->id.name());
  CHECK(order == std::vector<std::string>{"network.nfm", "rfm.M1", "rfm.M0", "network.nfm0"});
}

TEST_CASE("leading eigenvectors by name: the largest loadings of any matrix, signs turned to agree") {
  RunRecord record = table();
  FeatureRecord &rfm = record.features[2], &network = record.features[3];
  network.trace = 10;
  network.eigenvalues = vector_of({8, 0.01});
  network.eigenvectors = Matrix<double>(2, 4);
  network.eigenvectors << -0.6, 0, 0.8, 0, 0, 1, 0, 0;
  rfm.trace = 8;
  rfm.eigenvalues = vector_of({4});
  rfm.eigenvectors = Matrix<double>(1, 4);
  rfm.eigenvectors << 0.1, 0.7, -0.7, 0.1;  // points away from the network's
  const std::vector<RankedEigenvector> eigenvectors = rank_features(record)->eigenvectors;
  REQUIRE(eigenvectors.size() == 1);  // the second has 0.1 % of the trace
  const RankedEigenvector& first = eigenvectors[0];
  CHECK(first.number == 1);
  CHECK(first.shares == std::vector<double>{0.8, 0.5});
  REQUIRE(first.features.size() == 4);
  CHECK(first.features[0].name == "city=Paris");
  CHECK(first.features[0].loadings == std::vector<double>{0.8, 0.7});
  CHECK(first.features[1].name == "age");
  CHECK(first.features[1].loadings == std::vector<double>{-0.6, -0.1});
  CHECK(first.features[2].first == 1);
}

TEST_CASE("a set of a benchmark: features of the methods that learned any, by name and by column") {
  BenchmarkSet set;
  set.dimension = 3;
  set.column_groups = {{"age", 0, 1, false}, {"city", 1, 2, true}};
  MethodOnSet rfm, forest;
  rfm.method = "RFM";
  rfm.features = LearnedFeatures{"", 4, vector_of({1, 2, 1}), vector_of({2}), Matrix<double>(1, 3)};
  rfm.features->eigenvectors << 0, -1, 0;
  forest.method = "forest";
  set.results = {forest, rfm};
  const SetRanking ranking = rank_features(set).value();
  CHECK(ranking.methods == std::vector<std::string>{"RFM"});
  CHECK(names(ranking.ranking.by_feature) == std::vector<std::string>{"x2", "x1", "x3"});
  CHECK(names(ranking.ranking.by_column) == std::vector<std::string>{"city", "age"});
  CHECK(ranking.ranking.by_column[0].shares == std::vector<double>{0.75});
  CHECK(ranking.ranking.eigenvectors.at(0).features[0].loadings == std::vector<double>{1});
  set.results = {forest};
  CHECK_FALSE(rank_features(set));
}
