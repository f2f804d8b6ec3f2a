// Networks as PyTorch saves them, against what PyTorch computes with them (fixtures/make_fixtures.py).
#include "core/base/error.h"
#include "core/files/npy.h"
#include "nets/checkpoints/checkpoint.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::nets;

namespace {

std::filesystem::path fixture(const std::string& name) { return std::filesystem::path(ANSATZ_FIXTURES) / name; }

/// The largest difference from PyTorch's outputs, and what the file was read as.
std::pair<double, std::string> read(const std::string& file, const std::string& outputs,
                                    const KnownLayers& known = {}) {
  const Checkpoint<double> checkpoint = read_checkpoint<double>({fixture(file)}, known);
  const Matrix<double> x = read_npy<double>(fixture("inputs.npy")), y = read_npy<double>(fixture(outputs));
  CHECK(checkpoint.outline.reading == checkpoint_outline({fixture(file)}, known).reading);
  const Mlp<double> network(checkpoint.layers, checkpoint.outline.activation);
  return {(network.predict(x) - y).cwiseAbs().maxCoeff(), checkpoint.outline.reading};
}

std::string refusal(const std::string& file) {
  return message_of<DataError>([&] { read_checkpoint<float>({fixture(file)}); });
}

/// PyTorch computed in float32.
constexpr double kRounding = 1e-5;

}  // namespace

TEST_CASE("torch models: batch norms, weight_norm and what a training framework saves") {
  for (const std::string name : {"norms", "weight_norm_old", "weight_norm_new", "lightning_2", "lightning_5"}) {
    CAPTURE(name);
    CHECK(read(name + ".pt", name + ".npy").first < kRounding);
  }
  CHECK(read("norms.safetensors", "norms_safetensors.npy").first < kRounding);
  CHECK_THAT(read("lightning_2.pt", "lightning_2.npy").second,
             Catch::Contains("from keys model.0, model.2, model.4 under 'state_dict'"));
}

TEST_CASE("torch models: a state dict does not tell where batch norms stand") {
  for (const auto& [name, place] : {std::pair("named_before", BatchNormPlace::before_activation),
                                    std::pair("named_after", BatchNormPlace::after_activation)}) {
    const std::string file = std::string(name) + ".pt", outputs = std::string(name) + ".npy";
    CHECK_THAT(message_of<ConfigError>([&, file = file] { read_checkpoint<double>({fixture(file)}); }),
               Catch::StartsWith("`batch_norm`"));
    KnownLayers known;
    for (const auto said : {BatchNormPlace::before_activation, BatchNormPlace::after_activation}) {
      known.batch_norm = said;
      const double difference = read(file, outputs, known).first;
      CHECK((said == place ? difference < kRounding : difference > 0.01));
    }
  }
}

TEST_CASE("torch models: TorchScript's code tells the activation, the order, the places and the epsilons") {
  for (const std::string way : {"script", "trace", "frozen"})
    for (const auto& [model, activation, place] :
         {std::tuple("_gelu", "gelu", "before the activation"), std::tuple("_after", "tanh", "after the activation")}) {
      CAPTURE(way, model);
      const auto [difference, reading] = read(way + model + ".pt", way + model + ".npy");
      CHECK(difference < kRounding);
      CHECK_THAT(reading, Catch::StartsWith(std::string("5–4–4–2, ") + activation + " by its code"));
      const bool folded_by_torch = way == "frozen" && place == std::string("before the activation");
      if (!folded_by_torch)
        CHECK_THAT(reading, Catch::Contains(place) && Catch::Contains("eps 1e-05)") && Catch::Contains("eps 0.001)"));
    }
}

TEST_CASE("torch models: weight_norm is followed where code was traced") {
  for (const std::string name : {"trace_weight_norm", "trace_weight_norm_old"}) {
    CAPTURE(name);
    const auto [difference, reading] = read(name + ".pt", name + ".npy");
    CHECK(difference < kRounding);
    CHECK_THAT(reading, Catch::StartsWith("5–4–3–2, relu by its code") &&
                            Catch::Contains("from keys 0, 2, 4; folded in: weight_norm of 0, 2, 4"));
  }
  CHECK_THAT(refusal("script_weight_norm.pt"),
             Catch::Contains("always ends with an error (Parametrization is not working with scripting.)") &&
                 Catch::Contains("torch.save(model.state_dict(), file)"));
}

TEST_CASE("torch models: a running average beside the network is asked about, however it is wrapped") {
  for (const auto& [file, key] : {std::pair("averaged.pt", "'average'"), std::pair("shadow.pt", "'ema'")})
    CHECK_THAT(message_of<ConfigError>([&, file = file] { read_checkpoint<float>({fixture(file)}); }),
               Catch::StartsWith("`checkpoint_key`") && Catch::Contains("'model'") && Catch::Contains(key));
  KnownLayers known;
  for (const std::string part : {"average", "model"}) {
    known.part = part;
    CHECK(read_checkpoint<float>({fixture("averaged.pt")}, known).layers.size() == 3);
  }
}

TEST_CASE("torch models: tensors that are not what their storage holds are refused with what to save instead") {
  for (const auto& [file, what] :
       {std::pair("negated.pt", "resolve_neg()"),
        std::pair("sparse.pt", "'0.weight' is sparse; save tensor.to_dense()"),
        std::pair("quantized.pt", "before its quantisation"),
        std::pair("quantized_layers.pt", "before its quantisation"), std::pair("meta.pt", "holds no numbers"),
        std::pair("float8.pt", "tensor.float()"), std::pair("complex.pt", "complex numbers")}) {
    CAPTURE(file);
    CHECK_THAT(refusal(file), Catch::Contains(what));
  }
}

TEST_CASE("torch models: what is said against TorchScript's code is refused") {
  const auto asks = [](const KnownLayers& known) {
    return message_of<ConfigError>([&] { read_checkpoint<double>({fixture("script_gelu.pt")}, known); });
  };
  KnownLayers known;
  known.activation = Activation::relu;
  CHECK_THAT(asks(known), Catch::StartsWith("`activation`: is relu") && Catch::Contains("applies gelu"));
  known.activation = Activation::gelu;
  CHECK(asks(known) == "");
  known.batch_norm = BatchNormPlace::after_activation;
  CHECK_THAT(asks(known), Catch::StartsWith("`batch_norm`: contradicts"));
  known.batch_norm = BatchNormPlace::before_activation;
  known.names = {"fc1", "fc2", "fc3"};
  CHECK(asks(known) == "");
  known.names = {"fc2", "fc1", "fc3"};
  CHECK_THAT(asks(known), Catch::StartsWith("`layer_names`: contradicts"));
}

TEST_CASE("torch models: code that is no plain stack is refused with what was seen") {
  CHECK_THAT(refusal("script_residual.pt"), Catch::Contains("its code uses add of several results"));
  CHECK_THAT(refusal("script_elu.pt"), Catch::Contains("its code uses elu"));
}
