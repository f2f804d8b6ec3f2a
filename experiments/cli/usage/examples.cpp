#include "experiments/cli/usage/examples.h"

namespace ansatz::experiments {
namespace {

struct CommandExamples {
  const char* command;
  std::vector<std::string> lines;
};

const std::vector<CommandExamples>& table() {
  static const std::vector<CommandExamples> rows = {
      {"run",
       {"ansatz run configs/quickstart.yaml --out runs/first",
        "ansatz run configs/quickstart.yaml --set rfm.kernel=ntk --set network.epochs=20 --out runs/ntk"}},
      {"resume", {"ansatz resume runs/first", "ansatz resume runs/first --quiet"}},
      {"plan",
       {"ansatz plan configs/quickstart.yaml", "ansatz plan configs/quickstart.yaml --set dataset.train_size=20000"}},
      {"sweep",
       {"ansatz sweep configs/kernels/width_sweep.yaml --jobs 2 --out runs/width",
        "ansatz sweep configs/kernels/width_sweep.yaml --slurm --out runs/width", "ansatz sweep runs/width --collect"}},
      {"list", {"ansatz list datasets", "ansatz list"}},
      {"compare",
       {"ansatz compare runs/first runs/ntk",
        "ansatz compare runs/first/matrices/network.nfm runs/first/matrices/rfm.M1 --shape 28x28 --top 5"}},
      {"render",
       {"ansatz render runs/first/matrices/rfm.M1 --shape 28x28 --out diagonal.png",
        "ansatz render runs/first/matrices/rfm.M1 --shape 28x28 --what eigenvectors --top 5 --out vectors.png"}},
      {"report", {"ansatz report runs/first", "ansatz report runs/first runs/ntk --out both.html"}},
      {"export", {"ansatz export runs/first --csv", "ansatz export runs/first runs/ntk --latex"}},
      {"predict",
       {"ansatz predict runs/first --model rfm --inputs new.npy --out new.rfm.npy",
        "ansatz predict runs/first --model network --inputs new.npy --out new.network.npy"}},
      {"data", {"ansatz data fashion_mnist", "ansatz data cifar10 --download"}},
  };
  return rows;
}

}  // namespace

const std::vector<std::string>& examples_of(const std::string& command) {
  static const std::vector<std::string> none;
  for (const CommandExamples& row : table())
    if (row.command == command) return row.lines;
  return none;
}

std::string examples_text(const std::string& command) {
  std::string text = "Examples:";
  for (const std::string& line : examples_of(command)) text += "\n  " + line;
  return text + "\n";
}

}  // namespace ansatz::experiments
