#include "experiments/results/conventions.h"

#include "nets/activation.h"
#include "rfm/kernels/kernel_families.h"

namespace ansatz::experiments {
namespace {

std::string activations() {
  std::string text;
  for (const nets::ActivationInfo& row : nets::activation_table())
    text += (text.empty() ? "" : "; ") + row.name + ": " + row.formula;
  return text;
}

}  // namespace

NamedTexts conventions() {
  NamedTexts texts = {
      {"inputs", "n x d, one sample a row; images are flattened channel, row, column"},
      {"targets", "n x c; for classification one-hot 0/1, or codes: see class_coding"},
      {"target_scaling",
       "data.target_scaling standardize: models see (y - mean) / sd, per output, statistics of the training rows; "
       "feature matrices, network weights and losses are of these targets; predictions, mse and r2 in the unit of y. "
       "Of "
       "several outputs so scaled, r2 is the mean of r2_by_output, and what is reported or tuned is chosen by "
       "standardized_mse, the mean over the outputs of their mse / their variance over the training rows"},
      {"class_coding",
       "data.class_coding one_hot: accuracy = argmax (c = 1: prediction > 1/2). prevalence: rows of data.class_codes "
       "(classes x (classes - 1)), a regular simplex of edge sqrt 2 whose mean over the training rows is 0; accuracy = "
       "nearest code"},
      {"distance", "|x-z|_M^2 = (x-z)' M (x-z)"},
      {"inner_product", "<x,z>_M = x' M z, |x|_M^2 = <x,x>_M"},
      {"ridge", "alpha = (K(X,X) + ridge I)^-1 Y, ridge absolute"},
      {"agop", "(1/m) sum over the m points used and over outputs of grad f grad f'; a seeded random subset if m < n"},
      {"feature_matrix",
       "M_t = AGOP^feature_matrix_power, then normalised; blocks: 0 between columns of different variables"},
      {"centering", "per output, minus the mean gradient over those points"},
      {"coincident_points", "radial gradient 0; distances on the diagonal exactly 0"},
      {"rfm_iterations", "T feature updates and T+1 solves; iteration 0 is the plain kernel, M_0 = I"},
      {"activation", activations()},
      {"network_loss",
       "mse: mean over batch and outputs of squared error; cross_entropy: mean over the batch of -log softmax(outputs) "
       "at "
       "the class, in nats. Outputs, and so predictions and gradients (agop), are then the logits"},
      {"reported",
       "network: best validation epoch (ties: later); RFM: best validation iteration (ties: later); last without "
       "validation"},
      {"diagonal_pearson", "Pearson r of the diagonals"},
      {"matrix_pearson", "Pearson r over all d*d entries; off_diagonal_*: over the d*d-d others"},
      {"top_eigenvector_pearson", "|Pearson r| of the i-th eigenvectors"},
      {"principal_angles_deg", "between the spans of the top-k eigenvectors"},
      {"r2", "1 - sum of squared errors / sum of squared deviations from the column means, over all outputs"}};
  for (const rfm::KernelInfo& kernel : rfm::kernel_table()) texts.emplace_back(kernel.name, kernel.text());
  return texts;
}

}  // namespace ansatz::experiments
