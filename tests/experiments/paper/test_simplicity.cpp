// simplicity_bias on made photographs (noise that tells little) beside made digits (a bar that tells the class).
#include <random>

#include "experiments/paper/image_regions.h"
#include "experiments/paper/simplicity_bias.h"
#include "tests/experiments/digit_files.h"
#include "tests/experiments/paper_run.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

/// n images of the class i % 10 in CIFAR-10's and MNIST's own files: grey noise, and a bar that tells the class.
void write_pairs(const Workspace& work, int n, const std::string& cifar, const std::string& mnist) {
  std::mt19937 random(11);
  std::string records;
  for (int i = 0; i < n; ++i) {
    records += static_cast<char>(i % 10);
    for (int j = 0; j < 3072; ++j) records += static_cast<char>(110 + random() % 20);
  }
  work.write("cifar10/" + cifar, records);
  ansatz::testing::write_digits(work, mnist, n,
                                [&](int label) { return ansatz::testing::barred_digit(label, 4 + random() % 4); });
}

}  // namespace

TEST_CASE("simplicity_bias: both models look at the digit and follow it") {
  const Workspace work;
  write_pairs(work, 300, "data_batch_1.bin", "train");
  write_pairs(work, 60, "test_batch.bin", "t10k");
  work.write(
      "s.yaml",
      "experiment: simplicity_bias\ndataset: {name: cifar_mnist, path: .}\n"
      "network: {hidden_layers: [64], batch_size: 20, epochs: 60}\nrfm: {iterations: 1, report_iteration: last}\n");
  const auto metrics = metrics_of_run(work, "s.yaml", "s");
  CHECK(finding(metrics, "initial_digit_share") == Approx(50).margin(2));
  for (const std::string model : {"network", "rfm"}) {
    CHECK(finding(metrics, model + "_accuracy") > 80);  // chance: 10
    CHECK(finding(metrics, model + "_accuracy_photographs_shuffled") > 80);
    CHECK(finding(metrics, model + "_accuracy_digits_shuffled") < 40);
    CHECK(finding(metrics, model + "_drop_photographs_shuffled") ==
          Approx(finding(metrics, model + "_accuracy") - finding(metrics, model + "_accuracy_photographs_shuffled")));
  }
  CHECK(finding(metrics, "rfm_digit_share") > 60);
  CHECK(finding(metrics, "network_digit_share") > finding(metrics, "initial_digit_share") + 1);
  CHECK(finding(metrics, "learned_digit_share") > finding(metrics, "network_digit_share"));
  CHECK(finding(metrics, "diagonal_pearson") > finding(metrics, "initial_diagonal_pearson"));
  CHECK(std::filesystem::exists(work.path() / "s/images/halves.png"));

  work.write("bad.yaml", "experiment: simplicity_bias\ndataset: {name: low_rank}\nnetwork: {epochs: 1}\nrfm: {}\n");
  const ProgramResult bad = work.run({"run", "bad.yaml", "--out", "b", "--quiet"});
  CHECK(bad.exit_code == 2);
  CHECK(bad.err.find("needs dataset: {name: cifar_mnist}") != std::string::npos);
}

TEST_CASE("simplicity_bias: halves of an image") {
  const ImageShape shape{2, 2, 4};
  Vector<double> values = Vector<double>::Ones(16);
  values(2) = 9;  // first line, right
  CHECK(experiments::column_share(values, shape, 2, 4) == Approx(16.0 / 24));

  Matrix<double> images(1, 16), others(1, 16);
  for (Index j = 0; j < 16; ++j) {
    images(0, j) = static_cast<double>(j);
    others(0, j) = static_cast<double>(100 + j);
  }
  const Matrix<double> left = experiments::with_half_of(images, others, shape, experiments::Half::left);
  for (Index j = 0; j < 16; ++j) CHECK(left(0, j) == (j % 4 < 2 ? others(0, j) : images(0, j)));
  const Matrix<double> right = experiments::with_half_of(images, others, shape, experiments::Half::right);
  for (Index j = 0; j < 16; ++j) CHECK(right(0, j) == (j % 4 < 2 ? images(0, j) : others(0, j)));
}
