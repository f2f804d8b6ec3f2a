// A fully connected network as a value. No torch header here or in any header of nets/: this file is the fire door.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/random.h"
#include "core/features/feature_matrix.h"
#include "core/features/predictor.h"

namespace ansatz::nets {

/// Where tensors live and products are computed.
enum class Device { cpu, cuda };

/// max(z, 0) with derivative 0 at 0; tanh z; z^2; z.
enum class Activation { relu, tanh, quadratic, linear };

enum class Initialization {
  /// Weights and biases U(-1/sqrt(fan_in), 1/sqrt(fan_in)), as torch.nn.Linear.
  pytorch_default,
  /// Parameters N(0,1); W_1 times 1, later W times sqrt(2/fan_in), biases times 0.1 (Jacot et al. 2018). Without biases
  /// the empirical NTK tends to the Theta of docs/engine.md as the widths grow.
  ntk
};

struct MlpOptions {
  std::vector<Index> hidden_layers = {1024, 1024};  ///< widths; empty: a linear model
  Activation activation = Activation::relu;
  bool bias = false;
  Initialization initialization = Initialization::pytorch_default;
  std::optional<double> first_layer_std;  ///< W1 ~ N(0, std^2) instead (paper, low-rank and grokking experiments)
};

/// f(x) = W_{L+1} phi(... phi(W_1 x + b_1) ...) + b_{L+1}. Copies are deep and immutable in use; tensors live on
/// `device`. Layers are counted from 1 as in the paper. With the NTK parameterisation every weight returned is the
/// effective one (parameter times multiplier), so that predictions and feature matrices mean the same for all
/// initialisations.
template <class Scalar>
class Mlp final : public Predictor<Scalar> {
 public:
  /// Draws parameters from `stream` ("layer1.weight", "layer1.bias", ...), never from torch's generator. Throws
  /// ConfigError on widths below 1 or a first_layer_std that is not positive.
  Mlp(Index inputs, Index outputs, const MlpOptions& options, const RandomStream& stream);
  /// Bias-free from weights (W_l is k_l x k_{l-1}); DataError if shapes do not chain or an entry is not finite.
  explicit Mlp(const std::vector<Matrix<Scalar>>& weights, Activation activation = Activation::relu);
  Mlp(const Mlp&);
  Mlp(Mlp&&) noexcept;
  Mlp& operator=(const Mlp&);
  Mlp& operator=(Mlp&&) noexcept;
  ~Mlp() override;

  Index input_dimension() const override;
  Index output_dimension() const override;
  Matrix<Scalar> predict(const MatrixView<Scalar>& x) const override;
  /// By closed-form back-propagation, no autograd.
  Matrix<Scalar> input_jacobian(const MatrixView<Scalar>& x) const override;

  Device device() const;
  Mlp on(Device device) const;  ///< a copy there; ConfigError without CUDA

  Index layers() const;  ///< number of weight matrices, hidden layers + 1
  const MlpOptions& options() const;
  // Layers are counted from 1; ConfigError for another number.
  Matrix<Scalar> weight(Index layer) const;                     ///< W_layer, outputs x inputs of that layer
  Vector<Scalar> bias(Index layer) const;                       ///< empty without biases
  FeatureMatrix<Scalar> feature_matrix(Index layer = 1) const;  ///< W^T W as the sandwich (W, I)
  /// AGOP with respect to the input of `layer` over the rows of x (layer 1: of the network itself) as the sandwich
  /// (W, H), H = (1/m) sum_i sum_c h h^T, h the signal back-propagated to that layer's pre-activation. Centred: per
  /// output, minus the outer product of the mean signal: exact, since grad f = W^T h is linear in h. Streams over
  /// tiles. Throws DataError without rows.
  FeatureMatrix<Scalar> agop(const MatrixView<Scalar>& x, bool center, Index layer = 1) const;

  struct Impl;
  const Impl& impl() const { return *impl_; }  ///< for nets/ sources only
  explicit Mlp(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

/// LibTorch's thread counts (intra-op n, inter-op 1). Call once, right after ansatz::set_threads.
void set_threads(int threads);
/// "LibTorch 1.13.1 (CPU)", for the manifest.
std::string torch_description();
bool cuda_available();

}  // namespace ansatz::nets
