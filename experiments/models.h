// What an experiment may ask of a finished comparison beyond its record: the models, and the rows they saw. In double,
// whatever the run's precision.
#pragma once

#include <vector>

#include "core/data/normalization.h"
#include "core/features/predictor.h"
#include "core/record/run_record.h"
#include "experiments/options/options.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {

enum class Rows { train, test };

/// A kernel machine on some columns of the inputs.
struct ColumnsFit {
  KernelMachineRecord machine;
  std::vector<bool> right;  ///< of each test row of a classification: whether the machine says its class
};

class Models {
 public:
  virtual ~Models() = default;
  // The reported ones; only where the comparison has them.
  virtual const Predictor<double>& network() const = 0;
  virtual const Predictor<double>& rfm() const = 0;

  virtual Matrix<double> inputs(Rows set,
                                const std::vector<Index>& rows) const = 0;  ///< those rows, as models see them
  virtual std::vector<Index> classes(Rows set) const = 0;                   ///< of all rows
  virtual std::vector<Index> source_rows(Rows set) const = 0;               ///< as Dataset::source_rows

  /// The network after its last epoch, which need not be the reported one; none: imported, or there are no test rows.
  virtual std::optional<Metrics> last_network_test() const = 0;

  // Of each test row of a classification: whether the reported model says its class.
  virtual std::vector<bool> network_right() const = 0;
  virtual std::vector<bool> rfm_right() const = 0;

  /// A kernel machine on those columns of the inputs alone. Rows are brought back to length 1 where `normalization` is
  /// unit_norm.
  virtual ColumnsFit fit_on_columns(const KernelMachineOptions& options, const std::vector<Index>& columns,
                                    Normalization normalization, const RunContext& run) const = 0;
};

}  // namespace ansatz::experiments
