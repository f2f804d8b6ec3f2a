// A leaf of a tree of RFMs: a kernel machine over some of the training rows.
#pragma once

#include <optional>
#include <vector>

#include "core/data/rows/stored_rows.h"
#include "rfm/kernel_machine.h"

namespace ansatz::rfm {

/// Immutable; copies share everything large. Where the training rows are stored as Scalars, a leaf keeps its centres.
/// Where they are stored smaller (bytes), it keeps only which rows they are, and gathers them whenever it is used.
template <class Scalar>
class TreeLeaf {
 public:
  /// `machine` has the rows `rows` of the training rows as its centres, and keeps them.
  TreeLeaf(KernelMachine<Scalar> machine, std::vector<Index> rows);
  /// The same; they are the rows `rows` of `stored`, from where they are gathered if they are no Scalars there.
  TreeLeaf(KernelMachine<Scalar> machine, std::vector<Index> rows, const StoredRows<Scalar>& stored);

  /// The whole machine. Where the centres are kept, copies of it share the prepared ones too.
  KernelMachine<Scalar> machine() const;

  Index size() const { return static_cast<Index>(rows_.size()); }
  const std::vector<Index>& rows() const { return rows_; }  ///< of the training rows
  Index input_dimension() const { return dimension_; }
  Index output_dimension() const;
  FeatureMatrix<Scalar> feature_matrix() const { return lean_ && lean_->metric ? *lean_->metric : machine().metric(); }
  bool keeps_centers() const { return kept_.has_value(); }
  /// About how many bytes machine() and its first use take.
  double bytes_in_use() const;

 private:
  /// All of a machine but its centres.
  struct Lean {
    Kernel kernel;
    Matrix<Scalar> alpha;
    std::optional<FeatureMatrix<Scalar>> metric;  ///< none: the sandwich over the centres with `core`
    Matrix<Scalar> core;
    StoredRows<Scalar> stored;
  };
  static Lean without_centers(const KernelMachine<Scalar>& machine, const StoredRows<Scalar>& stored);

  std::vector<Index> rows_;
  Index dimension_ = 0;
  std::optional<KernelMachine<Scalar>> kept_;
  std::shared_ptr<const Lean> lean_;  ///< null if kept
};

}  // namespace ansatz::rfm
