#include <cmath>

#include "core/data/tables/cell_format.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

CellFormat with_comma() {
  CellFormat::Options options;
  options.decimal = ',';
  return CellFormat(options);
}

}  // namespace

TEST_CASE("a cell is a number as a whole or not at all") {
  const CellFormat format;
  CHECK(format.number("-1.5e3") == -1500.0);
  CHECK(format.number("+.5") == 0.5);
  CHECK(format.number("\xE2\x88\x92"
                      "2.5") == -2.5);  // U+2212
  CHECK(format.number(" 7\t") == 7.0);
  CHECK(std::isinf(*format.number("1e999")));
  CHECK(std::isinf(*format.number("-inf")));
  CHECK(format.number("1e-999") == 0.0);
  for (const char* text : {"", "-", ".", "1.2.3", "1 2", "+-1", "0x10", "x", "1,5", "12%", "nan", "-nan", "1e", "1.5f",
                           "\xE2\x88\x92-1", "1.234,5"})
    CHECK_FALSE(format.number(text));
}

TEST_CASE("with a decimal comma a point is no part of a number") {
  const CellFormat format = with_comma();
  CHECK(format.number("1,5") == 1.5);
  CHECK(format.number("-0,25e2") == -25.0);
  CHECK(format.number("7") == 7.0);
  for (const char* text : {"1.5", "1.234,5", "1.234", "1,2,3", ","}) CHECK_FALSE(format.number(text));
  CHECK(format.other_spelling("1.234,5") == "a number with thousands separators");
  CHECK(format.other_spelling("1.5") == "a number with a decimal point, where `decimal` is a comma");
}

TEST_CASE("missing is spelled as pandas spells it, and as the options say") {
  const CellFormat format;
  // pandas.read_csv, na_values: the default list of pandas 2.2
  for (const char* text :
       {"",    "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>",
        "N/A", "NA",   "NULL",     "NaN", "None",    "n/a",      "nan",  "null", "na",     "?"})
    CHECK(format.is_missing(text));
  for (const char* text : {"0", "-", ".", "none", "none of them", "nat", "N", "#", "-999", "12%"})
    CHECK_FALSE(format.is_missing(text));

  CellFormat::Options options;
  options.missing_values = {"-", "unknown", "-999"};
  const CellFormat further(options);
  for (const char* text : {"-", "unknown", "-999", "-999.0", "NA", ""}) CHECK(further.is_missing(text));
  CHECK_FALSE(further.is_missing("-99"));
  options.default_missing_values = false;
  const CellFormat only(options);
  CHECK_FALSE(only.is_missing("None"));
  CHECK(only.is_missing("unknown"));
  CHECK(only.is_missing(""));
}

TEST_CASE("numbers in a spelling that is not read are told from words") {
  const CellFormat format;
  CHECK(format.other_spelling("12%") == "a percentage");
  CHECK(format.other_spelling("12.5 %") == "a percentage");
  CHECK(format.other_spelling("1,5") == "a number with a decimal comma");
  CHECK(format.other_spelling("1,234") == "a number with a decimal comma or with thousands separators");
  CHECK(format.other_spelling("1,234.5") == "a number with thousands separators");
  CHECK(format.other_spelling("1.234,5") == "a number with thousands separators");
  CHECK(format.other_spelling("12 345") == "a number with thousands separators");
  CHECK(format.other_spelling("12\xC2\xA0"
                              "345") == "a number with thousands separators");  // no-break space
  CHECK(format.other_spelling("1'000'000") == "a number with thousands separators");
  CHECK(format.other_spelling("1_000") == "a number with thousands separators");
  CHECK(format.other_spelling("$5") == "a number with a currency");
  CHECK(format.other_spelling("-$1,200.50") == "a number with a currency");
  CHECK(format.other_spelling("3.50 \xE2\x82\xAC") == "a number with a currency");
  CHECK(format.other_spelling("(12.5)") == "a number in brackets");
  CHECK(format.other_spelling("5-") == "a number with its sign at the end");
  CHECK(format.other_spelling("0x1F") == "a hexadecimal number");
  CHECK(format.other_spelling("1.5D+03") == "a number with Fortran's exponent");
  CHECK(format.other_spelling("1.#INF") == "infinite");
  for (const char* text :
       {"", "red", "30-39", "3+", "1.2.3", "2020-01-31", "4wd", "1st", "A12", "10,20,30", "10.0.0.1", "$"})
    CHECK(format.other_spelling(text).empty());
}

TEST_CASE("units and dates are seen where all texts have them") {
  CHECK(common_unit({"12 kg", "5 kg", "1.5 kg"}) == " kg");
  CHECK(common_unit({"12kg", "5kg"}) == "kg");
  CHECK(common_unit({"1st", "2nd"}).empty());
  CHECK(common_unit({"30-39", "40-49"}).empty());
  CHECK(common_unit({"12 kg", "heavy"}).empty());
  CHECK(are_dates({"2020-01-31", "2021-12-01"}));
  CHECK(are_dates({"31.1.20", "1.12.2020"}));
  CHECK(are_dates({"2020-01-31T10:15:00Z", "2020-01-31 10:15"}));
  CHECK(are_dates({"10:15", "9:05 pm"}));
  CHECK_FALSE(are_dates({"2020-01-31", "soon"}));
  CHECK_FALSE(are_dates({"30-39"}));
  CHECK_FALSE(are_dates({}));
}

TEST_CASE("cells are shown without control bytes, and not at any length") {
  CHECK(in_quotes("a\x1b[2J") == "\"a\\x1b[2J\"");
  CHECK(in_quotes("\xE9t\xE9") == "\"\\xe9t\\xe9\"");  // Latin-1
  CHECK(in_quotes("\xC3\xA9") == "\"\xC3\xA9\"");
  CHECK(in_quotes(std::string(200, 'x')) == "\"" + std::string(64, 'x') + "...\"");
  CHECK(is_utf8("\xC3\xA9 \xE2\x88\x92 \xF0\x9F\x98\x80"));
  for (const char* text : {"\xE9", "\xC3", "\xC0\x80", "\xE2\x88", "\xFF"}) CHECK_FALSE(is_utf8(text));
}
