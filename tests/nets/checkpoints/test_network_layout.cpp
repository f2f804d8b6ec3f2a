#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/test_model.h"

using ansatz::ConfigError;
using ansatz::DataError;
using ansatz::Index;
using ansatz::nets::BatchNormPlace;
using ansatz::nets::KnownLayers;

namespace {

using Steps = std::vector<std::string>;

/// Sums of a few products in double: rounding alone.
constexpr double kRounding = 1e-12;

KnownLayers placed(BatchNormPlace place) {
  KnownLayers known;
  known.batch_norm = place;
  return known;
}
KnownLayers named(const std::vector<std::string>& names) {
  KnownLayers known;
  known.names = names;
  return known;
}

void computes(const TestModel& model, const Steps& steps, const std::string& reading, const KnownLayers& known = {},
              Format format = Format::torch) {
  const auto checkpoint = read_model(model.tensors, format, known);
  CHECK(difference(network_of(checkpoint), model, steps) < kRounding);
  CHECK(checkpoint.outline.reading == reading);
}

std::string asks(const TestModel& model, Format format, const KnownLayers& known = {}) {
  return message_of<ConfigError>([&] { read_model(model.tensors, format, known); });
}
std::string refusal(const std::vector<NamedTensor>& tensors) {
  return message_of<DataError>([&] { read_model(tensors, Format::safetensors); });
}

}  // namespace

TEST_CASE("network layout: biases in the first layer, the last, all, or some") {
  for (const Format format : {Format::torch, Format::safetensors})
    for (const auto& [first, second, third, text] :
         {std::tuple(true, true, true, "biases in every layer"), std::tuple(false, false, false, "no biases"),
          std::tuple(true, false, false, "biases in layer 1 only"),
          std::tuple(false, false, true, "biases in layer 3 only"),
          std::tuple(true, false, true, "biases in layers 1, 3")}) {
      TestModel model;
      model.linear("fc1", 6, 5, first);
      model.linear("fc2", 4, 6, second);
      model.linear("fc3", 3, 4, third);
      computes(model, {"fc1", "relu", "fc2", "relu", "fc3"},
               std::string("5–6–4–3, relu assumed, ") + text + ", from keys fc1, fc2, fc3", {}, format);
    }
}

TEST_CASE("network layout: in a Sequential, gaps in the numbers tell on which side of the activation a batch norm is") {
  for (const Format format : {Format::torch, Format::safetensors}) {
    TestModel before;
    before.linear("net.0", 6, 5);
    before.batch_norm("net.1", 6);
    before.linear("net.3", 6, 6, false);
    before.batch_norm("net.4", 6, false);
    before.linear("net.7", 3, 6);
    computes(before, {"net.0", "net.1", "relu", "net.3", "net.4", "relu", "net.7"},
             "5–6–6–3, relu assumed, biases in layers 1, 3, from keys net.0, net.3, net.7; folded in: batch "
             "normalisation net.1, net.4 (before the activation, eps 1e-05 assumed)",
             {}, format);
    TestModel after;
    after.linear("0", 6, 5);
    after.batch_norm("2", 6);
    after.linear("3", 3, 6);
    computes(after, {"0", "relu", "2", "3"},
             "5–6–3, relu assumed, biases in every layer, from keys 0, 3; folded in: batch normalisation 2 (after the "
             "activation, eps 1e-05 assumed)",
             {}, format);
    TestModel both;
    both.batch_norm("0", 5);
    both.linear("1", 6, 5);
    both.batch_norm("2", 6);
    both.batch_norm("4", 6);
    both.linear("5", 3, 6);
    both.batch_norm("6", 3);
    computes(
        both, {"0", "1", "2", "relu", "4", "5", "6"},
        "5–6–3, relu assumed, biases in every layer, from keys 1, 5; folded in: batch normalisation 0 (of the "
        "inputs, eps 1e-05 assumed) and batch normalisation 2 (before the activation, eps 1e-05 assumed) and batch "
        "normalisation 4 (after the activation, eps 1e-05 assumed) and batch normalisation 6 (of the outputs, eps "
        "1e-05 assumed)",
        {}, format);
  }
  TestModel elsewhere;  // the last layer is no part of the Sequential
  elsewhere.linear("body.0", 6, 5);
  elsewhere.batch_norm("body.1", 6);
  elsewhere.linear("body.3", 4, 6);
  elsewhere.batch_norm("body.4", 4);
  elsewhere.linear("head", 3, 4);
  computes(
      elsewhere, {"body.0", "body.1", "relu", "body.3", "body.4", "relu", "head"},
      "5–6–4–3, relu assumed, biases in every layer, from keys body.0, body.3, head; folded in: batch normalisation "
      "body.1, body.4 (before the activation, eps 1e-05 assumed)");
}

TEST_CASE("network layout: layers of a Sequential without an activation between are not read as if there were one") {
  TestModel model;
  for (const auto& [name, outputs, inputs] : {std::tuple("0", 4, 3), std::tuple("1", 5, 4), std::tuple("3", 2, 5)})
    model.linear(name, outputs, inputs);
  const std::string text = asks(model, Format::torch);
  CHECK(contains(text, "`layer_names`: the layers '0' and '1' of "));
  CHECK(contains(text, "without an activation between"));
  CHECK_NOTHROW(read_model(model.tensors, Format::torch, named({"0", "1", "3"})));
}

TEST_CASE("network layout: where the file does not tell, the run asks on which side a batch norm is") {
  TestModel model;
  model.linear("fc1", 6, 5);
  model.batch_norm("bn1", 6);
  model.linear("fc2", 3, 6);
  for (const Format format : {Format::torch, Format::safetensors}) {
    CHECK_THAT(asks(model, format), Catch::StartsWith("`batch_norm`: ") && Catch::Contains("'bn1'") &&
                                        Catch::Contains("before_activation or after_activation"));
    const auto before = network_of(read_model(model.tensors, format, placed(BatchNormPlace::before_activation)));
    const auto after = network_of(read_model(model.tensors, format, placed(BatchNormPlace::after_activation)));
    CHECK(difference(before, model, {"fc1", "bn1", "relu", "fc2"}) < kRounding);
    CHECK(difference(after, model, {"fc1", "relu", "bn1", "fc2"}) < kRounding);
    CHECK(difference(after, model, {"fc1", "bn1", "relu", "fc2"}) > 1e-3);
    // Without an activation both are the same.
    KnownLayers linear;
    linear.activation = ansatz::nets::Activation::linear;
    CHECK(difference(network_of(read_model(model.tensors, format, linear)), model, {"fc1", "bn1", "fc2"}) < kRounding);
  }
  TestModel dropout;  // Linear, ReLU, BatchNorm, Dropout, Linear; or the ReLU after it
  dropout.linear("0", 6, 5);
  dropout.batch_norm("2", 6);
  dropout.linear("4", 3, 6);
  CHECK_THAT(asks(dropout, Format::torch), Catch::StartsWith("`batch_norm`: "));
  TestModel list;  // a ModuleList, with the ReLU in the code
  list.linear("0", 6, 5);
  list.batch_norm("1", 6);
  list.linear("2", 3, 6);
  CHECK_THAT(asks(list, Format::torch), Catch::StartsWith("`batch_norm`: "));
}

TEST_CASE("network layout: batch norms are placed by size, by the file's order, and by numbers") {
  const KnownLayers before = placed(BatchNormPlace::before_activation);
  const Steps steps = {"fc1", "bn1", "relu", "fc2", "bn2", "relu", "fc3"};
  TestModel sizes;  // each fits in one place
  sizes.batch_norm("bn2", 4);
  sizes.batch_norm("bn1", 6);
  sizes.linear("fc1", 6, 5);
  sizes.linear("fc2", 4, 6);
  sizes.linear("fc3", 3, 4);
  TestModel interleaved, grouped;
  interleaved.linear("fc1", 6, 6);
  interleaved.batch_norm("bn1", 6);
  interleaved.linear("fc2", 6, 6);
  interleaved.batch_norm("bn2", 6);
  interleaved.linear("fc3", 6, 6);
  grouped.linear("fc1", 6, 6);
  grouped.linear("fc2", 6, 6);
  grouped.linear("fc3", 6, 6);
  grouped.batch_norm("bn1", 6);
  grouped.batch_norm("bn2", 6);
  for (const Format format : {Format::torch, Format::safetensors})
    for (const TestModel& model : {sizes, interleaved, grouped})
      CHECK(difference(network_of(read_model(model.tensors, format, before)), model, steps) < kRounding);
  TestModel one;  // registered last, applied nobody knows where
  one.linear("fc1", 6, 6);
  one.linear("fc2", 6, 6);
  one.batch_norm("bn", 6);
  CHECK_THAT(asks(one, Format::torch, before), Catch::StartsWith("`layer_names`: ") && Catch::Contains("'bn' (6)"));
  KnownLayers listed = before;
  listed.names = {"fc1", "bn", "fc2"};
  CHECK(difference(network_of(read_model(one.tensors, Format::torch, listed)), one, {"fc1", "bn", "relu", "fc2"}) <
        kRounding);
  CHECK(difference(network_of(read_model(one.tensors, Format::torch, named({"bn", "fc1", "fc2"}))), one,
                   {"bn", "fc1", "relu", "fc2"}) < kRounding);
}

TEST_CASE("network layout: an epsilon that is given is used") {
  TestModel model;
  model.linear("fc", 6, 5);
  model.batch_norm("bn", 6);
  model.epsilon = 1e-2;
  KnownLayers known;
  known.batch_norm_epsilon = 1e-2;
  computes(
      model, {"fc", "bn"},
      "5–6, biases in every layer, from key fc; folded in: batch normalisation bn (of the outputs, eps 0.01 as given)",
      known);
}

TEST_CASE("network layout: weight_norm, old and new, over rows, columns or the whole") {
  const Index rows = 4, cols = 5;
  for (const bool is_new : {false, true})
    for (const auto& shape : std::vector<std::vector<Index>>{{rows, 1}, {1, cols}, {}}) {
      TestModel saved;
      saved.add(is_new ? "fc.parametrizations.weight.original0" : "fc.weight_g", shape);
      saved.add(is_new ? "fc.parametrizations.weight.original1" : "fc.weight_v", {rows, cols});
      saved.add("fc.bias", {rows});
      saved.linear("out", 3, rows);
      const std::vector<float>&g = saved.tensors[0].values, &v = saved.tensors[1].values;
      TestModel plain = saved;
      plain.linear("fc", rows, cols, false);
      std::vector<float>& w = plain.tensors.back().values;
      const auto at = [&](Index i, Index j) { return static_cast<std::size_t>(i * cols + j); };
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j) {
          double squares = 0;
          for (Index a = 0; a < rows; ++a)
            for (Index b = 0; b < cols; ++b) {
              const bool counts = shape.empty() || (shape[0] == rows ? a == i : b == j);
              if (counts) squares += static_cast<double>(v[at(a, b)]) * static_cast<double>(v[at(a, b)]);
            }
          const float scale = g[static_cast<std::size_t>(shape.empty() ? 0 : shape[0] == rows ? i : j)];
          w[at(i, j)] = static_cast<float>(static_cast<double>(scale * v[at(i, j)]) / std::sqrt(squares));
        }
      const auto checkpoint = read_model(saved.tensors, Format::torch);
      CHECK(difference(network_of(checkpoint), plain, {"fc", "relu", "out"}) < 1e-5);  // w is rounded to float32
      CHECK(checkpoint.outline.reading ==
            "5–4–3, relu assumed, biases in every layer, from keys fc, out; folded in: weight_norm of fc");
    }
}

TEST_CASE("network layout: prefixes do not matter, and choose between two networks in one file") {
  TestModel model;
  model.linear("_orig_mod.module.fc1", 6, 5);
  model.linear("_orig_mod.module.fc2", 3, 6);
  model.add("n_averaged", {});
  computes(model, {"_orig_mod.module.fc1", "relu", "_orig_mod.module.fc2"},
           "5–6–3, relu assumed, biases in every layer, from keys _orig_mod.module.fc1, _orig_mod.module.fc2");
  const auto tensors = model.tensors;
  TestModel average = model;
  for (NamedTensor& tensor : average.tensors) tensor.name = "ema." + tensor.name;
  average.tensors.insert(average.tensors.end(), tensors.begin(), tensors.end());
  CHECK_THAT(asks(average, Format::safetensors),
             Catch::StartsWith("`checkpoint_key`") && Catch::Contains("below 'ema' and '_orig_mod'"));
  TestModel beside = model;  // a loss that keeps class weights
  beside.add("criterion.weight", {3});
  CHECK_THAT(refusal(beside.tensors), Catch::Contains("`checkpoint_key`") && Catch::Contains("_orig_mod, criterion"));
  KnownLayers known;
  known.part = "_orig_mod";
  CHECK(difference(network_of(read_model(beside.tensors, Format::torch, known)), model,
                   {"_orig_mod.module.fc1", "relu", "_orig_mod.module.fc2"}) < kRounding);
  for (const Format format : {Format::torch, Format::safetensors})
    CHECK(difference(network_of(read_model(average.tensors, format, known)), model,
                     {"_orig_mod.module.fc1", "relu", "_orig_mod.module.fc2"}) < kRounding);
}

TEST_CASE("network layout: what is neither a Linear layer nor what can be folded into one is refused") {
  const auto with = [](const std::vector<std::pair<std::string, std::vector<Index>>>& others) {
    TestModel model;
    model.linear("fc1", 6, 5);
    for (const auto& [name, shape] : others) model.add(name, shape, -1.5);
    model.linear("fc2", 3, 6);
    return refusal(model.tensors);
  };
  CHECK(with({}) == "");
  CHECK_THAT(with({{"norm.weight", {6}}, {"norm.bias", {6}}}),
             Catch::Contains("'norm.weight' (6)") && Catch::Contains("LayerNorm"));
  CHECK_THAT(with({{"1.weight", {1}}}), Catch::Contains("belongs to a PReLU") && Catch::Contains("LeakyReLU(0.01)"));
  CHECK_THAT(with({{"1.weight", {6}}}), Catch::Contains("PReLU") && Catch::Contains("RMSNorm"));
  CHECK_THAT(with({{"conv.weight", {6, 6, 3, 3}}}), Catch::Contains("convolution"));
  CHECK_THAT(with({{"pair.weight", {6, 6, 3}}}), Catch::Contains("nn.Bilinear"));
  CHECK_THAT(with({{"scale", {1}}}), Catch::Contains("'scale' (1) is not the weight"));
  CHECK_THAT(with({{"lonely.bias", {6}}}), Catch::Contains("'lonely.bias' (6) is the bias of no layer"));
  CHECK_THAT(with({{"fc3.weight", {6, 6}}, {"fc3.bias", {5}}}), Catch::Contains("'fc3.bias' (5) must be of shape 6"));
  CHECK_THAT(with({{"fc3.weight", {6, 4}}, {"fc3.bias", {4}}}), Catch::Contains("transpose it"));
  CHECK_THAT(with({{"fc3.weight_v", {6, 6}}}), Catch::Contains("spectral norm"));
  CHECK_THAT(with({{"fc3.weight_orig", {6, 6}}, {"fc3.weight_mask", {6, 6}}}), Catch::Contains("prune.remove"));
  CHECK_THAT(with({{"fc3.parametrizations.weight.original", {6, 6}}}), Catch::Contains("remove_parametrizations"));
  CHECK_THAT(with({{"fc3.weight_g", {5, 1}}, {"fc3.weight_v", {6, 6}}}), Catch::Contains("no magnitude"));
  CHECK_THAT(with({{"fc3.weight_g", {6, 1}}}), Catch::Contains("without its direction"));
  CHECK_THAT(with({{"fc3.weight", {6, 6}}, {"fc3.weight_g", {6, 1}}, {"fc3.weight_v", {6, 6}}}),
             Catch::Contains("stands beside a weight_norm"));
  CHECK_THAT(with({{"bn.running_mean", {6}}}), Catch::Contains("only one of running_mean and running_var"));
  CHECK_THAT(with({{"0.weight", {6}}, {"0.running_mean", {6}}, {"0.running_var", {5}}}),
             Catch::Contains("must be of shape 6"));
  TestModel negative;
  negative.linear("fc", 6, 5);
  negative.batch_norm("bn", 6);
  negative.tensors[5].values[2] = -1;
  REQUIRE(negative.tensors[5].name == "bn.running_var");
  CHECK_THAT(refusal(negative.tensors), Catch::Contains("a running variance of -1"));
  TestModel misplaced;
  misplaced.linear("0", 6, 5);
  misplaced.batch_norm("1", 5);
  misplaced.linear("3", 3, 6);
  CHECK_THAT(refusal(misplaced.tensors), Catch::Contains("'1' is of 5 entries") && Catch::Contains("has 6"));
}
