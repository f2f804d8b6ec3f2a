// A fitted kernel machine in a .safetensors file, there and back.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/files/tensors/safetensors.h"
#include "core/files/tensors/safetensors_writer.h"
#include "rfm/kernel_machine.h"

namespace ansatz::rfm {

/// Where the centres are kept: in the file, or only by whoever can read the training rows again.
enum class CentersKept { in_file, elsewhere };

/// Centres of up to so many bytes are small enough to be written with every machine.
inline constexpr double kFewCenterBytes = 32e6;

/// Adds to a file (all tensors are borrowed from `machine`)
/// - the text `kernel`: JSON of the family's name, its parameters and, as `bandwidth`, the L that was used;
/// - `alpha` (n x c);
/// - M, as the text `feature_matrix` says. identity: nothing. diagonal: `M` (d). dense: `M` (d x d). factors: M = F^T C
/// F
///   with `M.F` (r x d) and `M.C` (r x r; without it C = I). factors over centers: the same with F the centres;
/// - `centers` (n x d) if they are kept there; the text `centers` says so (in_file | elsewhere), the text
///   `centers_crc32` has their checksum.
/// `prefix` stands before all these names, where one file has several machines.
template <class Scalar>
void add_machine(const KernelMachine<Scalar>& machine, CentersKept centers, SafetensorsWriter& file,
                 const std::string& prefix = "");
/// The same of a machine in parts. Where centres are kept elsewhere, nothing of `centers` is borrowed, unless M is made
/// of them.
template <class Scalar>
void add_machine(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const Matrix<Scalar>& centers,
                 const Matrix<Scalar>& alpha, CentersKept kept, SafetensorsWriter& file, const std::string& prefix);

/// Reads what add_machine has written. `read_centers` (n x d) is called if they are kept elsewhere. DataError naming
/// the file if something is missing or damaged, or those centres are not the ones that the machine was fitted on.
template <class Scalar>
KernelMachine<Scalar> read_machine(const SafetensorsFile& file,
                                   const std::function<std::shared_ptr<const Matrix<Scalar>>()>& read_centers,
                                   const std::string& prefix = "");

}  // namespace ansatz::rfm
