// The commands of the command line (README). Each returns normally or throws an ansatz::Error with its exit
// code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/files/json_value.h"
#include "experiments/experiment.h"

namespace ansatz::experiments {

struct RunArguments {
  std::filesystem::path config;
  std::vector<std::string> overrides;  ///< "key.path=value"
  std::filesystem::path out;           ///< empty: runs/<name>
  bool resume = false;
  bool quiet = false;
  std::vector<std::string> each = {};  ///< overrides too, each for a run of its own in <out>/<value>; empty: one run
};
void run_command(const RunArguments& arguments);
/// Goes on with a run that was cut off, by the config in its folder. DataError if no run is there, ConfigError if it is
/// finished or only a part of one.
void resume_command(const std::filesystem::path& directory, bool quiet);
void plan_command(const RunArguments& arguments);

struct SweepArguments {
  std::filesystem::path target;        ///< a config, or the folder of a sweep
  std::vector<std::string> overrides;  ///< "key.path=value"
  std::filesystem::path out;           ///< empty: runs/<name>, or the target if that is a folder
  long jobs = 0;                       ///< cells at a time; 0: as many as processors and memory allow
  bool resume = false, slurm = false, collect = false, quiet = false;
};
void sweep_command(const SweepArguments& arguments);
/// Of a config with a section `sweep`.
void plan_sweep_command(const RunArguments& arguments);

/// topic: experiments, datasets, kernels, solvers, or empty for all.
void list_command(const std::string& topic);
/// Writes the tables anew that each document takes from the program (experiments/cli/doc_tables.h); says which changed.
void update_docs_command(const std::vector<std::filesystem::path>& documents);

struct DataArguments {
  std::string name;
  bool download = false;
  std::string from;            ///< URL of a folder; empty: the publisher's
  std::filesystem::path into;  ///< empty: $ANSATZ_DATA/<name>
};
void data_command(const DataArguments& arguments);

struct CompareArguments {
  /// Two of: .npy files, matrices/<name> without extension, a run directory; or any number of run directories.
  std::vector<std::filesystem::path> inputs;
  std::string shape;  ///< "3x32x32" or empty
  long top = 3;
  std::filesystem::path
      out;            ///< figure (viz::FigureFiles::named), of runs a folder or the file of their curves; empty: none
  bool json = false;  ///< print JSON instead of a table
};
void compare_command(const CompareArguments& arguments);

struct RenderArguments {
  std::filesystem::path matrix, out;
  std::string shape;              ///< "3x32x32", "28x28" or empty (matrix only)
  std::string what = "diagonal";  ///< diagonal | eigenvectors | matrix
  long top = 3;
};
void render_command(const RenderArguments& arguments);

void report_command(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& out);

struct ExportArguments {
  std::vector<std::filesystem::path> runs;
  bool csv = false, latex = false;
  std::string table;          ///< models, features, findings, benchmark, or empty for all that there are
  std::filesystem::path out;  ///< empty: stdout
};
void export_command(const ExportArguments& arguments);

/// Prints, as `findings` in metrics.json, those of a finished run judged by what the config expects of them now: for
/// scripts/write_results.py.
void judge_again_command(const std::filesystem::path& config, const std::filesystem::path& run);

struct PredictArguments {
  std::filesystem::path run;
  std::string model;                  ///< network, rfm, or a kernel machine's label
  std::filesystem::path inputs, out;  ///< .npy or CSV; .npy or .csv
  int threads = 0;
};
void predict_command(const PredictArguments& arguments);

/// A config that has been read and checked as a whole.
struct ParsedConfig {
  Config config;
  CommonOptions common;
  PreparedExperiment prepared;
};
ParsedConfig parse_config(Config config, const std::string& default_name);
/// What manifest.json says of the program and the config.
Json manifest_of(const Config& config, const CommonOptions& common);
/// The program as it was called, so that the line works where this one did: what goes on with a run or a sweep.
std::string command_to_go_on(const std::filesystem::path& directory, bool quiet);

/// Threads of BLAS, OpenMP, LibTorch and OpenCV from one number (0: all cores).
void apply_threads(int threads);

}  // namespace ansatz::experiments
