// history.csv.
#include <algorithm>
#include <sstream>

#include "core/base/error.h"
#include "core/files/csv_cell.h"
#include "core/files/files.h"
#include "core/run/run_directory.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

std::string cells(const std::optional<Metrics>& metrics) {
  if (!metrics) return ",,,,";
  const std::string accuracy = "," + csv_cell(metrics->accuracy);
  if (metrics->cross_entropy) return accuracy + ",,," + csv_cell(metrics->cross_entropy);
  return accuracy + "," + csv_cell(metrics->mse) + "," + csv_cell(metrics->r2) + ",";
}

/// The whole lines of the file without its header; a line that a crash cut short is dropped.
std::vector<std::string> read_rows(const fs::path& file) {
  std::vector<std::string> rows;
  if (!fs::exists(file)) return rows;
  std::string text = read_file(file);
  text.erase(text.find_last_of('\n') + 1);  // npos + 1 is 0
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) rows.push_back(line);
  return rows;
}

void write_rows(const fs::path& file, const std::vector<std::string>& rows) {
  std::string text = std::string(RunDirectory::history_header()) + "\n";
  for (const std::string& row : rows) text += row + "\n";
  write_file_atomically(file, text);
}

}  // namespace

std::string format_history(const HistoryRow& row) {
  return csv_cell(row.model) + "," + std::to_string(row.step) + "," + csv_cell(row.train_loss) + cells(row.train) +
         cells(row.validation) + cells(row.test) + "," + csv_cell(row.seconds);
}

const char* RunDirectory::history_header() {
  return "model,step,train_loss,train_accuracy,train_mse,train_r2,train_cross_entropy,"
         "validation_accuracy,validation_mse,validation_r2,validation_cross_entropy,"
         "test_accuracy,test_mse,test_r2,test_cross_entropy,seconds";
}

void RunDirectory::restart_history(const std::string& model, const std::vector<std::string>& rows) const {
  if (finished_) return;
  const fs::path file = path_ / "history.csv";
  std::vector<std::string> kept = read_rows(file);
  const std::string own = csv_cell(model) + ",";
  kept.erase(std::remove_if(kept.begin(), kept.end(),
                            [&](const std::string& row) { return row.compare(0, own.size(), own) == 0; }),
             kept.end());
  kept.insert(kept.end(), rows.begin(), rows.end());
  write_rows(file, kept);
}

void RunDirectory::append_history(const std::string& row) const {
  const fs::path file = path_ / "history.csv";
  if (!fs::exists(file)) write_rows(file, {});
  append_line(file, row);
}

}  // namespace ansatz
