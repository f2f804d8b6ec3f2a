#include "experiments/cli/registry.h"

#include "core/base/nearest.h"

namespace ansatz::experiments {

// The experiments, in the order in which `ansatz list` shows them. EXPERIMENT(name, summary): name is that of the
// config, and of the function prepare_<name>, which the experiment's file defines.
// clang-format off
#define ANSATZ_EXPERIMENTS(EXPERIMENT) \
  EXPERIMENT(feature_comparison, "train a network and an RFM on the same data and compare their features") \
  EXPERIMENT(low_rank, "polynomials of few directions: both feature matrices beside the true one (Fig. 16)") \
  EXPERIMENT(celeba_features, "what network and RFM look at in faces, task by task (Figs 1, 2, 15)") \
  EXPERIMENT(svhn, "the digit in the centre among others: both models look at the middle (Fig. 3)") \
  EXPERIMENT(lottery_tickets, "prune to the coordinates an RFM looks at and train again (Fig. 6)") \
  EXPERIMENT(simplicity_bias, "a photograph beside a digit: both models look at the digit (Fig. 8)") \
  EXPERIMENT(spurious_features, "a stranger's eyes pasted where the RFM looks fool a network (Fig. 9)") \
  EXPERIMENT(theory, "Theorem 1 and Propositions 1 to 5 checked numerically (Table 1)") \
  EXPERIMENT(infinite_width, "how fast kernels of random networks approach those of infinitely wide ones (NNGP, NTK)") \
  EXPERIMENT(nngp, "random networks with weight and bias scales beside their limits, and these as Gaussian processes") \
  EXPERIMENT(empirical_ntk, "tangent kernels of networks: distance from the limit, drift in training, regression with them") \
  EXPERIMENT(random_features, "random features in place of kernels: errors of kernel, predictions and RFM against their number") \
  EXPERIMENT(generalization, "what spectrum, alignment and leave-one-out of a kernel matrix say of the test error") \
  EXPERIMENT(separation, "a single neuron and polynomials on a sphere: what kernels, random features, networks and RFMs learn of them") \
  EXPERIMENT(lazy_training, "with an output scale, networks train as their linearizations do") \
  EXPERIMENT(feature_learning, "a network at several widths: how far its features and its tangent kernel move, and its score") \
  EXPERIMENT(grokking, "a marker in the corner: test accuracy rises late, past the fit of the training rows (Fig. 7)") \
  EXPERIMENT(nfa_over_training, "every variant of the Neural Feature Ansatz, layer by layer, over epochs") \
  EXPERIMENT(depth_amplification, "what depth does to the first layer's features, and kernels on W₁ᵀW₁ (Figs 10 to 14)") \
  EXPERIMENT(rfm_tree, "a tree of RFMs for many rows, whose inputs may stay bytes in their file") \
  EXPERIMENT(benchmark, "many data sets, many methods, one protocol: accuracy, ranks, and what was looked at (Fig. 4)")
// clang-format on

#define ANSATZ_DECLARE(name, summary) PreparedExperiment prepare_##name(const Config&, const CommonOptions&);
ANSATZ_EXPERIMENTS(ANSATZ_DECLARE)
#undef ANSATZ_DECLARE

const std::vector<Experiment>& all_experiments() {
#define ANSATZ_ROW(name, summary) {#name, summary, prepare_##name},
  static const std::vector<Experiment> table = {ANSATZ_EXPERIMENTS(ANSATZ_ROW)};
#undef ANSATZ_ROW
  return table;
}

const Experiment& find_experiment(const Config& root, const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment& experiment : all_experiments()) {
    if (experiment.name == name) return experiment;
    names.push_back(experiment.name);
  }
  const std::string near = nearest(name, names);
  root.fail("experiment", "there is no experiment \"" + name + "\"; " +
                              (near.empty() ? "`ansatz list experiments` names them" : "did you mean " + near + "?"));
}

}  // namespace ansatz::experiments
