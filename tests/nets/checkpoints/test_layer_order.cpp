#include <algorithm>
#include <random>

#include "core/base/error.h"
#include "nets/checkpoints/layer_order.h"
#include "tests/support/catch.h"
#include "tests/support/checkpoint_files.h"
#include "tests/support/errors.h"
#include "tests/support/read_weights.h"
#include "tests/support/temporary_folder.h"

using ansatz::ConfigError;
using ansatz::DataError;
using ansatz::Index;
using ansatz::Matrix;
using ansatz::nets::KnownLayers;

namespace {

/// Which of `layers` the file is read as, in order; "refused: ..." with the key to blame or "damaged: ...".
std::string order_in(const std::string& file_name, const std::string& bytes, const KnownLayers& known) {
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / file_name, bytes);
  std::string order;
  try {
    for (const Matrix<float>& weight : read_weights<float>({path}, known)) {
      REQUIRE((weight.array() == weight(0, 0)).all());
      order += std::to_string(static_cast<int>(weight(0, 0)));
    }
  } catch (const ConfigError& error) {
    return std::string("refused: ") + error.what();
  } catch (const DataError& error) {
    return std::string("damaged: ") + error.what();
  }
  return order;
}

std::string safetensors_order(const std::vector<NamedShape>& layers, const KnownLayers& known = {}) {
  return order_in("net.safetensors", safetensors_file(layers), known);
}
std::string torch_order(const std::vector<NamedShape>& layers, const KnownLayers& known = {}) {
  return order_in("net.pt", torch_file(layers), known);
}

KnownLayers named(const std::vector<std::string>& names) {
  KnownLayers known;
  known.names = names;
  return known;
}
KnownLayers between(Index inputs, Index outputs) {
  KnownLayers known;
  known.inputs = inputs;
  known.outputs = outputs;
  return known;
}

/// Of square layers, whose shapes say nothing.
std::vector<NamedShape> square(const std::vector<std::string>& names) {
  std::vector<NamedShape> layers;
  for (const std::string& name : names) layers.push_back({name + ".weight", 4, 4});
  return layers;
}

}  // namespace

TEST_CASE("layer order: what neither shapes nor numbers nor the file decide is refused") {
  const auto layers = square({"input", "hidden", "output"});
  for (const std::string& found : {safetensors_order(layers), safetensors_order(layers, between(4, 4))}) {
    CHECK_THAT(found, Catch::StartsWith("refused: `layer_names`") && Catch::Contains("net.") &&
                          Catch::Contains("several orders") && Catch::Contains("input") && Catch::Contains("output"));
    CHECK(found.find('\n') == std::string::npos);
  }
  // Ends that shapes decide do not order what lies between them; neither do numbers that count other things.
  const std::vector<NamedShape> wide = {{"a.weight", 4, 9}, {"b.weight", 4, 4}, {"c.weight", 4, 4}, {"d.weight", 2, 4}};
  CHECK_THAT(safetensors_order(wide, between(9, 2)), Catch::StartsWith("refused"));
  CHECK_THAT(safetensors_order(square({"encoder.0", "encoder.2", "decoder.0", "decoder.2"})),
             Catch::StartsWith("refused"));
  CHECK_THAT(safetensors_order(square({"linear", "linear_1", "linear_2"})), Catch::StartsWith("refused"));
  CHECK_THAT(safetensors_order(square({"fc1", "fc01"})), Catch::StartsWith("refused"));
  CHECK_THAT(safetensors_order(square({"input", "hidden.0", "hidden.1", "output"})), Catch::StartsWith("refused"));
}

TEST_CASE("layer order: shapes decide where only one order chains") {
  const std::vector<NamedShape> layers = {{"hidden.weight", 4, 4}, {"input.weight", 4, 9}, {"output.weight", 2, 4}};
  CHECK(safetensors_order(layers) == "102");
  CHECK(torch_order(layers) == "102");
  // A circle of widths may begin anywhere, but for the data set's.
  const std::vector<NamedShape> circle = {{"in.weight", 6, 4}, {"out.weight", 4, 6}};
  CHECK_THAT(safetensors_order(circle), Catch::StartsWith("refused"));
  CHECK(safetensors_order(circle, between(4, 4)) == "01");
  CHECK(safetensors_order(circle, between(6, 0)) == "10");
  CHECK(safetensors_order(circle, between(0, 4)) == "01");
}

TEST_CASE("layer order: numbers that alone tell names apart decide between shapes that do not") {
  CHECK(safetensors_order(square({"fc10", "fc9", "fc1", "fc2"})) == "2310");
  CHECK(safetensors_order(square({"block2.fc1", "block1.fc2", "block1.fc1"})) == "210");
  CHECK(torch_order(square({"0", "2", "4"})) == "012");
  // With others whose shapes are enough.
  CHECK(safetensors_order(
            {{"a_out.weight", 2, 4}, {"hidden.1.weight", 4, 4}, {"hidden.0.weight", 4, 4}, {"in.weight", 4, 9}}) ==
        "3210");
  // Of two orders that the shapes of one series allow, the one that rises at every step.
  CHECK(safetensors_order({{"l3.weight", 5, 4}, {"l2.weight", 4, 4}, {"l1.weight", 4, 4}, {"l0.weight", 4, 9}}) ==
        "3210");
  // Numbers that the shapes contradict anywhere are no evidence for the rest.
  CHECK_THAT(safetensors_order({{"up3.weight", 4, 9}, {"up1.weight", 4, 4}, {"up2.weight", 4, 4}}),
             Catch::StartsWith("refused"));
  CHECK_THAT(
      safetensors_order({{"up4.weight", 4, 9}, {"up3.weight", 4, 4}, {"up2.weight", 4, 4}, {"up1.weight", 2, 4}}),
      Catch::StartsWith("refused"));
}

TEST_CASE("layer order: shapes and numbers that contradict each other are refused") {
  for (const std::string& found : {safetensors_order({{"fc2.weight", 7, 9}, {"fc1.weight", 2, 7}}),
                                   torch_order({{"fc2.weight", 7, 9}, {"fc1.weight", 2, 7}}),
                                   // An autoencoder's weights as inputs x outputs chain backwards.
                                   safetensors_order({{"0.weight", 6, 4}, {"2.weight", 4, 6}}, between(6, 6))})
    CHECK_THAT(found, Catch::StartsWith("refused: `layer_names`") && Catch::Contains("against the numbers") &&
                          Catch::Contains("transposed"));
  CHECK(safetensors_order({{"fc2.weight", 7, 9}, {"fc1.weight", 2, 7}}, named({"fc2", "fc1"})) == "01");
}

TEST_CASE("layer order: PyTorch's files keep the order of registration, which decides last") {
  CHECK(torch_order(square({"input", "hidden", "output"})) == "012");
  CHECK(torch_order(square({"stem", "block.1", "block.2", "head"})) == "0123");
  // A sorted dict has lost it, as has one that was read from safetensors.
  CHECK_THAT(torch_order(square({"alpha", "beta", "gamma"})), Catch::StartsWith("refused"));
  // Not against numbers or names, and not if it does not chain.
  CHECK_THAT(torch_order(square({"out", "hidden", "body"})),
             Catch::StartsWith("refused") && Catch::Contains("'out' stands elsewhere than its name says"));
  CHECK_THAT(torch_order(square({"middle", "fc_in", "body"})), Catch::Contains("'fc_in' stands elsewhere"));
  CHECK_THAT(torch_order(square({"input", "block.2", "block.1", "output"})), Catch::StartsWith("refused"));
  CHECK_THAT(torch_order({{"out.weight", 2, 4}, {"b.weight", 4, 4}, {"c.weight", 4, 4}, {"in.weight", 4, 9}}),
             Catch::StartsWith("refused"));
}

TEST_CASE("layer order: PyTorch's order of registration must not contradict the numbers") {
  CHECK(torch_order(square({"fc1", "fc2", "fc3"})) == "012");
  CHECK_THAT(torch_order(square({"fc2", "fc1", "fc3"})),
             Catch::StartsWith("refused") && Catch::Contains("numbered as fc1, fc2, fc3 but stored as fc2, fc1, fc3"));
  CHECK(torch_order(square({"fc2", "fc1", "fc3"}), named({"fc2", "fc1", "fc3"})) == "012");
  // An order that does not chain is none.
  CHECK(torch_order({{"fc3.weight", 2, 4}, {"fc1.weight", 4, 4}, {"fc0.weight", 4, 4}}) == "210");
}

TEST_CASE("layer order: given by name") {
  const auto layers = square({"input", "hidden", "output"});
  CHECK(safetensors_order(layers, named({"input", "hidden", "output"})) == "012");
  CHECK(torch_order(layers, named({"hidden.weight", "output", "input"})) == "120");
  CHECK(safetensors_order({{"body.lin.weight", 4, 4}, {"head.weight", 4, 4}}, named({"head", "body"})) == "10");
  const auto refuses = [&](const std::vector<std::string>& names, const std::string& reason) {
    CHECK_THAT(safetensors_order(layers, named(names)),
               Catch::StartsWith("refused: `layer_names`: ") && Catch::Contains(reason));
  };
  refuses({"input", "hiden", "output"}, "\"hiden\" is no layer of");
  refuses({"input", "hiden", "output"}, "did you mean \"hidden\"?");
  refuses({"input", "zzz", "output"}, "(it has hidden, input, output)");
  refuses({"input", "hidden"}, "leaves out layers of");
  refuses({"input", "hidden"}, ": output");
  refuses({"input", "hidden", "hidden.weight"}, "twice");
  refuses({"inp", "hidden", "output"}, "no layer");
  refuses({"", "hidden", "output"}, "no layer");
  CHECK_THAT(safetensors_order(square({"a.0", "a.1", "b"}), named({"a", "b"})),
             Catch::Contains("\"a\" is 2 layers of"));
  CHECK_THAT(safetensors_order({{"a.weight", 3, 4}, {"b.weight", 2, 3}}, named({"b", "a"})),
             Catch::StartsWith("refused") && Catch::Contains("'a.weight' (3 x 4) cannot follow 'b.weight' (2 x 3)"));
}

TEST_CASE("layer order: layers that do not chain, or not for this data set") {
  CHECK_THAT(safetensors_order({{"0.weight", 4, 5}, {"1.weight", 3, 7}}),
             Catch::StartsWith("damaged") && Catch::Contains("'1.weight' (3 x 7) cannot follow '0.weight' (4 x 5)"));
  CHECK_THAT(safetensors_order({{"0.weight", 4, 4}, {"1.weight", 5, 5}}), Catch::StartsWith("damaged"));  // two islands
  CHECK_THAT(safetensors_order(
                 {{"0.weight", 4, 9}, {"1.weight", 4, 9}, {"2.weight", 9, 4}, {"3.weight", 2, 4}, {"4.weight", 2, 4}}),
             Catch::StartsWith("damaged"));
  // One order: what does not fit the data is said by who knows it. Several: here.
  CHECK(safetensors_order({{"a.weight", 4, 5}, {"b.weight", 3, 4}}, between(7, 3)) == "01");
  CHECK_THAT(safetensors_order(square({"a", "b"}), between(4, 3)),
             Catch::StartsWith("damaged") && Catch::Contains("d = 4 inputs to its c = 3 outputs"));
  CHECK_THAT(safetensors_order(square({"a", "b"}), between(3, 3)), Catch::StartsWith("damaged"));
}

TEST_CASE("layer order: of random stacks, the order found is the only one, by trying all") {
  std::mt19937 random(5);
  int found = 0, refused = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t depth = 1 + random() % 6;
    std::vector<Index> widths;
    for (std::size_t i = 0; i <= depth; ++i) widths.push_back(2 + static_cast<Index>(random() % 4));
    std::vector<NamedShape> layers;
    for (std::size_t l = 0; l < depth; ++l)
      layers.push_back({std::string(1, static_cast<char>('a' + l)) + ".weight", widths[l + 1], widths[l]});
    std::shuffle(layers.begin(), layers.end(), random);
    const bool known = random() % 2 == 0;
    std::string only;
    int orders = 0;
    std::string order = std::string("012345").substr(0, depth);
    do {
      const auto layer = [&](std::size_t l) { return layers[static_cast<std::size_t>(order[l] - '0')]; };
      bool chains = !known || (layer(0).cols == widths.front() && layer(depth - 1).rows == widths.back());
      for (std::size_t l = 1; l < depth; ++l) chains &= layer(l).cols == layer(l - 1).rows;
      if (!chains) continue;
      ++orders;
      only = order;
    } while (std::next_permutation(order.begin(), order.end()));
    REQUIRE(orders >= 1);
    const std::string is = safetensors_order(layers, known ? between(widths.front(), widths.back()) : KnownLayers{});
    CAPTURE(trial, orders, only);
    if (orders == 1) {
      CHECK(is == only);
      ++found;
    } else {
      CHECK_THAT(is, Catch::StartsWith("refused"));
      ++refused;
    }
  }
  CHECK(found > 50);
  CHECK(refused > 50);
}

TEST_CASE("layer order: ten thousand layers are ordered at once, more refused") {
  const auto stack = [](std::size_t depth) {
    std::vector<NamedShape> layers;
    for (std::size_t l = 0; l < depth; ++l) layers.push_back({std::to_string(l) + ".weight", 1, 1});
    return layers;
  };
  CHECK(safetensors_order(stack(10'000)).substr(0, 12) == "012345678910");
  CHECK_THAT(safetensors_order(stack(10'001)), Catch::StartsWith("damaged"));
}
