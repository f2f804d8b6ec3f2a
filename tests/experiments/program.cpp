#include "tests/experiments/program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <thread>

#include "experiments/cli/program.h"

namespace {

/// In a child that runs the program's code: the file that is waited for, and the signal once it is there.
std::string awaited_file;
int awaited_signal = 0;

}  // namespace

/// In place of the C library's: every file of a run comes into being by a rename (core/files/files.cpp), so that a
/// signal sent from here arrives before anything else happens, however slow the machine that runs the tests is.
extern "C" int rename(const char* from, const char* to) noexcept {
  const int result = renameat(AT_FDCWD, from, AT_FDCWD, to);
  if (!awaited_file.empty() && access(awaited_file.c_str(), F_OK) == 0) {
    awaited_file.clear();
    raise(awaited_signal);
  }
  return result;
}

namespace ansatz::testing {
namespace {

void limit(int resource, long bytes) {
  if (bytes < 0) return;
  const rlimit value{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &value);
}

/// A pipe that nobody reads from.
void break_pipe(int descriptor) {
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0) _exit(126);
  dup2(ends[1], descriptor);
  close(ends[0]);
  close(ends[1]);
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                         const ProgramLimits& limits) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (chdir(folder.c_str()) != 0) _exit(126);
  const auto redirect = [](const char* file, int to) { dup2(open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644), to); };
  redirect(".stdout", STDOUT_FILENO);
  redirect(".stderr", STDERR_FILENO);
  if (limits.out_to == "closed")
    close(STDOUT_FILENO);
  else if (limits.out_to == "broken pipe")
    break_pipe(STDOUT_FILENO);
  else if (!limits.out_to.empty())
    redirect(limits.out_to.c_str(), STDOUT_FILENO);
  for (const auto& [name, value] : limits.environment) setenv(name.c_str(), value.c_str(), 1);
  if (limits.file_size >= 0) std::signal(SIGXFSZ, SIG_IGN);  // writes then fail as they do on a full disk
  limit(RLIMIT_FSIZE, limits.file_size);
  limit(RLIMIT_AS, limits.address_space);
  if (!limits.own_process) {
    awaited_file = limits.interrupt_when;
    awaited_signal = limits.signal;
    _exit(experiments::run_program(static_cast<int>(arguments.size()), argv.data()));
  }
  execv(argv.front(), argv.data());
  _exit(127);
}

/// Whether a child can go on without starting anew: only this thread of a process comes along into it.
bool alone() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks)) == 1;
}

/// Loading the program's 290 shared libraries takes longer than most of what tests ask of it, and this process has them
/// already. What settles before main() (the environment of OpenMP, limits of memory) takes a start of its own.
bool needs_own_process(const ProgramLimits& limits) {
  return limits.own_process || !limits.environment.empty() || limits.address_space >= 0 || !alone();
}

/// Sends the signals asked for in their time, but for those that the child sends to itself; returns the wait status.
int supervise(pid_t child, const std::filesystem::path& folder, const ProgramLimits& limits) {
  const auto start = std::chrono::steady_clock::now();
  bool sent = false;
  for (int status = 0;;) {
    if (waitpid(child, &status, WNOHANG) == child) return status;
    const auto ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start).count();
    if (!sent && limits.kill_after_ms >= 0 && ms >= limits.kill_after_ms) sent = kill(child, SIGKILL) == 0;
    if (!sent && limits.own_process && !limits.interrupt_when.empty() &&
        std::filesystem::exists(folder / limits.interrupt_when))
      sent = kill(child, limits.signal) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

std::filesystem::path Workspace::write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories((path() / name).parent_path());
  return write_bytes(path() / name, text);
}

ProgramResult Workspace::run(const std::vector<std::string>& arguments, const ProgramLimits& limits) const {
  std::vector<std::string> command = {ANSATZ_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto start = std::chrono::steady_clock::now();
  ProgramLimits settled = limits;
  settled.own_process = needs_own_process(limits);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) become(command, path(), settled);
  const int status = supervise(child, path(), settled);
  ProgramResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read(".stdout");
  result.err = read(".stderr");
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string Workspace::read(const std::string& name) const { return read_bytes(path() / name); }

nlohmann::ordered_json Workspace::metrics(const std::string& run) const {
  return nlohmann::ordered_json::parse(read(run + "/metrics.json"));
}

nlohmann::ordered_json Workspace::results(const std::string& run) const {
  nlohmann::ordered_json json = metrics(run);
  json.erase("timings");
  return json;
}

}  // namespace ansatz::testing
