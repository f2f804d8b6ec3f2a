// What a run read, in short: enough to notice that the data are others when it goes on.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/loading/load_dataset.h"
#include "core/files/json_value.h"
#include "core/record/run_record.h"
#include "core/run/run_directory.h"

namespace ansatz {

/// The checksums of all values that a run takes in, after drawing and normalising, and the places they came from.
class InputDigest {
 public:
  InputDigest();
  /// Inputs, targets, names and source rows of all three sets.
  template <class Scalar>
  void add(const Split<Scalar>& split);
  template <class Scalar>
  void add(const std::string& name, const Matrix<Scalar>& values);
  /// A file, or a folder with the files directly in it, or with all below it.
  void add_source(const std::filesystem::path& path, bool all_below = false);
  /// Every file and folder that the options name or that their data set is found in.
  void add_sources(const DatasetOptions& options);

  /// ("train_inputs", "5000 x 784 float32, crc32 123456789"), ..., in the order of adding
  const NamedTexts& values() const { return values_; }
  /// [{path, files, bytes, modified}]: the newest time, UTC; of a folder with all below it, all_below: true
  const Json& sources() const { return *sources_; }

  /// Keeps the digest in the run's state, and the sources in its manifest as `data_read`; in a run that goes on,
  /// DataError if the values are not those that it began with, saying which, and which sources have changed.
  void keep_in(const RunDirectory& run) const;

 private:
  void add_text(const std::string& name, const std::vector<std::string>& lines);
  template <class Scalar>
  void add(const std::string& name, const Dataset<Scalar>& data);

  NamedTexts values_;
  std::shared_ptr<Json> sources_;  // a pointer, since Json is only declared here
};

/// For the next of several runs on the same data: DataError if a file or folder that `run` and its parts have read, as
/// their manifests say, has another size or time now, saying which.
void require_same_data(const std::filesystem::path& run);

}  // namespace ansatz
