// A data set whose inputs stay as they are stored.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/rows/stored_rows.h"

namespace ansatz {

template <class Scalar>
struct StoredDataset {
  StoredRows<Scalar> inputs;  ///< n x d
  Dataset<Scalar> rest;       ///< the targets (n x c) and all else; its own inputs are n x 0

  Index size() const { return inputs.rows(); }
  bool empty() const { return size() == 0; }

  /// Those samples, in that order, with their inputs as Scalars.
  Dataset<Scalar> rows(const std::vector<Index>& indices) const {
    Dataset<Scalar> result = rest.rows(indices);
    result.inputs = inputs.gather(indices);
    return result;
  }

  /// A data set in memory; its inputs are shared, not copied.
  static StoredDataset of(std::shared_ptr<const Dataset<Scalar>> data) {
    StoredDataset result;
    result.inputs = StoredRows<Scalar>(std::shared_ptr<const Matrix<Scalar>>(data, &data->inputs));
    result.rest = without_inputs(*data);
    return result;
  }

 private:
  static Dataset<Scalar> without_inputs(const Dataset<Scalar>& data) {
    Dataset<Scalar> rest = data.rows({});
    rest.inputs.resize(data.size(), 0);
    rest.targets = data.targets;
    rest.source_rows = data.source_rows;
    return rest;
  }
};

}  // namespace ansatz
