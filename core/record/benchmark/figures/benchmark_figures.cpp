#include "core/record/benchmark/figures/benchmark_figures.h"

#include "core/record/benchmark/benchmark_scores.h"

namespace ansatz {

std::vector<Figure> benchmark_figures(const BenchmarkRecord& record) {
  const std::vector<Task> tasks = tasks_of(record);
  std::vector<Figure> figures;
  for (const Task task : tasks) {
    const std::string suffix = tasks.size() > 1 && task == Task::regression ? ".regression" : "";
    figures.push_back({"ranks" + suffix, "Mean ranks of the methods on a line.",
                       "Mean ranks over the sets among the methods shown, the best at the left. A bar joins methods "
                       "whose ranks differ by no more than Nemenyi’s critical difference (5 %), which their number of "
                       "sets cannot tell apart."});
    figures.push_back({"paired" + suffix, "Mean differences of pairs of methods with intervals.",
                       "Mean difference over the sets with its 95 % interval; at the right on how many sets the first "
                       "is better, equal and worse, and p of the signed ranks."});
    figures.push_back({"improvement" + suffix, "Improvement over the baseline against rows and dimension of the sets.",
                       "A set a point: how far the error is below the baseline’s, in points and relative to it, over "
                       "the number of rows and of inputs (Fig. 4c and d of the paper)."});
  }
  return figures;
}

}  // namespace ansatz
