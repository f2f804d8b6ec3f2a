// Recursive Feature Machine: kernel ridge regression and average gradient outer product in turn (paper, Algorithm 1).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/metrics.h"
#include "core/record/rfm_iteration.h"
#include "rfm/gradient_outer_product.h"
#include "rfm/kernel_fit.h"

namespace ansatz::rfm {

enum class MetricNormalization { none, max, trace };
enum class ReportIteration { best, last };

struct RfmOptions {
  KernelSpec kernel;
  SolverOptions solver;
  Index iterations = 5;             ///< T feature updates, T+1 solves; iteration 0 is the plain kernel (M_0 = I)
  GradientOptions gradients;        ///< its own `blocks` are filled in from the data set if `blocks` below is set
  bool blocks = false;              ///< form M only between columns of one variable: one-hot blocks, else the diagonal
  double feature_matrix_power = 1;  ///< alpha in (0, 2]: M_t = AGOP^alpha, then normalised
  MetricNormalization normalize_feature_matrix =
      MetricNormalization::none;  ///< max: largest |entry| becomes 1; trace: becomes d
  ReportIteration report_iteration = ReportIteration::best;
};

template <class Scalar>
struct RfmTrace {
  std::vector<RfmIteration> iterations;                 ///< 0..T
  std::vector<FeatureMatrix<Scalar>> feature_matrices;  ///< M_0..M_T
  std::vector<KernelMachine<Scalar>> machines;          ///< one an iteration
  Index reported = 0;                                   ///< best on validation (ties: later), or the last
  const KernelMachine<Scalar>& machine() const { return machines[static_cast<std::size_t>(reported)]; }
  const RfmIteration& iteration() const { return iterations[static_cast<std::size_t>(reported)]; }
};

/// Called after each iteration with its record and its machine, whose metric() is M_t. Returns false to stop early.
template <class Scalar>
using RfmCallback = std::function<bool(const RfmIteration&, const KernelMachine<Scalar>&)>;

/// What a run that was cut off after iteration t had reached, one entry for each of the iterations 0..t. Fitting
/// continues with the update to M_{t+1}.
template <class Scalar>
struct RfmStart {
  std::vector<FeatureMatrix<Scalar>> feature_matrices;
  std::vector<Matrix<Scalar>> alphas;
  std::vector<RfmIteration> iterations;
};

/// Throws ConfigError if no column group is one-hot, because `blocks` would then be nothing but the diagonal.
void require_one_hot_groups(const std::vector<ColumnGroup>& groups);

/// Throws ConfigError on negative iterations, a power out of range, or blocks of data without categorical columns, and
/// NumericalError on anything not finite. The machines share the training rows with `split`. Random streams used:
/// "bandwidth", and "gradients/<t>" for the update to M_t. Reacting to an interruption is left to the callback.
template <class Scalar>
RfmTrace<Scalar> fit_rfm(std::shared_ptr<const Split<Scalar>> split, const RfmOptions& options,
                         const RandomStream& stream, const RfmCallback<Scalar>& on_iteration = {},
                         RfmStart<Scalar> start = {});
/// The same with one copy of the training rows, which the machines share.
template <class Scalar>
RfmTrace<Scalar> fit_rfm(const Split<Scalar>& split, const RfmOptions& options, const RandomStream& stream,
                         const RfmCallback<Scalar>& on_iteration = {}, RfmStart<Scalar> start = {});

}  // namespace ansatz::rfm
