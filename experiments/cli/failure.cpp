#include "experiments/cli/failure.h"

#include <exception>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "experiments/options/option_names.h"

namespace ansatz::experiments {
namespace {

Failure mistake_of_ours(const std::string& what) {
  return {1, "this should not happen: " + what +
                 "; it is a mistake in ansatz, please report it with your command and config"};
}

/// Without the library's "[json.exception.type_error.302] ".
std::string without_tag(const std::string& message) {
  const std::size_t end = message.find("] ");
  return message.compare(0, 1, "[") == 0 && end != std::string::npos ? message.substr(end + 2) : message;
}

}  // namespace

Failure current_failure() {
  try {
    throw;
  } catch (Error& error) {
    name_on_command_line(error);
    return {error.exit_code(), error.what()};
  } catch (const std::bad_alloc&) {
    return {4, "out of memory; `ansatz plan CONFIG` shows what each stage needs"};
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string second = error.path2().empty() ? "" : " to " + error.path2().string();
    return {2, error.path1().string() + second + ": " + error.code().message()};
  } catch (const nlohmann::json::exception& error) {
    return {3, "a JSON file is damaged, or not what a run writes: " + without_tag(error.what())};
  } catch (const std::exception& error) {
    return mistake_of_ours(error.what());
  } catch (...) {
    return mistake_of_ours("an exception of unknown type");
  }
}

}  // namespace ansatz::experiments
