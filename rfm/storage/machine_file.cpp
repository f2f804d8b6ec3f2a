#include "rfm/storage/machine_file.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "core/base/error.h"
#include "core/files/checksum.h"
#include "core/files/json_value.h"

namespace ansatz::rfm {
namespace {

constexpr const char* kInFile = "in_file";
constexpr const char* kElsewhere = "elsewhere";

template <class Scalar>
using Form = typename FeatureMatrix<Scalar>::Form;

Json written(double value) { return value; }
Json written(Index value) { return value; }
Json written(Activation value) { return info_of(value).name; }

Json to_json(const Kernel& kernel) {
  const KernelInfo& info = info_of(kernel.spec().family);
  Json json = {{"name", info.name}};
  for (const KernelParameter& parameter : info.parameters) {
    std::visit([&](auto field) { json[parameter.key] = written(kernel.spec().*field); }, parameter.field);
    if (parameter.key == std::string(kBandwidth.key)) json[parameter.key] = kernel.bandwidth();
  }
  return json;
}

void read_parameter(const JsonValue& json, double KernelSpec::*field, KernelSpec& spec) { spec.*field = json.number(); }
void read_parameter(const JsonValue& json, Index KernelSpec::*field, KernelSpec& spec) {
  spec.*field = json.integer(std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max());
}

void read_parameter(const JsonValue& json, Activation KernelSpec::*field, KernelSpec& spec) {
  for (const ActivationInfo& row : activation_table()) {
    if (row.name != json.text()) continue;
    spec.*field = row.activation;
    return;
  }
  json.fail("is no activation of this program");
}

Kernel kernel_from_json(const JsonValue& json) {
  for (const KernelInfo& info : kernel_table()) {
    if (info.name != json.at("name").text()) continue;
    KernelSpec spec;
    spec.family = info.family;
    for (const KernelParameter& parameter : info.parameters)
      if (!parameter.implied || json.has(parameter.key))
        std::visit([&](auto field) { read_parameter(json.at(parameter.key), field, spec); }, parameter.field);
    try {
      return Kernel::make(spec);
    } catch (const ConfigError& error) {
      json.fail(std::string("is out of range: ") + error.what());
    }
  }
  json.at("name").fail("is no kernel of this program");
}

/// What `feature_matrix` says.
template <class Scalar>
std::string form_in_words(const FeatureMatrix<Scalar>& m, const Matrix<Scalar>& centers) {
  switch (m.form()) {
    case Form<Scalar>::diagonal:
      return (m.diagonal_part().array() == Scalar(1)).all() ? "identity" : "diagonal";
    case Form<Scalar>::dense:
      return "dense";
    case Form<Scalar>::sandwich:
      break;
  }
  return m.factor().data() == centers.data() ? "factors over centers" : "factors";
}

template <class Scalar>
void add_metric(const FeatureMatrix<Scalar>& m, const Matrix<Scalar>& centers, const std::string& prefix,
                SafetensorsWriter& file) {
  const std::string form = form_in_words(m, centers);
  file.add_text(prefix + "feature_matrix", form);
  if (form == "diagonal") file.add(prefix + "M", m.diagonal_part());
  if (form == "dense") file.add(prefix + "M", m.dense_part());
  if (form == "factors") file.add(prefix + "M.F", m.factor());
  if (m.form() == Form<Scalar>::sandwich && !m.core_is_identity()) file.add(prefix + "M.C", m.core());
}

template <class Scalar>
FeatureMatrix<Scalar> read_metric(const SafetensorsFile& file, const std::string& prefix,
                                  const std::shared_ptr<const Matrix<Scalar>>& centers) {
  using Features = FeatureMatrix<Scalar>;
  const auto said = file.metadata().find(prefix + "feature_matrix");
  const std::string form = said == file.metadata().end() ? "" : said->second;
  const Index d = centers->cols();
  if (form == "identity") return Features::identity(d);
  if (form == "diagonal")
    return Features::diagonal_form(Vector<Scalar>(file.matrix<Scalar>(prefix + "M", d, 0).col(0)));
  if (form == "dense") return Features::dense(file.matrix<Scalar>(prefix + "M", d, d));
  std::shared_ptr<const Matrix<Scalar>> factor = centers;
  if (form == "factors")
    factor = std::make_shared<const Matrix<Scalar>>(file.matrix<Scalar>(prefix + "M.F", -1, d));
  else if (form != "factors over centers")
    throw DataError(file.path().string() + ": its metadata do not say in which form M is; damaged");
  if (!file.has(prefix + "M.C")) return Features::sandwich(std::move(factor));
  const Index r = factor->rows();
  return Features::sandwich(std::move(factor), file.matrix<Scalar>(prefix + "M.C", r, r));
}

template <class Scalar>
std::shared_ptr<const Matrix<Scalar>> centers_of(
    const SafetensorsFile& file, const std::string& prefix, Index n,
    const std::function<std::shared_ptr<const Matrix<Scalar>>()>& read_centers) {
  const auto kept = file.metadata().find(prefix + "centers"),
             checksum_there = file.metadata().find(prefix + "centers_crc32");
  if (kept == file.metadata().end() || checksum_there == file.metadata().end())
    throw DataError(file.path().string() + ": its metadata do not say where the centres are; damaged");
  const bool elsewhere = kept->second == kElsewhere;
  const std::shared_ptr<const Matrix<Scalar>> centers =
      elsewhere ? read_centers()
                : std::make_shared<const Matrix<Scalar>>(file.matrix<Scalar>(prefix + "centers", n, -1));
  if (centers->rows() == n && checksum(*centers) == checksum_there->second) return centers;
  throw DataError(file.path().string() +
                  (elsewhere ? ": the training rows are not those that the model was fitted on: the data have changed"
                             : ": the centres are damaged"));
}

}  // namespace

template <class Scalar>
void add_machine(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const Matrix<Scalar>& centers,
                 const Matrix<Scalar>& alpha, CentersKept kept, SafetensorsWriter& file, const std::string& prefix) {
  file.add_text(prefix + "kernel", to_json(kernel).dump());
  file.add(prefix + "alpha", alpha);
  add_metric(metric, centers, prefix, file);
  file.add_text(prefix + "centers", kept == CentersKept::in_file ? kInFile : kElsewhere);
  file.add_text(prefix + "centers_crc32", checksum(centers));
  if (kept == CentersKept::in_file) file.add(prefix + "centers", centers);
}

template <class Scalar>
void add_machine(const KernelMachine<Scalar>& machine, CentersKept centers, SafetensorsWriter& file,
                 const std::string& prefix) {
  add_machine(machine.kernel(), machine.metric(), machine.centers(), machine.alpha(), centers, file, prefix);
}

template <class Scalar>
KernelMachine<Scalar> read_machine(const SafetensorsFile& file,
                                   const std::function<std::shared_ptr<const Matrix<Scalar>>()>& read_centers,
                                   const std::string& prefix) {
  Matrix<Scalar> alpha = file.matrix<Scalar>(prefix + "alpha", -1, -1);
  const Kernel kernel = kernel_from_json(file.metadata_json(prefix + "kernel"));
  const std::shared_ptr<const Matrix<Scalar>> centers = centers_of<Scalar>(file, prefix, alpha.rows(), read_centers);
  return KernelMachine<Scalar>(kernel, read_metric<Scalar>(file, prefix, centers), centers, std::move(alpha));
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                     \
  template void add_machine(const KernelMachine<Scalar>&, CentersKept, SafetensorsWriter&, const std::string&);        \
  template void add_machine(const Kernel&, const FeatureMatrix<Scalar>&, const Matrix<Scalar>&, const Matrix<Scalar>&, \
                            CentersKept, SafetensorsWriter&, const std::string&);                                      \
  template KernelMachine<Scalar> read_machine(                                                                         \
      const SafetensorsFile&, const std::function<std::shared_ptr<const Matrix<Scalar>>()>&, const std::string&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
