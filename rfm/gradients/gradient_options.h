// The options for an AGOP of a kernel machine.
#pragma once

#include <vector>

#include "core/data/dataset.h"

namespace ansatz::rfm {

enum class GradientForm { automatic, direct, gram, sample_space };

struct GradientOptions {
  bool center = false;    ///< subtract, per output, the mean gradient over the points used
  bool diagonal = false;  ///< form the diagonal only
  /// Empty, or groups that cover all d columns in order. If there are any (and `diagonal` is false), only the blocks of
  /// groups wider than 1 and the diagonal of the others are formed: these equal the full matrix's, the rest is 0.
  std::vector<ColumnGroup> blocks;
  Index samples = 0;  ///< m points drawn from the centres by a seeded stream, without replacement; 0 or >= n: all
  GradientForm form = GradientForm::automatic;  ///< all forms give the same matrix to rounding
};

/// Whether an AGOP under these options is a diagonal, or a diagonal with blocks on it.
bool is_restricted(const GradientOptions& options);
/// The groups whose full block is formed; none for a diagonal.
std::vector<ColumnGroup> blocks_of(const GradientOptions& options);

}  // namespace ansatz::rfm
