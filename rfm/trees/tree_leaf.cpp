#include "rfm/trees/tree_leaf.h"

#include "core/base/error.h"

namespace ansatz::rfm {

template <class Scalar>
TreeLeaf<Scalar>::TreeLeaf(KernelMachine<Scalar> machine, std::vector<Index> rows)
    : rows_(std::move(rows)), dimension_(machine.input_dimension()) {
  if (machine.centers().rows() != static_cast<Index>(rows_.size()))
    throw DataError("rfm tree: a leaf of " + std::to_string(rows_.size()) + " rows has " +
                    std::to_string(machine.centers().rows()) + " centres");
  machine.forget_prepared();
  kept_ = std::move(machine);
}

template <class Scalar>
TreeLeaf<Scalar>::TreeLeaf(KernelMachine<Scalar> machine, std::vector<Index> rows, const StoredRows<Scalar>& stored)
    : TreeLeaf(std::move(machine), std::move(rows)) {
  if (stored.stored_as_scalars()) return;
  lean_ = std::make_shared<const Lean>(without_centers(*kept_, stored));
  kept_.reset();
}

template <class Scalar>
typename TreeLeaf<Scalar>::Lean TreeLeaf<Scalar>::without_centers(const KernelMachine<Scalar>& machine,
                                                                  const StoredRows<Scalar>& stored) {
  using Form = typename FeatureMatrix<Scalar>::Form;
  Lean lean{machine.kernel(), machine.alpha(), machine.metric(), {}, stored};
  if (machine.metric().form() == Form::sandwich && machine.metric().factor().data() == machine.centers().data()) {
    lean.core = machine.metric().core();
    lean.metric.reset();
  }
  return lean;
}

template <class Scalar>
KernelMachine<Scalar> TreeLeaf<Scalar>::machine() const {
  if (kept_) return *kept_;
  const auto centers = std::make_shared<const Matrix<Scalar>>(lean_->stored.gather(rows_));
  return KernelMachine<Scalar>(lean_->kernel,
                               lean_->metric ? *lean_->metric : FeatureMatrix<Scalar>::sandwich(centers, lean_->core),
                               centers, lean_->alpha);
}

template <class Scalar>
Index TreeLeaf<Scalar>::output_dimension() const {
  return kept_ ? kept_->output_dimension() : lean_->alpha.cols();
}

template <class Scalar>
double TreeLeaf<Scalar>::bytes_in_use() const {
  const double copies = keeps_centers() ? 2 : 3;  // the prepared centres and what they are made from
  return copies * static_cast<double>(sizeof(Scalar)) * static_cast<double>(size()) * static_cast<double>(dimension_);
}

template class TreeLeaf<float>;
template class TreeLeaf<double>;

}  // namespace ansatz::rfm
