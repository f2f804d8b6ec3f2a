#include "rfm/trees/fitting/split_directions.h"

#include <algorithm>
#include <limits>

#include "core/base/epsilon.h"

namespace ansatz::rfm {
namespace {

constexpr Index kDirections = 4;  // of each kind

/// The leading eigenvectors whose eigenvalues are above rounding.
template <class Scalar>
Matrix<double> leading(const FeatureMatrix<Scalar>& m) {
  const EigenPairs<Scalar> pairs = m.top_eigenpairs(std::min<Index>(kDirections, m.dimension()));
  const double floor = 100 * epsilon<Scalar>() * static_cast<double>(pairs.values[0]);
  Index count = 0;
  while (count < pairs.values.size() && static_cast<double>(pairs.values[count]) > floor) ++count;
  return pairs.vectors.topRows(count).template cast<double>().rowwise().normalized();
}

/// The covariance of the inputs times n.
template <class Scalar>
FeatureMatrix<Scalar> scatter(const Matrix<Scalar>& inputs) {
  const Eigen::RowVectorXd mean = inputs.template cast<double>().colwise().mean();
  return FeatureMatrix<Scalar>::sandwich(
      Matrix<Scalar>((inputs.template cast<double>().rowwise() - mean).template cast<Scalar>()));
}

template <class Scalar>
bool varies(const Matrix<Scalar>& rows) {
  return (rows.rowwise() - rows.row(0)).cwiseAbs().maxCoeff() > Scalar(0);
}

template <class Scalar>
Matrix<double> gradient_directions(const Dataset<Scalar>& sample, const RfmTreeOptions& options,
                                   const RandomStream& stream) {
  Split<Scalar> split;
  split.train = sample;
  RfmOptions rfm = options.rfm;
  rfm.iterations = options.split_iterations;
  rfm.report_iteration = ReportIteration::last;
  rfm.solver.kind = SolverKind::automatic;
  const RfmTrace<Scalar> trace = fit_rfm(split, rfm, stream);
  GradientOptions gradients = rfm.gradients;
  gradients.blocks = rfm.blocks ? sample.column_groups : std::vector<ColumnGroup>{};
  return leading(gradient_outer_product(trace.machine(), gradients, stream.named("split_direction")).matrix);
}

}  // namespace

template <class Scalar>
Matrix<double> split_directions(const Dataset<Scalar>& sample, const RfmTreeOptions& options,
                                const RandomStream& stream) {
  Matrix<double> by_gradients(0, sample.dimension()), by_inputs = by_gradients;
  if (varies(sample.targets)) by_gradients = gradient_directions(sample, options, stream);
  if (varies(sample.inputs)) by_inputs = leading(scatter(sample.inputs));
  Matrix<double> all(by_gradients.rows() + by_inputs.rows(), sample.dimension());
  all << by_gradients, by_inputs;
  return all;
}

template Matrix<double> split_directions(const Dataset<float>&, const RfmTreeOptions&, const RandomStream&);
template Matrix<double> split_directions(const Dataset<double>&, const RfmTreeOptions&, const RandomStream&);

}  // namespace ansatz::rfm
