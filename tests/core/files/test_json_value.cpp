#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/json_value.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;

namespace {

const JsonValue kValue(Json::parse(R"({
  "text": "x", "number": 1.5, "whole": 7, "none": null, "yes": true, "huge": 18446744073709551615, "far": 1e300,
  "list": [1, "two", {"three": 3}], "deep": {"er": {"est": -4}}})"),
                       "run/metrics.json");

template <class Function>
std::string error(const Function& f) {
  return message_of<DataError>(f);
}

}  // namespace

TEST_CASE("JSON values of the right kind are read") {
  CHECK(kValue.at("text").text() == "x");
  CHECK(kValue.at("number").number() == 1.5);
  CHECK(kValue.at("whole").number() == 7);
  CHECK(kValue.at("whole").integer(0, 7) == 7);
  CHECK(std::isnan(kValue.at("none").number()));
  CHECK_FALSE(kValue.at("none").is_number());
  CHECK(kValue.at("yes").truth());
  CHECK(kValue.at("list").list().at(2).at("three").integer(3, 3) == 3);
  CHECK(kValue.at("deep").members().front().second.at("est").integer(-4, 0) == -4);
  CHECK(kValue.text("text", "y") == "x");
  CHECK(kValue.text("absent", "y") == "y");
  CHECK(kValue.number("absent", 3) == 3);
  CHECK_FALSE(kValue.find("absent"));
}

TEST_CASE("JSON values of another kind, or none, are errors that name file and key") {
  CHECK(error([] { kValue.at("absent"); }) ==
        "run/metrics.json: absent is missing; the file is damaged, or of another version of ansatz");
  CHECK(contains(error([] { kValue.at("deep").at("er").at("x"); }), "metrics.json: deep.er.x is missing"));
  CHECK(contains(error([] { kValue.at("list").list()[1].number(); }), "list.1 must be a number, is \"two\""));
  CHECK(contains(error([] { kValue.at("number").text(); }), "number must be text, is 1.5"));
  CHECK(contains(error([] { kValue.at("text").at("y"); }), "text must be an object, is \"x\""));
  CHECK(contains(error([] { kValue.at("list").has("y"); }), "list must be an object, is a list"));
  CHECK(contains(error([] { kValue.at("deep").list(); }), "deep must be a list, is an object"));
  CHECK(contains(error([] { kValue.at("text").truth(); }), "must be true or false"));
  for (const char* key : {"number", "far", "huge", "none", "text", "yes"})
    CHECK(contains(error([&] { kValue.at(key).integer(0, 100); }), "must be an integer from 0 to 100"));
  CHECK(contains(error([] { kValue.at("whole").integer(8, 9); }), "is 7"));
  const std::string long_text = error([] { JsonValue(std::string(1000, 'a') + "\n", "f").list(); });
  CHECK(long_text.size() < 200);
  CHECK(
      contains(error([] { JsonValue("a\n\x1b[31m", "f").list(); }), R"(the whole must be a list, is "a\n\u001b[31m")"));
}

TEST_CASE("files that hold no JSON, or nest it too deeply, are errors that name them") {
  const TemporaryFolder folder;
  const auto path = folder / "a.json";
  for (const std::string& text : {std::string(), std::string("{\"a\": "), std::string("\x01\x02"), std::string("{} {}"),
                                  std::string(1'000'000, '[')}) {
    write_bytes(path, text);
    CHECK(contains(error([&] { JsonValue::read(path); }), path.string() + ": "));
  }
  write_bytes(path, R"({"a": [1]})");
  CHECK(JsonValue::read(path).at("a").list().size() == 1);
  CHECK(contains(error([&] { JsonValue::read(folder / "none.json"); }), "none.json"));
  CHECK(contains(error([&] { JsonValue::read(folder.path()); }), folder.path().string()));
}
