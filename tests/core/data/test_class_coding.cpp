#include <Eigen/LU>

#include "core/base/error.h"
#include "core/data/class_coding.h"
#include "core/data/metrics.h"
#include "tests/support/catch.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

Vector<double> prevalences(Index classes, std::uint64_t seed) {
  Vector<double> pi = random_matrix(classes, 1, seed).array().square() + 0.05;
  return pi / pi.sum();
}

/// `counts` rows of each class, one-hot, in all parts.
Split<double> split_of(const std::vector<Index>& counts) {
  Index rows = 0;
  for (const Index count : counts) rows += count;
  Split<double> split;
  for (Dataset<double>* part : {&split.train, &split.test}) {
    part->task = Task::classification;
    part->inputs = random_matrix(rows, 3);
    part->targets = Matrix<double>::Zero(rows, Index(counts.size()));
    Index row = 0;
    for (std::size_t k = 0; k < counts.size(); ++k)
      for (Index i = 0; i < counts[k]; ++i) part->targets(row++, Index(k)) = 1;
  }
  return split;
}

}  // namespace

TEST_CASE("prevalence codes are a regular simplex with mean 0 under the prevalences") {
  for (const Index classes : {2, 3, 5, 10}) {
    const Vector<double> pi = prevalences(classes, 1);
    const Matrix<double> codes = prevalence_codes(pi);
    REQUIRE(codes.rows() == classes);
    REQUIRE(codes.cols() == classes - 1);
    CHECK((pi.transpose() * codes).norm() < 1e-15);
    for (Index k = 0; k < classes; ++k)
      for (Index l = 0; l < k; ++l)
        CHECK((codes.row(k) - codes.row(l)).norm() == Approx(std::sqrt(2.0)).epsilon(1e-14));
    // The Gram matrix fixes codes up to a rotation: that of e_k - pi, projected off the ones.
    Matrix<double> shifted = Matrix<double>::Identity(classes, classes).rowwise() - pi.transpose();
    CHECK(relative_error(codes * codes.transpose(), shifted * shifted.transpose()) < 1e-14);
    const Matrix<double> equal = prevalence_codes(Vector<double>::Constant(classes, 1.0 / double(classes)));
    CHECK(relative_error(equal.transpose() * equal / double(classes),
                         Matrix<double>::Identity(classes - 1, classes - 1) / double(classes)) < 1e-14);
  }
}

TEST_CASE("the nearest code is the class of the largest barycentric coordinate, 0 is the prior") {
  const Index classes = 6;
  const Vector<double> pi = prevalences(classes, 2);
  const Matrix<double> codes = prevalence_codes(pi), outputs = 0.7 * random_matrix(200, classes - 1, 3);
  Matrix<double> system(classes, classes);  // y = C^T p, 1 = 1^T p
  system << codes.transpose(), Matrix<double>::Ones(1, classes);
  const Matrix<double> inverse = system.inverse();
  const std::vector<Index> decoded = decode_classes(outputs, codes);
  for (Index i = 0; i < outputs.rows(); ++i) {
    Vector<double> y(classes);
    y << outputs.row(i).transpose(), 1;
    Index largest = 0;
    (inverse * y).maxCoeff(&largest);
    CHECK(decoded[std::size_t(i)] == largest);
  }
  Vector<double> zero = Vector<double>::Unit(classes, classes - 1);
  CHECK((inverse * zero - pi).norm() < 1e-13);
}

TEST_CASE("encoding replaces one-hot targets by codes of the training prevalences, and accuracy decodes them") {
  Split<double> split = split_of({5, 3, 2});
  const Split<double> before = split;
  split.test.targets.row(0).swap(split.test.targets.row(9));
  encode_classes(split, ClassCoding::prevalence);
  CHECK(split.train.outputs() == 2);
  CHECK(split.validation.empty());
  CHECK(split.train.targets.colwise().sum().norm() < 1e-14);
  CHECK(decode_classes(split.train.targets, split.train.class_codes) ==
        decode_classes<double>(before.train.targets, {}));
  CHECK(relative_error(split.train.class_codes, prevalence_codes((Vector<double>(3) << .5, .3, .2).finished())) <
        1e-14);
  CHECK(*evaluate(split.train.targets, split.train).accuracy == 1);
  CHECK(*evaluate<double>(Matrix<double>::Zero(10, 2), split.train).accuracy == 0.5);  // the most frequent class
  CHECK(*evaluate(split.train.targets, split.test).accuracy == 0.8);
  CHECK(split.train.rows({1, 2}).class_codes == split.train.class_codes);
  CHECK(split.notes.size() == 1);
}

TEST_CASE("two classes become one output, from one column or two") {
  Split<double> two = split_of({6, 2}), one = two;
  for (Dataset<double>* part : {&one.train, &one.test}) part->targets = part->targets.col(1).eval();
  encode_classes(two, ClassCoding::prevalence);
  encode_classes(one, ClassCoding::prevalence);
  CHECK(one.train.targets == two.train.targets);
  CHECK(one.train.outputs() == 1);
  CHECK(coded_outputs(ClassCoding::prevalence, 1) == 1);
  CHECK(coded_outputs(ClassCoding::prevalence, 2) == 1);
  CHECK(*evaluate<double>(Matrix<double>::Zero(8, 1), one.train).accuracy == 0.75);
}

TEST_CASE("one-hot coding and regression are left alone") {
  Split<double> split = split_of({2, 2});
  const Matrix<double> targets = split.train.targets;
  encode_classes(split, ClassCoding::one_hot);
  CHECK(split.train.targets == targets);
  split.train.task = Task::regression;
  encode_classes(split, ClassCoding::prevalence);
  CHECK(split.train.targets == targets);
  CHECK(split.train.class_codes.size() == 0);
}

TEST_CASE("balanced accuracy: a class of two rows counts as much as one of eight") {
  const std::vector<Index> classes = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
  CHECK(balanced_share_of_hits({0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, classes) == 0.5);
  CHECK(balanced_share_of_hits({0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, classes) == 0.75);  // the accuracy is 0.9
  CHECK(balanced_share_of_hits({0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, classes) == Approx(0.875));
  CHECK(balanced_share_of_hits(classes, classes) == 1);
}

TEST_CASE("balanced accuracy: classes without rows do not count, and rows must be there") {
  CHECK(balanced_share_of_hits({7, 2, 5}, {7, 7, 5}) == Approx(0.75));  // 1/2 and 1; nothing of class 2
  CHECK_THROWS_AS(balanced_share_of_hits({}, {}), DataError);
  CHECK_THROWS_AS(balanced_share_of_hits({1}, {1, 1}), DataError);
}
