#include <algorithm>

#include "core/base/random.h"
#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using ansatz::Matrix;
using ansatz::RandomStream;
using ansatz::testing::ProgramResult;
using ansatz::testing::Workspace;

namespace {

const char* const kConfig = R"(
dataset: {name: low_rank, target: x1x2, dimension: 12, train_size: 200, validation_size: 100, test_size: 100}
network: {hidden_layers: [64], optimizer: {name: adam, learning_rate: 3.0e-3}, batch_size: 32, epochs: 20}
rfm: {iterations: 2}
kernel_machines: [{label: laplace}]
)";

std::string write_matrix(const Workspace& work, const std::string& name, int seed) {
  const Matrix<double> f = RandomStream(seed).normal_matrix<double>(20, 12);
  ansatz::write_npy<double>(work.path() / name, Matrix<double>(f.transpose() * f));
  return name;
}

}  // namespace

TEST_CASE("run leaves what the documentation promises") {
  const Workspace work;
  work.write("first.yaml", kConfig);
  const ProgramResult run = work.run({"run", "first.yaml"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  for (const char* file :
       {"config.yaml", "manifest.json", "metrics.json", "history.csv", "report.html", "matrices/network.nfm.npy",
        "matrices/network.agop.npy", "matrices/network.agop_centered.npy", "matrices/network.nfm.diagonal.npy",
        "matrices/network.nfm.eigenvectors.npy", "predictions/network.test.npy", "predictions/rfm.test.npy",
        "predictions/laplace.test.npy", "models/network.safetensors", "images/matrices.png", "images/training.png"}) {
    INFO(file);
    CHECK(std::filesystem::exists(work.path() / "runs/first" / file));
  }
  CHECK_FALSE(std::filesystem::exists(work.path() / "runs/first/state"));
  const auto metrics = work.metrics("runs/first");
  CHECK(metrics.at("schema") == 1);
  CHECK(metrics.at("config").at("network").at("hidden_layers").at(0) == 64);
  CHECK(metrics.at("config").at("network").at("optimizer").at("learning_rate") == 0.003);
  CHECK(metrics.at("config").at("kernel_machines").at(0).at("label") == "laplace");
  CHECK(metrics.at("models").at("rfm").at("per_iteration").size() == 3);
  CHECK(metrics.at("models").at("network").at("per_epoch").size() == 21);
  CHECK(metrics.at("comparisons").at(0).at("a") == "network.nfm");
  CHECK(run.out.find("network") != std::string::npos);
  // The network it saved, brought back, is the same network.
  work.write("again.yaml", std::string(kConfig).replace(
                               std::string(kConfig).find("network:"),
                               std::string(kConfig).find("rfm:") - std::string(kConfig).find("network:"),
                               "network: {checkpoint: runs/first/models/network.safetensors, initial_weights: "
                               "[runs/first/models/network.initial.safetensors], train: false}\n"));
  const ProgramResult again = work.run({"run", "again.yaml", "--quiet"});
  INFO(again.err);
  REQUIRE(again.exit_code == 0);
  CHECK(work.metrics("runs/again").at("comparisons").dump() == metrics.at("comparisons").dump());
  CHECK(work.read("runs/again/predictions/network.test.npy") == work.read("runs/first/predictions/network.test.npy"));
  // Reports, alone and side by side.
  std::filesystem::remove(work.path() / "runs/first/report.html");
  CHECK(work.run({"report", "runs/first"}).exit_code == 0);
  CHECK(std::filesystem::exists(work.path() / "runs/first/report.html"));
  CHECK(work.run({"report", "runs/first", "runs/again", "--out", "both.html"}).exit_code == 0);
  const std::string both = work.read("both.html");
  CHECK(both.find("first") != std::string::npos);
  CHECK(both.find("<script src") == std::string::npos);
  CHECK(both.find("http://") == std::string::npos);
  // Two runs compared.
  const ProgramResult compared = work.run({"compare", "runs/first", "runs/again", "--out", "pictures"});
  INFO(compared.err);
  CHECK(compared.exit_code == 0);
  CHECK(compared.out.find("network.nfm: the same in first, again\n") != std::string::npos);
  CHECK(compared.out.find("first/network.nfm ~ again/network.nfm") == std::string::npos);
  for (const char* file : {"curves.png", "curves.svg", "network.nfm.png", "rfm.M2.svg"})
    CHECK(std::filesystem::exists(work.path() / "pictures" / file));
}

TEST_CASE("any number of runs are compared: settings, scores, matrices, nothing left unasked") {
  const Workspace work;
  work.write("a.yaml",
             "dataset: {name: low_rank, target: x1x2, dimension: 6, train_size: 60, test_size: 30}\n"
             "rfm: {iterations: 1}\nreport: false\nsave: {images: false}\n");
  REQUIRE(work.run({"run", "a.yaml", "--out", "x/rfm", "--quiet"}).exit_code == 0);
  REQUIRE(work.run({"run", "a.yaml", "--out", "y/rfm", "--quiet", "--set", "rfm.bandwidth=3"}).exit_code == 0);
  REQUIRE(work.run({"run", "a.yaml", "--out", "wide", "--quiet", "--set", "dataset.dimension=8"}).exit_code == 0);
  REQUIRE(work.run({"run", "a.yaml", "--out", "seeds", "--quiet", "--set", "repeats=2"}).exit_code == 0);
  const auto files = [&] {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(work.path())) names.push_back(file.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  };
  CHECK(work.run({"compare", "x/rfm", "y/rfm", "--shape", "2x2", "--out", "figures"}).exit_code == 2);
  CHECK_FALSE(std::filesystem::exists(work.path() / "figures"));
  const std::vector<std::string> before = files();
  const ProgramResult text = work.run({"compare", "x/rfm", "y/rfm", "wide", "seeds"});
  INFO(text.err << text.out);
  REQUIRE(text.exit_code == 0);
  CHECK(files() == before);
  for (const char* line :
       {"rfm.bandwidth", "dataset.dimension", "±", "x/rfm/rfm.M1 ~ y/rfm/rfm.M1\n", "truth: the same in x/rfm, y/rfm\n",
        "rfm.M1: not in seeds\n", "wide/rfm.M1 is not compared: d = 8, and 6 in x/rfm/rfm.M1"})
    CHECK(text.out.find(line) != std::string::npos);
  CHECK(text.out.find("rfm.ridge") == std::string::npos);  // the same in all
  const ProgramResult json = work.run({"compare", "x/rfm", "y/rfm", "seeds", "--json"});
  const auto all = nlohmann::json::parse(json.out);
  CHECK(all.at("runs").at(1).at("settings").at("rfm.bandwidth") == "3");
  CHECK(all.at("runs").at(2).at("models").at("rfm").at("test").at("r2").at("sd") > 0);
  CHECK(all.at("comparisons").size() == 2);  // rfm.M1 and truth
  REQUIRE(work.run({"compare", "x/rfm", "y/rfm", "--out", "both.pdf"}).exit_code == 0);
  CHECK(work.read("both.pdf").substr(0, 5) == "%PDF-");
  CHECK(work.read("both.rfm.M1.pdf").substr(0, 5) == "%PDF-");
  REQUIRE(work.run({"report", "x/rfm", "y/rfm", "seeds", "--out", "all.html"}).exit_code == 0);
  CHECK(work.read("all.html").find("<th>x/rfm</th><th>y/rfm</th><th>seeds</th>") != std::string::npos);
  const ProgramResult nowhere = work.run({"report", "x/rfm", "y/rfm"});
  CHECK(nowhere.exit_code == 2);
  CHECK(nowhere.err.find("say where it goes by --out") != std::string::npos);
  CHECK(work.run({"compare", "x/rfm"}).exit_code == 2);
  CHECK(work.run({"compare", "x/rfm", "nowhere"}).exit_code == 3);
}

TEST_CASE("plan prints the resolved config and refuses what cannot fit") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  const ProgramResult plan = work.run({"plan", "a.yaml", "--set", "rfm.iterations=7"});
  CHECK(plan.exit_code == 0);
  CHECK(plan.out.find("iterations: 7") != std::string::npos);
  CHECK(plan.out.find("peak memory") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(work.path() / "runs"));
  CHECK(work.run({"plan", "a.yaml", "--set", "dataset.train_size=9000000"}).exit_code == 4);
}

TEST_CASE("weights saved as .npy come back as the same network") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  REQUIRE(work.run({"run", "a.yaml", "--out", "a", "--quiet", "--set", "save.weights=npy"}).exit_code == 0);
  std::string config(kConfig);
  config.replace(config.find("network:"), config.find("rfm:") - config.find("network:"),
                 "network: {weights: [a/models/network.W1.npy, a/models/network.W2.npy], train: false}\n");
  work.write("b.yaml", config);
  REQUIRE(work.run({"run", "b.yaml", "--out", "b", "--quiet"}).exit_code == 0);
  CHECK(work.read("a/predictions/network.test.npy") == work.read("b/predictions/network.test.npy"));
}

TEST_CASE("list, data, version and help") {
  const Workspace work;
  const ProgramResult list = work.run({"list"});
  CHECK(list.exit_code == 0);
  for (const char* word : {"feature_comparison", "fashion_mnist", "laplace", "cholesky"})
    CHECK(list.out.find(word) != std::string::npos);
  CHECK(work.run({"list", "kernels"}).out.find("ntk") != std::string::npos);
  CHECK(work.run({"list", "cheeses"}).exit_code == 2);
  CHECK(work.run({"data", "cifar10"}).out.find("how to get it") != std::string::npos);
  const ProgramResult unknown = work.run({"data", "cifar11"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("cifar10") != std::string::npos);
  CHECK(work.run({"--version"}).exit_code == 0);
  CHECK(work.run({"run", "--help"}).exit_code == 0);
}

TEST_CASE("an option with an empty value is refused") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  write_matrix(work, "a.npy", 1);
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run", "a.yaml", "--threads", ""},
                                             {"run", "a.yaml", "--device", ""},
                                             {"run", "a.yaml", "--out", ""},
                                             {"run", "a.yaml", "--set", ""},
                                             {"plan", "a.yaml", "--threads", ""},
                                             {"compare", "a.npy", "a.npy", "--shape", ""},
                                             {"compare", "a.npy", "a.npy", "--out", ""},
                                             {"render", "a.npy", "--out", ""},
                                             {"report", "a", "--out", ""},
                                             {"data", "mnist", "--into", ""},
                                             {"data", ""},
                                             {"run", ""}}) {
    const ProgramResult result = work.run(command);
    INFO(command[0] << " " << command[command.size() - 2] << ": " << result.err);
    CHECK(result.exit_code == 2);
    const std::string name = command.size() > 2 ? command[command.size() - 2] : command[0] == "run" ? "config" : "name";
    CHECK(result.err == "ansatz: " + name + " is given an empty value\n");
  }
  CHECK_FALSE(std::filesystem::exists(work.path() / "runs"));
  CHECK_FALSE(std::filesystem::exists(work.path() / "comparison.png"));
}

TEST_CASE("compare and render take matrices from NumPy") {
  const Workspace work;
  write_matrix(work, "a.npy", 1);
  write_matrix(work, "b.npy", 2);
  const ProgramResult same = work.run({"compare", "a.npy", "a.npy", "--json"});
  REQUIRE(same.exit_code == 0);
  const auto json = nlohmann::json::parse(same.out);
  CHECK(json.at(0).at("diagonal_pearson").get<double>() == Approx(1));
  CHECK(json.at(0).at("principal_angles_deg").back().get<double>() < 1e-4);
  for (const auto& file : std::filesystem::directory_iterator(work.path()))  // it writes nothing unasked
    CHECK((file.path().extension() == ".npy" || file.path().filename().string().front() == '.'));
  write_matrix(work, "m\xf6.npy", 2);  // Latin-1, which JSON cannot hold
  const ProgramResult latin = work.run({"compare", "m\xf6.npy", "a.npy", "--json"});
  CHECK(latin.exit_code == 0);
  CHECK(nlohmann::json::parse(latin.out).size() == 1);
  CHECK(work.run({"compare", "a.npy", "b.npy", "--shape", "3x2x2", "--out", "ab"}).exit_code == 0);
  CHECK((std::filesystem::exists(work.path() / "ab.svg") && std::filesystem::exists(work.path() / "ab.png")));
  CHECK(work.run({"compare", "a.npy", "b.npy", "--out", "only.pdf"}).exit_code == 0);
  CHECK(work.read("only.pdf").substr(0, 5) == "%PDF-");
  CHECK(work.run({"render", "a.npy", "--what", "matrix", "--out", "m.svg"}).exit_code == 0);
  CHECK(work.read("m.svg").find("</svg>") != std::string::npos);
  for (const char* file : {"only.png", "only.pdf.png", "m.png", "m.svg.png"})
    CHECK_FALSE(std::filesystem::exists(work.path() / file));
  const ProgramResult photograph = work.run({"render", "a.npy", "--what", "matrix", "--out", "m.jpg"});
  CHECK(photograph.exit_code == 2);
  CHECK(photograph.err == "ansatz: m.jpg: figures are .png, .svg or .pdf; without an ending both .png and .svg\n");
  CHECK(work.run({"compare", "a.npy", "b.npy", "--shape", "3x2x3"}).exit_code == 2);
  CHECK(work.run({"compare", "a.npy", "c.npy"}).exit_code == 3);
  for (const char* what : {"diagonal", "eigenvectors", "matrix"}) {
    const std::string out = std::string(what) + ".png";
    const ProgramResult r = work.run({"render", "a.npy", "--shape", "3x2x2", "--what", what, "--out", out});
    INFO(r.err);
    CHECK(r.exit_code == 0);
    CHECK(std::filesystem::exists(work.path() / out));
  }
  CHECK(work.run({"render", "a.npy", "--out", "x.png"}).exit_code == 2);  // a diagonal needs a shape
}

TEST_CASE("compare and render take entries of any size, and say what is undefined") {
  const Workspace work;
  const auto save = [&](const char* name, const std::vector<double>& diagonal) {
    ansatz::Matrix<double> m = ansatz::Matrix<double>::Zero(4, 4);
    for (ansatz::Index i = 0; i < 4; ++i) m(i, i) = diagonal[static_cast<std::size_t>(i)];
    ansatz::write_npy(work.path() / name, m);
  };
  save("large.npy", {4e200, 1e200, 2e200, 3e200});
  save("small.npy", {1e-200, 4e-200, 2e-200, 3e-200});
  save("extreme.npy", {1e308, 1, 1, 1});
  save("denormal.npy", {5e-324, 0, 0, 0});
  save("zero.npy", {0, 0, 0, 0});
  save("one.npy", {1, 1, 1, 1});
  const ProgramResult result = work.run({"compare", "large.npy", "small.npy", "--json"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json.at(0).at("diagonal_pearson").get<double>() == Approx(-0.8));  // of 4 1 2 3 and 1 4 2 3
  CHECK(json.at(0).at("cosine").get<double>() == Approx(21.0 / 30));
  const ProgramResult zero = work.run({"compare", "one.npy", "zero.npy"});
  CHECK(zero.exit_code == 3);
  CHECK(zero.err.find("zero.npy: all entries are 0") != std::string::npos);
  const ProgramResult constant = work.run({"compare", "one.npy", "large.npy"});
  CHECK(constant.exit_code == 0);
  CHECK(constant.out.find("nan") == std::string::npos);
  CHECK(constant.out.find("undefined: the diagonal of one is constant") != std::string::npos);
  for (const char* matrix : {"large.npy", "small.npy", "extreme.npy", "denormal.npy", "zero.npy"}) {
    for (const char* what : {"diagonal", "eigenvectors", "matrix"}) {
      const ProgramResult r = work.run({"render", matrix, "--shape", "1x2x2", "--what", what, "--out", "picture.png"});
      INFO(matrix << " " << what << ": " << r.err);
      CHECK(r.exit_code == 0);
    }
  }
  for (const std::string value : {"4611686018427387904", "1001", "0", "-3"}) {
    const ProgramResult top = work.run({"compare", "one.npy", "large.npy", "--top", value});
    CHECK(top.exit_code == 2);
    CHECK(top.err == "ansatz: --top " + value + ": must be from 1 to 1000\n");
  }
  for (const char* shape : {"99999999999999999999x1x1", "4x", "2x2x2x2", "-2x-2", "2x2 "})
    CHECK(work.run({"render", "one.npy", "--shape", shape, "--out", "x.png"}).exit_code == 2);
}
