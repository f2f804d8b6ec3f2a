// The steps of an RFM, of which fit_rfm() and RfmFamily are made.
#pragma once

#include <memory>

#include "rfm/rfm.h"

namespace ansatz::rfm {

/// What an RFM is fitted to, and how.
template <class Scalar>
struct RfmTask {
  const Split<Scalar>& split;
  std::shared_ptr<const Matrix<Scalar>> x;  ///< the rows of split.train, which the machines share
  RfmOptions options;                       ///< with the data's blocks filled in, if they are asked for
  RandomStream stream;
  std::shared_ptr<const SampleSpace<Scalar>> sample_space;  ///< of x, where stays_in_sample_space(); else null

  FitHints<Scalar> hints() const { return {{}, &split.validation, sample_space}; }
};

/// The options with the data set's blocks filled in. Throws ConfigError as fit_rfm() does.
template <class Scalar>
RfmOptions completed(RfmOptions options, const Dataset<Scalar>& train);

/// Whether the feature matrices of such an RFM are sandwiches over its training rows.
template <class Scalar>
bool stays_in_sample_space(const RfmOptions& options, const Dataset<Scalar>& train);

template <class Scalar>
std::shared_ptr<const SampleSpace<Scalar>> make_sample_space(const Split<Scalar>& split,
                                                             std::shared_ptr<const Matrix<Scalar>> x,
                                                             const RfmOptions& options);

/// M from the AGOP: its power, normalised. The AGOP comes divided by unit^2, which is multiplied in again only if there
/// is no normalisation to cancel it. NumericalError if that leaves Scalar's range.
template <class Scalar>
FeatureMatrix<Scalar> next_feature_matrix(const GradientOuterProduct<Scalar>& agop, const RfmOptions& options);

/// The iteration that is best on validation (ties: later), or the last one. Needs at least one.
Index reported_iteration(const std::vector<RfmIteration>& iterations, ReportIteration rule);

/// Iteration t for a machine that has just been fitted, without seconds and gradients. `validation`: its predictions
/// of the validation rows, if they are known already; else empty.
template <class Scalar>
RfmIteration iteration_of(Index t, const KernelFit<Scalar>& fit, const Split<Scalar>& split,
                          const Matrix<Scalar>& validation = {});

/// Goes on from the iterations that `trace` has, of which there may be none, to the last, or to one after which the
/// callback returns false.
template <class Scalar>
RfmTrace<Scalar> extended(RfmTrace<Scalar> trace, const RfmTask<Scalar>& task, const RfmCallback<Scalar>& on_iteration);

/// With the reported iteration chosen. Needs at least one iteration.
template <class Scalar>
RfmTrace<Scalar> finished(RfmTrace<Scalar> trace, ReportIteration rule);

}  // namespace ansatz::rfm
