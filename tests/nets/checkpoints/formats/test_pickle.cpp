#include <string>

#include "core/base/error.h"
#include "core/files/files.h"
#include "nets/checkpoints/formats/pickle.h"
#include "nets/checkpoints/formats/state_dict.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using ansatz::ConfigError;
using ansatz::DataError;
using ansatz::nets::network_tensors;
using ansatz::nets::Pickle;
using ansatz::nets::read_pickle;
using Kind = Pickle::Kind;
using namespace std::string_literals;

namespace {

Pickle read(const std::string& bytes) { return read_pickle(bytes, "test"); }

std::string error_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const DataError& error) {
    return error.what();
  }
  return "none";
}

std::string repeat(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string short_text(const std::string& text) { return "\x8c"s + static_cast<char>(text.size()) + text; }

/// Opcodes that push a float storage '0' of `elements` (below 128) elements.
std::string storage(int elements) {
  return "("s + short_text("storage") + "ctorch\nFloatStorage\n" + short_text("0") + short_text("cpu") + "K" +
         static_cast<char>(elements) + "tQ";
}

/// Opcodes that push a 2 x 3 tensor made of `storage`.
std::string tensor(const std::string& storage_opcodes) {
  return "ctorch._utils\n_rebuild_tensor_v2\n("s + storage_opcodes + "K\0K\x02K\x03\x86K\x03K\x01\x86\x89N"s + "tR";
}

}  // namespace

TEST_CASE("pickle: numbers, texts and containers as Python writes them", "[nets]") {
  // pickle.dumps([1, -2, 70000, 2**40, -2**40, 0.5, True, None, 'ab', (1,), {'k': 3}], 2)
  const std::string bytes =
      "\x80\x02]q\x00("
      "K\x01J\xfe\xff\xff\xffJp\x11\x01\x00\x8a\x06\x00\x00\x00\x00\x00\x01\x8a\x06\x00\x00\x00\x00\x00\xff"
      "G?\xe0\x00\x00\x00\x00\x00\x00\x88NX\x02\x00\x00\x00"
      "abq\x01K\x01\x85q\x02}q\x03X\x01\x00\x00\x00kq\x04K\x03se."s;
  const Pickle pickle = read(bytes);
  const Pickle::Value& list = pickle.at(pickle.root);
  REQUIRE(list.kind == Kind::list);
  REQUIRE(list.items.size() == 11);
  const auto item = [&](std::size_t i) -> const Pickle::Value& { return pickle.at(list.items[i]); };
  CHECK(item(0).integer == 1);
  CHECK(item(1).integer == -2);
  CHECK(item(2).integer == 70000);
  CHECK(item(3).integer == std::int64_t{1} << 40);
  CHECK(item(4).integer == -(std::int64_t{1} << 40));
  CHECK(item(5).real == 0.5);
  CHECK((item(6).kind == Kind::boolean && item(6).integer == 1));
  CHECK(item(7).kind == Kind::none);
  CHECK(item(8).text == "ab");
  CHECK((item(9).kind == Kind::tuple && item(9).items.size() == 1));
  CHECK((item(10).kind == Kind::dict && pickle.at(item(10).items[1]).integer == 3));
}

TEST_CASE("pickle: a tensor is described, not built", "[nets]") {
  const Pickle pickle = read("\x80\x02"s + tensor(storage(6)) + ".");
  REQUIRE(pickle.at(pickle.root).kind == Kind::tensor);
  REQUIRE(pickle.tensors.size() == 1);
  const auto& info = pickle.tensors[0];
  CHECK(info.shape == std::vector<std::int64_t>{2, 3});
  CHECK(info.strides == std::vector<std::int64_t>{3, 1});
  CHECK(info.storage == "0");
  CHECK(info.storage_elements == 6);
  CHECK(info.type == ansatz::ElementType::float32);
}

TEST_CASE("pickle: whatever a name would make becomes an object, and nothing is called", "[nets]") {
  const std::string arguments = short_text("touch it_ran") + "\x85";
  for (const std::string& made :
       {"cos\nsystem\n" + arguments + "R", short_text("posix") + short_text("system") + "\x93" + arguments + "R",
        "cargparse\nNamespace\n" + arguments + "\x81", "cbuiltins\neval\n" + arguments + "}\x92",
        "c__torch__\nModel\n" + arguments + "\x81", "ctorch\nload\n)R" + arguments + "R"}) {
    CAPTURE(made);
    // A state, an item of a list, one of a set, an entry of a dict, and the result called once more.
    for (const std::string& then : {""s, "}b"s, "Na"s, "(N\x90"s, "NNs"s, ")R"s, ")R}b"s}) {
      const Pickle pickle = read("\x80\x04" + made + then + ".");
      CHECK(pickle.at(pickle.root).kind == Kind::object);
    }
  }
  const Pickle pickle = read("cpathlib\nPosixPath\n" + arguments + "R.");
  CHECK(ansatz::nets::maker_of(pickle, pickle.at(pickle.root)) == "pathlib.PosixPath");
  CHECK_FALSE(std::filesystem::exists("it_ran"));
}

TEST_CASE("pickle: what is no name makes nothing", "[nets]") {
  for (const std::string& bytes : {"K\x01)R."s, "N)\x81."s, short_text("os.system") + ")R.",
                                   "ctorch\nFloatStorage\n}b."s, "c__torch__.Model\n)R."s, "cos\nsystem\nNR."s})
    CHECK(error_of(bytes) != "none");
}

TEST_CASE("pickle: dicts of other kinds, sets and byte arrays are plain values", "[nets]") {
  const Pickle dict = read("ccollections\ndefaultdict\ncbuiltins\nint\n\x85R" + short_text("k") + "K\x03s.");
  REQUIRE(dict.at(dict.root).kind == Kind::dict);
  CHECK(dict.at(dict.root).items.size() == 2);
  CHECK(read("\x8f(K\x01K\x02\x90.").at(0).items.size() == 2);
  const Pickle frozen = read("(K\x01K\x02\x91.");
  CHECK(frozen.at(frozen.root).items.size() == 2);
  CHECK(read("\x96\x03\0\0\0\0\0\0\0abc."s).at(0).text == "abc");
}

TEST_CASE("pickle: a tensor of a class of its own is the tensor", "[nets]") {
  const std::string t = tensor(storage(6));
  const std::string function_and_arguments = t.substr(0, t.size() - 1);  // without the call
  const std::size_t mark = function_and_arguments.find('(');
  const Pickle pickle = read("ctorch._tensor\n_rebuild_from_type_v2\n(" + function_and_arguments.substr(0, mark) +
                             "cfastai.torch_core\nTensorBase\n" + function_and_arguments.substr(mark) + "}tR.");
  REQUIRE(pickle.at(pickle.root).kind == Kind::tensor);
  CHECK(pickle.tensors[0].shape == std::vector<std::int64_t>{2, 3});
  CHECK_THAT(error_of("ctorch._tensor\n_rebuild_from_type_v2\n)R."), Catch::Contains("too few"));
}

TEST_CASE("pickle: damaged ones end in an error", "[nets]") {
  for (const std::string& bytes : {""s,
                                   "."s,
                                   "\x80"s,
                                   "\x80\x09."s,
                                   "K"s,
                                   "R."s,
                                   "b."s,
                                   "Q."s,
                                   "t."s,
                                   "e."s,
                                   "u."s,
                                   "(."s,
                                   "(K\x01u."s,
                                   "}(K\x01u."s,
                                   "h\x05."s,
                                   "q\x01."s,
                                   "X\xff\xff\xff\xff."s,
                                   "\x8d\xff\xff\xff\xff\xff\xff\xff\xff."s,
                                   "\x8b\xff\xff\xff\xff."s,
                                   "K\x01K\x02s."s,
                                   "(K\x01\x85."s,
                                   "cno newline"s,
                                   "i."s,
                                   "\x95\xff\xff"s}) {
    CAPTURE(bytes);
    CHECK(error_of(bytes) != "none");
  }
  CHECK_THAT(error_of("\x80\x02"s + tensor("N") + "."), Catch::Contains("None"));
  CHECK(error_of("\x80\x02"s + "(" + short_text("storage") + "tQ.") != "none");
}

TEST_CASE("pickle: hostile sizes and nesting cost little", "[nets]") {
  // A list that holds itself, a tower of lists, tuples that double at every step.
  CHECK(read("]q\x00h\x00\x61."s).at(0).items.size() == 1);
  CHECK(read(repeat("]", 100000) + repeat("a", 99999) + ".").values.size() == 100000);
  const Pickle doubling = read("]" + repeat("2\x86", 60) + "}" + short_text("model") + "}" + short_text("w") + "]\x94" +
                               repeat("h\0h\0\x86"s + "\x94", 1) + "0ssN\x86.");
  CHECK(doubling.at(doubling.root).kind == Kind::tuple);
  CHECK_THAT(error_of(repeat("N0", 1 << 22) + "N."), Catch::Contains("4 million"));
  // One long class name, copied again and again, or one long shape.
  const std::string name(1 << 16, 'x');
  CHECK_THAT(error_of("c__torch__\n" + name + "\n."), Catch::Contains("refused"));
  CHECK_THAT(error_of("\x80\x02"s + "ctorch._utils\n_rebuild_tensor_v2\n(" + repeat("K\x01", 1000) + "tR."),
             Catch::Contains("1000 arguments"));
}

TEST_CASE("pickle: the search for tensors survives circles and fan-out", "[nets]") {
  const auto search = [](const std::string& bytes) { return network_tensors(read(bytes), "test").tensors; };
  // {'model': m} with m = {'m': m}
  CHECK_THROWS_AS(search("}" + short_text("model") + "}q\x01(" + short_text("m") + "h\x01us."), DataError);
  // {'model': {'m': d60}} with d_k = (d_{k-1}, d_{k-1})
  CHECK_THROWS_AS(search("}" + short_text("model") + "}" + short_text("m") + ")" + repeat("2\x86", 60) + "ss."),
                  DataError);
  CHECK_THROWS_AS(search("}" + short_text("epoch") + "K\x03s."), DataError);
  CHECK_THROWS_AS(search("K\x03."), DataError);
}

TEST_CASE("pickle: which of several groups of tensors is the network is not guessed") {
  const auto search = [](const std::string& bytes) { return network_tensors(read(bytes), "test").tensors; };
  const auto error = [&](const std::string& bytes) { return message_of<DataError>([&] { search(bytes); }); };
  const auto asks = [&](const std::string& bytes, const std::string& part = "") {
    return message_of<ConfigError>([&] { network_tensors(read(bytes), "test", part); });
  };
  const auto entry = [](const std::string& key, const std::string& value) { return short_text(key) + value + "s"; };
  const std::string t = tensor(storage(6)), group = "}" + entry("0.weight", t);
  CHECK(search("}" + entry("0.weight", t) + entry("epoch", "K\x03") + entry("notes", "]K\x01\x61") + ".").size() == 1);
  CHECK(search("}" + entry("model", group) + entry("optimizer", "}" + entry("exp_avg", t)) + ".").size() == 1);
  CHECK(search("}" + entry("net", group) + entry("acc", t) + entry("optimizer", "]" + t + "\x61") + ".").size() == 1);
  CHECK_THAT(error("}" + entry("0.weight", t) + entry("rest", group) + "."), Catch::Contains("others under 'rest'"));
  CHECK_THAT(error("}" + entry("0.weight", t) + entry("rest", "]" + t + "\x61") + "."), Catch::Contains("'rest'"));
  CHECK_THAT(error("}" + entry("a", "]" + t + "\x61") + entry("b", "N") + "."),
             Catch::Contains("no weights found (keys: 'a', 'b')"));
  const std::string two = "}" + entry("a", group) + entry("b", group) + ".";
  CHECK_THAT(asks(two), Catch::StartsWith("`checkpoint_key`: ") && Catch::Contains("under 'a' and one under 'b'"));
  CHECK_THAT(asks("}" + entry("model", group) + entry("state_dict", group) + "."),
             Catch::Contains("under 'model' and one under 'state_dict'"));
  CHECK_THAT(asks("}" + entry("model", group) + entry("model", group) + "."), Catch::Contains("'model'"));
  // A running average of the weights.
  CHECK_THAT(asks("}" + entry("state_dict", group) + entry("state_dict_ema", group) + "."),
             Catch::Contains("'state_dict_ema'"));
  CHECK(network_tensors(read(two), "test", "b").under == "b");
  CHECK_THAT(asks(two, "c"), Catch::Contains("under 'a'"));
  const std::string parts = "}" + entry("model", "}" + entry("online.0.weight", t) + entry("ema.0.weight", t)) + ".";
  CHECK(network_tensors(read(parts), "test", "ema").tensors.size() == 1);
  CHECK_THAT(asks(parts, "emma"), Catch::Contains("\"emma\"") && Catch::Contains("(it has online, ema)"));
}

TEST_CASE("pickle: an object is refused where the network depends on it, and only there") {
  const auto search = [](const std::string& bytes) { return network_tensors(read(bytes), "test").tensors; };
  const auto error = [&](const std::string& bytes) { return message_of<DataError>([&] { search(bytes); }); };
  const auto entry = [](const std::string& key, const std::string& value) { return short_text(key) + value + "s"; };
  const std::string t = tensor(storage(6)), group = "}" + entry("0.weight", t);
  const std::string plain = "cargparse\nNamespace\n)\x81}" + entry("lr", "K\x01") + "b";
  const std::string holder = "cargparse\nNamespace\n)\x81}" + entry("mean", t) + "b";
  CHECK(search("}" + entry("model", group) + entry("args", holder) + ".").size() == 1);
  CHECK(search("}" + entry("0.weight", t) + entry("args", plain) + ".").size() == 1);
  CHECK_THAT(error("}" + entry("0.weight", t) + entry("args", holder) + "."),
             Catch::Contains("'args' is an object of argparse.Namespace"));
  CHECK_THAT(error("}" + entry("model", "}" + entry("0.weight", t) + entry("2.weight", plain)) + "."),
             Catch::Contains("'2.weight' is an object of argparse.Namespace"));
  CHECK_THAT(error("}" + entry("model", plain) + "."), Catch::Contains("'model' is an object of argparse.Namespace"));
  CHECK_THAT(error(plain + "."), Catch::Contains("is an object of argparse.Namespace"));
}

TEST_CASE("pickle: the file of a hostile class is no network, and not run", "[nets]") {
  const std::string bytes = ansatz::read_file(std::string(ANSATZ_FIXTURES) + "/hostile.pkl");
  CHECK_THAT(message_of<DataError>([&] { network_tensors(read(bytes), "test"); }), Catch::Contains("posix.system"));
  CHECK_FALSE(std::filesystem::exists("the_hostile_pickle_ran"));
}
