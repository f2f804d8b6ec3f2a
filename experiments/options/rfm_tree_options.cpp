#include "experiments/options/rfm_tree_options.h"

#include "experiments/options/options.h"

namespace ansatz::experiments {

rfm::RfmTreeOptions parse_rfm_tree(const Config& section) {
  rfm::RfmTreeOptions tree;
  tree.rfm = parse_rfm(section);
  tree.leaf_size = section.get_at_least("leaf_size", tree.leaf_size, Index{2});
  tree.split_rows = section.get_at_least("split_rows", tree.split_rows, Index{2});
  tree.split_iterations = section.get_at_least("split_iterations", tree.split_iterations, Index{0});
  if (section.get("temperature", "auto") != "auto") tree.temperatures = {section.get_at_least("temperature", 0.0, 0.0)};
  return tree;
}

}  // namespace ansatz::experiments
