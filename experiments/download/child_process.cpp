#include "experiments/download/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

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

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, bool keep_errors) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const Capture out = capture(), errors = capture();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (out) posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  if (keep_errors && errors) posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv.front(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ChildResult result;
  result.exit_code = 127;
  if (failed != 0) return result;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = content(out.get());
  result.errors = content(errors.get());
  return result;
}

}  // namespace ansatz::experiments
