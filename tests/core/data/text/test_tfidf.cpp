#include <cmath>

#include "core/base/error.h"
#include "core/data/text/tfidf.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

using Names = std::vector<std::string>;
using Texts = std::vector<std::string_view>;

const Texts kTexts = {"Call now, call FREE!", "Are you free now?", "Über uns: a große call", "x now_1 ok"};

Matrix<double> dense(const TfIdf& tfidf, const Texts& texts) { return Matrix<double>(tfidf.rows(texts)); }

}  // namespace

// The numbers are those of scikit-learn 1.9.1's TfidfVectorizer.
TEST_CASE("tfidf: words are those of scikit-learn", "[text]") {
  const TfIdf tfidf(kTexts, {});
  CHECK(tfidf.names() == Names{"are", "call", "free", "große", "now", "now_1", "ok", "uns", "you", "über"});
  CHECK(std::abs(tfidf.idf()[0] - 1.916290731874155) < 1e-14);
  CHECK(std::abs(tfidf.idf()[1] - 1.510825623765991) < 1e-14);
  Matrix<double> expected = Matrix<double>::Zero(4, 10);
  expected.row(0) << 0, 0.816496580927726, 0.408248290463863, 0, 0.408248290463863, 0, 0, 0, 0, 0;
  expected.row(1) << 0.555282664941113, 0, 0.437791231086115, 0, 0.437791231086115, 0, 0, 0, 0.555282664941113, 0;
  expected.row(2) << 0, 0.41428875116589, 0, 0.525472749264066, 0, 0, 0, 0.525472749264066, 0, 0.525472749264066;
  expected.row(3) << 0, 0, 0, 0, 0, 0.707106781186548, 0.707106781186548, 0, 0, 0;
  CHECK((dense(tfidf, kTexts) - expected).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("tfidf: min_df leaves rare words out, sublinear_tf dampens counts", "[text]") {
  TfIdfOptions options;
  options.min_df = 2;
  options.sublinear_tf = true;
  const TfIdf tfidf(kTexts, options);
  CHECK(tfidf.names() == Names{"call", "free", "now"});
  Matrix<double> expected(4, 3);
  expected << 0.767494567461988, 0.453294655227886, 0.453294655227886, 0, 0.707106781186547, 0.707106781186547, 1, 0, 0,
      0, 0, 0;
  CHECK((dense(tfidf, kTexts) - expected).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("tfidf: n-grams of words and of characters", "[text]") {
  TfIdfOptions options;
  options.words = {2, 2};
  CHECK(TfIdf(kTexts, options).names() == Names{"are you", "call free", "call now", "free now", "große call",
                                                "now call", "now_1 ok", "uns große", "you free", "über uns"});
  options.words = {};
  options.characters = {2, 3};
  options.min_df = 2;
  const TfIdf tfidf(kTexts, options);
  CHECK(tfidf.names() == Names{"' c'", "' ca'", "' f'", "' fr'", "' n'", "' no'", "'al'",  "'all'", "'ca'", "'cal'",
                               "'e '", "'ee'",  "'fr'", "'fre'", "'ll'", "'no'",  "'now'", "'ow'",  "'re'", "'ree'"});
  const Matrix<double> x = dense(tfidf, kTexts);
  CHECK(std::abs(x(0, 4) - 0.14250021017634) < 1e-14);
  CHECK(std::abs(x(0, 6) - 0.352032218450781) < 1e-14);
  CHECK(std::abs(x(1, 10) - 0.481164920035661) < 1e-14);
  options.characters = {2, 2};
  options.min_df = 1;
  CHECK(TfIdf({"Ü\t \nß"}, options).names() == Names{"' ß'", "'ü '"});
}

TEST_CASE("tfidf: the vocabulary is the most frequent n-grams, and of equals the first", "[text]") {
  TfIdfOptions options;
  options.vocabulary_size = 2;
  CHECK(TfIdf({"bb cc dd dd", "cc aa bb ee"}, options).names() == Names{"bb", "cc"});
  CHECK(TfIdf({"zz zz zz", "aa aa bb"}, options).names() == Names{"aa", "zz"});
}

TEST_CASE("tfidf: vocabulary and weights come from the training texts alone", "[text]") {
  const TfIdf tfidf({kTexts[0], kTexts[1]}, {});
  CHECK(tfidf.names() == Names{"are", "call", "free", "now", "you"});
  Matrix<double> expected(1, 5);
  expected << 0, 0.894427190999916, 0, 0, 0.447213595499958;
  CHECK((dense(tfidf, {"call call over you"}) - expected).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("tfidf: texts without words and broken texts are refused", "[text]") {
  TfIdfOptions options;
  options.min_df = 4;
  CHECK(contains(message_of<DataError>([&] { TfIdf(kTexts, options); }), "lower `min_df`"));
  const std::string broken = message_of<DataError>([] { TfIdf({"fine", "caf\xE9"}, {}); });
  CHECK(contains(broken, "text 1"));
  CHECK(contains(broken, "UTF-8"));
}
