// What a stage of an unfinished run leaves in state/ to go on from: values and arrays, all of them checked when they
// are read back.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/matrix.h"
#include "core/files/json_value.h"

namespace ansatz {

/// One stage's state being written. Each array is a file state/<stage>.<name>.npy; commit() writes state/<stage>.json
/// with the values and with every array's shape, type and checksum, and it is this file that makes the stage count.
class StateWriter {
 public:
  /// Drops what the stage had committed before: its arrays are about to be replaced.
  StateWriter(std::filesystem::path folder, std::string stage);
  template <class Scalar>
  void add(const std::string& name, const Matrix<Scalar>& a);
  /// NaN and infinities of `value` become null.
  void commit(const Json& value) const;

 private:
  std::filesystem::path folder_;
  std::string stage_;
  std::shared_ptr<Json> arrays_;  // a pointer, since Json is only declared here
};

/// A committed state. DataError naming the file, here and in its functions, if it is missing or damaged, or if an array
/// is not the one that was committed.
class SavedState {
 public:
  SavedState(std::filesystem::path folder, std::string stage);
  JsonValue value() const { return commit_.at("value"); }
  bool has(const std::string& array) const { return commit_.at("arrays").has(array); }
  Index rows(const std::string& array) const;  ///< as it was committed
  /// Must be rows x cols.
  template <class Scalar>
  Matrix<Scalar> array(const std::string& name, Index rows, Index cols) const;

 private:
  std::filesystem::path folder_;
  std::string stage_;
  JsonValue commit_;
};

}  // namespace ansatz
