#include "core/machine/control_groups.h"

#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

namespace ansatz {
namespace {

namespace fs = std::filesystem;

/// Whether `words`, such as "a,b,c", contains `word`.
bool lists(const std::string& words, const std::string& word) {
  return ("," + words + ",").find("," + word + ",") != std::string::npos;
}

/// Where a hierarchy is mounted, and which of its groups is seen there as the root.
struct Mount {
  fs::path point;
  std::string group;
};

/// Undoes mountinfo's escapes: it writes blanks and the like as \040.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// proc_pid_mountinfo(5): "36 35 98:0 /group /mount/point options optional... - type source options".
std::optional<Mount> find_mount(int version, const std::string& controller, const fs::path& root) {
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string skipped, group, point, type, source, options;
    words >> skipped >> skipped >> skipped >> group >> point;
    while (words >> skipped && skipped != "-") {
    }
    words >> type >> source >> options;
    const bool found = version == 2 ? type == "cgroup2" : type == "cgroup" && lists(options, controller);
    if (found) return Mount{root / fs::path(unescaped(point)).relative_path(), unescaped(group)};
  }
  return std::nullopt;
}

/// Adds the groups from the process's own one up to the one that is mounted.
void add_groups(int version, const Mount& mount, const std::string& own, std::vector<ControlGroup>& groups) {
  // In a container, the name of the process's group may begin with the container's group, which is the mounted one.
  const std::string outer = mount.group == "/" ? "" : mount.group;
  fs::path inside = own.compare(0, outer.size(), outer) == 0 ? own.substr(outer.size()) : "";
  inside = inside.relative_path();
  std::error_code error;
  if (!fs::is_directory(mount.point / inside, error)) inside.clear();  // ours is not visible from here
  for (;; inside = inside.parent_path()) {
    groups.push_back(
        {version, mount.point / inside, inside.empty() ? mount.group : (fs::path(mount.group) / inside).string()});
    if (inside.empty()) return;
  }
}

}  // namespace

std::vector<double> ControlGroup::numbers(const std::string& file) const {
  std::ifstream in(folder / file);
  std::vector<double> values;
  for (std::string word; in >> word;) {
    char* end = nullptr;
    const double value = word == "max" ? std::numeric_limits<double>::infinity() : std::strtod(word.c_str(), &end);
    if (end != nullptr && (end == word.c_str() || *end != '\0')) break;
    values.push_back(value);
  }
  return values;
}

std::optional<double> ControlGroup::number(const std::string& file, const std::string& key) const {
  std::ifstream in(folder / file);
  std::string name;
  for (double value = 0; in >> name >> value;)
    if (name == key) return value;
  return std::nullopt;
}

std::vector<ControlGroup> control_groups(const std::string& controller, const fs::path& root) {
  std::vector<ControlGroup> groups;
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {  // "4:memory:/slurm/job_7", of version 2 "0::/user.slice"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), own = line.substr(second + 1);
    const int version = controllers.empty() ? 2 : 1;
    if (version == 1 && !lists(controllers, controller)) continue;
    if (const auto mount = find_mount(version, controller, root)) add_groups(version, *mount, own, groups);
  }
  return groups;
}

}  // namespace ansatz
