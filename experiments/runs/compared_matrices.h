// Feature matrices from files, compared in words and as one figure.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/features/comparison.h"
#include "core/record/run_record.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {

struct NamedMatrix {
  std::string name;
  MatrixSummary<double> summary;
  std::vector<std::string> feature_names = {};  ///< as names_of_inputs() has them, where pictures want them

  const FeatureMatrix<double>& matrix() const { return summary.matrix(); }
};

/// ConfigError naming --shape unless inputs of that shape have d pixels; without a shape any d will do.
void require_fit(const std::optional<ImageShape>& shape, Index d);

/// Without feature_names. `eigenpairs`: how many of the largest to find. DataError if there is none, or all of its
/// entries are 0.
NamedMatrix read_matrix(const std::string& name, const std::filesystem::path& path, Index eigenpairs);

/// What the d inputs are called, as labels of axes: for a matrix in matrices/ of a finished run whose data have names.
/// Empty for any other. DataError where the run's metrics.json is damaged.
std::vector<std::string> names_of_inputs(const std::filesystem::path& matrix, Index d);
std::vector<std::string> names_of_inputs(const DataRecord& data, Index d);  ///< of the run's own record

/// The matrix's top-left block of `side` rows as a heat map, with these names on its axes, if there are any.
viz::HeatMap named_heat_map(const std::string& title, const FeatureMatrix<double>& matrix, Index side,
                            const std::vector<std::string>& names);

/// Of a run's folder: the names of its network's W'W and of every RFM feature matrix but M_0, sorted; empty if it has
/// no matrices/.
std::vector<std::string> matrices_of_run(const std::filesystem::path& run);

/// Whether both have the same diagonal, eigenvalues and eigenvectors to the last bit, as where the runs differ in a key
/// that has no part in the matrix.
bool same_matrix(const NamedMatrix& a, const NamedMatrix& b);

/// Every number of the comparison, a line each, and why some are undefined, if they are.
std::string comparison_text(const FeatureComparison& c, const NamedMatrix& a, const NamedMatrix& b);

/// Matrices below one another as pictures of the inputs' shape (diagonal, then eigenvectors), or beside one another
/// entry by entry where there is no shape.
class MatrixFigure {
 public:
  MatrixFigure(std::optional<ImageShape> shape, Index eigenvectors) : shape_(shape), eigenvectors_(eigenvectors) {}
  /// `likeness`: to the first matrix, for the captions; null: this is the first.
  void add(const NamedMatrix& matrix, const std::string& label, const FeatureComparison* likeness);
  void draw(const viz::FigureFiles& files) const;

 private:
  std::optional<ImageShape> shape_;
  Index eigenvectors_;
  viz::Panel panel_;
  std::vector<viz::HeatMap> maps_;
};

}  // namespace ansatz::experiments
