#include "core/base/error.h"
#include "core/files/tensors/safetensors.h"
#include "core/files/tensors/safetensors_writer.h"
#include "tests/support/catch.h"
#include "tests/support/checkpoint_files.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using ansatz::DataError;
using ansatz::SafetensorsFile;

namespace {

std::string open_error(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "x.safetensors", bytes);
  return message_of<DataError>([&] { SafetensorsFile{path}; });
}

/// A tensor as the header says it.
std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

}  // namespace

TEST_CASE("safetensors: 400 files, whole and damaged, are taken and refused as by the format's own reader") {
  const std::string all = read_bytes(std::string(ANSATZ_FIXTURES) + "/safetensors_verdicts.bin");
  int files = 0;
  for (std::size_t at = 0; at < all.size(); ++files) {
    const char verdict = all[at];
    const std::size_t size = static_cast<unsigned char>(all[at + 1]) + 256u * static_cast<unsigned char>(all[at + 2]);
    const std::string bytes = all.substr(at + 3, size);
    CAPTURE(files, verdict, bytes);
    CHECK((open_error(bytes) == "") == (verdict == 'A'));
    at += 3 + size;
  }
  CHECK(files == 400);
}

TEST_CASE("safetensors: every byte belongs to one tensor, and every name to one entry") {
  const std::string w = entry("w", "F32", "[1,2]", "[0,8]");
  CHECK(open_error(safetensors_bytes("{" + w + "}", 8)) == "");
  CHECK(open_error(safetensors_bytes("{}", 0)) == "");
  CHECK_THAT(open_error(safetensors_bytes("{" + w + "," + w + "}", 8)), Catch::Contains("'w' twice"));
  CHECK_THAT(open_error(safetensors_bytes("{" + w + "," + entry("w", "F32", "[1,2]", "[8,16]") + "}", 16)),
             Catch::Contains("'w' twice"));
  CHECK_THAT(open_error(safetensors_bytes("{" + w + "}", 9)), Catch::Contains("last 1 bytes belong to no tensor"));
  CHECK_THAT(open_error(safetensors_bytes("{}", 1)), Catch::Contains("belong to no tensor"));
  CHECK_THAT(open_error(safetensors_bytes("{" + w + "," + entry("v", "U8", "[4]", "[12,16]") + "}", 16)),
             Catch::Contains("'v' leaves 4 bytes before it"));
  CHECK_THAT(open_error(safetensors_bytes("{" + w + "," + entry("v", "U8", "[4]", "[4,8]") + "}", 8)),
             Catch::Contains("'v' lies on bytes of another tensor"));
  CHECK_THAT(open_error(safetensors_bytes("{" + w + "," + entry("v", "F32", "[2]", "[0,8]") + "}", 8)),
             Catch::Contains("lies on bytes"));
  // In any order, and with tensors of no bytes between them.
  CHECK(open_error(safetensors_bytes(
            "{" + entry("v", "U8", "[4]", "[8,12]") + "," + w + "," + entry("z", "F64", "[3,0]", "[8,8]") + "}", 12)) ==
        "");
}

TEST_CASE("safetensors: the header is UTF-8 JSON that begins at once, with text as metadata") {
  const std::string w = entry("w", "F32", "[1,2]", "[0,8]");
  for (const char* metadata : {R"({"a":1})", R"({"a":{"b":"c"}})", "[]", R"("a")", "1", R"({"a":"1","a":"2"})"}) {
    CAPTURE(metadata);
    CHECK(open_error(safetensors_bytes("{\"__metadata__\":" + std::string(metadata) + "," + w + "}", 8)) != "");
  }
  CHECK(open_error(safetensors_bytes(R"({"__metadata__":{"a":"1"},)" + w + "}", 8)) == "");
  CHECK(open_error(safetensors_bytes(R"({"__metadata__":null,)" + w + "}  \n", 8)) == "");
  CHECK_THAT(open_error(safetensors_bytes(" {" + w + "}", 8)), Catch::Contains("not a JSON object"));
  CHECK_THAT(open_error(safetensors_bytes("\xef\xbb\xbf{" + w + "}", 8)), Catch::Contains("not a JSON object"));
  CHECK_THAT(open_error(safetensors_bytes("{" + w + "}" + std::string(2, '\0'), 8)), Catch::Contains("JSON"));
  CHECK_THAT(open_error(safetensors_bytes("{\"\xff\xfe\":" + w.substr(4) + "}", 8)), Catch::Contains("UTF-8"));
  const auto nested = [&](int depth) {
    const std::string brackets =
        std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
    return safetensors_bytes(R"({"w":{"x":)" + brackets + "," + w.substr(5) + "}", 8);
  };
  CHECK(open_error(nested(125)) == "");
  CHECK_THAT(open_error(nested(126)), Catch::Contains("nested"));
  CHECK_THAT(open_error(safetensors_bytes("{\"a\":" + std::string(1'000'000, '['), 0)), Catch::Contains("nested"));
}

TEMPLATE_TEST_CASE("safetensors: what is written is read back exactly", "", float, double) {
  const TemporaryFolder folder;
  const auto path = folder / "x.safetensors";
  const ansatz::Matrix<TestType> a = ansatz::Matrix<TestType>::Random(3, 4), none(0, 4);
  const ansatz::Vector<double> v = ansatz::Vector<double>::Random(5);
  ansatz::SafetensorsWriter writer;
  writer.add_text("kernel", "la\"place ½\n");
  writer.add("M", a);
  writer.add("none", none);
  writer.add("w10", v);
  writer.write(path);
  const SafetensorsFile file(path);
  CHECK(file.metadata() == std::map<std::string, std::string>{{"kernel", "la\"place ½\n"}});
  CHECK(file.template matrix<TestType>("M", 3, 4) == a);
  CHECK(file.template matrix<TestType>("M", -1, 4) == a);
  CHECK(file.template matrix<TestType>("none", -1, 4).rows() == 0);
  CHECK(file.template matrix<double>("w10", 5, 0) == v);
  CHECK(file.data_checksum() == writer.checksum());
  const auto refuses = [&](const std::string& reason, auto&& read) {
    CHECK_THAT(message_of<DataError>(read), Catch::Contains(reason));
  };
  using Other = std::conditional_t<sizeof(TestType) == 4, double, float>;
  refuses("'M' is 3 x 4", [&] { file.template matrix<Other>("M", 3, 4); });
  refuses("'M' is 3 x 4", [&] { file.template matrix<TestType>("M", 4, 4); });
  refuses("'w10' is 5 F64", [&] { file.template matrix<double>("w10", 5, 1); });
  refuses("'x' is missing", [&] { file.template matrix<double>("x", 5, 1); });
  std::string bytes = read_bytes(path);
  bytes.back() ^= 1;
  write_bytes(path, bytes);
  CHECK(SafetensorsFile(path).data_checksum() != writer.checksum());
  const ansatz::Matrix<TestType> infinite = a / TestType(0);
  ansatz::SafetensorsWriter bad;
  bad.add("M", infinite);
  bad.write(path);
  refuses("NaN or infinite", [&] { SafetensorsFile(path).matrix<TestType>("M", 3, 4); });
}
