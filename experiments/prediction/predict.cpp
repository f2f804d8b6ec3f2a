#include "experiments/prediction/predict.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/config/config.h"
#include "core/data/class_coding.h"
#include "core/data/loading/new_rows.h"
#include "core/data/loading/stored/load_stored.h"
#include "core/features/predictor.h"
#include "core/files/csv_cell.h"
#include "core/files/files.h"
#include "core/files/npy.h"
#include "core/files/tensors/safetensors.h"
#include "core/run/data_form.h"
#include "core/run/run_directory.h"
#include "experiments/options/option_names.h"
#include "experiments/options/options.h"
#include "experiments/prediction/model_format.h"
#include "nets/activation.h"
#include "nets/mlp.h"
#include "rfm/storage/machine_file.h"
#include "rfm/trees/tree_file.h"
#include "viz/images/feature_image.h"

namespace ansatz::experiments {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const std::string& text_in(const SafetensorsFile& file, const char* key) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end())
    throw DataError(fmt::format("{}: its metadata have no '{}'; not a model of this program, or damaged",
                                file.path().string(), key));
  return found->second;
}

bool has_network_weights(const fs::path& models) {
  return fs::exists(models / "network.safetensors") || fs::exists(models / "network.W1.npy");
}

/// A file that was written for the asking, whole.
SafetensorsFile open_model(const fs::path& path, const Names& kinds) {
  SafetensorsFile file(path);
  const bool known = std::find(kinds.begin(), kinds.end(), text_in(file, "model")) != kinds.end();
  if (text_in(file, "format") != kModelFormat || !known)
    throw DataError(path.string() + ": not a model that this version of ansatz can ask");
  if (text_in(file, "data_crc32") != file.data_checksum())
    throw DataError(path.string() + ": its checksum is wrong, it was damaged or edited");
  return file;
}

/// The training rows' inputs, read again as the run has read them, by read(options, stream).
template <class Read>
auto training_inputs(const SafetensorsFile& file, const Read& read) {
  const std::string label = file.path().string() + ": the data set";
  const Config section = Config::from_string(text_in(file, "dataset"), label);
  const auto seed = static_cast<std::uint64_t>(std::strtoull(text_in(file, "seed").c_str(), nullptr, 10));
  const DatasetOptions options = parse_dataset(section);
  return in_section("dataset", [&] { return read(options, RandomStream(seed)); });
}

template <class Scalar>
rfm::KernelMachine<Scalar> read_machine(const SafetensorsFile& file) {
  return rfm::read_machine<Scalar>(file, [&] {
    return training_inputs(file, [](const DatasetOptions& options, const RandomStream& stream) {
      return std::make_shared<const Matrix<Scalar>>(
          load_dataset<Scalar>(options, stream, viz::read_image_planes).train.inputs);
    });
  });
}

template <class Scalar>
rfm::RfmTree<Scalar> read_tree(const SafetensorsFile& file) {
  return rfm::read_tree<Scalar>(file.path(), [&] {
    return training_inputs(file, [](const DatasetOptions& options, const RandomStream& stream) {
      return load_stored<Scalar>(options, stream, viz::read_image_planes).train.inputs;
    });
  });
}

template <class Scalar>
nets::Mlp<Scalar> read_network(const fs::path& models, const std::string& activation) {
  const auto& table = nets::activation_table();
  const auto row = std::find_if(table.begin(), table.end(), [&](const auto& r) { return r.name == activation; });
  if (row == table.end())
    throw DataError("the network's activation is " + activation + ", which is none of this program's");
  std::vector<nets::LinearLayer<Scalar>> layers;
  if (const fs::path path = models / "network.safetensors"; fs::exists(path)) {
    const SafetensorsFile file(path);
    for (std::string name; file.has((name = fmt::format("layers.{}.", layers.size())) + "weight");) {
      layers.push_back({file.matrix<Scalar>(name + "weight", -1, -1), {}});
      if (file.has(name + "bias")) layers.back().bias = file.matrix<Scalar>(name + "bias", -1, 0).col(0);
    }
  } else {
    for (fs::path weight; fs::exists(weight = models / fmt::format("network.W{}.npy", layers.size() + 1));) {
      const fs::path bias = models / fmt::format("network.b{}.npy", layers.size() + 1);
      layers.push_back({read_npy<Scalar>(weight), {}});
      if (fs::exists(bias)) layers.back().bias = read_npy<Scalar>(bias).col(0);
    }
  }
  return nets::Mlp<Scalar>(layers, row->activation);
}

/// A model, and the form of its data.
template <class Scalar>
struct AskedModel {
  DataForm<Scalar> form;
  std::unique_ptr<const Predictor<Scalar>> predictor;
};

template <class Scalar>
AskedModel<Scalar> read_model(const SafetensorsFile& file, const std::string& model) {
  AskedModel<Scalar> asked{read_data_form<Scalar>(file), nullptr};
  if (model == "network")
    asked.predictor = std::make_unique<const nets::Mlp<Scalar>>(
        read_network<Scalar>(file.path().parent_path(), text_in(file, "activation")));
  else if (text_in(file, "model") == kTree)
    asked.predictor = std::make_unique<const rfm::RfmTree<Scalar>>(read_tree<Scalar>(file));
  else
    asked.predictor = std::make_unique<const rfm::KernelMachine<Scalar>>(read_machine<Scalar>(file));
  if (asked.predictor->input_dimension() != asked.form.dimension ||
      asked.predictor->output_dimension() != asked.form.outputs)
    throw DataError(file.path().string() + ": the model does not fit what is said of its data; damaged");
  return asked;
}

/// What the outputs are called: the classes where each has one, else the target, or "output 0", ...
template <class Scalar>
Names output_names(const DataForm<Scalar>& form) {
  const bool one_each = form.class_codes.size() == 0 && static_cast<Index>(form.class_names.size()) == form.outputs;
  if (form.task == Task::classification && one_each) return form.class_names;
  if (form.task == Task::regression && form.outputs == 1 && form.transform.table) return {form.transform.table->target};
  Names names;
  for (Index j = 0; j < form.outputs; ++j) names.push_back(fmt::format("output {}", j));
  return names;
}

template <class Scalar>
std::string csv_of(const DataForm<Scalar>& form, const Matrix<Scalar>& outputs) {
  const bool classes = form.task == Task::classification;
  std::string text = classes ? "class" : "";
  for (const std::string& name : output_names(form)) text += (text.empty() ? "" : ",") + csv_cell(name);
  text += '\n';
  const std::vector<Index> called = classes ? decode_classes(outputs, form.class_codes) : std::vector<Index>();
  for (Index i = 0; i < outputs.rows(); ++i) {
    if (classes) {
      const auto k = static_cast<std::size_t>(called[static_cast<std::size_t>(i)]);
      text += k < form.class_names.size() ? csv_cell(form.class_names[k]) : std::to_string(k);
    }
    for (Index j = 0; j < outputs.cols(); ++j) text += fmt::format("{}{}", classes || j > 0 ? "," : "", outputs(i, j));
    text += '\n';
  }
  return text;
}

template <class Scalar>
void answer(const SafetensorsFile& file, const std::string& model, const fs::path& inputs, const fs::path& out) {
  const AskedModel<Scalar> asked = read_model<Scalar>(file, model);
  const Matrix<Scalar> rows = in_section("dataset", [&] {
    return read_new_rows<Scalar>(inputs, asked.form.transform, asked.form.dimension, asked.form.image_shape);
  });
  for (const std::string& text : unfamiliar_inputs(rows, asked.form.range, asked.form.transform))
    spdlog::warn("{}, {}", inputs.string(), text);
  const Matrix<Scalar> outputs = asked.form.target_scaling.to_original(asked.predictor->predict(rows));
  if (!outputs.allFinite())
    throw NumericalError(inputs.string() + ": some outputs are not finite; look for huge values in the inputs");
  if (out.extension() == ".csv")
    write_file_atomically(out, csv_of(asked.form, outputs));
  else
    write_npy<Scalar>(out, outputs);
}

/// Runs within a run: of several parts, or of several seeds.
Names runs_within(const fs::path& run) {
  Names found;
  std::error_code none;
  for (const fs::path& folder : {run / "parts", run})
    for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none))
      if (fs::exists(at->path() / "models")) found.push_back(at->path().string());
  std::sort(found.begin(), found.end());
  return found;
}

void require_model(const fs::path& run, const std::string& model) {
  if (const std::string status = read_manifest(run).at("status").text(); status != "finished")
    throw ConfigError(
        fmt::format("{} is not finished ({}): ansatz resume {} goes on with it", run.string(), status, run.string()));
  const Names models = saved_models(run);
  if (std::find(models.begin(), models.end(), model) != models.end()) return;
  if (!models.empty()) {
    const std::string near = nearest(model, models);
    throw ConfigError(
        fmt::format("{} has no model \"{}\"; {}", run.string(), model,
                    near.empty() ? fmt::format("it has: {}", fmt::join(models, ", ")) : "did you mean " + near + "?"));
  }
  if (const Names within = runs_within(run); !within.empty())
    throw ConfigError(
        fmt::format("{} consists of runs, whose models can be asked: {}", run.string(), fmt::join(within, ", ")));
  throw ConfigError(fmt::format("{} has kept no models; run it again with save.models: true{}", run.string(),
                                model == "network" ? " and save.weights: safetensors" : ""));
}

}  // namespace

Names saved_models(const fs::path& run) {
  const fs::path models = run / "models";
  Names names;
  std::error_code none;
  for (fs::directory_iterator at(models, none), end; !none && at != end; at.increment(none)) {
    const fs::path& path = at->path();
    const std::string name = path.stem().string();
    if (path.extension() != ".safetensors" || name == "network" || name == "network.initial") continue;
    if (name != "network.data")
      names.push_back(name);
    else if (has_network_weights(models))
      names.emplace_back("network");
  }
  std::sort(names.begin(), names.end());
  return names;
}

void predict(const fs::path& run, const std::string& model, const fs::path& inputs, const fs::path& out) {
  if (out.extension() != ".npy" && out.extension() != ".csv")
    throw ConfigError("--out " + out.string() + ": must end in .npy or .csv");
  require_model(run, model);
  const bool network = model == "network";
  const SafetensorsFile file = open_model(run / "models" / ((network ? "network.data" : model) + ".safetensors"),
                                          network ? Names{kNetworkData} : Names{kKernelMachine, kTree});
  const std::string& precision = text_in(file, "precision");
  if (precision != "float32" && precision != "float64")
    throw DataError(file.path().string() + ": its precision is neither float32 nor float64; damaged");
  precision == "float32" ? answer<float>(file, model, inputs, out) : answer<double>(file, model, inputs, out);
}

}  // namespace ansatz::experiments
