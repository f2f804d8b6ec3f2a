// What was built, against what, and where it runs. The definitions and the generated header come from
// core/CMakeLists.txt.
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/machine/parallel.h"
#include "core/run/run_directory.h"
#include "git_revision.h"

namespace ansatz {
namespace {

template <class... Numbers>
std::string dotted(int first, Numbers... others) {
  return (std::to_string(first) + ... + ("." + std::to_string(others)));
}

/// "OpenBLAS 0.3.21 ..." -> "0.3.21"
std::string openblas_version() {
  std::istringstream words(blas_description());
  std::string name, version;
  words >> name >> version;
  return version.empty() ? "unknown" : version;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname system{};
  return ::uname(&system) == 0 ? system.machine : "unknown";
}

std::string operating_system() {
  utsname system{};
  return ::uname(&system) == 0 ? std::string(system.sysname) + " " + system.release : "unknown";
}

double memory_gib() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)) /
         (1024.0 * 1024 * 1024);
}

}  // namespace

Json build_manifest() {
  Json manifest;
  manifest["version"] = ANSATZ_VERSION;
  manifest["git_revision"] = ANSATZ_GIT_REVISION;
  manifest["build"] = {{"type", ANSATZ_BUILD_TYPE}, {"compiler", ANSATZ_COMPILER}, {"flags", ANSATZ_BUILD_FLAGS}};
  manifest["libraries"] = {
      {"eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"openblas", openblas_version()},
      {"yaml-cpp", ANSATZ_YAML_CPP_VERSION},
      {"nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"zlib", ::zlibVersion()},
  };
  manifest["blas"] = blas_description();
  manifest["threads"] = threads();
  manifest["host"] = {{"cpu", cpu_model()},
                      {"cores", static_cast<long>(::sysconf(_SC_NPROCESSORS_ONLN))},
                      {"memory_gib", memory_gib()},
                      {"system", operating_system()}};
  return manifest;
}

}  // namespace ansatz
