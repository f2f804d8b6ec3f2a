#include "core/run/begun_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/files/checksum.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

std::string shown(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

std::string config_checksum(const std::string& resolved_config) {
  Checksum sum;
  sum.add(resolved_config);
  return sum.text();
}

void require_same_config(const fs::path& file, const std::string& now) {
  const std::string before = read_file(file);
  if (before == now) return;
  std::istringstream before_lines(before), now_lines(now);
  for (int number = 1;; ++number) {
    std::string was, is;
    const bool had = static_cast<bool>(std::getline(before_lines, was));
    const bool has = static_cast<bool>(std::getline(now_lines, is));
    if (had && has && was == is) continue;
    throw ConfigError(file.string() + ":" + std::to_string(number) + ": the run was started with " +
                      (had ? "`" + was + "`" : "nothing here") + ", now it is " + (has ? "`" + is + "`" : "nothing") +
                      "; `resume` needs the same config: undo the change or choose another `out`");
  }
}

void require_config_as_begun(const fs::path& run, const JsonValue& manifest) {
  const fs::path file = run / "config.yaml";
  if (manifest.has(kConfigChecksum) && manifest.at(kConfigChecksum).text() != config_checksum(read_file(file)))
    throw ConfigError(file.string() +
                      ": was changed after the run began, and what is in state/ was computed by the config before: "
                      "undo the change, or begin another run with it in another `out`");
}

std::vector<std::string> changed_circumstances(const JsonValue& before, const Json& now) {
  std::vector<std::string> changes;
  for (const auto& [key, name] :
       {std::pair("version", "version"), std::pair("git_revision", "revision"), std::pair("torch", "LibTorch"),
        std::pair("blas", "BLAS"), std::pair("threads", "threads")}) {
    const auto was = before.find(key);
    if (was && now.contains(key) && was->json() != now.at(key))
      changes.push_back(fmt::format("{} {}, now {}", name, shown(was->json()), shown(now.at(key))));
  }
  return changes;
}

}  // namespace ansatz
