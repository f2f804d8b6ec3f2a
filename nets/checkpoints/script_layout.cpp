#include "nets/checkpoints/script_layout.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/error.h"

namespace ansatz::nets {
namespace {

using Kind = ForwardStep::Kind;

/// "body.fc1" of "body.fc1.weight"; a name that does not end so stays.
std::string module_of(const std::string& tensor, const std::string& end = ".weight") {
  const bool ends = tensor.size() > end.size() && tensor.compare(tensor.size() - end.size(), end.size(), end) == 0;
  return ends ? tensor.substr(0, tensor.size() - end.size()) : tensor;
}

class Builder {
 public:
  Builder(const std::string& file, const std::vector<TensorInfo>& tensors) : file_(file) {
    for (const TensorInfo& tensor : tensors) tensors_.emplace(tensor.name, &tensor);
  }

  NetworkLayout build(const std::vector<ForwardStep>& steps) {
    for (const ForwardStep& step : steps) {
      if (layout_.left_out) refuse("does something after the " + *layout_.left_out + " of its outputs");
      switch (step.kind) {
        case Kind::linear:
          linear(step);
          break;
        case Kind::batch_norm:
          batch_norm(step);
          break;
        case Kind::activation:
          if (layout_.layers.empty()) refuse("applies " + step.what + " to its inputs");
          if (!activation_.empty()) refuse("applies " + step.what + " after " + activation_);
          activation_ = step.what;
          break;
        case Kind::softmax:
          layout_.left_out = step.what;
          break;
        case Kind::other:
          refuse("uses " + printable(step.what));
      }
    }
    if (layout_.layers.empty()) refuse("has no Linear layer");
    if (!activation_.empty() || !before_.empty())
      refuse("applies " + (activation_.empty() ? std::string("a batch normalisation") : activation_) +
             " after its last layer");
    return std::move(layout_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw DataError(file_ + ": its code " + what + "; " + only_linear + ", with one activation between the layers");
  }

  TensorInfo tensor(const std::string& name, const std::vector<std::int64_t>& shape = {}) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
      throw DataError(file_ + ": its code uses '" + printable(name) + "', which is not there");
    const TensorInfo& info = *found->second;
    check_tensor(file_, info);
    if (!shape.empty() && info.shape != shape)
      throw DataError(place(file_, info) + " must be of shape " + shape_text(shape) + " where its code uses it");
    return info;
  }

  std::int64_t width() const { return layout_.layers.back().linear.weight.shape[0]; }

  LinearTensors weight_of(const ForwardStep& step) const {
    LinearTensors linear;
    linear.name = module_of(step.weight);
    linear.weight = tensor(step.weight);
    if (linear.weight.shape.size() != 2) throw DataError(place(file_, linear.weight) + " is no matrix");
    if (!step.magnitude.empty()) {
      for (const char* end : {".weight_v", ".parametrizations.weight.original1"})
        linear.name = module_of(linear.name, end);
      linear.magnitude = tensor(step.magnitude);
      if (!is_magnitude_of(*linear.magnitude, linear.weight))
        throw DataError(place(file_, *linear.magnitude) + " is no magnitude for the " +
                        shape_text(linear.weight.shape) + " directions that its code uses it with");
    }
    if (!step.transposed) return linear;
    linear.weight = transposed(linear.weight);
    if (linear.magnitude && linear.magnitude->shape.size() == 2) linear.magnitude = transposed(*linear.magnitude);
    return linear;
  }

  void linear(const ForwardStep& step) {
    if (!layout_.layers.empty()) {
      const std::string between = activation_.empty() ? "linear" : activation_;
      if (layout_.activation && *layout_.activation != between)
        refuse("applies " + *layout_.activation + " after one layer and " + between + " after another");
      layout_.activation = between;
    }
    LayoutLayer layer;
    layer.linear = weight_of(step);
    const std::vector<std::int64_t>& shape = layer.linear.weight.shape;
    if (!layout_.layers.empty() && width() != shape[1])
      throw DataError(place(file_, layer.linear.weight) + " cannot follow a layer of " + std::to_string(width()) +
                      " outputs");
    if (!step.bias.empty()) layer.linear.bias = tensor(step.bias, {shape[0]});
    for (const BatchNormTensors& norm : before_) require_size(norm, shape[1]);
    layer.before.swap(before_);
    layout_.layers.push_back(std::move(layer));
    activation_.clear();
  }

  void batch_norm(const ForwardStep& step) {
    BatchNormTensors norm;
    norm.mean = tensor(step.mean);
    if (norm.mean.shape.size() != 1) throw DataError(place(file_, norm.mean) + " is no vector");
    norm.variance = tensor(step.variance, norm.mean.shape);
    if (!step.weight.empty()) norm.weight = tensor(step.weight, norm.mean.shape);
    if (!step.bias.empty()) norm.bias = tensor(step.bias, norm.mean.shape);
    norm.epsilon = step.epsilon;
    norm.name = module_of(step.mean, ".running_mean");
    if (layout_.layers.empty() || !activation_.empty()) {
      before_.push_back(std::move(norm));
    } else {
      require_size(norm, width());
      layout_.layers.back().after.push_back(std::move(norm));
    }
  }

  void require_size(const BatchNormTensors& norm, std::int64_t size) const {
    if (norm.mean.shape[0] != size)
      throw DataError(place(file_, norm.mean) + " normalises what has " + std::to_string(size) + " entries");
  }

  const std::string& file_;
  std::unordered_map<std::string, const TensorInfo*> tensors_;
  NetworkLayout layout_;
  std::string activation_;                // since the last layer
  std::vector<BatchNormTensors> before_;  // since the last activation
};

[[noreturn]] void contradicts(const std::string& option, const std::string& file, const std::string& code) {
  throw ConfigError("`" + option + "`: contradicts the code in " + file + ", which " + code + "; leave it out");
}

void check_names(const std::string& file, const NetworkLayout& layout, const KnownLayers& known) {
  std::vector<std::string> names;
  for (const LayoutLayer& layer : layout.layers) {
    for (const BatchNormTensors& norm : layer.before) names.push_back(norm.name);
    names.push_back(layer.linear.name);
    for (const BatchNormTensors& norm : layer.after) names.push_back(norm.name);
  }
  // Those named must come in this order, whichever are named.
  auto from = names.begin();
  for (const std::string& name : known.names) {
    from = std::find(from, names.end(), module_of(name));
    if (from == names.end()) contradicts("layer_names", file, "does not apply '" + printable(name) + "' there");
    ++from;
  }
}

void check_batch_norms(const std::string& file, const NetworkLayout& layout, const KnownLayers& known) {
  if (!known.batch_norm) return;
  const bool wanted_before = *known.batch_norm == BatchNormPlace::before_activation;
  for (std::size_t l = 0; l + 1 < layout.layers.size(); ++l) {
    const auto& elsewhere = wanted_before ? layout.layers[l + 1].before : layout.layers[l].after;
    if (!elsewhere.empty() && layout.activation != "linear")
      contradicts("batch_norm", file,
                  std::string("has it ") + (wanted_before ? "after" : "before") + " the activation");
  }
}

}  // namespace

NetworkLayout layout_of_script(const std::string& file, const std::vector<TensorInfo>& tensors,
                               const std::vector<ForwardStep>& steps, const KnownLayers& known) {
  const NetworkLayout layout = Builder(file, tensors).build(steps);
  check_names(file, layout, known);
  check_batch_norms(file, layout, known);
  return layout;
}

}  // namespace ansatz::nets
