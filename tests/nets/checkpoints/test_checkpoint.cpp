#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/files/npy.h"
#include "core/files/tensors/safetensors.h"
#include "nets/checkpoints/checkpoint.h"
#include "tests/support/catch.h"
#include "tests/support/read_weights.h"
#include "tests/support/temporary_folder.h"

using ansatz::DataError;
using ansatz::Index;
using ansatz::Matrix;
using ansatz::nets::Mlp;
namespace fs = std::filesystem;

namespace {

fs::path fixture(const std::string& name) { return fs::path(ANSATZ_FIXTURES) / name; }

/// make_fixtures.py: entry (i, j) of layer l is 50 l + 8 i + j.
template <class Scalar>
Matrix<Scalar> expected_weight(Index layer, Index rows, Index cols) {
  Matrix<Scalar> weight(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) weight(i, j) = static_cast<Scalar>(50 * layer + 8 * i + j);
  }
  return weight;
}

template <class Scalar>
void check_stack(const std::vector<Matrix<Scalar>>& weights, const std::vector<Index>& widths) {
  REQUIRE(weights.size() + 1 == widths.size());
  for (std::size_t l = 0; l < weights.size(); ++l) {
    CHECK(weights[l] == expected_weight<Scalar>(static_cast<Index>(l), widths[l + 1], widths[l]));
  }
}

std::string error_of(const std::vector<fs::path>& files) {
  try {
    read_weights<float>(files);
  } catch (const DataError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("checkpoint: every form of PyTorch file gives the same weights", "[nets]") {
  for (const char* name :
       {"ordered_dict.pt", "plain_dict.pt", "protocol4.pt", "under_state_dict.pt", "parameters.pt",
        "training_checkpoint.pt", "float64.pt", "float16.pt", "bfloat16.pt", "script.pt", "nested_trace.pt",
        "float64.safetensors", "float16.safetensors", "bfloat16.safetensors", "bias.pt"}) {
    CAPTURE(name);
    check_stack(read_weights<float>({fixture(name)}), {5, 4, 3, 2});
    check_stack(read_weights<double>({fixture(name)}), {5, 4, 3, 2});
  }
}

TEST_CASE("checkpoint: strides, offsets and shared storages are honoured", "[nets]") {
  const auto weights = read_weights<double>({fixture("views.pt")});
  REQUIRE(weights.size() == 4);
  check_stack<double>({weights.begin(), weights.begin() + 3}, {5, 4, 3, 2});
  CHECK(weights[3] == Eigen::Map<const Matrix<double>>(weights[2].data(), 3, 2));
}

TEST_CASE("checkpoint: safetensors layers come in the order of their numbers", "[nets]") {
  check_stack(read_weights<float>({fixture("twelve_layers.safetensors")}),
              {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  CHECK(ansatz::natural_less("w2", "w10"));
  CHECK(ansatz::natural_less("a1b2", "a1b10"));
  CHECK(ansatz::natural_less("a", "a0"));
  CHECK_FALSE(ansatz::natural_less("w10", "w2"));
  CHECK_FALSE(ansatz::natural_less("w2", "w2"));
}

TEST_CASE("checkpoint: what is no stack of layers is refused with its reason", "[nets]") {
  const auto refuses = [](const char* name, const std::string& reason) {
    CAPTURE(name);
    const std::string error = error_of({fixture(name)});
    CHECK_THAT(error, Catch::Contains(reason));
    CHECK_THAT(error, Catch::Contains(name));
    CHECK(error.find('\n') == std::string::npos);
  };
  refuses("legacy.pt", "before 1.6");
  refuses("convolution.pt", "'0.weight' (2 x 1 x 3 x 3) is the weight of a convolution");
  refuses("integers.pt", "LongStorage");
  refuses("mismatch.pt", "'2.weight' (3 x 7) cannot follow '0.weight' (4 x 5)");
  refuses("expanded.pt", "expanded");
  refuses("nan.pt", "NaN");
  refuses("no_weights.pt", "'epoch', 'lr'");
  refuses("list.pt", "a list");
  refuses("module.pt", "torch.nn.modules.container.Sequential");
  refuses("module.pt", "torch.save(model.state_dict()");
  refuses("hostile.pkl", "neither");
}

TEST_CASE("checkpoint: what lies beside the network is passed over and not run", "[nets]") {
  check_stack(read_weights<float>({fixture("hostile.pt")}), {5, 4, 3, 2});
  CHECK_FALSE(fs::exists("the_hostile_pickle_ran"));
}

TEST_CASE("checkpoint: files that are missing, of no format, or too many", "[nets]") {
  const TemporaryFolder scratch;
  CHECK_THAT(error_of({scratch / "absent.pt"}), Catch::Contains("absent.pt"));
  CHECK_THAT(error_of({scratch.path()}), Catch::Contains("folder"));
  CHECK(error_of({}) != "none");
  write_bytes(scratch / "empty.pt", "");
  CHECK(error_of({scratch / "empty.pt"}) != "none");
  write_bytes(scratch / "empty.safetensors", "");
  CHECK_THAT(error_of({scratch / "empty.safetensors"}), Catch::Contains("too short"));
  write_bytes(scratch / "text.pt", "just some text\n");
  CHECK_THAT(error_of({scratch / "text.pt"}), Catch::Contains("neither"));
  CHECK_THAT(error_of({fixture("ordered_dict.pt"), fixture("ordered_dict.pt")}), Catch::Contains("one file"));
}

TEST_CASE("checkpoint: .npy layers", "[nets]") {
  const TemporaryFolder scratch;
  const auto first = expected_weight<double>(0, 4, 5), second = expected_weight<double>(1, 3, 4);
  ansatz::write_npy<double>(scratch / "W1.npy", first);
  ansatz::write_npy<double>(scratch / "W2.npy", second);
  check_stack(read_weights<float>({scratch / "W1.npy", scratch / "W2.npy"}), {5, 4, 3});
  check_stack(read_weights<double>({scratch / "W1.npy"}), {5, 4});
  CHECK_THAT(error_of({scratch / "W2.npy", scratch / "W1.npy"}), Catch::Contains("cannot follow"));
  ansatz::write_npy<double>(scratch / "vector.npy", ansatz::Vector<double>(ansatz::Vector<double>::Ones(4)));
  CHECK_THAT(error_of({scratch / "vector.npy"}), Catch::Contains("matrix"));
  ansatz::write_npy<double>(scratch / "inf.npy", Matrix<double>(first.array() / 0.0));
  CHECK_THAT(error_of({scratch / "inf.npy"}), Catch::Contains("infinite"));
  // A vector after a matrix is its bias.
  ansatz::write_npy<double>(scratch / "b1.npy", ansatz::Vector<double>(ansatz::Vector<double>::LinSpaced(4, 1, 4)));
  const auto read = ansatz::nets::read_checkpoint<double>({scratch / "W1.npy", scratch / "b1.npy", scratch / "W2.npy"});
  REQUIRE(read.layers.size() == 2);
  CHECK(read.layers[0].bias == ansatz::Vector<double>::LinSpaced(4, 1, 4));
  CHECK(read.layers[1].bias.size() == 0);
  CHECK(read.outline.reading == "5–4–3, relu assumed, biases in layer 1 only, from keys W1.npy, W2.npy");
  CHECK_THAT(error_of({scratch / "W2.npy", scratch / "b1.npy"}),
             Catch::Contains("4 biases") && Catch::Contains("3 outputs"));
  CHECK_THAT(error_of({scratch / "W1.npy", scratch / "b1.npy", scratch / "b1.npy"}), Catch::Contains("matrix"));
}

TEMPLATE_TEST_CASE("checkpoint: what is written is read back exactly", "[nets]", float, double) {
  const TemporaryFolder scratch;
  using Layer = ansatz::nets::LinearLayer<TestType>;
  const std::vector<Layer> layers = {{Matrix<TestType>::Random(4, 5), {}},
                                     {Matrix<TestType>::Random(3, 4), ansatz::Vector<TestType>::Random(3)}};
  const auto is_same = [&](const std::vector<fs::path>& files) {
    const std::vector<Layer> read = ansatz::nets::read_checkpoint<TestType>(files).layers;
    REQUIRE(read.size() == 2);
    for (std::size_t l = 0; l < 2; ++l)
      CHECK((read[l].weight == layers[l].weight && read[l].bias.size() == layers[l].bias.size()));
    CHECK(read[1].bias == layers[1].bias);
  };
  const Mlp<TestType> network(layers);
  ansatz::nets::write_safetensors(scratch / "net.safetensors", network);
  is_same({scratch / "net.safetensors"});
  ansatz::nets::write_weights_npy(scratch / "net", network);
  is_same({scratch / "net.W1.npy", scratch / "net.W2.npy", scratch / "net.b2.npy"});
  CHECK_FALSE(fs::exists(scratch / "net.b1.npy"));
}

TEST_CASE("checkpoint: biases are written by name and shape", "[nets]") {
  const TemporaryFolder scratch;
  ansatz::nets::MlpOptions options;
  options.hidden_layers = {3};
  options.bias = true;
  const Mlp<float> network(4, 2, options, ansatz::RandomStream(1));
  ansatz::nets::write_safetensors(scratch / "net.safetensors", network);
  const ansatz::SafetensorsFile file(scratch / "net.safetensors");
  REQUIRE(file.tensors().size() == 4);
  CHECK(file.tensors()[0].name == "layers.0.bias");
  CHECK(file.tensors()[0].shape == std::vector<std::int64_t>{3});
  CHECK(file.tensors()[3].name == "layers.1.weight");
  CHECK(file.tensors()[3].shape == std::vector<std::int64_t>{2, 3});
}

TEST_CASE("checkpoint: damage ends in an error or in weights, never in a crash", "[nets]") {
  const TemporaryFolder scratch;
  std::mt19937 random(7);
  const auto survives = [&](const fs::path& path, const std::string& bytes) {
    write_bytes(path, bytes);
    try {
      for (const Matrix<float>& weight : read_weights<float>({path})) REQUIRE(weight.allFinite());
      return true;
    } catch (const DataError&) {
      return false;
    }
  };
  for (const char* name : {"training_checkpoint.pt", "script.pt", "float64.safetensors"}) {
    CAPTURE(name);
    const std::string whole = ansatz::read_file(fixture(name));
    const fs::path path = scratch / name;
    REQUIRE(survives(path, whole));
    const std::size_t step = whole.size() / 60 + 1;
    for (std::size_t size = 0; size < whole.size(); size += step) CHECK_FALSE(survives(path, whole.substr(0, size)));
    for (int trial = 0; trial < 150; ++trial) {
      std::string damaged = whole;
      damaged[random() % damaged.size()] = static_cast<char>(random());
      survives(path, damaged);
    }
  }
}
