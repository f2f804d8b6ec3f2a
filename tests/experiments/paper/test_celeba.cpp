// celeba_features and lottery_tickets on made "faces": patches of noise on which an attribute stripes a few pixels.
#include <algorithm>
#include <cmath>
#include <random>

#include "core/base/random.h"
#include "experiments/paper/faces/eigenvector_match.h"
#include "experiments/plan.h"
#include "tests/experiments/paper_run.h"
#include "tests/support/catch.h"
#include "viz/images/feature_image.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

constexpr int kSide = 6;

/// CelebA's layout: every second picture has Eyeglasses (row 1 is striped), every second pair is Smiling (row 4).
void write_faces(const Workspace& work, int n) {
  std::mt19937 random(7);
  std::string attributes = std::to_string(n) + "\nEyeglasses Smiling\n";
  std::filesystem::create_directories(work.path() / "celeba/img_align_celeba");
  for (int i = 0; i < n; ++i) {
    const bool glasses = i % 2 == 1, smiles = i / 2 % 2 == 1;
    viz::Image image{kSide, kSide, {}};
    for (int pixel = 0; pixel < kSide * kSide; ++pixel) {
      const int row = pixel / kSide;
      const bool marked = (glasses && row == 1) || (smiles && row == 4);
      const int mark = marked ? (pixel % 2 == 0 ? 40 : -40) : 0;  // contrast: brightness alone goes with the length
      for (int channel = 0; channel < 3; ++channel)
        image.rgb.push_back(static_cast<std::uint8_t>(80 + static_cast<int>(random() % 40) + mark));
    }
    const std::string file = std::to_string(i) + ".jpg";  // what it is says its content
    viz::write_png(image, work.path() / "celeba/img_align_celeba" / file);
    attributes += file + (glasses ? "  1" : " -1") + (smiles ? "  1\n" : " -1\n");
  }
  work.write("celeba/list_attr_celeba.txt", attributes);
}

const std::string kData =
    "dataset: {name: celeba, path: celeba, image_height: 6, image_width: 6, balanced: true, normalize: unit_norm}\n"
    "rfm: {iterations: 1, report_iteration: last}\n";
const std::string kFeatures =
    "experiment: celeba_features\nceleba_features: {attributes: [Eyeglasses, Smiling], control: [Eyeglasses, "
    "Smiling]}\n"
    "network: {hidden_layers: [64], optimizer: {learning_rate: 0.5}, batch_size: 16, epochs: 60, report_epoch: last,\n"
    "          snapshots: 5, snapshot_eigenvectors: true}\n" +
    kData;
const std::string kTickets =
    "experiment: lottery_tickets\nlottery_tickets: {attributes: [Eyeglasses, Smiling], threshold: 0.2, thresholds: "
    "[0.1, "
    "0.2, 0.5]}\n" +
    kData;

}  // namespace

TEST_CASE("celeba_features: network and RFM agree on each task and differ between tasks") {
  const Workspace work;
  write_faces(work, 240);
  work.write("f.yaml",
             kFeatures + "findings: {expected: [{name: smiling.diagonal_pearson, paper: 0.9, at_least: 0.5}]}\n");
  const auto metrics = metrics_of_run(work, "f.yaml", "f");
  CHECK(metrics.at("parts") == nlohmann::ordered_json({"eyeglasses", "smiling"}));
  for (const std::string task : {"eyeglasses", "smiling"}) {
    CHECK(finding(metrics, task + ".diagonal_pearson") > 0.8);
    CHECK(finding(metrics, task + ".top_eigenvector_pearson") > 0.9);
    CHECK(finding(metrics, task + ".initial_top_eigenvector_pearson") < 0.6);
    CHECK(finding(metrics, task + ".other_tasks_diagonal_pearson") < 0.2);
    CHECK(finding(metrics, task + ".rfm_eigenvalue_ratio") < 0.5);
    CHECK(finding(metrics, task + ".network_accuracy") > 85);
    CHECK(finding(metrics, task + ".rfm_accuracy") > 85);
    // RFM-T keeps the striped row, at the default threshold a little more.
    CHECK(finding(metrics, task + ".rfm_t_kept") == Approx(100.0 / 6).margin(12));
    CHECK(
        finding(metrics, task + ".rfm_t_network_gain") ==
        Approx(finding(metrics, task + ".rfm_t_accuracy") - finding(metrics, task + ".network_accuracy")).margin(1e-9));
    // The reported network is the last one.
    CHECK(finding(metrics, task + ".reported_epoch") == 60);
    for (const std::string what : {"diagonal_pearson", "top_eigenvector_pearson", "network_accuracy"})
      CHECK(finding(metrics, task + ".last_" + what) == Approx(finding(metrics, task + "." + what)).margin(1e-4));
    // Matched best to best at least as well as one by one.
    CHECK(finding(metrics, task + ".second_matched_pearson") <= 1);
    CHECK(finding(metrics, task + ".matched_eigenvectors_pearson") > 0.3);
  }
  // Two tasks: the other one is the control.
  CHECK(finding(metrics, "control.diagonal_pearson") ==
        Approx(finding(metrics, "eyeglasses.other_tasks_diagonal_pearson")));
  // The same number stands in the part's own comparison.
  const auto pair = work.metrics("f/parts/smiling").at("comparisons").at(0);
  CHECK(finding(metrics, "smiling.diagonal_pearson") == pair.at("diagonal_pearson").get<double>());
  // The network that is reported is the last; the first is its initial weights.
  const auto evolution = work.metrics("f/parts/smiling").at("evolution").at("top_eigenvector_pearson_with_rfm");
  CHECK(evolution.back().get<double>() == Approx(finding(metrics, "smiling.top_eigenvector_pearson")).margin(1e-4));
  CHECK(evolution.front().get<double>() ==
        Approx(finding(metrics, "smiling.initial_top_eigenvector_pearson")).margin(1e-4));
  for (const char* figure : {"features", "eigenvectors", "over_epochs", "tasks"})
    CHECK(std::filesystem::exists(work.path() / "f/images" / (std::string(figure) + ".png")));
  CHECK(work.read("f/report.html").find("mean r of its network") != std::string::npos);
}

TEST_CASE("celeba_features: an interrupted run goes on to the same findings") {
  const Workspace work;
  write_faces(work, 120);
  work.write("f.yaml", kFeatures + "save: {images: false}\nreport: false\n");
  const std::string kLong = "network.epochs=300";  // so that the signal finds it at work
  REQUIRE(work.run({"run", "f.yaml", "--out", "whole", "--quiet", "--set", kLong}).exit_code == 0);
  ansatz::testing::ProgramLimits limits;
  limits.interrupt_when = "cut/parts/smiling/history.csv";
  const ProgramResult cut = work.run({"run", "f.yaml", "--out", "cut", "--quiet", "--set", kLong}, limits);
  INFO(cut.err);
  REQUIRE(cut.exit_code == 130);
  REQUIRE(work.run({"run", "f.yaml", "--out", "cut", "--quiet", "--resume", "--set", kLong}).exit_code == 0);
  CHECK(work.results("cut").at("findings") == work.results("whole").at("findings"));
}

TEST_CASE("celeba_features: the best epoch is reported beside the last") {
  const Workspace work;
  write_faces(work, 240);
  work.write("f.yaml", kFeatures + "save: {images: false}\nreport: false\n");
  const ProgramResult run = work.run({"run", "f.yaml", "--out", "f", "--quiet", "--set", "network.report_epoch=best",
                                      "--set", "network.optimizer.learning_rate=0.05"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto metrics = work.metrics("f");
  for (const std::string task : {"eyeglasses", "smiling"}) {
    const auto part = work.metrics("f/parts/" + task);
    CHECK(finding(metrics, task + ".reported_epoch") == part.at("models").at("network").at("reported_epoch"));
    const auto last = part.at("evolution").at("top_eigenvector_pearson_with_rfm").back().get<double>();
    CHECK(finding(metrics, task + ".last_top_eigenvector_pearson") == last);
  }
}

TEST_CASE("celeba_features: without eigenvectors at epochs the last epoch is not known") {
  const Workspace work;
  write_faces(work, 40);
  work.write("f.yaml", kFeatures + "findings: {expected: [{name: smiling.last_diagonal_pearson}]}\n");
  CHECK(
      work.run({"run", "f.yaml", "--out", "f", "--quiet", "--set", "network.snapshot_eigenvectors=false"}).exit_code ==
      2);
}

TEST_CASE("eigenvectors are matched best to best, whatever their order and sign") {
  const Matrix<double> a = RandomStream(2).normal_matrix<double>(3, 50);
  Matrix<double> b(3, 50);
  b.row(0) = a.row(0);
  b.row(1) = a.row(2) + 0.5 * a.row(1);
  b.row(2) = -a.row(1);
  const Matrix<double> likeness = experiments::eigenvector_likeness(a, b);
  CHECK(likeness(0, 0) == Approx(1));
  CHECK(likeness(1, 2) == Approx(1));  // the paper: the network's second is the RFM's third
  const std::vector<Index> matches = experiments::match_best_to_best(likeness);
  CHECK(matches == std::vector<Index>{0, 2, 1});
  CHECK(experiments::mean_of_matches(likeness, matches) == Approx((2 + likeness(2, 1)) / 3));
  // Each once: rows 0 and 1 both like column 0 best, and the better of them has it.
  Matrix<double> contested(2, 2);
  contested << 0.8, 0.1, 0.9, 0.7;
  CHECK(experiments::match_best_to_best(contested) == std::vector<Index>{1, 0});
  CHECK(experiments::match_best_to_best(likeness.leftCols(1)) == std::vector<Index>{0, -1, -1});
  CHECK(std::isnan(experiments::mean_of_matches(Matrix<double>(0, 0), {})));
}

TEST_CASE("celeba_features: what is wrong in the config is named") {
  const Workspace work;
  write_faces(work, 40);
  const auto complaint = [&](const std::string& text) {
    work.write("f.yaml", text);
    const ProgramResult run = work.run({"run", "f.yaml", "--out", "f", "--quiet"});
    CHECK(run.exit_code == 2);
    return run.err;
  };
  const std::string network = "network: {epochs: 1}\n", own = "experiment: celeba_features\n";
  CHECK(complaint(own + network + kData).find("attributes: is needed") != std::string::npos);
  CHECK(complaint(own + "celeba_features: {attributes: [Smiling, Smiling]}\n" + network + kData)
            .find("Smiling is there twice") != std::string::npos);
  CHECK(complaint(own + "celeba_features: {attributes: [Smiling], control: [Smiling, Bald]}\n" + network + kData)
            .find("Bald is not one of the attributes") != std::string::npos);
  CHECK(complaint(own + "celeba_features: {attributes: [Smiling]}\n" + kData).find("network and rfm") !=
        std::string::npos);
  CHECK(complaint(own + "celeba_features: {attributes: [Smilling]}\n" + network + kData).find("did you mean Smiling") !=
        std::string::npos);
}

TEST_CASE("lottery_tickets: the kept coordinates are the task's, and suffice") {
  const Workspace work;
  write_faces(work, 240);
  work.write("t.yaml", kTickets);
  const auto metrics = metrics_of_run(work, "t.yaml", "t");
  for (const std::string task : {"eyeglasses", "smiling"}) {
    // The striped row is 1/6 of all coordinates.
    CHECK(finding(metrics, task + ".coordinates_kept") == Approx(100.0 / 6).margin(6));
    CHECK(finding(metrics, task + ".pixels_kept") >= finding(metrics, task + ".coordinates_kept"));
    CHECK(finding(metrics, task + ".rfm_t_accuracy") > 85);
    CHECK(finding(metrics, task + ".rfm_t_gain") ==
          Approx(finding(metrics, task + ".rfm_t_accuracy") - finding(metrics, task + ".rfm_accuracy")).margin(1e-9));
    CHECK(finding(metrics, task + ".random_accuracy") <= finding(metrics, task + ".rfm_t_accuracy"));
  }
  CHECK(finding(metrics, "largest_coordinates_kept") ==
        std::max(finding(metrics, "eyeglasses.coordinates_kept"), finding(metrics, "smiling.coordinates_kept")));
  CHECK(finding(metrics, "mean_rfm_t_gain") ==
        Approx((finding(metrics, "eyeglasses.rfm_t_gain") + finding(metrics, "smiling.rfm_t_gain")) / 2).margin(1e-9));
  CHECK(standard_error(metrics, "mean_rfm_t_gain") ==
        Approx(std::hypot(standard_error(metrics, "eyeglasses.rfm_t_gain"),
                          standard_error(metrics, "smiling.rfm_t_gain")) /
               2));
  const std::string sweep = work.read("t/sweep.csv");
  CHECK(std::count(sweep.begin(), sweep.end(), '\n') == 1 + 2 * 3);
  for (const char* figure : {"tickets", "sweep"})
    CHECK(std::filesystem::exists(work.path() / "t/images" / (std::string(figure) + ".png")));
}

TEST_CASE("plan: what parts keep does not add up where they are held one at a time") {
  experiments::Plan plan;
  plan.stages = {{"a", "", "", 0, 5e8, 1e9}, {"b", "", "", 0, 0, 2e9}};
  const double together = plan.peak_bytes();
  plan.stages[1].part = 1;
  const double apart = plan.peak_bytes();
  plan.stages.erase(plan.stages.begin());
  CHECK(apart == plan.peak_bytes());  // the larger part alone
  CHECK(together > apart + 0.9e9);
}
