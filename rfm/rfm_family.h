// RFMs with other options on the same rows: what their iteration 0 has in common is computed once.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "rfm/rfm_steps.h"

namespace ansatz::rfm {

/// How much a family keeps.
struct KeptMatrices {
  Index kernels = 0;
  double bytes = 0;
};
/// For `kernels` kernels on n rows and so many validation rows: those of as many as fit into a quarter of the memory
/// that is free, together with what they share.
KeptMatrices kept_matrices(Index n, Index validation, std::size_t scalar_bytes, Index kernels, double free_bytes);

/// Fits RFMs to one split, for a grid of options; each fit is that of fit_rfm() with the same stream, to the bit. At
/// iteration 0, where M = I, all fits of one kernel have one system, whatever their ridge and whatever they make of
/// their gradients. So its prepared rows, K and the kernel values of the validation rows are computed once, and solved
/// once for each choice of solver options: a full and a diagonal M begin with the same machine. The products between
/// rows that an RFM in sample space needs are computed once, too. The seconds of a shared iteration 0 are what it took
/// when it was fitted.
///
/// Matrices are kept (n^2 and n_validation n numbers a kernel) as far as kept_matrices() says of the memory that is
/// free at the beginning; those of the kernel used last stay longest.
template <class Scalar>
class RfmFamily {
 public:
  /// Random streams: as fit_rfm(). `solvers`: how many choices of ridge and solver each kernel will see (KernelSystem).
  RfmFamily(std::shared_ptr<const Split<Scalar>> split, const RandomStream& stream, Index solvers = 1);

  /// Throws as fit_rfm(). The callback is called for iteration 0 also where that was fitted before.
  RfmTrace<Scalar> fit(const RfmOptions& options, const RfmCallback<Scalar>& on_iteration = {});

 private:
  struct First {  // a fitted iteration 0
    SolverOptions solver;
    RfmIteration iteration;
    KernelMachine<Scalar> machine;
  };
  struct Plain {  // a kernel at M = I
    KernelSpec kernel;
    bool in_sample_space;
    std::unique_ptr<KernelSystem<Scalar>> system;  // null where its matrices are not kept
    std::vector<First> fitted;
  };

  RfmTask<Scalar> task_of(const RfmOptions& options);
  Plain& plain_of(const RfmTask<Scalar>& task);
  std::shared_ptr<KernelPairs<Scalar>> pairs_of(const RfmTask<Scalar>& task);
  void make_system(Plain& plain, const RfmTask<Scalar>& task);
  const First& first_of(const RfmTask<Scalar>& task);

  std::shared_ptr<const Split<Scalar>> split_;
  std::shared_ptr<const Matrix<Scalar>> x_;
  RandomStream stream_;
  Index solvers_;
  Index kept_kernels_;      // at most
  std::list<Plain> plain_;  // the one used last is the first
  struct Pairs {
    bool in_sample_space;
    std::shared_ptr<KernelPairs<Scalar>> pairs;
  };
  std::vector<Pairs> pairs_;  // one entry a shape of kernels
  std::shared_ptr<const SampleSpace<Scalar>> centered_, uncentered_;
};

}  // namespace ansatz::rfm
