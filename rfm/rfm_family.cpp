#include "rfm/rfm_family.h"

#include <algorithm>
#include <cmath>

#include "core/base/stopwatch.h"
#include "core/machine/memory.h"

namespace ansatz::rfm {
namespace {

constexpr double kKeptShare = 0.25;  // of the free memory
constexpr Index kMostKernels = 1'000'000;

}  // namespace

KeptMatrices kept_matrices(Index n, Index validation, std::size_t scalar_bytes, Index kernels, double free_bytes) {
  const double sums = kernels > 1 ? 2 : 1;  // twice at most, if every kernel were of another shape
  const double each =
      sums * static_cast<double>(scalar_bytes) * static_cast<double>(n) * static_cast<double>(n + validation);
  const double kept = std::min(static_cast<double>(kernels), std::floor(kKeptShare * free_bytes / each));
  return {static_cast<Index>(kept), kept * each};
}

template <class Scalar>
RfmFamily<Scalar>::RfmFamily(std::shared_ptr<const Split<Scalar>> split, const RandomStream& stream, Index solvers)
    : split_(std::move(split)),
      x_(split_, &split_->train.inputs),
      stream_(stream),
      solvers_(solvers),
      kept_kernels_(kept_matrices(split_->train.size(), split_->validation.size(), sizeof(Scalar), kMostKernels,
                                  available_memory())
                        .kernels) {}

template <class Scalar>
RfmTask<Scalar> RfmFamily<Scalar>::task_of(const RfmOptions& options) {
  RfmTask<Scalar> task{*split_, x_, completed(options, split_->train), stream_, nullptr};
  if (!stays_in_sample_space(task.options, split_->train)) return task;
  auto& space = Kernel::make(task.options.kernel).radial() ? centered_ : uncentered_;
  if (!space) space = make_sample_space(*split_, x_, task.options);
  task.sample_space = space;
  return task;
}

/// Moves the kernel's entry to the front, or begins one there.
template <class Scalar>
typename RfmFamily<Scalar>::Plain& RfmFamily<Scalar>::plain_of(const RfmTask<Scalar>& task) {
  const bool in_sample_space = task.sample_space != nullptr;
  const auto found = std::find_if(plain_.begin(), plain_.end(), [&](const Plain& plain) {
    return plain.kernel == task.options.kernel && plain.in_sample_space == in_sample_space;
  });
  if (found == plain_.end())
    plain_.push_front({task.options.kernel, in_sample_space, nullptr, {}});
  else
    plain_.splice(plain_.begin(), plain_, found);
  return plain_.front();
}

template <class Scalar>
std::shared_ptr<KernelPairs<Scalar>> RfmFamily<Scalar>::pairs_of(const RfmTask<Scalar>& task) {
  const KernelSpec& kernel = task.options.kernel;
  for (const Pairs& known : pairs_)
    if (known.in_sample_space == (task.sample_space != nullptr) && known.pairs->serve(kernel)) return known.pairs;
  auto pairs = std::make_shared<KernelPairs<Scalar>>(kernel, FeatureMatrix<Scalar>::identity(x_->cols()), x_,
                                                     &split_->validation, stream_, task.sample_space);
  pairs_.push_back({task.sample_space != nullptr, pairs});
  return pairs;
}

/// Gives `plain` its system, if there is room; that of the kernel used longest ago makes room.
template <class Scalar>
void RfmFamily<Scalar>::make_system(Plain& plain, const RfmTask<Scalar>& task) {
  if (plain.system || kept_kernels_ < 1) return;
  Index others = 0;
  for (Plain& other : plain_)
    if (other.system && ++others >= kept_kernels_) other.system.reset();
  plain.system =
      std::make_unique<KernelSystem<Scalar>>(plain.kernel, pairs_of(task), split_->train.targets, stream_, solvers_);
}

template <class Scalar>
const typename RfmFamily<Scalar>::First& RfmFamily<Scalar>::first_of(const RfmTask<Scalar>& task) {
  Plain& plain = plain_of(task);
  for (const First& first : plain.fitted)
    if (first.solver == task.options.solver) return first;
  const Stopwatch begin;
  make_system(plain, task);
  const KernelFit<Scalar> fit =
      plain.system ? plain.system->fit(task.options.solver)
                   : fit_kernel_machine<Scalar>(plain.kernel, FeatureMatrix<Scalar>::identity(x_->cols()), x_,
                                                split_->train.targets, task.options.solver, stream_, task.hints());
  Matrix<Scalar> validation;
  if (plain.system && !split_->validation.empty()) validation = plain.system->predict_validation(fit.machine);
  RfmIteration iteration = iteration_of<Scalar>(0, fit, *split_, validation);
  iteration.seconds = begin.seconds();
  plain.fitted.push_back({task.options.solver, std::move(iteration), fit.machine});
  return plain.fitted.back();
}

template <class Scalar>
RfmTrace<Scalar> RfmFamily<Scalar>::fit(const RfmOptions& options, const RfmCallback<Scalar>& on_iteration) {
  const RfmTask<Scalar> task = task_of(options);
  const First& first = first_of(task);
  RfmTrace<Scalar> trace;
  trace.iterations.push_back(first.iteration);
  trace.feature_matrices.push_back(first.machine.metric());
  trace.machines.push_back(first.machine);
  if (!on_iteration || on_iteration(first.iteration, first.machine))
    trace = extended(std::move(trace), task, on_iteration);
  return finished(std::move(trace), task.options.report_iteration);
}

template class RfmFamily<float>;
template class RfmFamily<double>;

}  // namespace ansatz::rfm
