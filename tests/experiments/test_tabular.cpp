#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/base/random.h"
#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

/// Three classes of unequal size that follow from a colour and a number; a shape and another number beside them.
std::string table() {
  static const char* const colours[] = {"red", "green", "blue", "grey"};
  static const char* const shapes[] = {"round", "square", "flat"};
  RandomStream random(3);
  const Matrix<double> numbers = random.normal_matrix<double>(400, 4);
  std::string text = "size,colour,weight,shape,label\n";
  for (Index i = 0; i < numbers.rows(); ++i) {
    const auto colour = static_cast<std::size_t>(std::abs(numbers(i, 2)) * 100) % 4;
    const auto shape = static_cast<std::size_t>(std::abs(numbers(i, 3)) * 100) % 3;
    const char* label = colour == 0 ? "rare" : numbers(i, 0) > -0.3 ? "often" : "seldom";
    text += fmt::format("{},{},{},{},{}\n", numbers(i, 0), colours[colour], numbers(i, 1), shapes[shape], label);
  }
  return text;
}

double test_accuracy(const nlohmann::ordered_json& model) { return model.at("test").at("accuracy").get<double>(); }

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

/// features.csv holds the diagonals of the arrays, sorted by the network's.
void check_feature_tables(const Workspace& work, const nlohmann::ordered_json& metrics) {
  const std::vector<std::string> names = metrics.at("feature_names");
  const auto rows = rows_of(work.read("coded/features.csv"));
  REQUIRE(rows.size() == 10);
  const auto& header = rows.front();
  const std::string learned = metrics.at("headline").at("b");
  CHECK(std::vector<std::string>(header.begin(), header.begin() + 5) ==
        std::vector<std::string>{"rank", "feature", "index", "network.nfm", learned});
  for (std::size_t column = 3; column < header.size(); ++column) {
    const Matrix<float> diagonal = read_npy<float>(work.path() / "coded/matrices" / (header[column] + ".diagonal.npy"));
    for (std::size_t row = 1; row < rows.size(); ++row) {
      const Index index = std::stol(rows[row][2]);
      CHECK(rows[row][1] == names[static_cast<std::size_t>(index)]);
      CHECK(std::stod(rows[row][column]) == Approx(diagonal(index, 0)).epsilon(1e-7));
    }
  }
  for (std::size_t row = 1; row < rows.size(); ++row) {
    CHECK(rows[row][0] == std::to_string(row));
    if (row > 1) CHECK(std::stod(rows[row][3]) <= std::stod(rows[row - 1][3]));
  }
  const auto columns = rows_of(work.read("coded/columns.csv"));
  REQUIRE(columns.size() == 5);
  const auto colour = std::find_if(columns.begin(), columns.end(), [](const auto& row) { return row[1] == "colour"; });
  REQUIRE(colour != columns.end());
  double sum = 0;
  for (std::size_t row = 1; row < rows.size(); ++row)
    if (rows[row][1].rfind("colour=", 0) == 0) sum += std::stod(rows[row][4]);
  CHECK(std::stod((*colour)[4]) == Approx(sum));
}

}  // namespace

TEST_CASE("the tabular example: blocks, a p-norm, a power and class codes") {
  const Workspace work;
  work.write("table.csv", table());
  const std::vector<std::string> command = {"run",
                                            std::string(ANSATZ_CONFIGS) + "/tabular.yaml",
                                            "--quiet",
                                            "--set",
                                            "report=false",
                                            "--set",
                                            "save.images=false",
                                            "--set",
                                            "save.feature_matrices=all",
                                            "--set",
                                            "network.hidden_layers=[32]",
                                            "--set",
                                            "dataset.path=" + (work.path() / "table.csv").string()};
  const auto run = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--out", out});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return work.run(arguments);
  };
  const ProgramResult coded = run("coded", {});
  INFO(coded.err);
  REQUIRE(coded.exit_code == 0);
  const auto metrics = work.metrics("coded");
  CHECK(metrics.at("data").at("class_coding") == "prevalence");
  CHECK(metrics.at("data").at("outputs") == 2);
  CHECK(metrics.at("feature_names") ==
        nlohmann::ordered_json({"size", "colour=blue", "colour=green", "colour=grey", "colour=red", "weight",
                                "shape=flat", "shape=round", "shape=square"}));
  const std::string learned = metrics.at("headline").at("b");
  CHECK(metrics.at("top_features").at("matrices") == nlohmann::ordered_json({"network.nfm", learned}));
  CHECK(metrics.at("top_features").at("by_feature").size() == 9);
  CHECK(metrics.at("top_features").at("by_column").size() == 4);
  check_feature_tables(work, metrics);
  const auto codes = metrics.at("data").at("class_codes");
  REQUIRE(codes.size() == 3);
  CHECK(codes.at(0).size() == 2);
  for (const char* model : {"rfm", "network", "product_laplace"}) {
    INFO(model);
    CHECK(test_accuracy(metrics.at("models").at(model)) > 0.8);
    const Matrix<float> predictions =
        read_npy<float>(work.path() / "coded/predictions" / (std::string(model) + ".test.npy"));
    CHECK(predictions.cols() == 2);
  }
  // Columns: size | colour (4) | weight | shape (3).
  const Matrix<float> m = read_npy<float>(work.path() / "coded/matrices/rfm.M2.npy");
  REQUIRE(m.rows() == 9);
  CHECK(m.row(0).tail(8).cwiseAbs().maxCoeff() == 0);
  CHECK(m.block(1, 5, 4, 4).cwiseAbs().maxCoeff() == 0);
  CHECK(m.block(1, 1, 4, 4).cwiseAbs().minCoeff() > 0);
  CHECK(m.diagonal().maxCoeff() == Approx(1));
  CHECK(m(0, 0) > 3 * m(5, 5));  // the weight does not matter

  REQUIRE(work.run({"render", "coded/matrices/rfm.M2.npy", "--what", "matrix", "--out", "m.svg"}).exit_code == 0);
  CHECK(work.read("m.svg").find("colour=green") != std::string::npos);
  REQUIRE(work.run({"compare", "coded", "coded/matrices/network.nfm.npy", "--out", "c.svg"}).exit_code == 0);
  CHECK(work.read("c.rfm.M2.svg").find("shape=round") != std::string::npos);

  REQUIRE(run("one_hot", {"--set", "dataset.class_coding=one_hot"}).exit_code == 0);
  const auto plain = work.metrics("one_hot");
  CHECK(plain.at("data").at("class_coding") == "one_hot");
  CHECK(plain.at("data").at("outputs") == 3);
  CHECK_FALSE(plain.at("data").contains("class_codes"));
  CHECK(test_accuracy(plain.at("models").at("rfm")) > 0.8);
  const ProgramResult plan = work.run({"plan", "coded/config.yaml"});
  CHECK(plan.exit_code == 0);
  CHECK(plan.out.find("c = 2") != std::string::npos);
  CHECK(plan.out.find("p-norm") != std::string::npos);
}

TEST_CASE("runs with a p-norm or a power go on after an interruption to the same bytes") {
  const std::string data = "dataset: {name: low_rank, dimension: 40, test_size: 100, validation_size: 50, train_size: ";
  const std::string rest = ", iterations: 6, feature_matrix_power: 0.5, normalize_feature_matrix: trace}\n";
  for (const std::string& config :
       {data + "500}\nrfm: {kernel: lpq_laplace, norm: 1.3, exponent: 0.8, bandwidth: 20" + rest,
        data + "30}\nrfm: {kernel: laplace" + rest}) {
    const Workspace work;
    work.write("a.yaml", config);
    const std::vector<std::string> run = {
        "run",   "a.yaml",       "--quiet", "--set", "save.feature_matrices=all", "--set", "save.images=false",
        "--set", "report=false", "--out"};
    const auto with = [&](std::initializer_list<std::string> more) {
      std::vector<std::string> arguments = run;
      arguments.insert(arguments.end(), more);
      return arguments;
    };
    const ProgramResult whole = work.run(with({"whole"}));
    INFO(config << whole.err);
    REQUIRE(whole.exit_code == 0);
    ProgramLimits limits;
    limits.interrupt_when = "cut/history.csv";  // at iteration 0, or soon after
    const int code = work.run(with({"cut"}), limits).exit_code;
    REQUIRE((code == 130 || code == 0));  // the small one may be done before the signal comes
    const ProgramResult resumed = work.run(with({"cut", "--resume"}));
    REQUIRE(resumed.exit_code == 0);
    CHECK(work.results("cut") == work.results("whole"));
    for (const char* file : {"matrices/rfm.M6.npy", "predictions/rfm.test.npy"})
      CHECK(work.read(std::string("cut/") + file) == work.read(std::string("whole/") + file));
  }
}

TEST_CASE("what the tabular keys cannot do is refused before anything is written") {
  const Workspace work;
  work.write("numbers.csv", "a,b,y\n1,2,3\n2,1,4\n3,3,5\n4,0,6\n5,2,1\n6,1,2\n");
  const auto refused = [&](const std::string& config, const std::string& says) {
    work.write("a.yaml", config);
    const ProgramResult run = work.run({"run", "a.yaml", "--out", "r", "--quiet"});
    INFO(config << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.err.find(says) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(work.path() / "r"));
  };
  const std::string low_rank = "dataset: {name: low_rank, train_size: 50, test_size: 20}\n";
  refused(low_rank + "rfm: {feature_matrix: blocks}\n", "categorical");
  refused("dataset: {name: csv, path: numbers.csv, target: y}\nrfm: {feature_matrix: blocks}\n", "categorical");
  refused(low_rank + "rfm: {kernel: product_laplace, gradient_form: gram}\n", "gradient_form");
  refused(low_rank + "rfm: {kernel: lpq_laplace, norm: 1.2, exponent: 1.5}\n", "exponent");
  refused(low_rank + "rfm: {kernel: laplace, norm: 1.2}\n", "norm");
  refused(low_rank + "rfm: {feature_matrix_power: 3}\n", "feature_matrix_power");
  refused("dataset: {name: csv, path: numbers.csv, target: y, class_coding: prevalence}\nrfm: {}\n", "class_coding");
}
