#include "viz/report/runs_notes.h"

#include <fmt/format.h>

#include <system_error>

namespace ansatz::viz {
namespace {

namespace fs = std::filesystem;

void add_name(const std::string& name, std::string& names) { names += (names.empty() ? "" : ", ") + name; }

void note_same_folders(const std::vector<FinishedRun>& runs, std::vector<std::string>& notes) {
  std::error_code not_there;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (fs::equivalent(runs[i].folder, runs[j].folder, not_there))
        notes.push_back(fmt::format("{} and {} are one run: {}", runs[j].name, runs[i].name, runs[j].folder.string()));
}

/// Shape and checksum of what the models of each seed are tested on; empty: an earlier version did not keep it.
std::string test_data_of(const FinishedRun& run) {
  std::string text;
  for (const RunRecord& seed : run.seeds) {
    if (!seed.data) continue;
    for (const auto& [name, value] : seed.data->digest)
      if (name == "test_inputs" || name == "test_targets") text += name + " " + value + "\n";
  }
  return text;
}

void note_other_test_data(const std::vector<FinishedRun>& runs, std::vector<std::string>& notes) {
  const FinishedRun* first = nullptr;
  std::string first_data, others;
  for (const FinishedRun& run : runs) {
    const std::string data = test_data_of(run);
    if (data.empty()) continue;
    if (first == nullptr) {
      first = &run;
      first_data = data;
    } else if (data != first_data) {
      add_name(run.name, others);
    }
  }
  if (!others.empty())
    notes.push_back(
        fmt::format("{}: the test data are not those of {} (other rows, or prepared in another way), so that "
                    "test scores differ for that reason too",
                    others, first->name));
}

void note_other_tasks(const std::vector<FinishedRun>& runs, std::vector<std::string>& notes) {
  std::string classifications, regressions;
  for (const FinishedRun& run : runs)
    if (const auto& data = run.seeds.front().data)
      add_name(run.name, data->task == Task::classification ? classifications : regressions);
  if (!classifications.empty() && !regressions.empty())
    notes.push_back(fmt::format("test scores are accuracies of {}, and R² of {}", classifications, regressions));
}

}  // namespace

std::vector<std::string> notes_on(const std::vector<FinishedRun>& runs) {
  std::vector<std::string> notes;
  note_same_folders(runs, notes);
  note_other_test_data(runs, notes);
  note_other_tasks(runs, notes);
  for (const FinishedRun& run : runs)
    for (const std::string& warning : warnings_of(run.seeds)) notes.push_back(run.name + ": " + warning);
  return notes;
}

std::string difference_of_inputs(const FinishedRun& a, const FinishedRun& b) {
  const std::optional<DataRecord>&one = a.seeds.front().data, &other = b.seeds.front().data;
  if (!one || !other || one->feature_names.size() != other->feature_names.size()) return "";
  for (std::size_t i = 0; i < one->feature_names.size(); ++i)
    if (one->feature_names[i] != other->feature_names[i])
      return fmt::format("number {} is {} in {} and {} in {}", i + 1, one->feature_names[i], a.name,
                         other->feature_names[i], b.name);
  return "";
}

std::vector<std::string> notes_on_inputs(const std::vector<FinishedRun>& runs) {
  std::vector<std::string> notes;
  for (const FinishedRun& run : runs)
    if (const std::string difference = difference_of_inputs(runs.front(), run); !difference.empty())
      notes.push_back(
          fmt::format("the inputs of {} and {} are not the same: {}", runs.front().name, run.name, difference));
  return notes;
}

}  // namespace ansatz::viz
