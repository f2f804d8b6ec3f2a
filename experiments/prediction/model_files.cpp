#include "experiments/prediction/model_files.h"

#include <nlohmann/json.hpp>

#include "core/files/files.h"
#include "core/files/tensors/safetensors_writer.h"
#include "core/run/data_form.h"
#include "experiments/prediction/model_format.h"
#include "nets/activation.h"
#include "rfm/storage/machine_file.h"

namespace ansatz::experiments {
namespace {

template <class Scalar>
constexpr const char* kPrecision = sizeof(Scalar) == 4 ? "float32" : "float64";

template <class Scalar>
void write(SafetensorsWriter& file, const std::string& kind, const std::string& name, const RunDirectory& directory) {
  file.add_text("format", kModelFormat);
  file.add_text("model", kind);
  file.add_text("precision", kPrecision<Scalar>);
  file.add_text("version", build_manifest()["version"].get<std::string>());
  file.add_text("data_crc32", file.checksum());
  make_folder(directory.path() / "models");
  file.write(directory.path() / "models" / (name + ".safetensors"));
}

}  // namespace

template <class Scalar>
void save_machine(const std::string& label, const rfm::KernelMachine<Scalar>& machine, const Split<Scalar>& split,
                  const FeatureComparisonOptions& options, const RunDirectory& directory) {
  const double bytes = static_cast<double>(machine.centers().size()) * sizeof(Scalar);
  const DataForm<Scalar> form = data_form_of(split);
  SafetensorsWriter file;
  rfm::add_machine(machine, bytes <= rfm::kFewCenterBytes ? rfm::CentersKept::in_file : rfm::CentersKept::elsewhere,
                   file);
  add_data_form(form, file);
  file.add_text("dataset", options.dataset_yaml);
  file.add_text("seed", std::to_string(options.common.seed));
  write<Scalar>(file, kKernelMachine, label, directory);
}

template <class Scalar>
void save_network_data(nets::Activation activation, const Split<Scalar>& split, const RunDirectory& directory) {
  const DataForm<Scalar> form = data_form_of(split);
  SafetensorsWriter file;
  file.add_text("activation", nets::info_of(activation).name);
  add_data_form(form, file);
  write<Scalar>(file, kNetworkData, "network.data", directory);
}

double machine_file_bytes(const DatasetSize& size, double metric_numbers, Precision precision) {
  const double scalar = precision == Precision::float32 ? 4 : 8, n = static_cast<double>(size.train);
  const double centers = n * static_cast<double>(size.dimension) * scalar;
  return (n * static_cast<double>(size.outputs) + metric_numbers) * scalar +
         (centers <= rfm::kFewCenterBytes ? centers : 0);
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                        \
  template void save_machine(const std::string&, const rfm::KernelMachine<Scalar>&, const Split<Scalar>&, \
                             const FeatureComparisonOptions&, const RunDirectory&);                       \
  template void save_network_data(nets::Activation, const Split<Scalar>&, const RunDirectory&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::experiments
