#include "experiments/stages/run_context.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "core/base/fold.h"
#include "core/machine/terminal.h"

namespace ansatz::experiments {

std::string format_seconds(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  constexpr double kYear = 365.25 * 86400;
  if (seconds >= kYear) return fmt::format("{:.3g} years", seconds / kYear);
  const long whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_bytes(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.0f} MB", bytes / 1e6);
  return fmt::format("{:.0f} kB", bytes / 1e3);
}

Progress::Progress(std::string stage, Index total, std::string unit, bool quiet)
    : stage_(std::move(stage)), unit_(std::move(unit)), total_(total), quiet_(quiet) {}

Progress::~Progress() {
  if (line_is_open_) std::fputc('\n', stderr);
}

std::string Progress::line(Index done, const std::string& note, std::optional<double> seconds_left) const {
  std::string text = fmt::format("{}: {} {}/{}", stage_, unit_, done, total_);
  if (seconds_left) {
    if (done < total_) text += fmt::format(", {} left", format_seconds(*seconds_left));
  } else if (const double worked = watch_.seconds(); done > first_ && worked > 0.5) {
    const double each = worked / static_cast<double>(done - first_);
    text += each < 1 ? fmt::format(", {:.1f}/s", 1 / each) : fmt::format(", {} each", format_seconds(each));
    if (done < total_) text += fmt::format(", {} left", format_seconds(each * static_cast<double>(total_ - done)));
  }
  return note.empty() ? text : text + "; " + note;
}

void Progress::update(Index done, const std::string& note, std::optional<double> seconds_left) {
  if (first_ < 0) first_ = done;
  done_ = done;
  const double now = watch_.seconds();
  const std::size_t columns = terminal_columns(STDERR_FILENO);
  if (quiet_ || now - last_shown_ < (columns > 0 ? 0.2 : 10.0)) return;
  last_shown_ = now;
  if (columns == 0) {
    std::fprintf(stderr, "%s\n", line(done, note, seconds_left).c_str());
    return;
  }
  const std::size_t room = columns - 1;  // a cursor in the last column is in the next line already, on some terminals
  const std::string whole = line(done, note, seconds_left),
                    shown = display_width(whole) <= room ? whole : line(done, "", seconds_left);
  std::fprintf(stderr, "%s%s", kFreshLine, cut_to(shown, room).c_str());
  line_is_open_ = true;
}

void Progress::finish(const std::string& note) {
  if (quiet_) return;
  const std::string unit = done_ == 1 && unit_.back() == 's' ? unit_.substr(0, unit_.size() - 1) : unit_;
  std::string text = fmt::format("{}: {} {} in {}", stage_, done_, unit, format_seconds(watch_.seconds()));
  if (!note.empty()) text += "; " + note;
  const std::size_t columns = terminal_columns(STDERR_FILENO);
  if (columns > 0) std::fputs(kFreshLine, stderr);
  for (const std::string& part : folded(text, columns > 0 ? columns - 1 : text.size(), 2))
    std::fprintf(stderr, "%s\n", part.c_str());
  line_is_open_ = false;
}

}  // namespace ansatz::experiments
