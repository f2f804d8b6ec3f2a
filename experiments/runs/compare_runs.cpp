#include "experiments/runs/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/base/fold.h"
#include "core/base/printable_text.h"
#include "core/base/text_table.h"
#include "core/files/files.h"
#include "core/record/json/comparison_json.h"
#include "core/run/finished_run.h"
#include "experiments/runs/compared_matrices.h"
#include "experiments/runs/runs_json.h"
#include "viz/canvas/runtime.h"
#include "viz/report/run_curves.h"
#include "viz/report/runs_notes.h"
#include "viz/report/runs_tables.h"

namespace ansatz::experiments {
namespace {

/// The names of the rows to the left, the runs' cells to the right.
std::string text_of(const viz::TextTable& table) {
  std::vector<TextColumn> columns;
  for (const std::string& head : table.header) columns.push_back({printable(head)});
  columns.front().words = true;
  std::vector<std::vector<std::string>> rows = table.rows;
  for (std::vector<std::string>& row : rows)
    for (std::string& cell : row) cell = printable(cell);
  std::string text = "\n" + table.title + "\n", line;
  std::istringstream lines(text_table(std::move(columns), std::move(rows), 0));
  while (std::getline(lines, line)) text += "  " + line + "\n";
  return text;
}

/// Where the figures go.
class FigurePlaces {
 public:
  explicit FigurePlaces(const std::filesystem::path& out) : out_(out), named_(viz::FigureFiles::named(out)) {
    if (is_folder()) make_folder(out);
    viz::check_drawing(curves());
  }
  viz::FigureFiles curves() const { return is_folder() ? viz::FigureFiles(out_ / "curves") : named_; }
  viz::FigureFiles matrix(const std::string& name) const {
    if (is_folder()) return out_ / name;
    viz::FigureFiles files = named_;
    files.stem += "." + name;
    return files;
  }

 private:
  bool is_folder() const { return named_.stem == out_; }

  std::filesystem::path out_;
  viz::FigureFiles named_;
};

class RunsComparison {
 public:
  RunsComparison(const CompareRunsOptions& options, std::vector<FinishedRun> runs)
      : options_(options), runs_(std::move(runs)), notes_(viz::notes_on(runs_)) {
    if (const auto& data = runs_.front().seeds.front().data) require_fit(options.shape, data->dimension);
    if (!options.out.empty()) places_.emplace(options.out);
    for (const FinishedRun& run : runs_)
      if (matrices_of_run(run.folder).empty()) note_matrices_elsewhere(run);
  }

  void print_notes() const {
    for (const std::string& note : notes_) print_note(note);
  }

  void print_tables() const {
    for (const viz::TextTable& table : viz::tables_of_runs(runs_)) std::fputs(text_of(table).c_str(), stdout);
  }

  void draw_curves() const {
    const std::vector<viz::LinePlot> plots = viz::curves_of_runs(runs_);
    if (!places_ || plots.empty()) return;
    viz::draw_lines(plots, places_->curves());
    say_drawn(places_->curves());
  }

  void compare_matrices() {
    for (const std::string& name : shared_matrices()) compare_matrix(name);
    if (!options_.json && comparisons_.empty())
      std::fputs("\nNo two of them have a feature matrix of one name and size.\n", stdout);
  }

  Json json() const { return {{"notes", notes_}, {"runs", runs_json(runs_)}, {"comparisons", comparisons_}}; }

 private:
  void print_note(const std::string& note) const {
    const std::size_t width = options_.columns > 0 ? options_.columns : std::string::npos;
    for (const std::string& line : folded("note: " + printable(note), width, 2)) std::printf("%s\n", line.c_str());
  }

  void note_matrices_elsewhere(const FinishedRun& run) {
    if (run.repeats)
      notes_.push_back(run.name + ": the feature matrices are in its folders repeat-1, …, which `compare` takes too");
    else if (!run.seeds.front().parts.empty())
      notes_.push_back(run.name +
                       ": the feature matrices are in the folders below its parts/, which `compare` takes too");
  }

  void say_drawn(const viz::FigureFiles& files) const {
    if (!options_.json) std::printf("figure: %s\n", printable(files.first().string()).c_str());
  }

  /// "network.nfm: the same in a, b".
  void say(const char* what, const std::string& matrix, const std::vector<std::string>& runs) const {
    if (options_.json) return;
    std::string names;
    for (const std::string& run : runs) names += (names.empty() ? " " : ", ") + printable(run);
    std::printf("\n%s: %s%s\n", printable(matrix).c_str(), what, names.c_str());
  }

  /// The names of matrices that several runs have.
  std::vector<std::string> shared_matrices() const {
    std::vector<std::string> all, shared;
    for (const FinishedRun& run : runs_)
      for (const std::string& name : matrices_of_run(run.folder)) all.push_back(name);
    std::sort(all.begin(), all.end());
    for (auto name = all.begin(); name != all.end(); name = std::upper_bound(name, all.end(), *name))
      if (std::count(name, all.end(), *name) > 1) shared.push_back(*name);
    return shared;
  }

  std::optional<ImageShape> shape_for(Index d) const {
    if (options_.shape) {
      require_fit(options_.shape, d);
      return options_.shape;
    }
    for (const FinishedRun& run : runs_)
      if (const auto& data = run.seeds.front().data; data && data->image_shape && data->image_shape->size() == d)
        return data->image_shape;
    return std::nullopt;
  }

  /// One matrix is in memory beside the first.
  void compare_matrix(const std::string& name) {
    std::optional<NamedMatrix> first;
    const FinishedRun* first_run = nullptr;
    std::optional<MatrixFigure> figure;
    std::vector<std::string> same, without;  // runs
    for (const FinishedRun& run : runs_) {
      const std::vector<std::string> names = matrices_of_run(run.folder);
      if (!std::binary_search(names.begin(), names.end(), name)) {
        without.push_back(run.name);
        continue;
      }
      NamedMatrix matrix =
          read_matrix(printable(run.name + "/" + name), run.folder / "matrices" / name, options_.top + 1);
      if (const auto& data = run.seeds.front().data; places_ && data)
        matrix.feature_names = names_of_inputs(*data, matrix.matrix().dimension());
      if (!first) {
        const std::optional<ImageShape> shape = shape_for(matrix.matrix().dimension());
        if (places_) {
          figure.emplace(shape, options_.top);
          figure->add(matrix, run.name, nullptr);
        }
        same.push_back(run.name);
        first = std::move(matrix);
        first_run = &run;
      } else if (const Index d = first->matrix().dimension(); matrix.matrix().dimension() == d) {
        if (same_matrix(*first, matrix)) same.push_back(run.name);
        add(*first, matrix, run.name, viz::difference_of_inputs(*first_run, run), figure);
      } else if (!options_.json) {
        std::printf("\n%s is not compared: d = %ld, and %ld in %s\n", matrix.name.c_str(),
                    static_cast<long>(matrix.matrix().dimension()), static_cast<long>(d), first->name.c_str());
      }
    }
    if (same.size() > 1) say("the same in", name, same);
    if (!without.empty()) say("not in", name, without);
    if (!figure) return;
    figure->draw(places_->matrix(name));
    say_drawn(places_->matrix(name));
  }

  /// `difference`: of the inputs that their entries belong to; empty: there is none.
  void add(const NamedMatrix& first, const NamedMatrix& other, const std::string& run, const std::string& difference,
           std::optional<MatrixFigure>& figure) {
    const FeatureComparison likeness = compare(first.summary, other.summary, {options_.top});
    if (figure) figure->add(other, run, &likeness);
    comparisons_.push_back(to_json(likeness, first.name, other.name));
    if (!difference.empty()) comparisons_.back()["inputs_differ"] = difference;
    if (!options_.json && !difference.empty()) {
      std::fputs("\n", stdout);
      print_note(fmt::format("the inputs of {} and {} are not the same: {}", first.name, other.name, difference));
    }
    if (!options_.json && !same_matrix(first, other))
      std::fputs(("\n" + comparison_text(likeness, first, other)).c_str(), stdout);
  }

  const CompareRunsOptions& options_;
  std::vector<FinishedRun> runs_;
  std::vector<std::string> notes_;
  std::optional<FigurePlaces> places_;
  Json comparisons_ = Json::array();
};

}  // namespace

void compare_runs(const CompareRunsOptions& options) {
  RunsComparison comparison(options, read_finished_runs(options.runs));
  if (!options.json) comparison.print_notes();
  if (!options.json) comparison.print_tables();
  comparison.draw_curves();
  comparison.compare_matrices();
  if (options.json) std::printf("%s\n", comparison.json().dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

}  // namespace ansatz::experiments
