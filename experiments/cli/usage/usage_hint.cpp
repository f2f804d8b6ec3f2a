#include "experiments/cli/usage/usage_hint.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "experiments/options/synonyms.h"

namespace ansatz::experiments {
namespace {

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->get_name() == name) return command;
  return nullptr;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string given_by_set(const std::string& key) { return "keys of the config are given as --set " + key + "=VALUE"; }

/// Options of other programs, and what does the same here; and keys of the config, which are given with --set.
std::string meant_by(const std::string& option) {
  static const std::vector<std::pair<std::string, std::string>> table = {
      {"--dry-run", "`ansatz plan CONFIG` shows what a run would do, without doing it"},
      {"--dryrun", "`ansatz plan CONFIG` shows what a run would do, without doing it"},
      {"-n", "`ansatz plan CONFIG` shows what a run would do, without doing it"},
      {"--gpu", "write --device cuda"},
      {"--cuda", "write --device cuda"},
      {"--output", "write --out DIR"},
      {"--output-dir", "write --out DIR"},
      {"-o", "write --out DIR"},
      {"--overwrite", "choose another folder with --out, or remove the old one"},
      {"--force", "choose another folder with --out, or remove the old one"},
      {"--config", "the config file is named without an option: `ansatz run CONFIG`"},
      {"-c", "the config file is named without an option: `ansatz run CONFIG`"},
      {"-j", "write --threads N"},
      {"--verbose", "progress is shown unless --quiet is given"}};
  for (const auto& [known, hint] : table)
    if (known == option) return hint;
  std::string key = option.substr(std::min(option.size(), option.find_first_not_of('-')));
  std::replace(key.begin(), key.end(), '-', '_');
  static const std::vector<std::string> top_level = {"seed", "repeats", "name", "experiment", "precision", "report"};
  if (std::find(top_level.begin(), top_level.end(), key) != top_level.end()) return given_by_set(key);
  for (const auto& [word, meant] : synonyms().keys)
    if (word == key && meant.find(':') == std::string::npos) return given_by_set(meant);
  return "";
}

/// Commands of other programs, and what does the same here.
std::string command_meant_by(const std::string& word) {
  static const std::vector<std::pair<std::string, std::string>> table = {
      {"train", "did you mean run?"},
      {"fit", "did you mean run?"},
      {"start", "did you mean run?"},
      {"eval", "did you mean predict?"},
      {"evaluate", "did you mean predict?"},
      {"test", "did you mean predict?"},
      {"plot", "did you mean render?"},
      {"draw", "did you mean render?"},
      {"download", "`ansatz data NAME --download` fetches a data set"},
      {"help", "`ansatz --help` names the commands, and `ansatz COMMAND --help` explains one"},
      {"version", "write `ansatz --version`"}};
  for (const auto& [known, hint] : table)
    if (known == word) return hint;
  return "";
}

}  // namespace

void require_known_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().empty() || arguments.front().front() == '-') return;
  if (find_command(app, arguments.front()) != nullptr) return;
  const std::string near = nearest(arguments.front(), command_names(app)), meant = command_meant_by(arguments.front());
  const bool config = arguments.front().find(".y") != std::string::npos;
  throw ConfigError("there is no command \"" + arguments.front() + "\"; " +
                    (config           ? "did you mean `ansatz run " + arguments.front() + "`?"
                     : !meant.empty() ? meant
                     : !near.empty()  ? "did you mean " + near + "?"
                                      : "`ansatz --help` names them"));
}

std::string usage_hint(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* const command = arguments.empty() ? nullptr : find_command(app, arguments.front());
  const CLI::App& asked = command ? *command : app;
  const std::vector<std::string> known = option_names(asked);
  for (const std::string& argument : arguments) {
    const std::string option = argument.substr(0, argument.find('='));
    if (option.size() < 2 || option.front() != '-' || std::find(known.begin(), known.end(), option) != known.end())
      continue;
    if (const std::string hint = meant_by(option); !hint.empty()) return hint;
    if (const std::string near = nearest(option, known); !near.empty()) return "did you mean " + near + "?";
  }
  return command ? "`ansatz " + command->get_name() + " --help` shows the usage" : "`ansatz --help` shows the usage";
}

}  // namespace ansatz::experiments
