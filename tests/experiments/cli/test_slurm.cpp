// The job script of docs/outputs.md, with stand-ins for SLURM's commands.
#include <sys/wait.h>

#include <cstdlib>

#include "core/files/files.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;
namespace fs = std::filesystem;

namespace {

std::string documented_script() {
  const std::string text = ansatz::read_file(fs::path(ANSATZ_DOCS) / "outputs.md"), begin = "```bash\n";
  const std::size_t first = text.find(begin + "#!/bin/bash\n#SBATCH");
  REQUIRE(first != std::string::npos);
  return text.substr(first + begin.size(), text.find("```\n", first + begin.size()) - first - begin.size());
}

void write_command(const Workspace& work, const std::string& name, const std::string& body) {
  fs::create_directories(work.path() / "bin");
  fs::permissions(work.write("bin/" + name, "#!/bin/bash\n" + body), fs::perms::owner_all);
}

int run_job(const Workspace& work) {
  const std::string folder = work.path().string();
  const int status = std::system(("cd '" + folder + "' && PATH='" + folder +
                                  "/bin':$PATH SLURM_JOB_ID=77 SLURM_CPUS_PER_TASK=1 bash job.sh >job.log 2>&1")
                                     .c_str());
  return WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("the documented job script puts an interrupted run back into the queue and goes on") {
  const Workspace work;
  work.write("job.sh", documented_script());
  work.write("configs/quickstart.yaml",
             "dataset: {name: low_rank, dimension: 8, train_size: 100, test_size: 50}\n"
             "network: {hidden_layers: [32], optimizer: {name: adam}, batch_size: 10, epochs: 400, snapshots: 5}\n"
             "rfm: {iterations: 1}\nreport: false\nsave: {images: false}\n");
  fs::create_directories(work.path() / "bin");
  fs::create_symlink(ANSATZ_PROGRAM, work.path() / "bin/ansatz");
  write_command(work, "scontrol", "echo \"$@\" >> requeued\n");
  // The first time the limit is near as soon as training has begun.
  write_command(
      work, "srun",
      "[[ $1 == --cpus-per-task=1 ]] && shift\n\"$@\" &\n"
      "until grep -q network runs/quickstart/history.csv 2>/dev/null; do kill -0 $! || break; sleep 0.01; done\n"
      "[[ -e requeued ]] || kill -USR1 $!\nwait $!; code=$?\nexit $code\n");
  CHECK(run_job(work) == 130);
  INFO(work.read("job.log"));
  CHECK(work.read("requeued") == "requeue 77\n");
  CHECK_FALSE(fs::exists(work.path() / "runs/quickstart/metrics.json"));
  CHECK(run_job(work) == 0);
  CHECK(work.read("requeued") == "requeue 77\n");
  CHECK(work.metrics("runs/quickstart").at("models").at("network").at("per_epoch").size() == 401);
}
