// metrics.json there and back.
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/record/json/repeats_json.h"
#include "core/record/json/run_record_json.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

const double kUndefined = std::nan("");

SolveSummary solve() {
  SolveSummary s;
  s.method = "pcg, K in memory";
  s.note = "why";
  s.jitter = 1e-6;
  s.iterations = 17;
  s.preconditioner_rank = 3;
  s.termination = Termination::stalled;
  s.stopped = "every residual is below 1e-05";
  s.relative_residual = 1e-7 / 3;
  s.kernel_seconds = 0.1;
  s.seconds = 0.2;
  s.flops = 1e9;
  s.history = {{0.1, 0.5, kUndefined}, {0.2, 0.25, 0.75}};
  return s;
}

AnsatzVariant variant(const AnsatzVariantName& name) {
  AnsatzVariant v;
  v.name = name.name;
  v.label = name.left + " ~ " + name.right;
  v.left = name.left;
  v.right = name.right;
  v.power = 0.5;
  v.similarity.matrix_pearson = kUndefined;
  v.similarity.cosine = 0.5;
  return v;
}

/// Everything that a comparison can have.
RunRecord comparison() {
  RunRecord r;
  r.experiment = "feature_comparison";
  r.name = "a \"name\"";
  r.seed = 18446744073709551615u;
  r.conventions = {{"ridge", "absolute"}, {"agop", "mean"}};
  r.config = config_values("seed: 3\nrfm: {ridge: 1.0e-3}\nsave: {}\nw: [1, two, {deep: true}]\n", "config.yaml");
  r.data = DataRecord{"mnist",
                      5,
                      4,
                      3,
                      12,
                      2,
                      Task::classification,
                      {"no", "yes"},
                      Matrix<double>(2, 2),
                      ImageShape{3, 2, 2},
                      {"scaled"},
                      DataRecord::Truth{"x1", 0.1},
                      {{"train_inputs", "crc32 1"}}};
  r.data->target_scaling = {Vector<double>::Constant(2, 545.125), Vector<double>::Constant(2, 1.0 / 3)};
  r.data->constant = Metrics{0.5, 0.25, kUndefined};
  for (int i = 0; i < 12; ++i) r.data->feature_names.push_back("größe \"" + std::to_string(i) + "\"");
  r.top_features = FeatureRanking{{FeatureId::nfm(), FeatureId::rfm(1)},
                                  {{"größe", 3, {0.75, kUndefined}, {1, 2}}, {"b", 0, {0.25, 1.0 / 3}, {2, 1}}},
                                  {{"column", 0, {1, 1}, {1, 1}}},
                                  {{2, {0.5, kUndefined}, {{"größe", 3, {-0.75, kUndefined}}}}}};
  r.data->class_codes << 0.1, 1.0 / 3, -0.1, -1.0 / 3;
  r.network = NetworkRecord{};
  r.network->description = "12-2 relu";
  r.network->reading = "12–2, relu assumed, no biases, from key fc";
  r.network->reported_epoch = 1;
  r.network->metrics = {{0.5, 0.1, 0.2}, Metrics{0.25, kUndefined, kUndefined, 1.5}, std::nullopt};
  r.network->epochs = {{0, 0.5, Metrics{0.5, 0.1, 0.2}, std::nullopt, 0}, {1, 0.25, std::nullopt, Metrics{}, 0}};
  r.network->observations = {{0, Generalization{{0.5, 0.1, 0.2}, 1.0 / 3, {0.25, kUndefined}, {0.5, 0.125}}},
                             {1, LayerVariants{{variant(ansatz_variant_table().front())}, {}}}};
  r.network->train_seconds = 1.5;
  r.network->agop_seconds = 0.5;
  RfmIteration plain, learned;
  plain.train = {1, 0.1, 0.2};
  learned.iteration = 1;
  learned.test = Metrics{0.5, 0.3, 0.4};
  learned.solve = solve();
  learned.gradients = GradientSummary{"gram", 5, 0.1, 1e6};
  learned.bandwidth = 10.0 / 3;
  learned.seconds = 2;
  r.rfm = RfmRecord{"laplace", {plain, learned}, 1, 1};
  r.kernel_machines = {{"ntk", "ntk of depth 2", {{0.5, 0.1, 0.2}, std::nullopt, Metrics{}}, solve()}};
  FeatureComparison likeness;
  likeness.diagonal_pearson = 0.1;
  likeness.top_eigenvector_pearson = {0.5, kUndefined};
  likeness.principal_angles_deg = {1.5};
  likeness.subspace_angles_deg = {1.25};
  likeness.eigenvalues_a = likeness.eigenvalues_b = {3, 2, 1};
  likeness.relative_gaps_a = {1.0 / 3};
  r.pairs = {{FeatureId::nfm(), FeatureId::rfm(1), likeness}, {FeatureId::agop(), FeatureId::truth(), likeness}};
  r.has_headline = true;
  r.subspace_shares = {{FeatureId::nfm(), 0.75}, {FeatureId::truth(), 1}};
  r.variants = {variant(ansatz_variant_table().back())};
  r.variants_by_layer = {r.variants, {variant(ansatz_variant_table().front())}};
  r.evolution = FeatureEvolution{{0, 1}, {0.1, kUndefined}, {1, 1}, {}, {0.25, 0.5}};
  r.comparison_seconds = 0.25;
  r.warnings = {"beware"};
  return r;
}

RunRecord experiment() {
  RunRecord r;
  r.experiment = "low_rank";
  r.name = "n";
  r.findings = FindingsRecord{
      "smaller",
      {{{"a", "an a", 0.1, "%", 0.02}, {0.99, "Fig. 2", {0.9, 1}, {0.7, {}}}, Verdict::differs, Verdict::unclear, 0.01},
       {}}};
  r.findings->list[1].name = "b";
  r.findings->list[1].value = kUndefined;
  r.figures = {{"file", "title", "caption", true}, {"other", "t", "c"}};
  r.parts = {"one", "two"};
  return r;
}

Json reread(const Json& json) { return Json::parse(json.dump()); }
RunRecord there_and_back(const RunRecord& record) {
  return record_from_json({reread(to_json(record)), "run/metrics.json"});
}

std::string refused(Json json) {
  return message_of<DataError>([&] { record_from_json({std::move(json), "run/metrics.json"}); });
}

}  // namespace

TEST_CASE("metrics.json: a comparison is read back as it was written") {
  const RunRecord record = comparison(), back = there_and_back(record);
  CHECK(to_json(back).dump(1) == to_json(record).dump(1));
  CHECK(back.seed == record.seed);
  CHECK(back.config == record.config);
  CHECK(to_json(record).at("config").at("rfm").at("ridge") == 0.001);
  CHECK(to_json(record).at("config").at("w").at(2).at("deep") == true);
  CHECK(back.data->feature_names == record.data->feature_names);
  CHECK(back.top_features->matrices == record.top_features->matrices);
  CHECK(back.top_features->by_feature[0].ranks == std::vector<Index>{1, 2});
  CHECK(std::isnan(back.top_features->by_feature[0].shares[1]));
  CHECK(back.top_features->by_column[0].name == "column");
  CHECK(back.top_features->eigenvectors[0].number == 2);
  CHECK(back.top_features->eigenvectors[0].features[0].loadings[0] == -0.75);
  CHECK(back.kernel_machines[0].solve.termination == Termination::stalled);
  CHECK(back.rfm->iterations[1].solve.history[1].validation_mse == 0.75);
  CHECK(std::isnan(back.rfm->iterations[1].solve.history[0].validation_mse));
  CHECK(std::get<LayerVariants>(back.network->observations[1].seen)[0][0].left == ansatz_variant_table().front().left);
  CHECK(back.subspace_share(FeatureId::nfm()) == 0.75);
  CHECK(std::isnan(back.subspace_share(FeatureId::agop())));
  CHECK(back.find_pair(FeatureId::agop(), FeatureId::truth()) != nullptr);
  CHECK(back.find_pair(FeatureId::truth(), FeatureId::agop()) == nullptr);
}

TEST_CASE("metrics.json: an experiment of parts is read back as it was written") {
  const RunRecord record = experiment(), back = there_and_back(record);
  CHECK(to_json(back).dump(1) == to_json(record).dump(1));
  CHECK(back.figures[0].shows_data);
  CHECK(to_json(record).at("findings").at("list").at(0).at("bound") == Json{{"at_least", 0.9}, {"at_most", 1.0}});
  CHECK(back.findings->list[0].verdict == Verdict::differs);
  CHECK(back.findings->list[0].verdict_at_this_size == Verdict::unclear);
  CHECK(back.findings->list[0].standard_error == 0.02);
  CHECK_FALSE(back.findings->list[1].verdict);
  CHECK_FALSE(back.data);
}

TEST_CASE("metrics.json: a run of several seeds is read back as it was written") {
  RepeatsRecord record;
  record.experiment = "low_rank";
  record.seeds = {3, 4};
  record.conventions = {{"a", "b"}};
  record.config = comparison().config;
  record.data = comparison().data;
  record.summary = {{"models.rfm.test.mse", {0.5, 0.1, {0.4, 0.6}}}};
  record.findings = experiment().findings;
  const JsonValue json(reread(to_json(record)), "run/metrics.json");
  CHECK(is_of_repeats(json));
  CHECK(to_json(repeats_from_json(json)).dump(1) == to_json(record).dump(1));
}

// Any value in place of what stands there, or nothing: read, or refused with the file's name. Never a crash.
TEST_CASE("metrics.json: whatever stands at any key is read or refused by name") {
  for (const RunRecord& record : {comparison(), experiment()}) {
    const Json whole = reread(to_json(record)), flat = whole.flatten();
    int refusals = 0;
    for (const auto& [pointer, value] : flat.items()) {
      for (const Json& other : {Json(nullptr), Json(-1), Json("x"), Json::array(), Json::object(), Json(1e300)}) {
        Json changed = whole;
        changed[Json::json_pointer(pointer)] = other;
        try {
          record_from_json({changed, "run/metrics.json"});
        } catch (const DataError& error) {
          ++refusals;
          CHECK(contains(error.what(), "run/metrics.json"));
        }
      }
    }
    CHECK(refusals > 2 * static_cast<int>(flat.size()));
  }
}

TEST_CASE("metrics.json: what does not fit together is refused") {
  Json json = reread(to_json(comparison()));
  json["headline"]["b"] = "rfm.M7";
  CHECK(contains(refused(json), "headline must be the first of the comparisons"));
  json = reread(to_json(comparison()));
  json["models"]["rfm"]["reported_iteration"] = 2;
  CHECK(contains(refused(json), "models.rfm.reported_iteration"));
  json = reread(to_json(comparison()));
  json["comparisons"][0]["a"] = "mine";
  CHECK(contains(refused(json), "is no feature matrix of a run"));
  json = reread(to_json(comparison()));
  json["data"]["class_codes"][1] = {1};
  CHECK(contains(refused(json), "rows of equal length"));
  json = reread(to_json(comparison()));
  json["feature_names"].push_back("one more");
  CHECK(contains(refused(json), "feature_names must be as many as data.dimension"));
  json = reread(to_json(comparison()));
  json["top_features"]["by_feature"][1]["shares"].push_back(0.5);
  CHECK(contains(refused(json), "top_features.by_feature.1 must have a share and a rank for each of the matrices"));
  json = reread(to_json(comparison()));
  json["top_features"]["eigenvectors"][0]["features"][0]["loadings"].push_back(0.5);
  CHECK(contains(refused(json), "loadings must be one for each of the matrices"));
  json = reread(to_json(comparison()));
  json["top_features"]["matrices"][0] = "mine";
  CHECK(contains(refused(json), "is no feature matrix of a run"));
}

TEST_CASE("metrics.json: names of pixels, and more names than anyone reads, stay out") {
  RunRecord record = comparison();
  record.data->feature_names.clear();
  CHECK_FALSE(to_json(record).contains("feature_names"));
  record.data->dimension = 10'001;
  record.data->feature_names.assign(10'001, "gene");
  CHECK_FALSE(to_json(record).contains("feature_names"));
}

TEST_CASE("scores of a record: network, the reported iteration of the RFM, kernel machines") {
  const std::vector<ModelScores> scores = scores_of(comparison());
  REQUIRE(scores.size() == 3);
  CHECK((scores[0].model == "network" && scores[1].model == "rfm" && scores[2].model == "ntk"));
  CHECK(scores[1].metrics.test->mse == 0.3);
}
