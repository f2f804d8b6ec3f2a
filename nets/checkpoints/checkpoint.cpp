#include "nets/checkpoints/checkpoint.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/files/npy.h"
#include "core/files/tensors/safetensors.h"
#include "nets/checkpoints/describe_layout.h"
#include "nets/checkpoints/formats/state_dict.h"
#include "nets/checkpoints/formats/torch_archive.h"
#include "nets/checkpoints/layer_numbers.h"
#include "nets/checkpoints/names/telling_names.h"
#include "nets/checkpoints/script_layout.h"

namespace ansatz::nets {
namespace {

using Path = std::filesystem::path;

std::string first_bytes(const Path& path) {
  constexpr std::size_t enough = 64;
  require_regular_file(path);
  std::string bytes(enough, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in) throw DataError(path.string() + ": cannot be read; does the file exist?");
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}
bool is_npy(const std::string& bytes) { return starts_with(bytes, "\x93NUMPY"); }

double epsilon_of(const KnownLayers& known) {
  constexpr double pytorch_default = 1e-5;
  return known.batch_norm_epsilon.value_or(pytorch_default);
}

// --- one file with all layers
// --------------------------------------------------------------------------------------------

/// A dict that was sorted, or went through safetensors, has lost the order of registration. (In that order a layer's
/// weight stands before its bias.)
FileOrder order_of(const std::vector<TensorInfo>& tensors) {
  const bool sorted = std::is_sorted(tensors.begin(), tensors.end(),
                                     [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; });
  return sorted ? FileOrder::none : FileOrder::registered;
}

NetworkLayout layout_in(const TorchArchive& file, const std::string& path, const KnownLayers& known) {
  if (const std::string& script = file.script_class(); !script.empty()) {
    const ScriptSource source = {[&](const std::string& module) { return file.code_of(module); }, file.settings()};
    return layout_of_script(path, file.tensors(), forward_chain(script, source, path), known);
  }
  return layout_of(path, network_parts(path, file.tensors()), known, order_of(file.tensors()));
}

/// The tensors, and those that safetensors.torch.save_model left out because they are others once more: its metadata
/// say which ("fc3.weight": "fc2.weight").
std::vector<TensorInfo> with_tied(const SafetensorsFile& file) {
  std::vector<TensorInfo> tensors = file.tensors();
  const auto find = [&](const std::string& name) {
    return std::find_if(tensors.begin(), tensors.end(), [&](const TensorInfo& tensor) { return tensor.name == name; });
  };
  for (const auto& [name, kept] : file.metadata()) {
    const auto stored = find(kept);
    if (stored == tensors.end() || find(name) != tensors.end()) continue;
    TensorInfo tied = *stored;
    tied.name = name;
    tensors.push_back(std::move(tied));
  }
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const TensorInfo& a, const TensorInfo& b) { return natural_less(a.name, b.name); });
  return tensors;
}

NetworkLayout layout_in(const SafetensorsFile& file, const std::string& path, const KnownLayers& known) {
  return layout_of(path, network_parts(path, only_below(known.part, path, with_tied(file))), known, FileOrder::none);
}

std::string key_of(const TorchArchive& file) { return file.under(); }
std::string key_of(const SafetensorsFile&) { return ""; }

/// The activation between the layers, and where it is known from.
std::pair<Activation, std::string> activation_of(const std::string& path, const NetworkLayout& layout,
                                                 const KnownLayers& known) {
  if (!layout.activation) {
    const Activation activation = known.activation.value_or(Activation::relu);
    return {activation, info_of(activation).name + (known.activation ? " as given" : " assumed")};
  }
  const auto& table = activation_table();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const ActivationInfo& info) { return info.name == *layout.activation; });
  if (found == table.end()) throw DataError(path + ": its code applies " + *layout.activation);
  if (known.activation && *known.activation != found->activation)
    throw ConfigError("`activation`: is " + info_of(*known.activation).name + ", but the code in " + path +
                      " applies " + found->name + "; leave it out");
  return {found->activation, found->name + " by its code"};
}

std::string assumed_in(const NetworkLayout& layout, const KnownLayers& known) {
  if (layout.layers.size() < 2) return "";
  const bool activation = !layout.activation && !known.activation;
  std::string text = activation ? "the activation relu" : "";
  if (layout.as_stored) text += (activation ? " and " : "") + std::string("the order in which its layers are stored");
  return text;
}

CheckpointOutline outline_of(const std::string& path, const NetworkLayout& layout, const std::string& under,
                             const KnownLayers& known) {
  const auto [activation, text] = activation_of(path, layout, known);
  const ReadingNotes notes = {text, under, epsilon_of(known), known.batch_norm_epsilon.has_value()};
  return {widths_of(layout), activation, describe_layout(layout, notes), assumed_in(layout, known)};
}

void require_whole(const Path& path) {
  constexpr const char* join =
      "put the tensors of all of them into one dict (safetensors.torch.load_file or torch.load of each) and save that";
  const std::string name = path.filename().string();
  if (const int shards = shards_of(name); shards > 1)
    throw DataError(path.string() + ": one of " + std::to_string(shards) + " files that hold a network together; " +
                    join);
  if (path.extension() == ".json")
    throw DataError(path.string() + ": the index of a network in several files; " + join);
}

/// Calls use(open file, layout) for the file, of whichever format it is.
template <class Use>
auto with_file(const Path& path, const KnownLayers& known, Use&& use) {
  require_whole(path);
  const std::string start = first_bytes(path), name = path.string();
  if (starts_with(start, std::string("PK\x03\x04"))) {
    const TorchArchive file(path, known.part);
    return use(file, layout_in(file, name, known));
  }
  if (is_legacy_torch_file(start)) {
    throw DataError(
        name + ": written in PyTorch's format from before 1.6; load it with a current PyTorch and torch.save it again");
  }
  // A safetensors file has no magic number: eight bytes of length, then JSON.
  if (path.extension() == ".safetensors" || (start.size() > 8 && start[8] == '{')) {
    const SafetensorsFile file(path);
    return use(file, layout_in(file, name, known));
  }
  throw DataError(
      name + ": neither .npy, nor .safetensors, nor a .pt/.pth of torch.save or torch.jit.save; truncated or damaged?");
}

// --- an .npy file for each array
// -------------------------------------------------------------------------------------------

/// Which of the files are the weights and the biases of a layer, from their headers.
struct NpyLayer {
  Path weight, bias;  ///< bias: empty if there is none
  Index outputs = 0, inputs = 0;
};

NpyLayer weight_in(const Path& path, const std::vector<std::int64_t>& shape, const std::vector<NpyLayer>& before) {
  if (shape.size() != 2) {
    throw DataError(path.string() + ": an array of " + shape_text(shape) +
                    ", but a layer's weights are a matrix, outputs x inputs, and its biases a vector after it");
  }
  if (!before.empty() && before.back().outputs != shape[1]) {
    throw DataError(path.string() + ": " + shape_text(shape) + " cannot follow a layer with " +
                    std::to_string(before.back().outputs) +
                    " outputs: its columns must equal the rows before (outputs x inputs, first layer first)");
  }
  return {path, {}, shape[0], shape[1]};
}

std::vector<NpyLayer> npy_layers(const std::vector<Path>& files) {
  std::vector<NpyLayer> layers;
  for (const Path& path : files) {
    if (!is_npy(first_bytes(path)))
      throw DataError(path.string() + ": not a .npy file; of other formats give one file with all layers");
    const std::vector<Index> header_shape = read_npy_header(path).shape;
    const std::vector<std::int64_t> shape(header_shape.begin(), header_shape.end());
    if (shape.size() != 1 || layers.empty() || !layers.back().bias.empty()) {
      layers.push_back(weight_in(path, shape, layers));
    } else if (shape[0] != layers.back().outputs) {
      throw DataError(path.string() + ": " + shape_text(shape) + " biases cannot be those of the layer before, with " +
                      std::to_string(layers.back().outputs) + " outputs");
    } else {
      layers.back().bias = path;
    }
  }
  return layers;
}

template <class Scalar>
Matrix<Scalar> finite_array(const Path& path) {
  Matrix<Scalar> array = read_npy<Scalar>(path);
  if (array.size() == 0 || !array.allFinite())
    throw DataError(path.string() + ": the numbers of a layer are empty, NaN or infinite");
  return array;
}

/// As if one file held them, under the names of theirs.
CheckpointOutline outline_of(const std::vector<NpyLayer>& layers, const KnownLayers& known) {
  NetworkLayout layout;
  for (const NpyLayer& layer : layers) {
    LinearTensors linear;
    linear.name = layer.weight.filename().string();
    linear.weight.shape = {layer.outputs, layer.inputs};
    if (!layer.bias.empty()) linear.bias.emplace();
    layout.layers.push_back({linear, {}, {}});
  }
  return outline_of(layers.front().weight.string(), layout, "", known);
}

bool are_npy(const std::vector<Path>& files) {
  if (files.empty()) throw DataError("no file of weights given");
  return files.size() > 1 || is_npy(first_bytes(files.front()));
}

}  // namespace

CheckpointOutline checkpoint_outline(const std::vector<Path>& files, const KnownLayers& known) {
  if (are_npy(files)) return outline_of(npy_layers(files), known);
  return with_file(files.front(), known, [&](const auto& file, const NetworkLayout& layout) {
    return outline_of(files.front().string(), layout, key_of(file), known);
  });
}

template <class Scalar>
Checkpoint<Scalar> read_checkpoint(const std::vector<Path>& files, const KnownLayers& known) {
  if (are_npy(files)) {
    const std::vector<NpyLayer> layers = npy_layers(files);
    Checkpoint<Scalar> checkpoint{outline_of(layers, known), {}};
    for (const NpyLayer& layer : layers) {
      checkpoint.layers.push_back({finite_array<Scalar>(layer.weight), {}});
      if (!layer.bias.empty()) checkpoint.layers.back().bias = finite_array<Scalar>(layer.bias).col(0);
    }
    return checkpoint;
  }
  return with_file(files.front(), known, [&](const auto& file, const NetworkLayout& layout) {
    return Checkpoint<Scalar>{outline_of(files.front().string(), layout, key_of(file), known),
                              layer_numbers<Scalar>(files.front().string(), file, layout, epsilon_of(known))};
  });
}

template Checkpoint<float> read_checkpoint<float>(const std::vector<Path>&, const KnownLayers&);
template Checkpoint<double> read_checkpoint<double>(const std::vector<Path>&, const KnownLayers&);

}  // namespace ansatz::nets
