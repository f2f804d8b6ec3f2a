// Experiments nfa_over_training and depth_amplification at tiny size.
#include <fmt/format.h>

#include "core/base/random.h"
#include "core/files/npy.h"
#include "tests/experiments/paper_run.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::testing;
using Json = nlohmann::ordered_json;

TEST_CASE("nfa_over_training: every variant for every layer at every kept epoch") {
  const Workspace work;
  work.write("a.yaml",
             "experiment: nfa_over_training\n"
             "dataset: {name: low_rank, dimension: 8, train_size: 200, test_size: 50}\n"
             "network: {hidden_layers: [16, 12], epochs: 20, snapshots: 4, batch_size: 50, report_epoch: last}\n"
             "parts:\n"
             "  - {name: sgd}\n"
             "  - {name: adam, network: {hidden_layers: [10], optimizer: {name: adam}, epochs: 5, snapshots: 2}}\n");
  const Json metrics = metrics_of_run(work, "a.yaml", "n");
  CHECK(metrics.at("findings").at("list").size() == (3 + 2) * (13 + 4));
  const Json network = work.metrics("n/parts/sgd").at("models").at("network");
  REQUIRE(network.at("observations").size() == 4);
  CHECK(network.at("observations").back().at("epoch") == 20);
  // The first layer at the last epoch is what the comparison of the part says of the reported network, the last one.
  const Json variants = work.metrics("n/parts/sgd").at("ansatz_variants");
  CHECK(network.at("observations").back().at("seen").at("layers").at(0) == variants);
  CHECK(finding(metrics, "sgd.layer1.w_agop") == variants.at(0).at("matrix_pearson"));
  CHECK(finding(metrics, "sgd.layer1.w_agop_fitted") >= finding(metrics, "sgd.layer1.w_agop") - 1e-6);
  // A layer without one above: its outputs are linear in its inputs, so that the AGOP is W'W.
  CHECK(finding(metrics, "sgd.layer3.w_agop") == Approx(1).epsilon(1e-5));
  for (const char* figure : {"ansatz_sgd_w", "ansatz_sgd_dw", "ansatz_adam_w"}) {
    const std::string drawn = read_bytes(work.path() / "n/images" / (std::string(figure) + ".svg"));
    INFO(figure);
    CHECK(contains(drawn, "centred AGOP^1/2"));
    CHECK_FALSE(contains(drawn, "no finite values"));
    CHECK(contains(drawn, "W₀ᵀW₀") == (std::string(figure) != "ansatz_sgd_dw"));  // the baseline is one of WᵀW
  }
}

TEST_CASE("nfa_over_training: every layer of a network trained elsewhere, as it is now") {
  const Workspace work;
  RandomStream stream(5);
  const std::vector<Index> widths = {8, 12, 10, 1};
  for (std::size_t layer = 1; layer < widths.size(); ++layer)
    write_npy<float>(work.path() / fmt::format("W{}.npy", layer),
                     stream.normal_matrix<float>(widths[layer], widths[layer - 1]));
  work.write("a.yaml",
             "experiment: nfa_over_training\ndataset: {name: low_rank, dimension: 8, train_size: 100, test_size: 50}\n"
             "findings: {expected: [{name: elsewhere.layer2.w_agop, at_least: -1}, {name: elsewhere.layer9.w_agop, "
             "at_least: 0}]}\n"
             "parts: [{name: elsewhere, network: {weights: [W1.npy, W2.npy, W3.npy], train: false}}]\n");
  const Json metrics = metrics_of_run(work, "a.yaml", "n");
  const Json layers = work.metrics("n/parts/elsewhere").at("ansatz_variants_by_layer");
  REQUIRE(layers.size() == 3);
  for (std::size_t layer = 0; layer < 3; ++layer)
    CHECK(finding(metrics, fmt::format("elsewhere.layer{}.w_agop", layer + 1)) ==
          layers.at(layer).at(0).at("matrix_pearson").get<double>());
  CHECK(std::filesystem::exists(work.path() / "n/images/ansatz_elsewhere_w.svg"));
  CHECK_FALSE(std::filesystem::exists(work.path() / "n/images/ansatz_elsewhere_dw.svg"));  // W₀ is not known
  // A layer that the file does not have: expected, not found, and no bound holds.
  CHECK(metrics.at("findings").at("list").back().at("name") == "elsewhere.layer9.w_agop");
  CHECK(metrics.at("findings").at("list").back().at("verdict") == "differs");
}

TEST_CASE(
    "depth_amplification: kernels on the network's features beat the plain ones, with mean and deviation over seeds") {
  const Workspace work;
  work.write("a.yaml",
             "experiment: depth_amplification\nrepeats: 2\ndepth_amplification: {depths: [1, 2]}\n"
             "dataset: {name: low_rank, target: piecewise, dimension: 12, train_size: 300, test_size: 300}\n"
             "network: {hidden_layers: [64], epochs: 60, optimizer: {name: adam}}\n"
             "kernel_machines: [{label: laplace, ridge: 1.0e-6}, {label: laplace_w1, ridge: 1.0e-6, metric: network},\n"
             "  {label: ntk, kernel: ntk, ridge: 1.0e-6}]\n");
  const Json summary = metrics_of_run(work, "a.yaml", "d").at("summary");
  const Json one = work.metrics("d/repeat-1"), two = work.metrics("d/repeat-2");
  const Json r2 = summary.at("findings.depth2.laplace_w1_r2");
  const double a = finding(one, "depth2.laplace_w1_r2"), b = finding(two, "depth2.laplace_w1_r2");
  CHECK(r2.at("mean").get<double>() == Approx((a + b) / 2));
  CHECK(r2.at("sd").get<double>() == Approx(std::abs(a - b) / std::sqrt(2)).margin(1e-12));
  for (const std::string part : {"depth1", "depth2"}) {
    CHECK(finding(one, part + ".laplace_w1_r2") > finding(one, "depth1.laplace_r2"));  // plain: once, with the first
    CHECK(finding(one, part + ".relevant_share") > 2 * 100.0 / 12);                    // above that of equal entries
  }
  CHECK(work.metrics("d").at("findings").at("list").size() == one.at("findings").at("list").size());
  CHECK(finding(work.metrics("d"), "depth2.laplace_w1_r2") == Approx((a + b) / 2));  // the mean is what is judged
  const std::string report = work.read("d/report.html");
  CHECK(report.find(" ± ") != std::string::npos);
  CHECK(report.find("Repeat by repeat") != std::string::npos);
  double least = 1e9;
  for (const std::string part : {"depth1", "depth2"})
    least = std::min(least, finding(one, part + ".laplace_w1_r2") - finding(one, part + ".network_r2"));
  CHECK(finding(one, "laplace_w1_least_gain") == Approx(least));
  CHECK(finding(one, "network_depth_gain") ==
        Approx(finding(one, "depth2.network_r2") - finding(one, "depth1.network_r2")));
  CHECK(finding(one, "share_depth_gain") ==
        Approx(finding(one, "depth2.relevant_share") - finding(one, "depth1.relevant_share")));
  CHECK(finding(one, "laplace_w1_depth_gain") ==
        Approx(finding(one, "depth2.laplace_w1_r2") - finding(one, "depth1.laplace_w1_r2")));
  double over_plain = 1e9;
  for (const std::string part : {"depth1", "depth2"})
    over_plain = std::min(over_plain, finding(one, part + ".laplace_w1_r2") - finding(one, "depth1.laplace_r2"));
  CHECK(finding(one, "laplace_w1_least_gain_over_plain") == Approx(over_plain));
  CHECK(finding(one, "depth2.agop_pearson") > 0.9);
  // Of a target that jumps at x4 = 0 the share counts x4, to which the expected gradient outer product gives nothing.
  const Json first = work.metrics("d/repeat-1/parts/depth1");
  CHECK(finding(one, "depth1.relevant_share") ==
        Approx(100 * first.at("subspace_shares").at("network.nfm").get<double>()));
  const Matrix<float> diagonal =
      read_npy<float>(work.path() / "d/repeat-1/parts/depth1/matrices/network.nfm.diagonal.npy");
  CHECK(finding(one, "depth1.relevant_share") ==
        Approx(100 * (diagonal(0) + diagonal(1) + diagonal(2) + diagonal(3)) / diagonal.sum()).epsilon(1e-4));
  CHECK(first.at("subspace_shares").at("truth").get<double>() == Approx(1));
  // The NTK's depth is the network's.
  CHECK(finding(one, "depth1.ntk_r2") != finding(one, "depth2.ntk_r2"));
  CHECK_FALSE(work.metrics("d/repeat-1/parts/depth2").at("models").contains("laplace"));
  for (const char* figure : {"corners", "diagonals_by_depth", "scores_by_depth"})
    CHECK(std::filesystem::exists(work.path() / "d/repeat-1/images" / (std::string(figure) + ".svg")));
}

TEST_CASE("depth_amplification wants one width and depths that differ") {
  const Workspace work;
  const std::string data = "experiment: depth_amplification\ndataset: {name: low_rank}\n";
  work.write("widths.yaml", data + "network: {hidden_layers: [8, 8]}\n");
  work.write("depths.yaml", data + "network: {hidden_layers: [8]}\ndepth_amplification: {depths: [2, 2]}\n");
  work.write("kernel.yaml",
             data + "network: {hidden_layers: [8]}\nkernel_machines: [{label: ntk, kernel: ntk, depth: 3}]\n");
  for (const auto& [file, words] :
       {std::pair("widths.yaml", "one width"), std::pair("depths.yaml", "different numbers"),
        std::pair("kernel.yaml", "leave it out")}) {
    const ProgramResult run = work.run({"run", file, "--out", "x"});
    CHECK(run.exit_code == 2);
    CHECK(run.err.find(words) != std::string::npos);
  }
}

TEST_CASE("A metric of the network needs a network") {
  const Workspace work;
  work.write("a.yaml", "dataset: {name: low_rank}\nkernel_machines: [{label: a, metric: network}]\n");
  const ProgramResult run = work.run({"run", "a.yaml", "--out", "m"});
  CHECK(run.exit_code == 2);
  CHECK(run.err.find("a.yaml:2:") != std::string::npos);
  CHECK(run.err.find("W₁ᵀW₁") != std::string::npos);
}
