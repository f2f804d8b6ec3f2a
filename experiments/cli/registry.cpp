#include "experiments/cli/registry.h"

#include "core/base/nearest.h"
#include "experiments/feature_comparison.h"
#include "experiments/paper/depth_amplification.h"
#include "experiments/paper/faces/celeba_features.h"
#include "experiments/paper/faces/spurious_features.h"
#include "experiments/paper/grokking.h"
#include "experiments/paper/lottery_tickets.h"
#include "experiments/paper/nfa_over_training.h"
#include "experiments/paper/simplicity_bias.h"
#include "experiments/paper/svhn.h"
#include "experiments/paper/theory/low_rank.h"
#include "experiments/paper/theory/theory.h"

namespace ansatz::experiments {

const std::vector<Experiment>& all_experiments() {
  static const std::vector<Experiment> table = {
      {"feature_comparison", "train a network and an RFM on the same data and compare their features",
       prepare_feature_comparison},
      {"low_rank", "polynomials of few directions: both feature matrices beside the true one (Fig. 16)",
       prepare_low_rank},
      {"celeba_features", "what network and RFM look at in faces, task by task (Figs 1, 2, 15)",
       prepare_celeba_features},
      {"svhn", "the digit in the centre among others: both models look at the middle (Fig. 3)", prepare_svhn},
      {"lottery_tickets", "prune to the coordinates an RFM looks at and train again (Fig. 6)", prepare_lottery_tickets},
      {"simplicity_bias", "a photograph beside a digit: both models look at the digit (Fig. 8)",
       prepare_simplicity_bias},
      {"spurious_features", "a stranger's eyes pasted where the RFM looks fool a network (Fig. 9)",
       prepare_spurious_features},
      {"theory", "Theorem 1 and Propositions 1 to 5 checked numerically (Table 1)", prepare_theory},
      {"grokking", "a marker in the corner: test accuracy rises late, when training has nearly fitted (Fig. 7)",
       prepare_grokking},
      {"nfa_over_training", "every variant of the Neural Feature Ansatz, layer by layer, over epochs",
       prepare_nfa_over_training},
      {"depth_amplification", "what depth does to the first layer's features, and kernels on W₁ᵀW₁ (Figs 10 to 14)",
       prepare_depth_amplification},
  };
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
