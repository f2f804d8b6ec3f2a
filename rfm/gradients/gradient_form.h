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
  bool diagonal = false;         ///< or blocks of columns: the result is not d x d numbers
  bool low_rank_metric = false;  ///< M is a sandwich of rank q < d already, and its successor will be one
  double elementwise = 0;        ///< of a p-norm: flops that a pair's differences are worth (rfm/pairs/power_sums.h)
};

/// Of a kernel machine's AGOP under `options`. `restricted`: is_restricted(options), or will be once the data's blocks
/// are known.
GradientProblem gradient_problem(const KernelSpec& kernel, const GradientOptions& options, bool restricted,
                                 Index centers, Index width, Index outputs);

/// Flops of the products and bytes held at once, besides the centres.
struct GradientCost {
  GradientForm form = GradientForm::direct;
  double flops = 0, bytes = 0;
  std::string reason;  ///< "2 c d = 15680 products a pair against n = 5000"
};

GradientCost gradient_cost(const GradientProblem& problem, GradientForm form, std::size_t scalar_bytes);

/// The form that `asked` names or, if that is automatic, the cheapest. A full matrix over more coordinates than centres
/// is kept in sample space, where all that follows is n x n. The sample-space form needs a full matrix and M not of low
/// rank; asked for elsewhere, it is the Gram form. Kernels of a p-norm have the direct form only: ConfigError if
/// another is asked for.
GradientCost choose_gradient_form(const GradientProblem& problem, GradientForm asked, std::size_t scalar_bytes);

struct GradientFormInfo {
  GradientForm form;
  std::string name, summary;
};
const std::vector<GradientFormInfo>& gradient_form_table();
const std::string& name_of(GradientForm form);

}  // namespace ansatz::rfm
