// The staircase of kernel ridge regression on a sphere: degree l is learned once n is about d^l.
#pragma once

#include <array>
#include <vector>

#include "core/base/random.h"
#include "experiments/theory/limit_curves.h"
#include "rfm/kernel_machine.h"

namespace ansatz::experiments {

struct StaircaseOptions {
  std::vector<Index> dimensions = {7, 14};
  std::vector<Index> sizes = {4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};  ///< n
  double bandwidth = 1;  ///< of the Laplace kernel, times the sphere's radius sqrt(d)
  double ridge = 1e-4;
  Index trials = 3;
};

inline constexpr std::size_t kDegrees = 3;  ///< 1, 2 and 3

/// Of the part of `machine` that is harmonic of that degree, the mean squared distance from the target of degree l
/// along `direction`, exactly (no test rows): with eigenvalue e of the kernel, centres X and Q = N P_l(X X^T / d) it is
/// e^2 alpha^T Q alpha - 2 e alpha^T f(X) + 1, as Q reproduces degree l. For centres on the sphere of radius sqrt(d),
/// M = I and one output; degree 0 has the target 0. `eigenvalue`: of degree_eigenvalue().
double degree_error(const rfm::KernelMachine<double>& machine, Index degree, const Vector<double>& direction,
                    double eigenvalue);
/// The eigenvalue of the kernel, under M = I on the sphere of radius sqrt(d), of degree l.
double degree_eigenvalue(const rfm::Kernel& kernel, Index dimension, Index degree);

/// The size at which `errors` first falls below `level`, between sizes by linear interpolation of the error over the
/// size's logarithm. NaN if it is below from the first on, or nowhere.
double crossing(const std::vector<Index>& sizes, const std::vector<double>& errors, double level);

struct StaircaseDegree {
  std::vector<std::vector<double>> errors;  ///< at each size, of each trial
};
struct StaircaseCurves {
  Index dimension = 0;
  std::array<StaircaseDegree, kDegrees> degrees;
};

/// One target, the sum of harmonics of degrees 1, 2 and 3 with mean square 1 each along directions of their own, at
/// each dimension.
std::vector<StaircaseCurves> staircase(const StaircaseOptions& options, const RandomStream& stream);

/// Of each degree, n being where the mean error over the trials falls below 1/2: at the largest dimension log n / log d
/// ("degree2.exponent"), and the slope of log n over log d ("degree2.growth"); of degrees 2 and 3 how much the exponent
/// is larger than that before ("degree2.step"). Standard errors by the jackknife over trials.
std::vector<Finding> staircase_findings(const StaircaseOptions& options, const std::vector<StaircaseCurves>& curves);
std::vector<std::string> staircase_finding_names();

}  // namespace ansatz::experiments
