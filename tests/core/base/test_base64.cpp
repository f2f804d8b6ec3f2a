#include "core/base/base64.h"
#include "tests/support/catch.h"

using ansatz::base64;

TEST_CASE("base64: the test vectors of RFC 4648, and bytes that are no text") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\xff\xfe\x00\xfb", 4)) == "//4A+w==");
}
