#include <unistd.h>

#include <cstdlib>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/config/config.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

Config config(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  return Config::from_string(yaml, "file.yaml", overrides);
}

template <class Body>
std::string error_of(Body body) {
  return message_of<ConfigError>(body);
}

std::string load_error(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  return error_of([&] { config(yaml, overrides); });
}

}  // namespace

TEST_CASE("values are read with their types, fallbacks where absent or null") {
  const Config c =
      config("a: 2.5\nb: 1e4\nc: true\nd: text\ne: [1, 2.5]\nf: [3, 4]\ng: [x, 'y z']\nh: ~\ni: -7\nj: 3.0\n");
  CHECK(c.get("a", 1.0) == 2.5);
  CHECK(c.get("b", Index{1}) == 10000);
  CHECK(c.get("c", false));
  CHECK(c.get("d", "other") == "text");
  CHECK(c.get("e", std::vector<double>{}) == std::vector<double>{1, 2.5});
  CHECK(c.get("f", std::vector<Index>{}) == std::vector<Index>{3, 4});
  CHECK(c.get("g", std::vector<std::string>{}) == std::vector<std::string>{"x", "y z"});
  CHECK(c.get("h", 9.0) == 9);
  CHECK_FALSE(c.has("h"));
  CHECK(c.get("i", 0) == -7);
  CHECK(c.get("j", Index{0}) == 3);
  CHECK(c.get("missing", "fallback") == "fallback");
  CHECK(c.get("gone", std::vector<Index>{5}) == std::vector<Index>{5});
  CHECK(c.require("d") == "text");
  c.finish();
}

TEST_CASE("wrong types are errors at the value's place") {
  const Config c =
      config(
          "rfm:\n  ridge: \"3\"\n  bandwidth: wide\n  iterations: 3.5\n  center: yes\n  list: [1, x]\n"
          "  widths: 5\n  map: {a: 1}\n  big: 1e400\n  nan: .nan\n  inf: inf\n  hex: 0x10\n  flag: 'true'\n")
          .section("rfm");
  CHECK(error_of([&] { c.get("ridge", 1.0); }) == "file.yaml:2:10: rfm.ridge: must be a number, is the text \"3\"");
  CHECK(error_of([&] { c.get("bandwidth", 1.0); }) == "file.yaml:3:14: rfm.bandwidth: must be a number, is wide");
  CHECK(error_of([&] { c.get("iterations", 1); }) == "file.yaml:4:15: rfm.iterations: must be an integer, is 3.5");
  CHECK(error_of([&] { c.get("center", true); }) == "file.yaml:5:11: rfm.center: must be true or false, is yes");
  CHECK(error_of([&] { c.get("flag", true); }) ==
        "file.yaml:13:9: rfm.flag: must be true or false, is the text \"true\"");
  CHECK(error_of([&] { c.get("list", std::vector<double>{}); }) ==
        "file.yaml:6:13: rfm.list.1: must be a number, is x");
  CHECK(contains(error_of([&] { c.get("widths", std::vector<Index>{}); }), "must be a list of integers, is 5"));
  CHECK(contains(error_of([&] { c.get("map", "x"); }), "must be text, is a mapping"));
  CHECK(contains(error_of([&] { c.get("list", 1.0); }), "must be a number, is a list"));
  CHECK(contains(error_of([&] { c.get("big", 1.0); }), "must be a number, is 1e400"));
  CHECK(contains(error_of([&] { c.get("nan", 1.0); }), "must be a number, is .nan"));
  CHECK(contains(error_of([&] { c.get("inf", 1.0); }), "must be a finite number, is inf"));
  CHECK(contains(error_of([&] { c.get("hex", 1); }), "must be an integer, is 0x10"));
  CHECK(contains(error_of([&] { c.get("ridge", 1); }), "must be an integer, is the text \"3\""));
  CHECK(contains(error_of([&] { c.section("ridge"); }), "must be a mapping"));
  CHECK(contains(error_of([&] { c.list("map"); }), "must be a list of mappings, is a mapping"));
  CHECK(contains(error_of([&] { c.list("list"); }), "rfm.list.0: must be a mapping"));
  CHECK(contains(error_of([&] { c.require("nothing"); }), "rfm.nothing: is needed"));
}

TEST_CASE("ranges, choices and words are checked") {
  const Config c = config("ridge: -1\nzero: 0\none: 1\nkernel: lapalce\nsamples: some\nall: all\nfew: 0\nminus: -3\n");
  CHECK(error_of([&] { c.get_at_least("ridge", 0.0, 0.0); }) == "file.yaml:1:8: ridge: must be at least 0, is -1");
  CHECK(contains(error_of([&] { c.get_at_least("minus", Index{1}, Index{2}); }), "must be at least 2, is -3"));
  CHECK(contains(error_of([&] { c.get_positive("zero", 1); }), "must be greater than 0, is 0"));
  CHECK(contains(error_of([&] { c.get_fraction("one", 0.5); }), "must be at least 0 and less than 1, is 1"));
  CHECK(contains(error_of([&] { c.get_fraction("minus", 0.5); }), "less than 1, is -3"));
  CHECK(error_of([&] {
          c.get_choice("kernel", "laplace", {"laplace", "gaussian"});
        }) == "file.yaml:4:9: kernel: must be one of laplace, gaussian, is \"lapalce\"; did you mean laplace?");
  CHECK(contains(error_of([&] { c.get_or_word("samples", 1, "all", 0, 1); }),
                 "must be an integer of at least 1, or all, is some"));
  CHECK(contains(error_of([&] { c.get_or_word("few", 1, "all", 0, 1); }), "at least 1, or all, is 0"));
  CHECK(c.get_or_word("all", 1, "all", 0, 1) == 0);
  CHECK(c.get_or_word("one", 5, "all", 0, 1) == 1);
  CHECK(c.get_or_word("absent", 20, "all", 0, 1) == 20);
  CHECK(c.get_fraction("zero", 0.5) == 0);
  CHECK(c.get_at_least("zero", 1.0, 0.0) == 0);
}

TEST_CASE("numbers beyond their range are errors at the value's place") {
  const Config c = Config::from_string(
      "count: 4611686018427387904\nrate: 1e39\nrows: [1, 2, 99]\nparts: [0.5, -1]\n"
      "samples: 4611686018427387904\nten: 10\n",
      "file.yaml");
  CHECK(error_of([&] { c.get_at_least("count", Index{1}, Index{1}); }) ==
        "file.yaml:1:8: count: must be at most 1000000000, is 4611686018427387904");
  CHECK(contains(error_of([&] { c.get_at_least("ten", Index{1}, Index{1}, Index{9}); }), "must be at most 9, is 10"));
  CHECK(contains(error_of([&] { c.get_positive("rate", 1); }), "file.yaml:2:7: rate: must be at most 1e+30, is 1e39"));
  CHECK(contains(error_of([&] { c.get_at_least("rate", 1.0, 0.0); }), "must be at most 1e+30"));
  CHECK(error_of([&] { c.get_list("rows", std::vector<Index>{}, 1, 50); }) ==
        "file.yaml:3:14: rows.2: must be at most 50, is 99");
  CHECK(error_of([&] { c.get_list("parts", std::vector<double>{}, 0, 1); }) ==
        "file.yaml:4:14: parts.1: must be at least 0, is -1");
  CHECK(contains(error_of([&] { c.get_or_word("samples", 1, "all", 0, 1); }), "samples: must be at most 1000000000"));
  CHECK(c.get_list("rows", std::vector<Index>{}, 1, 99) == std::vector<Index>{1, 2, 99});
}

TEST_CASE("unread keys are errors that name the nearest key of the same mapping") {
  const Config c = config("seed: 1\nrfm:\n  kernel: laplace\n  bandwith: 3\n");
  c.get("seed", 0);
  const Config rfm = c.section("rfm");
  rfm.get("kernel", "laplace");
  rfm.get("bandwidth", 10.0);
  CHECK(error_of([&] { c.finish(); }) == "file.yaml:4:3: rfm.bandwith: unknown key; did you mean bandwidth?");

  const Config far = config("seed: 1\nxyzzy: 2\n");
  far.get("seed", 0);
  far.get("name", "x");
  CHECK(error_of([&] { far.finish(); }) == "file.yaml:2:1: xyzzy: unknown key; known here: name, seed");

  const Config item = config("list:\n  - {label: a}\n  - {lable: b}\n");
  for (const Config& one : item.list("list")) one.get("label", "");
  CHECK(error_of([&] { item.finish(); }) == "file.yaml:3:6: list.1.lable: unknown key; did you mean label?");

  const Config unread_section = config("rfm: {kernel: laplace}\n");
  CHECK(contains(error_of([&] { unread_section.finish(); }), "file.yaml:1:1: rfm: unknown key"));

  const Config unused = config("weights: [a.npy]\n");
  CHECK(unused.has("weights"));
  CHECK(contains(error_of([&] { unused.finish(); }), "weights: is not used together"));
}

TEST_CASE("copies of a section share what was read") {
  const Config c = config("rfm: {kernel: laplace, ridge: 1}\n");
  c.section("rfm").get("kernel", "");
  const Config again = c.section("rfm");
  again.get("ridge", 1.0);
  CHECK_NOTHROW(c.finish());
}

TEST_CASE("YAML that is not valid is an error with its place") {
  CHECK(contains(load_error("a: 1\nb: [1, 2\n"), "file.yaml:"));
  CHECK(contains(load_error("a: 1\nb: [1, 2\n"), "not valid YAML"));
  CHECK(contains(load_error("a: 1\n\tb: 2\n"), "file.yaml:2:"));
  CHECK(contains(load_error("a: 1\nb: *nowhere\n"), "file.yaml:2:"));
  CHECK(load_error("a: 1\nrfm:\n  k: 1\n  l: 2\n  k: 3\n") ==
        "file.yaml:5:3: rfm.k: given twice (first at file.yaml:3:3)");
  CHECK(contains(load_error("- a\n- b\n"), "holds a list"));
  CHECK(contains(load_error("just text\n"), "holds just text"));
  CHECK(contains(load_error("a: 1\n---\nb: 2\n"), "file.yaml:3:1: a second document"));
  CHECK(contains(load_error("---\n---\nb: 2\n"), "file.yaml:3:1: a second document"));
  CHECK(contains(load_error("\"a\", b\n"), "file.yaml:1:4: a second document"));  // yaml-cpp's LoadAll never ended
  CHECK(contains(load_error("a: !!binary xyz\n"), "the tag"));
  CHECK(contains(load_error("? [a, b]\n: 1\n"), "keys must be plain words"));
  CHECK(contains(
      load_error(
          "a: &a [1]\nb: {c: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]}\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
          "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\n"
          "f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]\ng: [*f, *f, *f, *f, *f, *f, *f, *f, *f]\n"),
      "nested too deeply"));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "{a: ";
  CHECK_FALSE(load_error(deep + "1" + std::string(100, '}')).empty());
  CHECK_NOTHROW(config("").finish());
  CHECK_NOTHROW(config("# nothing but a comment\n").finish());
}

TEST_CASE("anchors and block text work as YAML says") {
  const Config c = config("a: &shared {x: 1}\nb: *shared\nc: |\n  two\n  lines\n", {"b.x=5"});
  CHECK(c.section("a").get("x", 0) == 1);  // an override of an alias leaves the anchor alone
  CHECK(c.section("b").get("x", 0) == 5);
  CHECK(c.get("c", "") == "two\nlines\n");
}

TEST_CASE("overrides replace, create and address list elements") {
  const Config c =
      config("rfm: {ridge: 1, kernel: laplace}\nkernel_machines:\n  - {ridge: 1}\n  - {ridge: 2}\nname: x\n",
             {"rfm.ridge=3", "kernel_machines.1.ridge=7", "network.optimizer.name=adam", "widths=[1, 2]",
              "rfm.kernel=null", "text=\"3\"", "name=null"});
  CHECK(c.section("rfm").get("ridge", 0.0) == 3);
  CHECK(c.section("rfm").get("kernel", "default") == "default");
  CHECK(c.list("kernel_machines")[0].get("ridge", 0.0) == 1);
  CHECK(c.list("kernel_machines")[1].get("ridge", 0.0) == 7);
  CHECK(c.section("network").section("optimizer").get("name", "") == "adam");
  CHECK(c.get("widths", std::vector<Index>{}) == std::vector<Index>{1, 2});
  CHECK(c.get("text", "") == "3");
  CHECK(c.get("name", "absent") == "absent");
  c.finish();
}

TEST_CASE("errors in overrides name the override") {
  CHECK(load_error("", {"rfm.ridge"}) == "--set rfm.ridge: write --set key.path=value");
  CHECK(load_error("", {"rfm.ridge="}) == "--set rfm.ridge: nothing stands behind the =; write null for the default");
  CHECK(load_error("", {"rfm.ridge= "}) == load_error("", {"rfm.ridge="}));
  CHECK(load_error("", {"=1"}) == "--set : write --set key.path=value");
  CHECK(load_error("", {"a..b=1"}) == "--set a..b: write --set key.path=value");
  CHECK(contains(load_error("", {"a=[1"}), "--set a: not valid YAML"));
  CHECK(contains(load_error("", {"a=\"x\", y"}), "--set a: a second document"));
  CHECK(
      contains(load_error("list: [{a: 1}]\n", {"list.1.a=1"}), "--set list.1.a: list is a list of 1; name an element"));
  CHECK(contains(load_error("list: [{a: 1}]\n", {"list.a=1"}), "name an element by its number"));
  CHECK(contains(load_error("a: 5\n", {"a.b=1"}), "--set a.b: a is 5, not a mapping"));

  const Config c = config("rfm: {ridge: 1}\n", {"rfm.ridge=-1", "rfm.bandwith=2", "network={epochs: none}"});
  CHECK(error_of([&] { c.section("rfm").get_at_least("ridge", 1.0, 0.0); }) ==
        "--set rfm.ridge: must be at least 0, is -1");
  CHECK(error_of([&] { c.section("network").get("epochs", 1); }) ==
        "--set network: network.epochs: must be an integer, is none");
  c.section("rfm").get("bandwidth", 1.0);
  CHECK(error_of([&] { c.finish(); }) == "--set rfm.bandwith: unknown key; did you mean bandwidth?");
}

TEST_CASE("included files give what the including file leaves open") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "parts");
  write_bytes(folder / "parts/deep.yaml", "rfm: {depth: 4, kernel: ntk}\n");
  write_bytes(folder / "parts/base.yaml",
              "include: deep.yaml\nseed: 1\nrfm:\n  kernel: laplace\n  ridge: bad\nlist: [1, 2]\n");
  write_bytes(folder / "more.yaml", "seed: 2\nextra: 3\n");
  const fs::path main =
      write_bytes(folder / "main.yaml", "include: [parts/base.yaml, more.yaml]\nrfm: {bandwidth: 5}\nlist: [9]\n");
  const Config c = Config::from_file(main, {"extra=4"});
  CHECK(c.get("seed", 0) == 2);
  CHECK(c.get("extra", 0) == 4);
  CHECK(c.get("list", std::vector<Index>{}) == std::vector<Index>{9});
  const Config rfm = c.section("rfm");
  CHECK(rfm.get("kernel", "") == "laplace");
  CHECK(rfm.get("depth", 0) == 4);
  CHECK(rfm.get("bandwidth", 0) == 5);
  CHECK(error_of([&] { rfm.get("ridge", 1.0); }) ==
        (folder / "parts/base.yaml").string() + ":5:10: rfm.ridge: must be a number, is bad");
  CHECK(rfm.get("ridge", "") == "bad");
  c.finish();
}

TEST_CASE("what is wrong with an include is said at its place") {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& text) {
    const fs::path path = write_bytes(folder / "main.yaml", text);
    return error_of([&] { Config::from_file(path); });
  };
  write_bytes(folder / "a.yaml", "include: b.yaml\n");
  write_bytes(folder / "b.yaml", "include: a.yaml\n");
  CHECK(contains(error("x: 1\ninclude: none.yaml\n"), "main.yaml:2:10: include: there is no file"));
  CHECK(contains(error("include: " + std::string(300, 'a') + "\n"), "there is no file"));  // longer than names can be
  CHECK(contains(error("include: main.yaml\n"), "main.yaml:1:10: include: main.yaml includes this file"));
  CHECK(contains(error("include: a.yaml\n"), "b.yaml:1:10: include: a.yaml includes this file"));
  CHECK(contains(error("include: {a: 1}\n"), "must be a file name or a list of them, is a mapping"));
  CHECK(contains(error("include: [[a]]\n"), "must be a file name"));
  CHECK(contains(error_of([&] { Config::from_file(folder / "none.yaml"); }), "No such file"));
  CHECK(contains(error_of([&] { Config::from_file(folder.path()); }), "it is a folder"));
  write_bytes(folder / "twice.yaml", "y: 1\n");  // a diamond is no cycle
  CHECK_NOTHROW(error("include: [twice.yaml, twice.yaml]\n"));
  CHECK(error("include: [twice.yaml, twice.yaml]\n").empty());
}

TEST_CASE("paths start at the file that states them, unless they exist in the working directory only") {
  const TemporaryFolder folder, working;
  const fs::path before = fs::current_path();
  fs::current_path(working.path());
  write_bytes(working / "elsewhere.npy", "");
  fs::create_directory(folder / "parts");
  write_bytes(folder / "parts/here.npy", "");
  write_bytes(
      folder / "parts/base.yaml",
      "a: here.npy\nb: elsewhere.npy\nc: /abs/x.npy\nd: ~/x.npy\ne: [here.npy, /y.npy]\nf: ''\nh: nowhere.npy\n");
  const Config c = Config::from_file(write_bytes(folder / "main.yaml", "include: parts/base.yaml\n"), {"g=here.npy"});
  CHECK(c.get_path("a") == fs::canonical(folder.path()) / "parts/here.npy");
  CHECK(c.get_path("b") == fs::current_path() / "elsewhere.npy");
  CHECK(c.get_path("c") == "/abs/x.npy");
  ::setenv("HOME", "/home/someone", 1);
  CHECK(c.get_path("d") == "/home/someone/x.npy");
  CHECK(c.get_paths("e") == std::vector<fs::path>{fs::canonical(folder.path()) / "parts/here.npy", "/y.npy"});
  CHECK(c.get_path("f").empty());
  CHECK(c.get_path("g") == fs::current_path() / "here.npy");
  CHECK(c.get_path("h") == fs::canonical(folder.path()) / "parts/nowhere.npy");
  CHECK(c.get_path("absent").empty());
  CHECK(c.get_paths("none").empty());
  const std::string elsewhere = (fs::current_path() / "elsewhere.npy").string();  // quoted if it holds a space
  CHECK((contains(c.resolved_yaml(), "b: " + elsewhere) || contains(c.resolved_yaml(), "b: \"" + elsewhere + "\"")));
  CHECK(contains(error_of([&] { c.get_paths("a"); }), "must be a list of file names"));
  fs::current_path(before);
}

TEST_CASE("$ANSATZ_DATA/ stands for the folder of data sets at the beginning of a path alone") {
  const char* const before = std::getenv("ANSATZ_DATA");
  const std::string kept = before == nullptr ? "" : before;
  const Config c = config("a: $ANSATZ_DATA/tabular/x.csv\nb: /y/$ANSATZ_DATA/x.csv\n");
  ::setenv("ANSATZ_DATA", "/data", 1);
  CHECK(c.get_path("a") == "/data/tabular/x.csv");
  CHECK(c.get_path("b") == "/y/$ANSATZ_DATA/x.csv");
  ::unsetenv("ANSATZ_DATA");
  CHECK_THAT(message_of<DataError>([&] { c.get_path("a"); }),
             Catch::Matchers::Contains("$ANSATZ_DATA/tabular/x.csv: ANSATZ_DATA is not set"));
  if (before != nullptr) ::setenv("ANSATZ_DATA", kept.c_str(), 1);
}

TEST_CASE("places are named for checks of the caller") {
  const Config c = config("rfm:\n  ridge: 1\n");
  CHECK(c.where("rfm") == "file.yaml:2:3: rfm");
  CHECK(c.section("rfm").where("ridge") == "file.yaml:2:10: rfm.ridge");
  CHECK(c.section("rfm").where("absent") == "file.yaml:2:3: rfm.absent");
  CHECK(c.section("none").where("absent") == "file.yaml: none.absent");
  CHECK(c.where("") == "file.yaml");
  CHECK(error_of([&] { c.section("rfm").fail("ridge", "too odd"); }) == "file.yaml:2:10: rfm.ridge: too odd");
}

TEST_CASE("the nearest word is found, or none") {
  const std::vector<std::string> keys = {"ridge", "bandwidth", "iterations", "kernel", "seed"};
  CHECK(nearest("rigde", keys) == "ridge");
  CHECK(nearest("Bandwith", keys) == "bandwidth");
  CHECK(nearest("iteration", keys) == "iterations");
  CHECK(nearest("sed", keys) == "seed");
  CHECK(nearest("momentum", keys).empty());
  CHECK(nearest("", keys).empty());
  CHECK(nearest("ridge", {}).empty());
}
