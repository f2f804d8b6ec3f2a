// A feature matrix of image data as cells of a panel.
#pragma once

#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {

/// The diagonal (d), then one cell an eigenvector (rows of `eigenvectors`, k x d): each the mean over the colour
/// channels, eigenvectors in a palette with 0 in its middle. Captions are left to the caller.
std::vector<viz::PanelCell> feature_cells(const Vector<double>& diagonal, const Matrix<double>& eigenvectors,
                                          const ImageShape& shape);

/// The diagonal alone.
/// A correlation as captions have it: three decimals, "−" for minus, "–" where it is undefined.
std::string correlation_text(double r);

viz::PanelCell diagonal_cell(const Vector<double>& diagonal, const ImageShape& shape);

}  // namespace ansatz::experiments
