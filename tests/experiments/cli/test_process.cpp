// The program among others: limits of its job, streams that fail, signals, and what is missing on the machine.
#include <fmt/format.h>

#include "core/base/random.h"
#include "core/files/npy.h"
#include "core/machine/thread_count.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;

/// 1500 points: their products are large enough that BLAS shares them among threads.
const char* const kConfig =
    "dataset: {name: low_rank, dimension: 20, train_size: 1500, validation_size: 100, test_size: 100}\n"
    "rfm: {iterations: 1}\nsave: {images: false}\nreport: false\n";

/// Killed after two minutes: a hang is a failure.
ProgramLimits in(const Environment& environment) {
  ProgramLimits limits;
  limits.kill_after_ms = 120000;
  limits.environment = environment;
  return limits;
}

ProgramLimits out_to(const std::string& place) {
  ProgramLimits limits = in({});
  limits.out_to = place;
  return limits;
}

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

int threads_of(const Workspace& work, const std::string& run) {
  return nlohmann::json::parse(work.read(run + "/manifest.json")).at("threads").get<int>();
}

void write_square(const Workspace& work, const std::string& name, int rows) {
  const Matrix<double> f = RandomStream(3).normal_matrix<double>(rows, rows);
  ansatz::write_npy<double>(work.path() / name, Matrix<double>(f.transpose() * f));
}

}  // namespace

TEST_CASE("fewer threads granted than asked for never hang") {
  const Workspace work;
  work.write("c.yaml", kConfig);
  write_square(work, "m.npy", 700);
  const std::vector<Environment> environments = {{{"OMP_THREAD_LIMIT", "1"}},
                                                 {{"OMP_DYNAMIC", "true"}},
                                                 {{"OMP_DYNAMIC", "true"}, {"OMP_THREAD_LIMIT", "1"}},
                                                 {{"OMP_NUM_THREADS", "2,1"}},
                                                 {{"OMP_NUM_THREADS", "3"}, {"OMP_THREAD_LIMIT", "2"}},
                                                 {{"OMP_MAX_ACTIVE_LEVELS", "0"}},
                                                 {{"GOTO_NUM_THREADS", "1"}},
                                                 {{"OPENBLAS_NUM_THREADS", "1"}}};
  for (std::size_t i = 0; i < environments.size(); ++i) {
    INFO(environments[i].front().first << "=" << environments[i].front().second);
    for (const char* threads : {"0", "4"}) {
      const ProgramResult plan = work.run({"plan", "c.yaml", "--threads", threads}, in(environments[i]));
      INFO(plan.err);
      CHECK(plan.exit_code == 0);
    }
    CHECK(work.run({"compare", "m.npy", "m.npy", "--json"}, in(environments[i])).exit_code == 0);
  }
  const ProgramResult run =
      work.run({"run", "c.yaml", "--out", "limited", "--threads", "4"}, in({{"OMP_THREAD_LIMIT", "1"}}));
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(contains(run.err, usable_processors().count > 1 ? "4 threads are asked for, 1 granted" : ", 1 used"));
  CHECK(threads_of(work, "limited") == 1);
}

TEST_CASE("more threads than can run at the same time are not started") {
  const Workspace work;
  work.write("c.yaml", kConfig);
  const int most = usable_processors().count;
  if (most >= 1000) return;
  const ProgramResult run = work.run({"run", "c.yaml", "--out", "many", "--threads", "1000"}, in({}));
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(contains(run.err, fmt::format("warning: 1000 threads are asked for, {} used: more cannot run at the same time "
                                      "(limit: ",
                                      most)));
  CHECK(threads_of(work, "many") == most);
  const ProgramResult plan = work.run({"plan", "c.yaml", "--set", "threads=1000"}, in({}));
  CHECK(contains(plan.out, fmt::format("\n{} thread", most)));
  CHECK(plan.seconds < 60);
}

TEST_CASE("by default the limits of the job hold, and --threads wins") {
  const Workspace work;
  work.write("c.yaml", kConfig);
  for (const char* variable : {"OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK"}) {
    INFO(variable);
    const Environment one = {{variable, "1"}};
    CHECK(work.run({"run", "c.yaml", "--quiet", "--out", variable}, in(one)).exit_code == 0);
    CHECK(threads_of(work, variable) == 1);
    const ProgramResult plan = work.run({"plan", "c.yaml"}, in(one));
    CHECK(contains(plan.out, "\n1 thread ("));
    if (usable_processors().count > 1)
      CHECK(contains(work.run({"plan", "c.yaml", "--threads", "2"}, in(one)).out, "\n2 threads (asked for: 2)"));
  }
  ProgramLimits limits = in({});
  limits.address_space = 6000000000;
  const ProgramResult plan = work.run({"plan", "c.yaml"}, limits);
  CHECK(plan.exit_code == 0);
  CHECK(contains(plan.out, "free (limit: ulimit -v)"));
}

TEST_CASE("what a run needs is looked at before it starts") {
  const Workspace work;
  const std::string draws = std::string(kConfig).replace(std::string(kConfig).find("save"), 22, "");
  work.write("c.yaml", draws);
  REQUIRE_FALSE(contains(draws, "images"));
  const auto refused = [&](const std::vector<std::string>& more, const Environment& environment,
                           const std::string& words, int exit_code = 2) {
    std::vector<std::string> command = {"run", "c.yaml", "--quiet", "--out", "out"};
    command.insert(command.end(), more.begin(), more.end());
    const ProgramResult result = work.run(command, in(environment));
    INFO(result.err);
    CHECK(result.exit_code == exit_code);
    CHECK(lines(result.err) == 1);
    CHECK(contains(result.err, words));
    CHECK_FALSE(std::filesystem::exists(work.path() / "out"));
  };
  refused({}, {{"PATH", "/nowhere"}}, "gnuplot: program not found; install it");
  refused({}, {{"TMPDIR", "/nowhere"}}, "no temporary folder can be made in /nowhere (TMPDIR): No such file");
  work.write("bin/gnuplot", "#!/bin/sh\necho '\"-\" line 1: unknown or ambiguous terminal type' >&2\nexit 1\n");
  std::filesystem::permissions(work.path() / "bin/gnuplot", std::filesystem::perms::owner_all);
  refused({}, {{"PATH", (work.path() / "bin").string()}}, "unknown or ambiguous terminal type");
  refused({"--threads", "4294967297"}, {}, "must be at most 1024, is 4294967297");
  refused({"--threads", "-1"}, {}, "threads");
  refused({"--set", "seed=9223372036854775807", "--set", "repeats=2"}, {}, "repeats");
  refused({"--set", "seed=9223372036854775807", "--set", "repeats=9223372036854775807"}, {}, "repeats");
  // No figures, no gnuplot.
  const ProgramResult without = work.run({"run", "c.yaml", "--quiet", "--out", "plain", "--set", "save.images=false"},
                                         in({{"PATH", "/nowhere"}, {"TMPDIR", "/nowhere"}}));
  INFO(without.err);
  CHECK(without.exit_code == 0);
}

TEST_CASE("a network of a later part is missed before the first part is trained") {
  const Workspace work;
  work.write("c.yaml",
             "experiment: low_rank\n"
             "dataset: {name: low_rank, dimension: 10, train_size: 100, validation_size: 50, test_size: 50}\n"
             "rfm: {iterations: 1}\nsave: {images: false}\nreport: false\n"
             "parts: [{name: one, network: {hidden_layers: [8], epochs: 1}}, "
             "{name: two, network: {checkpoint: lost.pt, train: false}}]\n");
  const ProgramResult result = work.run({"run", "c.yaml", "--quiet", "--out", "out"}, in({}));
  INFO(result.err);
  CHECK(result.exit_code == 3);
  CHECK(contains(result.err, "lost.pt"));
  CHECK_FALSE(std::filesystem::exists(work.path() / "out"));
}

TEST_CASE("where a picture cannot go is said before matrices are compared") {
  const Workspace work;
  write_square(work, "m.npy", 6);
  work.write("file", "no folder");
  for (const char* out : {"nowhere/x", "file/x", "/proc/x"}) {
    INFO(out);
    // The second matrix is missing, which would be exit 3.
    const ProgramResult compare = work.run({"compare", "m.npy", "none.npy", "--out", out});
    CHECK(compare.exit_code == 2);
    CHECK(contains(compare.err, out));
    CHECK(work.run({"render", "none.npy", "--what", "matrix", "--out", out}).exit_code == 2);
  }
  CHECK(work.run({"compare", "m.npy", "none.npy", "--shape", "3x"}).exit_code == 2);
}

TEST_CASE("output that is lost is a failure") {
  const Workspace work;
  work.write("c.yaml", kConfig);
  write_square(work, "m.npy", 6);
  REQUIRE(work.run({"run", "c.yaml", "--quiet", "--out", "done"}).exit_code == 0);
  const std::vector<std::vector<std::string>> commands = {{"plan", "c.yaml"},
                                                          {"list"},
                                                          {"list", "kernels"},
                                                          {"data", "mnist"},
                                                          {"compare", "m.npy", "m.npy"},
                                                          {"compare", "m.npy", "m.npy", "--json"},
                                                          {"report", "done"},
                                                          {"--help"},
                                                          {"--version"},
                                                          {"run", "c.yaml", "--out", "RUN"}};
  int number = 0;
  for (const char* place : {"/dev/full", "closed", "broken pipe"}) {
    for (std::vector<std::string> command : commands) {
      if (command.back() == "RUN") command.back() = fmt::format("run-{}", number++);
      const ProgramResult result = work.run(command, out_to(place));
      INFO(place << " " << command.front() << ": " << result.err);
      const bool reader_gone = std::string(place) == "broken pipe";
      CHECK(result.exit_code == (reader_gone ? 141 : 2));
      CHECK(contains(result.err, "ansatz: standard output cannot be written: ") != reader_gone);
      if (command.front() != "run") CHECK(lines(result.err) == (reader_gone ? 0 : 1));
      if (command.front() == "run")  // what was asked for is there all the same
        CHECK(contains(work.read(command.back() + "/manifest.json"), "\"exit_status\": 0"));
    }
    CHECK(work.run({"run", "c.yaml", "--quiet", "--out", fmt::format("quiet-{}", number)}, out_to(place)).exit_code ==
          0);
  }
  // An error keeps its own exit code.
  CHECK(work.run({"compare", "m.npy", "none.npy"}, out_to("/dev/full")).exit_code == 3);
  // What was printed before is whole where it can be written.
  CHECK(contains(work.run({"list"}).out, "fashion_mnist"));
}

TEST_CASE("every signal to end leaves a run that can go on") {
  const Workspace work;
  work.write("c.yaml",
             "dataset: {name: low_rank, dimension: 20, train_size: 400, validation_size: 100, test_size: 100}\n"
             "network: {hidden_layers: [128, 128], epochs: 400}\nsave: {images: false}\nreport: false\n");
  for (const int signal : {SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU}) {
    INFO("signal " << signal);
    ProgramLimits limits;
    limits.interrupt_when = fmt::format("cut-{}/history.csv", signal);
    limits.signal = signal;
    const ProgramResult cut = work.run({"run", "c.yaml", "--quiet", "--out", fmt::format("cut-{}", signal)}, limits);
    INFO(cut.err);
    CHECK(cut.exit_code == 130);
    CHECK(lines(cut.err) == 1);
    CHECK(std::filesystem::exists(work.path() / fmt::format("cut-{}/state/network.train", signal)));
  }
  CHECK(work.run({"run", "c.yaml", "--quiet", "--out", "cut-1", "--resume"}, in({})).exit_code == 0);
}

TEST_CASE("a signal before a run has begun ends it with one line and nothing left") {
  const Workspace work;
  work.write("c.yaml", std::string(kConfig).replace(std::string(kConfig).find("save"), 22, ""));
  for (const char* file : {"a.npy", "b.npy"}) write_npy<double>(work.path() / file, Matrix<double>::Identity(4, 4));
  const auto gnuplot = [&](const std::string& script) {
    std::filesystem::permissions(work.write("bin/gnuplot", "#!/bin/sh\n" + script), std::filesystem::perms::owner_all);
  };
  std::filesystem::create_directory(work.path() / "tmp");
  const std::string path = (work.path() / "bin").string() + ":/usr/bin:/bin";
  gnuplot("touch " + (work.path() / "started").string() + "\nexec sleep 0.5\n");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    ProgramLimits limits = in({{"PATH", path}, {"TMPDIR", (work.path() / "tmp").string()}});
    limits.kill_after_ms = -1;
    limits.interrupt_when = "started";
    limits.signal = signal;
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"run", "c.yaml", "--out", "r"}, {"compare", "a.npy", "b.npy", "--out", "r.pdf"}}) {
      std::filesystem::remove(work.path() / "started");
      const ProgramResult result = work.run(command, limits);
      INFO(command.front() << ", signal " << signal);
      CHECK(result.exit_code == 130);
      CHECK(result.err == "ansatz: interrupted\n");
      CHECK(std::filesystem::is_empty(work.path() / "tmp"));
      CHECK_FALSE(std::filesystem::exists(work.path() / "r"));
      CHECK_FALSE(std::filesystem::exists(work.path() / "r.pdf"));
    }
  }
}

TEST_CASE("a figure that fails while a run is interrupted is an interruption") {
  const Workspace work;
  work.write("c.yaml", std::string(kConfig).replace(std::string(kConfig).find("save"), 22, ""));
  // Fine when it is tried; when it draws, it ends as on the Ctrl-C that a terminal sends to it as well.
  const std::string tried = (work.path() / "tried").string(), drawing = (work.path() / "drawing").string();
  work.write("bin/gnuplot", "#!/bin/sh\n[ -e " + tried + " ] || { touch " + tried + "; exit 0; }\ntouch " + drawing +
                                "\nsleep 1\nexit 1\n");
  std::filesystem::permissions(work.path() / "bin/gnuplot", std::filesystem::perms::owner_all);
  ProgramLimits limits = in({{"PATH", (work.path() / "bin").string() + ":/usr/bin:/bin"}});
  limits.kill_after_ms = -1;
  limits.interrupt_when = "drawing";
  const ProgramResult result = work.run({"run", "c.yaml", "--quiet", "--out", "r"}, limits);
  INFO(result.err);
  CHECK(result.exit_code == 130);
  CHECK(lines(result.err) == 1);
  CHECK(contains(work.read("r/manifest.json"), "\"status\": \"interrupted\""));
}

TEST_CASE("control bytes of names and values never reach the terminal") {
  const Workspace work;
  const std::string escape = "\x1b]0;owned\x07";
  work.write("c.yaml", "dataset: {name: \"" + std::string("\\e[31mred\\u009b1m") + "\"}\nrfm: {iterations: 1}\n");
  write_square(work, "m.npy", 6);
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run", escape + ".yaml"},
                                             {"run", "c.yaml"},
                                             {"data", escape},
                                             {"run", "c.yaml", "--set", escape + "=1"},
                                             {"compare", "m.npy", escape + "\n.npy"},
                                             {"list", escape}}) {
    const ProgramResult result = work.run(command);
    INFO(command.back());
    CHECK(result.exit_code >= 2);
    CHECK(lines(result.err) == 1);
    CHECK_FALSE(contains(result.err, "\x1b"));
    CHECK_FALSE(contains(result.err, "\x07"));
    CHECK_FALSE(contains(result.err, "\xC2\x9B"));
    CHECK(contains(result.err, "\\x1b"));
  }
}
