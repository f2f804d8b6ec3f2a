// Which of five coordinates matter? A Recursive Feature Machine learns y = x1 * x2 and says so on the diagonal of M.
#include <iostream>

#include "rfm/rfm.h"

int main() {
  ansatz::Split<double> split;
  split.train.inputs = ansatz::Matrix<double>::Random(300, 5);
  split.train.targets = split.train.inputs.col(0).cwiseProduct(split.train.inputs.col(1));
  const auto trace = ansatz::rfm::fit_rfm(split, ansatz::rfm::RfmOptions{}, ansatz::RandomStream(0));
  std::cout << trace.feature_matrices.back().diagonal().transpose() << "\n";
}
