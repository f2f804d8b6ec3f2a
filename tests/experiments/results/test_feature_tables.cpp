#include "experiments/results/feature_tables.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

FeatureRecord features(const FeatureId& id, const std::vector<double>& diagonal) {
  FeatureRecord record;
  record.id = id;
  record.diagonal = Eigen::Map<const Vector<double>>(diagonal.data(), static_cast<Index>(diagonal.size()));
  return record;
}

RunRecord record_with(std::vector<FeatureRecord> matrices) {
  RunRecord record;
  record.data.emplace();
  record.data->dimension = 3;
  record.rfm.emplace();
  record.rfm->iterations.resize(2);
  record.rfm->feature_iteration = 1;
  record.features = std::move(matrices);
  return record;
}

}  // namespace

TEST_CASE("features.csv: sorted by the network, equal ranks for equal entries, names quoted where they must be") {
  RunRecord record = record_with({features(FeatureId::rfm(0), {1, 1, 1}), features(FeatureId::rfm(1), {0.1, 0.2, 3}),
                                  features(FeatureId::nfm(), {0.5, 1.0 / 3, 0.5})});
  record.data->feature_names = {"a, b", "größe", "say \"x\"\nand y"};
  CHECK(features_csv(record) ==
        "rank,feature,index,network.nfm,rfm.M1,rfm.M0\n"
        "1,\"a, b\",0,0.5,0.1,1\n"
        "1,\"say \"\"x\"\"\nand y\",2,0.5,3,1\n"
        "3,größe,1,0.333333333,0.2,1\n");
}

TEST_CASE("features.csv: without a network the RFM's learned matrix sorts, and pixels have places for names") {
  RunRecord record = record_with({features(FeatureId::rfm(0), {1, 1, 1}), features(FeatureId::rfm(1), {1, 2, 3})});
  record.data->image_shape = ImageShape{1, 1, 3};
  CHECK(features_csv(record) == "rank,feature,index,rfm.M1,rfm.M0\n1,r1 c3,2,3,1\n2,r1 c2,1,2,1\n3,r1 c1,0,1,1\n");
}

TEST_CASE("columns.csv: one-hot columns are added up, and sorted by their sums") {
  RunRecord record = record_with({features(FeatureId::rfm(1), {4, 2, 3})});
  record.data->feature_names = {"age", "city=Oslo", "city=Paris"};
  record.data->column_groups = {{"age", 0, 1, false}, {"city", 1, 2, true}};
  CHECK(columns_csv(record) == "rank,feature,index,rfm.M1\n1,city,1,5\n2,age,0,4\n");
}
