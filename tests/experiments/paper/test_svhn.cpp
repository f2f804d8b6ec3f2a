// svhn, and depth on images, on digits made here: the centre tells the class, what is beside it does not.
#include "experiments/paper/depth_amplification.h"
#include "experiments/paper/image_regions.h"
#include "tests/experiments/digit_files.h"
#include "tests/experiments/paper_run.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

/// n digits each in training and test files: a bar that tells the class.
void write_digits(const Workspace& work, int n) {
  for (const std::string part : {"train", "t10k"})
    ansatz::testing::write_digits(work, part, n, [](int label) { return ansatz::testing::barred_digit(label, 6); });
}

}  // namespace

TEST_CASE("svhn: the RFM looks at the middle, and kernels on what it learned gain by it") {
  const Workspace work;
  write_digits(work, 400);
  work.write("s.yaml",
             "experiment: svhn\ndataset: {name: crowded_digits, path: .}\n"
             "network: {hidden_layers: [64], batch_size: 20, epochs: 5, snapshots: 2}\n"
             "rfm: {iterations: 2, center_gradients: true, report_iteration: last}\n"
             "kernel_machines: [{label: laplace}, {label: ntk, kernel: ntk},\n"
             "  {label: rfm_laplace, metric: rfm}, {label: rfm_ntk, kernel: ntk, ridge: 1.0e-2, metric: rfm}]\n");
  const auto metrics = metrics_of_run(work, "s.yaml", "s");
  CHECK(finding(metrics, "initial_center_share") == Approx(50).margin(2));
  CHECK(finding(metrics, "rfm_center_share") > 60);
  CHECK(finding(metrics, "rfm_gain") > 0);
  // The RFM's own kernel and ridge on the M it reports: the RFM itself.
  CHECK(finding(metrics, "rfm_laplace_accuracy") == finding(metrics, "rfm_accuracy"));
  CHECK(finding(metrics, "rfm_laplace_mse") == Approx(finding(metrics, "rfm_mse")).epsilon(1e-3));
  CHECK(finding(metrics, "rfm_gain_over_laplace") ==
        Approx(finding(metrics, "rfm_accuracy") - finding(metrics, "laplace_accuracy")));
  CHECK(finding(metrics, "network_gain_over_ntk") ==
        Approx(finding(metrics, "network_accuracy") - finding(metrics, "ntk_accuracy")));
  CHECK(finding(metrics, "rfm_ntk_gain_over_network") ==
        Approx(finding(metrics, "rfm_ntk_accuracy") - finding(metrics, "network_accuracy")));
  CHECK(finding(metrics, "rfm_ntk_mse") < finding(metrics, "ntk_mse"));
  CHECK(finding(metrics, "rfm_ntk_mse_over_network") ==
        Approx(finding(metrics, "rfm_ntk_mse") / finding(metrics, "network_mse")));
  for (const char* figure : {"samples", "diagonals_of_images", "scores"})
    CHECK(std::filesystem::exists(work.path() / "s/images" / (std::string(figure) + ".svg")));
}

TEST_CASE("svhn and depth_amplification: a network of logits has its cross-entropy where others have an MSE") {
  const Workspace work;
  write_digits(work, 100);
  const std::string of =
      "dataset: {name: crowded_digits, path: .}\n"
      "network: {hidden_layers: [16], batch_size: 20, epochs: 2, snapshots: 2, loss: cross_entropy}\n"
      "kernel_machines: [{label: laplace}]\n";
  work.write("s.yaml", "experiment: svhn\nrfm: {iterations: 1}\n" + of);
  work.write("d.yaml", "experiment: depth_amplification\ndepth_amplification: {depths: [1, 2]}\n" + of);
  for (const auto& [config, prefix] : {std::pair("s", ""), std::pair("d", "depth1.")}) {
    CAPTURE(config);
    const auto metrics = metrics_of_run(work, std::string(config) + ".yaml", config);
    CHECK(finding(metrics, std::string(prefix) + "network_cross_entropy") > 0);
    CHECK(finding(metrics, std::string(prefix) + "laplace_mse") > 0);
    for (const auto& entry : metrics.at("findings").at("list")) {
      CAPTURE(entry.at("name"));
      const auto name = entry.at("name").template get<std::string>();
      CHECK_FALSE(contains(name, "network_mse"));
      if (contains(name, "_mse") || contains(name, "_cross_entropy")) CHECK_FALSE(entry.at("value").is_null());
    }
  }
  CHECK(contains(work.read("d/scores.csv"), "test_r2,test_cross_entropy\n1,network,"));
}

TEST_CASE("depth_amplification on images: kernels on the network's features, and how far the features stand out") {
  const Workspace work;
  write_digits(work, 300);
  work.write("d.yaml",
             "experiment: depth_amplification\ndepth_amplification: {depths: [1, 2], largest: 200}\n"
             "dataset: {name: crowded_digits, path: .}\n"
             "network: {hidden_layers: [64], batch_size: 20, epochs: 5, snapshots: 2}\n"
             "kernel_machines: [{label: laplace}, {label: laplace_w1, metric: network}]\n");
  const auto metrics = metrics_of_run(work, "d.yaml", "d");
  for (const std::string part : {"depth1", "depth2"}) {
    CHECK(finding(metrics, part + ".laplace_w1_mse") != finding(metrics, "depth1.laplace_mse"));
    CHECK(finding(metrics, part + ".largest_share") > 100.0 * 200 / 3072);
    CHECK(finding(metrics, part + ".network_mse") > 0);
  }
  for (const char* figure : {"features_by_depth", "sorted_diagonals", "scores_by_depth"})
    CHECK(std::filesystem::exists(work.path() / "d/images" / (std::string(figure) + ".svg")));
}

TEST_CASE("svhn: classes coded by prevalence have their samples too, and what did not move has no share") {
  const Workspace work;
  write_digits(work, 100);
  work.write("s.yaml",
             "experiment: svhn\ndataset: {name: crowded_digits, path: ., class_coding: prevalence}\n"
             "network: {hidden_layers: [4], batch_size: full, epochs: 1, optimizer: {learning_rate: 1.0e-12}}\n"
             "rfm: {iterations: 1}\nreport: false\n");
  const ProgramResult run = work.run({"run", "s.yaml", "--out", "s"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(run.out.find("nan %") == std::string::npos);
  CHECK(std::filesystem::exists(work.path() / "s/images/samples.svg"));
  const std::string samples = work.read("s/images/samples.svg");
  for (int label = 0; label < 10; ++label) CHECK(samples.find(">" + std::to_string(label) + "<") != std::string::npos);
  // Nothing moved: what training added is 0 to rounding and has no place, and the features are those of the beginning.
  const auto metrics = work.metrics("s");
  CHECK(std::isnan(finding(metrics, "learned_pearson")));
  CHECK(finding(metrics, "network_center_share") == Approx(finding(metrics, "initial_center_share")).epsilon(1e-6));
  CHECK(finding(metrics, "diagonal_pearson") == Approx(finding(metrics, "initial_diagonal_pearson")).epsilon(1e-4));
}

TEST_CASE("What a config expects must be a finding, named once, that can hold") {
  const Workspace work;
  const std::string base =
      "experiment: depth_amplification\ndataset: {name: low_rank}\nnetwork: {hidden_layers: [4]}\n"
      "depth_amplification: {depths: [1]}\nfindings: {expected: ";
  const std::string name = "name: depth1.network_r2";
  for (const auto& [list, words] :
       {std::pair("[{at_least: 1}]", "name: is needed"), std::pair("[{NAME}, {NAME}]", "stands in the list twice"),
        std::pair("[{NAME, at_least: 2, at_most: 1}]", "nothing could hold")}) {
    std::string text = list;
    for (std::size_t at; (at = text.find("NAME")) != std::string::npos;) text.replace(at, 4, name);
    work.write("f.yaml", base + text + "}\n");
    const ProgramResult run = work.run({"run", "f.yaml", "--out", "f"});
    CHECK(run.exit_code == 2);
    CHECK(run.err.find(words) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(work.path() / "f"));
  }
}

TEST_CASE("low_rank: too few dimensions for a target are refused before anything is written") {
  const Workspace work;
  work.write("l.yaml", "dataset: {name: low_rank, target: piecewise, dimension: 3}\nrfm: {}\n");
  const ProgramResult run = work.run({"run", "l.yaml", "--out", "l"});
  CHECK(run.exit_code == 2);
  CHECK(run.err.find("l.yaml:1:") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(work.path() / "l"));
}

TEST_CASE("A metric of the RFM needs an RFM that learns") {
  const Workspace work;
  work.write("a.yaml", "dataset: {name: low_rank}\nrfm: {iterations: 0}\nkernel_machines: [{label: a, metric: rfm}]\n");
  const ProgramResult run = work.run({"run", "a.yaml", "--out", "m"});
  CHECK(run.exit_code == 2);
  CHECK(run.err.find("iterations: 1") != std::string::npos);
}

TEST_CASE("column_share and largest_share of a vector whose shares are known") {
  Vector<double> values = Vector<double>::Zero(2 * 3 * 8);  // 2 channels, 3 rows, 8 columns: 2 to 5 are the middle
  values(1) = 1, values(2) = 2, values(24 + 8 + 5) = 3, values(24 + 8 + 6) = 4;
  CHECK(experiments::column_share(values, {2, 3, 8}, 2, 6) == Approx(0.5));
  CHECK(experiments::largest_share(values, 2) == Approx(0.7));
  CHECK(experiments::largest_share(values, 1000) == Approx(1));
}
