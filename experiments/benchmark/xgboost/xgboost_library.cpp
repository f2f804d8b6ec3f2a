#include "experiments/benchmark/xgboost/xgboost_library.h"

#include <cstdint>
#include <limits>

#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "core/machine/threads_worth.h"

#ifdef ANSATZ_XGBOOST

#include <xgboost/c_api.h>

namespace ansatz::experiments {
namespace {

/// The library's own words are a trace of many lines, of which the first says what is wrong.
void check(int status) {
  if (status == 0) return;
  const std::string words = XGBGetLastError();
  throw NumericalError("XGBoost failed: " + words.substr(0, words.find('\n')));
}

/// A round is a chain of short loops on threads, each over all entries of the rows or fewer.
int threads_for(Index rows, Index columns) {
  constexpr double kOfEntry = 10;  // operations, in memory that is not in order
  return threads_worth(kOfEntry * static_cast<double>(rows) * static_cast<double>(columns), threads());
}

}  // namespace

bool has_xgboost() { return true; }

std::string xgboost_description() {
  int major = 0, minor = 0, patch = 0;
  XGBoostVersion(&major, &minor, &patch);
  return "XGBoost " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

BoostingRows::BoostingRows(const Matrix<float>& inputs, const std::vector<float>& labels)
    : size_(inputs.rows()), columns_(inputs.cols()) {
  check(XGDMatrixCreateFromMat_omp(inputs.data(), static_cast<bst_ulong>(inputs.rows()),
                                   static_cast<bst_ulong>(inputs.cols()), std::numeric_limits<float>::quiet_NaN(),
                                   &handle_, threads_for(size_, inputs.cols())));
  if (!labels.empty()) check(XGDMatrixSetFloatInfo(handle_, "label", labels.data(), labels.size()));
}

BoostingRows::~BoostingRows() { XGDMatrixFree(handle_); }

BoostedTrees::BoostedTrees(const BoostingRows& train, const BoostingRows& others, const Parameters& parameters)
    : train_(train), others_(others) {
  // Rows that are known from the start have their predictions kept, so that each round adds its own trees only.
  const DMatrixHandle known[] = {train.handle_, others.handle_};
  check(XGBoosterCreate(known, 2, &handle_));
  const auto set = [this](const std::string& name, const std::string& value) {
    check(XGBoosterSetParam(handle_, name.c_str(), value.c_str()));
  };
  set("verbosity", "0");
  set("nthread", std::to_string(threads_for(train.size_, train.columns_)));
  // The library draws from one generator a thread, which models would otherwise share.
  set("seed_per_iteration", "1");
  for (const auto& [name, value] : parameters) set(name, value);
}

BoostedTrees::~BoostedTrees() { XGBoosterFree(handle_); }

void BoostedTrees::add_round() { check(XGBoosterUpdateOneIter(handle_, rounds_++, train_.handle_)); }

Matrix<double> BoostedTrees::predict_others() const {
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* values = nullptr;
  check(XGBoosterPredictFromDMatrix(
      handle_, others_.handle_,
      R"({"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0, "strict_shape": true})", &shape,
      &dimensions, &values));
  if (dimensions != 2 || static_cast<Index>(shape[0]) != others_.size())
    throw NumericalError("XGBoost gave predictions of another shape than asked for");
  return Eigen::Map<const Matrix<float>>(values, others_.size(), static_cast<Index>(shape[1])).cast<double>();
}

}  // namespace ansatz::experiments

#else

namespace ansatz::experiments {

bool has_xgboost() { return false; }

std::string xgboost_description() {
  return "not in this build: install libxgboost-dev (Debian 12 or later) and configure the build again";
}

BoostingRows::BoostingRows(const Matrix<float>& inputs, const std::vector<float>&)
    : size_(inputs.rows()), columns_(inputs.cols()) {
  throw ConfigError("XGBoost is " + xgboost_description());
}

BoostingRows::~BoostingRows() = default;

BoostedTrees::BoostedTrees(const BoostingRows& train, const BoostingRows& others, const Parameters&)
    : train_(train), others_(others) {}

BoostedTrees::~BoostedTrees() = default;

void BoostedTrees::add_round() {}

Matrix<double> BoostedTrees::predict_others() const { return {}; }

}  // namespace ansatz::experiments

#endif
