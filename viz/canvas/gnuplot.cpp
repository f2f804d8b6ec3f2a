#include "viz/canvas/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/files/files.h"

extern char** environ;

namespace ansatz::viz {
namespace {

constexpr int kFailed = 2;  ///< exit code for what is missing or wrong on this machine, not in the data

/// gnuplot's error message: a line such as `"-" line 12: text` or `line 12: text`, else the last line that is not
/// empty.
std::string complaint(const std::string& messages) {
  std::istringstream lines(messages);
  std::string line, found, last;
  while (std::getline(lines, line)) {
    line.erase(0, line.find_first_not_of(" \t^"));
    if (line.empty()) continue;
    last = line;
    if (found.empty() && line.find("line ") != std::string::npos && line.find(": ") != std::string::npos) found = line;
  }
  return !found.empty() ? found : !last.empty() ? last : "no message";
}

[[noreturn]] void cannot_start(int error) {
  if (error == ENOENT)
    throw Error("gnuplot: program not found; install it (Debian, Ubuntu: gnuplot-nox) or put it on PATH", kFailed);
  throw Error("gnuplot: cannot be started: " + std::string(std::strerror(error)), kFailed);
}

/// The folder for temporary files, and " (TMPDIR)" if that variable names it. The standard library looks in the same
/// places, but does not say where it has found the folder.
std::pair<std::filesystem::path, std::string> temporary_place() {
  for (const std::string name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char* const place = std::getenv(name.c_str()); place != nullptr && *place != '\0')
      return {place, " (" + name + ")"};
  return {"/tmp", ""};
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw Error("gnuplot: lost track of it: " + std::string(std::strerror(errno)), kFailed);
  return status;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const auto [place, variable] = temporary_place();
  std::string pattern = (place / "ansatz-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw OutputError("no temporary folder can be made in " + place.string() + variable + ": " + std::strerror(errno) +
                      "; set TMPDIR to a writable folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::string& name, std::string_view bytes) const {
  std::ofstream out(path_ / name, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush())
    throw OutputError((path_ / name).string() + ": cannot be written; is the disk full? TMPDIR chooses another place");
}

std::string gnuplot_string(const std::string& text) {
  // Not single-quoted: gnuplot 5.4 does not understand a single-quoted string that begins with a (doubled) quote.
  std::string out = "\"";
  bool escaped = false;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = byte >= 0x80 || std::isalpha(byte) || c == ' ' || c == '-' || c == '.' || c == ',' || c == '/';
    const bool control = byte < 32 || byte == 127;
    // A digit right after an escape would be read as part of the escape.
    escaped = !(control || letter || (std::isdigit(byte) && !escaped));
    out += escaped ? fmt::format("\\{:03o}", byte) : std::string(1, control ? ' ' : c);
  }
  return out + '"';
}

const char* terminal_of(FigureFormat format) { return format == FigureFormat::png ? "pngcairo" : "pdfcairo"; }

void run_gnuplot(const std::string& script, const TemporaryFolder& folder) {
  // Files instead of pipes, so that neither side can block, however much the other writes.
  const std::string in = (folder.path() / "script.gp").string(), out = (folder.path() / "messages.txt").string();
  folder.write("script.gp", script);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  char name[] = "gnuplot", no_start_up_files[] = "-d";
  char* const arguments[] = {name, no_start_up_files, nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, name, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) cannot_start(error);
  const int status = wait_for(child);
  if (status != 0) throw_if_interrupted();  // a terminal sends Ctrl-C to both
  if (WIFSIGNALED(status)) throw Error("gnuplot: ended by signal " + std::to_string(WTERMSIG(status)), kFailed);
  if (WEXITSTATUS(status) != 0) throw Error("gnuplot: " + complaint(read_file(out)), kFailed);
}

}  // namespace ansatz::viz
