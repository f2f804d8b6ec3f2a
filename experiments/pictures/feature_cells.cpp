#include "experiments/pictures/feature_cells.h"

#include <fmt/format.h>

#include <cmath>

namespace ansatz::experiments {
namespace {

viz::PanelCell eigenvector_cell(const Vector<double>& vector, const ImageShape& shape, Index number) {
  viz::PanelCell cell;
  cell.title = fmt::format("eigenvector {}", number);
  cell.values = viz::mean_plane(vector, shape);
  cell.palette = viz::Palette::diverging;
  cell.high = cell.values.cwiseAbs().maxCoeff();
  cell.low = -cell.high;
  return cell;
}

}  // namespace

std::string correlation_text(double r) {
  return std::isfinite(r) ? fmt::format("{}{:.3f}", r < 0 ? "−" : "", std::fabs(r)) : "–";
}

viz::PanelCell diagonal_cell(const Vector<double>& diagonal, const ImageShape& shape) {
  viz::PanelCell cell;
  cell.title = "diagonal";
  cell.values = viz::mean_plane(diagonal, shape);
  cell.palette = viz::Palette::viridis;
  return cell;
}

std::vector<viz::PanelCell> feature_cells(const Vector<double>& diagonal, const Matrix<double>& eigenvectors,
                                          const ImageShape& shape) {
  std::vector<viz::PanelCell> cells = {diagonal_cell(diagonal, shape)};
  for (Index i = 0; i < eigenvectors.rows(); ++i)
    cells.push_back(eigenvector_cell(eigenvectors.row(i).transpose(), shape, i + 1));
  return cells;
}

}  // namespace ansatz::experiments
