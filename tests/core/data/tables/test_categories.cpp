#include <initializer_list>

#include "core/data/tables/categories.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

using Names = std::vector<std::string>;

Categories categories(std::initializer_list<const char*> values) {
  Categories result;
  for (const char* value : values) result.add(value);
  result.finish();
  return result;
}

}  // namespace

TEST_CASE("ids of 18 digits stay apart, in the order of their values") {
  // As doubles the first three are one number.
  const Categories c = categories({"123456789012345680", "123456789012345678", "123456789012345679", "99", "-5"});
  CHECK(c.names() == Names{"-5", "99", "123456789012345678", "123456789012345679", "123456789012345680"});
  CHECK(c.find("123456789012345679") == 3);
  CHECK_FALSE(c.find("123456789012345677"));
  CHECK_FALSE(c.alike());
}

TEST_CASE("whole numbers are the same with a point and zeros, and only they") {
  const Categories whole = categories({"10", "2", "2.0", "+3", "-0", "0"});
  CHECK(whole.names() == Names{"0", "2", "3", "10"});
  CHECK(whole.find("2.00") == 1);
  CHECK(whole.find("+10") == 3);
  CHECK_FALSE(whole.find("1e1"));
  CHECK_FALSE(whole.find("010"));

  const Categories zip = categories({"01234", "1234", "501"});
  CHECK(zip.names().size() == 3);
  CHECK(zip.find("01234") != zip.find("1234"));
  CHECK(zip.alike() == std::pair<std::string, std::string>("01234", "1234"));

  const Categories versions = categories({"1.1", "1.10", "1.2"});
  CHECK(versions.names().size() == 3);
  const Categories codes = categories({"1e2", "100", "20"});
  CHECK(codes.names() == Names{"20", "100", "1e2"});
}

TEST_CASE("texts are sorted as text, and near-twins are found") {
  const Categories c = categories({"no", "Yes", "yes", "10"});
  CHECK(c.names() == Names{"10", "Yes", "no", "yes"});
  CHECK(c.alike() == std::pair<std::string, std::string>("Yes", "yes"));
  CHECK(categories({"red ", "red"}).alike());
  CHECK_FALSE(categories({"red", "read"}).alike());
  CHECK(categories({}).names().empty());
  CHECK_FALSE(categories({}).find("x"));
}
