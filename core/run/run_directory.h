// runs/<name>/: what a run leaves behind (docs/outputs.md), and the state that lets a killed run go on.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/config_value.h"
#include "core/data/metrics.h"
#include "core/features/feature_matrix.h"
#include "core/files/json_value.h"
#include "core/linalg/linalg.h"
#include "core/run/matrix_files.h"
#include "core/run/run_state.h"

namespace ansatz {

/// A row of history.csv: what is known of one model after one epoch or iteration.
struct HistoryRow {
  std::string model;
  Index step = 0;
  std::optional<double> train_loss;
  std::optional<Metrics> train, validation, test;
  std::optional<double> seconds;  ///< since the model's training began
};
/// One line without its end; cells of what is absent stay empty.
std::string format_history(const HistoryRow& row);

/// A folder being written. Every file appears whole or not at all. While the run is unfinished it holds state/, removed
/// by finish(). While this object or a copy lives, another process cannot open the same folder.
class RunDirectory {
 public:
  /// Throws OutputError, naming `path` and the remedy, where open() could not write: `path` or a parent is a file, is
  /// read-only, or (`resume` false) `path` is a folder with something in it but a failed run. Changes nothing.
  static void check_usable(const std::filesystem::path& path, bool resume);

  /// Creates `path` (parents too) and writes config.yaml and a manifest with status "running".
  /// `resume` false: OutputError if `path` exists and is not an empty folder, but a run that failed (exit status other
  /// than 0 and 130) is replaced. `resume` true: goes on in an unfinished run; ConfigError naming the first line of its
  /// config.yaml that differs from `resolved_config`; OutputError if the folder holds something that is not a run, or
  /// another process is at work in it; DataError if its manifest is damaged; a missing folder starts afresh; a finished
  /// run is left as it is (see finished()).
  static RunDirectory open(const std::filesystem::path& path, const std::string& resolved_config, Json manifest,
                           bool resume);

  /// parts/<name>, a run directory of its own with this one's config, for one of several parts of the run. Goes on with
  /// what is there. A part that was finished keeps its state until the whole is finished, since the whole is made from
  /// what its parts found.
  RunDirectory part(const std::string& name) const;

  const std::filesystem::path& path() const { return path_; }
  ConfigValue config() const;  ///< the resolved config; of a part that of the whole
  /// Goes on in a run, or a part with its state, whose manifest says exit status 0.
  bool finished() const { return finished_; }

  /// matrices/<name>.npy, d x d (diagonal form: the d-vector), or the factors of a sandwich as <name>.F.npy and
  /// <name>.C.npy (without the latter C is the identity), by `files`. Always <name>.diagonal.npy and, if `top` holds
  /// k > 0 eigenpairs, <name>.eigenvectors.npy (k x d) and <name>.eigenvalues.npy.
  template <class Scalar>
  void write_feature_matrix(const std::string& name, const FeatureMatrix<Scalar>& m, const EigenPairs<Scalar>& top,
                            MatrixFiles files = MatrixFiles::smaller) const;
  template <class Scalar>
  void write_array(const std::string& relative, const Matrix<Scalar>& a) const;  ///< e.g. "predictions/rfm.test.npy"
  void write_text(const std::string& relative, std::string_view text) const;
  void write_json(const std::string& relative, const Json& value) const;  ///< indent 2; NaN and infinities become null
  /// A table of an experiment's own beside metrics.json, e.g. "sweep.csv"; the manifest lists it.
  void write_table(const std::string& name, std::string_view csv) const;

  /// Adds one entry to manifest.json.
  void amend_manifest(const char* key, const Json& value) const;

  // history.csv: one row an epoch or iteration, as it happens.
  /// Replaces all rows of `model` (on resume: with those of its saved state), keeping other models' rows. Nothing where
  /// finished().
  void restart_history(const std::string& model, const std::vector<std::string>& rows) const;
  /// Appends "model,step,split-wise metrics..."; see history_header().
  void append_history(const std::string& row) const;
  static const char* history_header();  ///< "model,step,train_loss,train_accuracy,...,seconds"; see format_history

  // state/: whatever a stage needs to go on (core/run/run_state.h).
  bool has_state(const std::string& stage) const;
  StateWriter write_state(const std::string& stage) const;
  void save_state(const std::string& stage, const Json& value) const;  ///< of a stage without arrays
  SavedState load_state(const std::string& stage) const;               ///< DataError if missing or damaged
  std::filesystem::path state_path(const std::string& file) const;     ///< state/<file>

  /// Writes the final manifest (end time, exit status) and, on status 0, removes state/ and that of all parts, unless
  /// this is a part. On any other status an error in writing is swallowed, so that the error that ended the run stays
  /// the one reported.
  void finish(int exit_status, const std::string& message = "") const;

 private:
  RunDirectory(std::filesystem::path path, bool is_part);
  void start(const std::string& resolved_config, Json manifest, bool resume);
  void begin(const std::string& resolved_config, Json manifest) const;
  void go_on(const std::string& resolved_config, Json manifest);

  std::filesystem::path path_;
  bool is_part_ = false, finished_ = false;
  std::shared_ptr<const int> lock_;  ///< a descriptor of the folder, locked; closed with the last copy
};

/// Reads a feature matrix back: a .npy (2-D: dense, 1-D: diagonal) or, given the path without extension, whatever form
/// write_feature_matrix left; so too for a <name>.npy that is not there, and for <name>.F.npy. DataError if none is
/// there, or what is there is not a feature matrix: not square, or not symmetric to the rounding of the numbers in the
/// file.
template <class Scalar>
FeatureMatrix<Scalar> read_feature_matrix(const std::filesystem::path& path);
/// The relative rounding of the numbers in that file (or in the factor's).
double feature_matrix_rounding(const std::filesystem::path& path);

/// metrics.json of a run. DataError naming file and key if it is missing, damaged, or not of schema 1.
JsonValue read_metrics(const std::filesystem::path& run);
/// manifest.json of a run. DataError naming file and key if it is missing, damaged, or does not say how the run stands.
JsonValue read_manifest(const std::filesystem::path& run);

/// Version, git revision, build flags, library versions, BLAS, threads, host facts: the fixed part of manifest.json.
/// What other folders link (LibTorch, OpenCV) is for the caller to add.
Json build_manifest();

/// UTC, ISO 8601 with seconds.
std::string timestamp();

}  // namespace ansatz
