#include "core/run/run_state.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/checksum.h"
#include "core/files/files.h"
#include "core/files/npy.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "ansatz state 1";

template <class Scalar>
constexpr const char* kType = sizeof(Scalar) == 4 ? "float32" : "float64";

std::string text_of(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }

std::string checksum_of(const Json& commit) {
  Checksum sum;
  sum.add(text_of(commit));
  return sum.text();
}

fs::path commit_file(const fs::path& folder, const std::string& stage) { return folder / (stage + ".json"); }

fs::path array_file(const fs::path& folder, const std::string& stage, const std::string& name) {
  return folder / (stage + "." + name + ".npy");
}

[[noreturn]] void damaged(const fs::path& file, const std::string& why) {
  throw DataError(file.string() + ": " + why + "; the run cannot go on from it: start again with another `out`");
}

/// The commit without its checksum, which is right, of that stage.
JsonValue read_commit(const fs::path& folder, const std::string& stage) {
  const fs::path file = commit_file(folder, stage);
  Json commit = JsonValue::read(file).json();
  const auto sum = commit.is_object() ? commit.find("crc32") : commit.end();
  if (sum == commit.end() || !sum->is_string()) damaged(file, "it is no saved state (it has no checksum)");
  const std::string expected = sum->get<std::string>();
  commit.erase("crc32");
  if (checksum_of(commit) != expected) damaged(file, "its checksum is wrong, it was damaged or edited");
  if (commit.value("format", Json()) != kFormat) damaged(file, fmt::format("its format is not \"{}\"", kFormat));
  if (commit.value("stage", Json()) != stage) damaged(file, "it is the saved state of another stage");
  return JsonValue(std::move(commit), file);
}

}  // namespace

StateWriter::StateWriter(fs::path folder, std::string stage)
    : folder_(std::move(folder)), stage_(std::move(stage)), arrays_(std::make_shared<Json>(Json::object())) {
  std::error_code none_there;
  fs::remove(commit_file(folder_, stage_), none_there);
}

template <class Scalar>
void StateWriter::add(const std::string& name, const Matrix<Scalar>& a) {
  write_npy<Scalar>(array_file(folder_, stage_, name), a);
  (*arrays_)[name] = {{"shape", {a.rows(), a.cols()}}, {"type", kType<Scalar>}, {"crc32", checksum(a)}};
}

void StateWriter::commit(const Json& value) const {
  Json commit = {{"format", kFormat}, {"stage", stage_}, {"value", value}, {"arrays", *arrays_}};
  commit = Json::parse(text_of(commit));  // null for NaN, as it will be read
  commit["crc32"] = checksum_of(commit);
  write_file_atomically(commit_file(folder_, stage_), text_of(commit) + "\n");
}

SavedState::SavedState(fs::path folder, std::string stage)
    : folder_(std::move(folder)), stage_(std::move(stage)), commit_(read_commit(folder_, stage_)) {}

Index SavedState::rows(const std::string& array) const {
  const std::vector<JsonValue> shape = commit_.at("arrays").at(array).at("shape").list();
  return shape.empty() ? 0 : shape.front().integer(0, std::numeric_limits<Index>::max());
}

template <class Scalar>
Matrix<Scalar> SavedState::array(const std::string& name, Index rows, Index cols) const {
  const fs::path file = array_file(folder_, stage_, name);
  const JsonValue entry = commit_.at("arrays").at(name);
  const Json shape = {rows, cols};
  if (entry.at("shape").json() != shape || entry.at("type").text() != kType<Scalar>)
    damaged(file, fmt::format("it was saved as {} {}, where {} {} x {} is needed", entry.at("shape").json().dump(),
                              entry.at("type").text(), kType<Scalar>, rows, cols));
  const NpyHeader header = read_npy_header(file);
  if (header.rows() != rows || header.cols() != cols || header.dtype != (sizeof(Scalar) == 4 ? "<f4" : "<f8"))
    damaged(file, fmt::format("it is {} x {} of type {}, and was saved as {} x {} {}", header.rows(), header.cols(),
                              header.dtype, rows, cols, kType<Scalar>));
  Matrix<Scalar> a = read_npy<Scalar>(file);
  if (checksum(a) != entry.at("crc32").text()) damaged(file, "its checksum is wrong, it was damaged or replaced");
  return a;
}

template void StateWriter::add(const std::string&, const Matrix<float>&);
template void StateWriter::add(const std::string&, const Matrix<double>&);
template Matrix<float> SavedState::array(const std::string&, Index, Index) const;
template Matrix<double> SavedState::array(const std::string&, Index, Index) const;

}  // namespace ansatz
