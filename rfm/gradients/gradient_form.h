// Which of the equivalent ways to an AGOP is cheapest (docs/engine.md).
#pragma once

#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "rfm/gradients/gradient_options.h"
#include "rfm/kernels/kernel_families.h"

namespace ansatz::rfm {

/// The size of an AGOP: m gradient points among n centres in q coordinates (q = d, or the rank of M), c outputs.
struct GradientProblem {
  Index points = 0, centers = 0, width = 0, outputs = 0;
  bool diagonal = false;         ///< only the diagonal, or blocks of columns, is formed: not d x d numbers
  bool low_rank_metric = false;  ///< M is already a sandwich of rank q < d, and so will the next one be
  double elementwise = 0;        ///< p-norm only: elementwise_flops() of rfm/pairs/power_sums.h, for one pair
};

/// The size of a kernel machine's AGOP under `options`. `restricted`: whether is_restricted(options) holds, or will
/// hold once the data's blocks are known.
GradientProblem gradient_problem(const KernelSpec& kernel, const GradientOptions& options, bool restricted,
                                 Index centers, Index width, Index outputs);

/// How many outputs' gradients the direct form takes from one product: as many as have some 256 columns together, at
/// least one. A product with few columns spends most of its time on preparing A.
Index outputs_together(Index outputs, Index width);

/// Flops of the products and bytes held at once, besides the centres.
struct GradientCost {
  GradientForm form = GradientForm::direct;
  double flops = 0, bytes = 0;
  std::string reason;  ///< "c = 10 products of 5000 x 5000 by 784", or "asked for"
};

GradientCost gradient_cost(const GradientProblem& problem, GradientForm form, std::size_t scalar_bytes);

/// The form that `asked` names or, if that is automatic, the cheapest. If there are more coordinates than centres, a
/// full matrix is kept in sample space, where all later steps are n x n. The sample-space form needs a full matrix and
/// an M that is not of low rank; where it is asked for without these, the Gram form is taken. Kernels of a p-norm have
/// the direct form only: ConfigError if another is asked for.
GradientCost choose_gradient_form(const GradientProblem& problem, GradientForm asked, std::size_t scalar_bytes);

struct GradientFormInfo {
  GradientForm form;
  std::string name, summary;
};
const std::vector<GradientFormInfo>& gradient_form_table();
const std::string& name_of(GradientForm form);

}  // namespace ansatz::rfm
