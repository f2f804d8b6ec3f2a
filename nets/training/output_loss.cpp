#include "nets/training/output_loss.h"

namespace ansatz::nets::detail {

void output_gradient(Loss loss, const at::Tensor& f, const at::Tensor& y, double scale, at::Tensor& g,
                     at::Tensor& sum) {
  switch (loss) {
    case Loss::mse:
      at::sub_out(g, f, y);
      sum.add_(g.square().sum(at::kDouble));
      g.mul_(2 * scale);
      break;
    case Loss::cross_entropy: {
      const at::Tensor log_shares = at::log_softmax(f, 1);  // through the largest output: nothing overflows
      sum.sub_(log_shares.mul(y).sum(at::kDouble));
      at::exp_out(g, log_shares);
      g.sub_(y).mul_(scale);
      break;
    }
  }
}

double loss_terms(Loss loss, Index rows, Index outputs) {
  return static_cast<double>(loss == Loss::mse ? rows * outputs : rows);
}

}  // namespace ansatz::nets::detail
