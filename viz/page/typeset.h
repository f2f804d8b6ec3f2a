// Formulas written in ASCII, as conventions and kernels have them, as a book would print them. Internal to viz/.
#pragma once

#include <string>

namespace ansatz::viz {

/// HTML of a sentence with formulas: "exp(-|x-z|_M^2 / L)" becomes exp(−‖x − z‖ with M below and 2 above, / L). Norms
/// are what stands between bars with a subscript; "<x,z>" is an inner product, "x'" a transpose, "sqrt", Greek letters,
/// <=, >= and "1e-05" are written out, and so is a minus where it is one; hyphens, names with underscores and all else
/// stay.
std::string typeset(const std::string& plain);

}  // namespace ansatz::viz
