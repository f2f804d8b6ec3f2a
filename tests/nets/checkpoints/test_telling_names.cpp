#include "core/base/error.h"
#include "nets/checkpoints/names/telling_names.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/test_model.h"

using ansatz::ConfigError;
using ansatz::DataError;
using ansatz::Index;
using ansatz::nets::KnownLayers;

namespace {

/// Layers that chain from 8 inputs to 8 outputs whatever they are.
TestModel square(const std::vector<std::string>& names, bool bias = false) {
  TestModel model;
  for (const std::string& name : names) model.linear(name, 8, 8, bias);
  return model;
}

/// What is said of it without layer names; with them, it is read.
std::string asked(const TestModel& model, std::vector<std::string> names, Format format = Format::torch) {
  KnownLayers known;
  known.names = std::move(names);
  CHECK(message_of<ConfigError>([&] { read_model(model.tensors, format, known); }) == "");
  return message_of<ConfigError>([&] { read_model(model.tensors, format); });
}

std::string refused(const std::vector<NamedTensor>& tensors) {
  return message_of<DataError>([&] { read_model(tensors, Format::torch); });
}

}  // namespace

TEST_CASE("telling names: what is called otherwise than a layer of a stack is read only if it is listed") {
  for (const auto& [name, role] :
       {std::pair("emb", "an embedding"), std::pair("token_embedding", "an embedding"),
        std::pair("shortcut", "a shortcut"), std::pair("block1.downsample", "a shortcut"),
        std::pair("gate_proj", "a gate"), std::pair("q_proj", "an attention"), std::pair("net.to_k2", "an attention"),
        std::pair("c_fc", "inputs x outputs"), std::pair("log_std", "a second output"),
        std::pair("experts.0", "one of several experts")}) {
    CAPTURE(name);
    CHECK_THAT(asked(square({"fc1", name, "fc2"}), {"fc1", name, "fc2"}),
               Catch::StartsWith("`layer_names`: '" + std::string(name) + "' of ") && Catch::Contains(role) &&
                   Catch::Contains("list all layers in `layer_names`"));
  }
  // An embedding has no biases; other words only contain these.
  CHECK(asked(square({"fc1", "embed", "fc2"}, true), {"fc1", "embed", "fc2"}) == "");
  for (const std::string name : {"gateway", "value", "skipper", "embedder"})
    CHECK(asked(square({"zero", name, "fc2"}, true), {"zero", name, "fc2"}) == "");
}

TEST_CASE("telling names: adapters, recurrent and quantised layers are refused with the way out") {
  const auto with = [](const std::string& name, const std::vector<Index>& shape) {
    TestModel model = square({"fc1"});
    model.add(name, shape);
    return refused(model.tensors);
  };
  CHECK_THAT(with("fc2.lora_A.weight", {4, 8}), Catch::Contains("merge_and_unload()"));
  CHECK_THAT(with("fc2.lora_B", {8, 4}), Catch::Contains("merge_and_unload()"));
  CHECK_THAT(with("rnn.weight_ih_l0", {32, 8}), Catch::Contains("recurrent"));
  CHECK_THAT(with("fc2.weight.absmax", {8}), Catch::Contains("before its quantisation"));
  CHECK_THAT(with("_fsdp_wrapped_module._flat_param", {80}), Catch::Contains("full state dict"));
  CHECK_THAT(with("Dense_0.kernel", {8, 8}), Catch::Contains("transpose it"));
  CHECK_THAT(with("fc2.weight_mask", {8, 8}), Catch::Contains("prune.remove"));
  CHECK(with("kernel_net.weight", {4, 8}) == "");
}

TEST_CASE("telling names: two networks in one dict are not read one after the other") {
  const std::vector<std::string> both = {"online.0", "online.2", "target.0", "target.2"};
  for (const Format format : {Format::torch, Format::safetensors})
    CHECK_THAT(asked(square(both, true), both, format),
               Catch::StartsWith("`checkpoint_key`") && Catch::Contains("below 'online' and 'target'"));
  const std::vector<std::string> average = {"0", "2", "ema.module.0", "ema.module.2"};
  CHECK_THAT(asked(square(average, true), average), Catch::Contains("below 'ema'"));
  // Names without dots, as some averages are kept.
  const std::vector<std::string> flat = {"model.0", "model.2", "model_ema.0", "model_ema.2"};
  TestModel model = square(flat, true);
  for (NamedTensor& tensor : model.tensors)
    if (tensor.name.rfind("model_ema.", 0) == 0) tensor.name.erase(tensor.name.rfind('.'), 1);
  CHECK_THAT(asked(model, {"model.0", "model.2", "model_ema.0weight", "model_ema.2weight"}),
             Catch::Contains("below 'model' and 'model_ema'"));
  KnownLayers known;
  known.part = "target";
  CHECK(read_model(square(both, true).tensors, Format::torch, known).layers.size() == 2);
  // Blocks of one network differ in their numbers; single layers follow each other.
  const std::vector<std::string> blocks = {"block1.fc1", "block1.fc2", "block2.fc1", "block2.fc2"};
  CHECK(asked(square(blocks, true), blocks) == "");
  CHECK(asked(square({"first", "body", "final"}, true), {"first", "body", "final"}) == "");
}

TEST_CASE("telling names: tensors that safetensors left out because they are others once more") {
  TestModel model;
  model.linear("0", 8, 5, false);
  model.linear("2", 8, 8, false);
  model.linear("6", 3, 8, false);
  std::string file = safetensors_file(model.tensors);
  const std::string metadata = R"("__metadata__":{"format":"pt","4.weight":"2.weight"},)";
  const std::string header = file.substr(8, file.find('}' + std::string(1, '}')) + 2 - 8);
  const std::string data = file.substr(8 + header.size());
  const std::string longer = "{" + metadata + header.substr(1);
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "net.safetensors", little(longer.size(), 8) + longer + data);
  const auto checkpoint = ansatz::nets::read_checkpoint<double>({path});
  CHECK(difference(network_of(checkpoint), model, {"0", "relu", "2", "relu", "2", "relu", "6"}) < 1e-12);
  CHECK_THAT(checkpoint.outline.reading, Catch::StartsWith("5–8–8–8–3"));
}

TEST_CASE("telling names: a part of a network in several files is none") {
  CHECK(ansatz::nets::shards_of("model-00001-of-00003.safetensors") == 3);
  CHECK(ansatz::nets::shards_of("model-00001-of-00001.safetensors") == 1);
  CHECK(ansatz::nets::shards_of("run-of-2.pt") == 1);
  const TemporaryFolder folder;
  const auto refuses = [&](const char* name, const std::string& bytes) {
    const auto path = write_bytes(folder / name, bytes);
    return message_of<DataError>([&] { ansatz::nets::read_checkpoint<double>({path}); });
  };
  CHECK_THAT(refuses("model-00001-of-00002.safetensors", safetensors_file(square({"a"}).tensors)),
             Catch::Contains("one of 2 files") && Catch::Contains("into one dict"));
  CHECK_THAT(refuses("model.safetensors.index.json", "{}"), Catch::Contains("the index of a network"));
}
