#include "rfm/rfm.h"

#include "core/base/error.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/rfm_steps.h"

namespace ansatz::rfm {
namespace {

/// Rebuilds what a run that was cut off had reached. The centres of the last machine are prepared exactly as fitting
/// prepares them, so that what follows has the same bytes as in an uninterrupted run.
template <class Scalar>
RfmTrace<Scalar> restore(RfmStart<Scalar> start, const RfmOptions& options, std::shared_ptr<const Matrix<Scalar>> x,
                         const RandomStream& stream, std::shared_ptr<const SampleSpace<Scalar>> sample_space) {
  if (start.alphas.size() != start.feature_matrices.size() || start.iterations.size() != start.alphas.size())
    throw DataError("rfm: the saved state holds different numbers of iterations, feature matrices and coefficients");
  RfmTrace<Scalar> trace;
  for (std::size_t t = 0; t < start.alphas.size(); ++t) {
    const Kernel kernel = make_kernel<Scalar>(options.kernel, start.feature_matrices[t], *x, stream.named("bandwidth"));
    std::shared_ptr<const PreparedCenters<Scalar>> prepared;
    if (t + 1 == start.alphas.size() && static_cast<Index>(t) < options.iterations)
      prepared = prepare_centers<Scalar>(kernel, start.feature_matrices[t], *x, sample_space);
    trace.machines.emplace_back(kernel, start.feature_matrices[t], x, std::move(start.alphas[t]), prepared);
  }
  trace.feature_matrices = std::move(start.feature_matrices);
  trace.iterations = std::move(start.iterations);
  return trace;
}

template <class Scalar>
RfmTrace<Scalar> iterate(const Split<Scalar>& split, std::shared_ptr<const Matrix<Scalar>> x, const RfmOptions& asked,
                         const RandomStream& stream, const RfmCallback<Scalar>& on_iteration, RfmStart<Scalar> start) {
  RfmTask<Scalar> task{split, x, completed(asked, split.train), stream, nullptr};
  if (stays_in_sample_space(task.options, split.train)) task.sample_space = make_sample_space(split, x, task.options);
  RfmTrace<Scalar> trace = restore(std::move(start), task.options, x, stream, task.sample_space);
  return finished(extended(std::move(trace), task, on_iteration), task.options.report_iteration);
}

}  // namespace

template <class Scalar>
RfmTrace<Scalar> fit_rfm(std::shared_ptr<const Split<Scalar>> split, const RfmOptions& options,
                         const RandomStream& stream, const RfmCallback<Scalar>& on_iteration, RfmStart<Scalar> start) {
  const std::shared_ptr<const Matrix<Scalar>> x(split, &split->train.inputs);
  return iterate(*split, x, options, stream, on_iteration, std::move(start));
}

template <class Scalar>
RfmTrace<Scalar> fit_rfm(const Split<Scalar>& split, const RfmOptions& options, const RandomStream& stream,
                         const RfmCallback<Scalar>& on_iteration, RfmStart<Scalar> start) {
  const auto x = std::make_shared<const Matrix<Scalar>>(split.train.inputs);
  return iterate<Scalar>(split, x, options, stream, on_iteration, std::move(start));
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                \
  template RfmTrace<Scalar> fit_rfm(std::shared_ptr<const Split<Scalar>>, const RfmOptions&, const RandomStream&, \
                                    const RfmCallback<Scalar>&, RfmStart<Scalar>);                                \
  template RfmTrace<Scalar> fit_rfm(const Split<Scalar>&, const RfmOptions&, const RandomStream&,                 \
                                    const RfmCallback<Scalar>&, RfmStart<Scalar>);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
