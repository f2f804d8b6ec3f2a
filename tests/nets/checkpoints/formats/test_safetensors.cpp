#include "core/base/error.h"
#include "nets/checkpoints/checkpoint.h"
#include "tests/support/catch.h"
#include "tests/support/checkpoint_files.h"
#include "tests/support/errors.h"
#include "tests/support/read_weights.h"
#include "tests/support/temporary_folder.h"

using ansatz::DataError;

namespace {

std::string read_error(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "x.safetensors", bytes);
  return message_of<DataError>([&] { read_weights<float>({path}); });
}

/// A tensor as the header says it.
std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}
std::string header_of(const std::string& type, const std::string& shape, const std::string& offsets) {
  return "{" + entry("w.weight", type, shape, offsets) + "}";
}

}  // namespace

TEST_CASE("checkpoint: safetensors whose headers lie") {
  const auto refuses = [](const std::string& bytes, const std::string& reason) {
    CAPTURE(bytes);
    const std::string error = read_error(bytes);
    CHECK_THAT(error, Catch::Contains(reason));
    CHECK(error.find('\n') == std::string::npos);
  };
  CHECK(read_error(safetensors_bytes(header_of("F32", "[1,2]", "[0,8]"), 8)) == "");
  refuses(std::string(8, '\xff') + "{}", "header of");
  refuses(little(100'000'001, 8) + "{}", "header of 100000001");
  refuses(safetensors_bytes("{]", 0), "not JSON");
  refuses(safetensors_bytes("[]", 0), "not a JSON object");
  refuses(safetensors_bytes("", 0), "not a JSON object");
  refuses(safetensors_bytes("{}", 0), "no weights");
  refuses(safetensors_bytes(R"({"w":7})", 0), "no proper");
  refuses(safetensors_bytes(R"({"w.weight":{"dtype":3,"shape":[1,2],"data_offsets":[0,8]}})", 8), "no proper");
  refuses(safetensors_bytes(header_of("F32", "[1.5,2]", "[0,8]"), 8), "no proper");
  refuses(safetensors_bytes(header_of("F32", "[-1,-2]", "[0,8]"), 8), "no proper");
  refuses(safetensors_bytes(header_of("F32", "[1,2]", "[0]"), 8), "no proper");
  refuses(safetensors_bytes(header_of("F32", "[1,2]", "[8,0]"), 8), "needs 8 bytes but has data_offsets 8 to 0");
  refuses(safetensors_bytes(header_of("F32", "[1,2]", "[0,8]"), 7), "past the end");
  refuses(safetensors_bytes(header_of("F32", "[1,3]", "[0,8]"), 8), "needs 12 bytes but has data_offsets 0 to 8");
  refuses(safetensors_bytes(header_of("F32", "[4294967296,4294967296]", "[0,0]"), 0), "too large");
  refuses(safetensors_bytes(header_of("F32", "[9223372036854775808,2]", "[0,0]"), 0), "too large");
  refuses(safetensors_bytes(header_of("F32", "[18446744073709551616]", "[0,0]"), 0), "no proper");
  refuses(safetensors_bytes(header_of("F32", "[0,2]", "[0,0]"), 0), "empty");
  refuses(safetensors_bytes(header_of("F32", "[0,9223372036854775808]", "[0,0]"), 0), "empty");
  refuses(safetensors_bytes(header_of("F8_E5M2", "[1,2]", "[0,2]"), 2), "F8_E5M2");
  refuses(safetensors_bytes(header_of("F6_E2M3", "[1,3]", "[0,2]"), 2), "needs 3 bytes");
  refuses(safetensors_bytes(header_of("F31", "[1,2]", "[0,8]"), 8), "none of the format's");
  refuses(safetensors_bytes(header_of("I64", "[1,1]", "[0,8]"), 8), "I64");
}
