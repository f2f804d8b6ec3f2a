// A model of named tensors that computes by itself, in plain loops, what a network read from its file must give.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "nets/checkpoints/checkpoint.h"
#include "tests/support/checkpoint_files.h"
#include "tests/support/temporary_folder.h"

class TestModel {
 public:
  void add(const std::string& name, const std::vector<ansatz::Index>& shape, double shift = 0) {
    ansatz::Index size = 1;
    for (const ansatz::Index length : shape) size *= length;
    const auto values = ansatz::RandomStream(3).named(name).uniform_matrix<float>(1, size, -1, 1);
    NamedTensor tensor{name, shape, {}};
    for (ansatz::Index i = 0; i < size; ++i) tensor.values.push_back(values(0, i) + static_cast<float>(shift));
    tensors.push_back(tensor);
  }
  void linear(const std::string& name, ansatz::Index rows, ansatz::Index cols, bool bias = true) {
    add(name + ".weight", {rows, cols});
    if (bias) add(name + ".bias", {rows});
  }
  void batch_norm(const std::string& name, ansatz::Index size, bool affine = true) {
    if (affine) add(name + ".weight", {size});
    if (affine) add(name + ".bias", {size});
    add(name + ".running_mean", {size});
    add(name + ".running_var", {size}, 1.5);
    add(name + ".num_batches_tracked", {});
  }

  /// The steps, names of modules or "relu", one after the other.
  std::vector<double> operator()(std::vector<double> x, const std::vector<std::string>& steps) const {
    for (const std::string& step : steps) {
      if (step == "relu") {
        for (double& value : x) value = value > 0 ? value : 0;
      } else {
        x = find(step + ".running_mean") ? normalized(step, x) : transformed(step, x);
      }
    }
    return x;
  }

  std::vector<NamedTensor> tensors;
  double epsilon = 1e-5;

 private:
  const NamedTensor* find(const std::string& name) const {
    for (const NamedTensor& tensor : tensors)
      if (tensor.name == name) return &tensor;
    return nullptr;
  }
  double entry(const std::string& name, std::size_t i, double otherwise) const {
    const NamedTensor* tensor = find(name);
    return tensor ? static_cast<double>(tensor->values[i]) : otherwise;
  }
  std::vector<double> normalized(const std::string& step, std::vector<double> x) const {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = (x[i] - entry(step + ".running_mean", i, 0)) / std::sqrt(entry(step + ".running_var", i, 1) + epsilon) *
                 entry(step + ".weight", i, 1) +
             entry(step + ".bias", i, 0);
    return x;
  }
  std::vector<double> transformed(const std::string& step, const std::vector<double>& x) const {
    const auto rows = static_cast<std::size_t>(find(step + ".weight")->shape[0]);
    std::vector<double> y(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      y[i] = entry(step + ".bias", i, 0);
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += entry(step + ".weight", i * x.size() + j, 0) * x[j];
    }
    return y;
  }
};

/// The largest difference between a network and the steps of a model, at a few inputs.
inline double difference(const ansatz::nets::Mlp<double>& network, const TestModel& model,
                         const std::vector<std::string>& steps) {
  const auto x = ansatz::RandomStream(4).named("x").uniform_matrix<double>(20, network.input_dimension(), -2, 2);
  const ansatz::Matrix<double> f = network.predict(x);
  double largest = 0;
  for (ansatz::Index row = 0; row < x.rows(); ++row) {
    const std::vector<double> y = model({x.row(row).begin(), x.row(row).end()}, steps);
    for (ansatz::Index c = 0; c < f.cols(); ++c)
      largest = std::max(largest, std::abs(f(row, c) - y[static_cast<std::size_t>(c)]));
  }
  return largest;
}

enum class Format { torch, safetensors };

inline ansatz::nets::Checkpoint<double> read_model(const std::vector<NamedTensor>& tensors, Format format,
                                                   const ansatz::nets::KnownLayers& known = {}) {
  const TemporaryFolder folder;
  const auto path = format == Format::torch ? write_bytes(folder / "net.pt", torch_file(tensors))
                                            : write_bytes(folder / "net.safetensors", safetensors_file(tensors));
  return ansatz::nets::read_checkpoint<double>({path}, known);
}
inline ansatz::nets::Mlp<double> network_of(const ansatz::nets::Checkpoint<double>& checkpoint) {
  return ansatz::nets::Mlp<double>(checkpoint.layers, checkpoint.outline.activation);
}
