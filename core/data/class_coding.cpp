#include "core/data/class_coding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

#include "core/base/error.h"

namespace ansatz {
namespace {

/// Q: its columns are orthonormal, and each is orthogonal to the vector of ones.
Matrix<double> simplex_corners(Index classes) {
  Matrix<double> q = Matrix<double>::Zero(classes, classes - 1);
  for (Index j = 1; j < classes; ++j) {
    const double length = std::sqrt(static_cast<double>(j * (j + 1)));
    q.col(j - 1).head(j).setConstant(1 / length);
    q(j, j - 1) = -static_cast<double>(j) / length;
  }
  return q;
}

template <class Scalar>
Index decode_one_hot(const Matrix<Scalar>& outputs, Index row) {
  if (outputs.cols() == 1) return outputs(row, 0) > Scalar(0.5) ? 1 : 0;
  Index largest = 0;
  outputs.row(row).maxCoeff(&largest);
  return largest;
}

template <class Scalar>
Index nearest_code(const Matrix<Scalar>& outputs, Index row, const Matrix<Scalar>& codes) {
  Index nearest = 0;
  (codes.rowwise() - outputs.row(row)).rowwise().squaredNorm().minCoeff(&nearest);
  return nearest;
}

}  // namespace

Matrix<double> prevalence_codes(const Vector<double>& prevalences) {
  Matrix<double> codes = simplex_corners(prevalences.size());
  const Eigen::RowVectorXd mean = prevalences.transpose() * codes;
  codes.rowwise() -= mean;
  return codes;
}

Index coded_outputs(ClassCoding coding, Index one_hot_outputs) {
  return coding == ClassCoding::prevalence ? std::max<Index>(1, one_hot_outputs - 1) : one_hot_outputs;
}

template <class Scalar>
void encode_classes(Split<Scalar>& split, ClassCoding coding) {
  if (coding == ClassCoding::one_hot || split.train.task != Task::classification) return;
  const Index classes = std::max<Index>(2, split.train.outputs());
  const std::vector<Index> train = decode_classes<Scalar>(split.train.targets, {});
  Vector<double> prevalences = Vector<double>::Zero(classes);
  for (const Index k : train) prevalences[k] += 1.0 / static_cast<double>(train.size());
  const Matrix<Scalar> codes = prevalence_codes(prevalences).template cast<Scalar>();
  for (Dataset<Scalar>* part : {&split.train, &split.validation, &split.test}) {
    const std::vector<Index> labels = decode_classes<Scalar>(part->targets, {});
    part->targets = codes(labels, Eigen::all);
    part->class_codes = codes;
  }
  const std::vector<double> shares(prevalences.data(), prevalences.data() + classes);
  split.notes.push_back(
      fmt::format("classes coded by prevalence among the training rows: {:.4f}", fmt::join(shares, ", ")));
}

template <class Scalar>
std::vector<Index> decode_classes(const Matrix<Scalar>& outputs, const Matrix<Scalar>& codes) {
  std::vector<Index> classes(static_cast<std::size_t>(outputs.rows()));
  for (Index i = 0; i < outputs.rows(); ++i)
    classes[static_cast<std::size_t>(i)] =
        codes.size() == 0 ? decode_one_hot(outputs, i) : nearest_code(outputs, i, codes);
  return classes;
}

double share_of_hits(const std::vector<Index>& called, const std::vector<Index>& classes) {
  Index hits = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) hits += called[i] == classes[i];
  return static_cast<double>(hits) / static_cast<double>(classes.size());
}

double balanced_share_of_hits(const std::vector<Index>& called, const std::vector<Index>& classes) {
  if (classes.empty() || called.size() != classes.size())
    throw DataError("balanced accuracy: needs rows, and a class called for each");
  struct Tally {
    double rows = 0, hits = 0;
  };
  std::map<Index, Tally> tallies;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    Tally& tally = tallies[classes[i]];
    ++tally.rows;
    tally.hits += called[i] == classes[i];
  }
  double sum = 0;
  for (const auto& [label, tally] : tallies) sum += tally.hits / tally.rows;
  return sum / static_cast<double>(tallies.size());
}

#define ANSATZ_INSTANTIATE(Scalar)                           \
  template void encode_classes(Split<Scalar>&, ClassCoding); \
  template std::vector<Index> decode_classes(const Matrix<Scalar>&, const Matrix<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
