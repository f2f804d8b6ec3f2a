#include "experiments/prediction/model_files.h"

#include <nlohmann/json.hpp>

#include "core/files/files.h"
#include "core/files/tensors/safetensors_writer.h"
#include "core/run/data_form.h"
#include "experiments/prediction/model_format.h"
#include "nets/activation.h"
#include "rfm/storage/machine_file.h"
#include "rfm/trees/tree_file.h"

namespace ansatz::experiments {
namespace {

template <class Scalar>
constexpr const char* kPrecision = sizeof(Scalar) == 4 ? "float32" : "float64";

/// What stands in every model's file, and after all of its tensors.
template <class Scalar>
void add_kind(SafetensorsWriter& file, const std::string& kind) {
  file.add_text("format", kModelFormat);
  file.add_text("model", kind);
  file.add_text("precision", kPrecision<Scalar>);
  file.add_text("version", build_manifest()["version"].get<std::string>());
  file.add_text("data_crc32", file.checksum());
}

std::filesystem::path file_of(const std::string& name, const RunDirectory& directory) {
  make_folder(directory.path() / "models");
  return directory.path() / "models" / (name + ".safetensors");
}

template <class Scalar>
void write(SafetensorsWriter& file, const std::string& kind, const std::string& name, const RunDirectory& directory) {
  add_kind<Scalar>(file, kind);
  file.write(file_of(name, directory));
}

rfm::CentersKept where_centers_go(double bytes) {
  return bytes <= rfm::kFewCenterBytes ? rfm::CentersKept::in_file : rfm::CentersKept::elsewhere;
}

void add_origin(SafetensorsWriter& file, const DataOrigin& origin) {
  file.add_text("dataset", origin.yaml);
  file.add_text("seed", std::to_string(origin.seed));
}

}  // namespace

template <class Scalar>
void save_machine(const std::string& label, const rfm::KernelMachine<Scalar>& machine, const Split<Scalar>& split,
                  const FeatureComparisonOptions& options, const RunDirectory& directory) {
  const double bytes = static_cast<double>(machine.centers().size()) * sizeof(Scalar);
  const DataForm<Scalar> form = data_form_of(split);
  SafetensorsWriter file;
  rfm::add_machine(machine, where_centers_go(bytes), file);
  add_data_form(form, file);
  add_origin(file, {options.dataset_yaml, options.common.seed});
  write<Scalar>(file, kKernelMachine, label, directory);
}

template <class Scalar>
void save_tree(const std::string& label, const rfm::RfmTree<Scalar>& tree, const StoredDataset<Scalar>& train,
               const InputTransform& transform, const DataOrigin& origin, const RunDirectory& directory) {
  const Dataset<Scalar>& rest = train.rest;
  const DataForm<Scalar> form{transform,   tree.input_dimension(), tree.output_dimension(), rest.image_shape,
                              rest.task,   rest.class_names,       rest.class_codes,        rest.target_scaling,
                              InputRange()};
  const double bytes = static_cast<double>(train.size()) * static_cast<double>(tree.input_dimension()) * sizeof(Scalar);
  rfm::write_tree(file_of(label, directory), tree, where_centers_go(bytes), [&](SafetensorsWriter& file) {
    add_data_form(form, file);
    add_origin(file, origin);
    add_kind<Scalar>(file, kTree);
  });
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
  template void save_tree(const std::string&, const rfm::RfmTree<Scalar>&, const StoredDataset<Scalar>&,  \
                          const InputTransform&, const DataOrigin&, const RunDirectory&);                 \
  template void save_network_data(nets::Activation, const Split<Scalar>&, const RunDirectory&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::experiments
