#include "experiments/jobs/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "experiments/jobs/end_with_parent.h"

extern char** environ;

namespace ansatz::experiments {
namespace {

/// An unnamed file: unlike a pipe it never fills, so that the child need not be read from while it runs.
using Capture = std::unique_ptr<FILE, int (*)(FILE*)>;

Capture capture() { return {std::tmpfile(), std::fclose}; }

std::string content(FILE* file) {
  std::string text;
  if (file == nullptr) return text;
  std::rewind(file);
  char block[4096];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, n);
  return text;
}

bool has_name(const char* variable, const std::string& assignment) {
  const std::size_t name = assignment.find('=') + 1;
  return assignment.compare(0, name, variable, strnlen(variable, name)) == 0;
}

/// Our variables, but those that `own` has; and these.
std::vector<char*> environment_with(const std::vector<std::string>& own) {
  std::vector<char*> variables;
  for (char** ours = environ; *ours != nullptr; ++ours)
    if (std::none_of(own.begin(), own.end(), [&](const std::string& one) { return has_name(*ours, one); }))
      variables.push_back(*ours);
  for (const std::string& one : own) variables.push_back(const_cast<char*>(one.c_str()));
  variables.push_back(nullptr);
  return variables;
}

}  // namespace

struct ChildProcess::Running {
  Capture out = capture(), errors{nullptr, std::fclose};
  pid_t pid = 0;  ///< 0: it could not be started, or has ended
  int exit_code = 127;

  /// `flags`: of waitpid. Whether it has ended.
  bool reap(int flags) {
    if (pid == 0) return true;
    int status = 0;
    pid_t got = 0;
    while ((got = waitpid(pid, &status, flags)) < 0 && errno == EINTR) {
    }
    if (got == 0) return false;
    exit_code = got < 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    pid = 0;
    return true;
  }
};

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, bool keep_errors,
                           const std::vector<std::string>& environment)
    : running_(std::make_unique<Running>()) {
  if (keep_errors) running_->errors = capture();
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (running_->out) posix_spawn_file_actions_adddup2(&actions, fileno(running_->out.get()), STDOUT_FILENO);
  if (running_->errors) posix_spawn_file_actions_adddup2(&actions, fileno(running_->errors.get()), STDERR_FILENO);
  std::vector<std::string> own = environment;
  own.push_back(parent_variable());  // a program of ours so knows that it is to end with us
  const int failed =
      posix_spawnp(&running_->pid, argv.front(), &actions, nullptr, argv.data(), environment_with(own).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) running_->pid = 0;
}

ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(running_, other.running_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (!running_) return;
  ask_to_end();
  running_->reap(0);
}

bool ChildProcess::ended() { return running_->reap(WNOHANG); }

void ChildProcess::ask_to_end() {
  if (running_->pid != 0) kill(running_->pid, SIGTERM);
}

ChildResult ChildProcess::wait() {
  running_->reap(0);
  return {running_->exit_code, content(running_->out.get()), content(running_->errors.get())};
}

ChildResult run_child(const std::vector<std::string>& arguments, bool keep_errors) {
  return ChildProcess(arguments, keep_errors).wait();
}

}  // namespace ansatz::experiments
