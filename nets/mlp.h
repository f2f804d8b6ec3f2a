// A fully connected network as a value. This header includes no torch header, so that only nets/ is compiled with
// torch.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/random.h"
#include "core/features/feature_matrix.h"
#include "core/features/predictor.h"
#include "nets/activation.h"

namespace ansatz::nets {

/// Where tensors live and products are computed.
enum class Device { cpu, cuda };

enum class Initialization {
  /// Weights and biases U(-1/sqrt(fan_in), 1/sqrt(fan_in)), as torch.nn.Linear.
  pytorch_default,
  /// Parameters N(0,1); in the network, W_1 is multiplied by 1, a later W by sqrt(2/fan_in), and biases by 0.1 (Jacot
  /// et al. 2018). The 2 is the ReLU's, which loses half of the variance; other activations have the same factor. For a
  /// ReLU without biases, the empirical NTK tends to the Theta of docs/engine.md as the widths grow. Learning rates of
  /// SGD carry over from one width to another, and features move the less, the wider the network.
  ntk,
  /// The maximal-update parameterisation (Yang and Hu 2021) for SGD: features move by as much at every width, and its
  /// learning rates carry over, too. In the network W_1 ~ N(0, 1), a later W ~ N(0, 2/fan_in), the last one
  /// N(0, 1/fan_in^2), biases N(0, 0.1^2); these move at the learning rate times fan_out/fan_in (biases: fan_out /
  /// 100),
  /// the inputs and the outputs of the network counting as 1. That is the spectral condition of Yang, Simon and
  /// Bernstein (2023), but for inputs of length about 1. Adam would need other rates.
  mup
};

struct MlpOptions {
  std::vector<Index> hidden_layers = {1024, 1024};  ///< widths; empty: a linear model
  Activation activation = Activation::relu;
  bool bias = false;
  Initialization initialization = Initialization::pytorch_default;
  std::optional<double> first_layer_std;  ///< W1 ~ N(0, std^2) instead (paper, low-rank and grokking experiments)
  /// The last layer's outputs times this. Above 1, the outputs reach their targets before the weights have moved far:
  /// lazy training (Chizat, Oyallon and Bach 2019).
  double output_scale = 1;
};

/// z = W h + b.
template <class Scalar>
struct LinearLayer {
  Matrix<Scalar> weight;  ///< outputs x inputs
  Vector<Scalar> bias;    ///< outputs, or empty
};

/// f(x) = W_{L+1} phi(... phi(W_1 x + b_1) ...) + b_{L+1}. A copy is deep, and using a network never changes it;
/// tensors live on device(). Layers are counted from 1 as in the paper. With `ntk`, `mup` or an output_scale, the
/// weights returned are the effective ones (parameter times multiplier), so that predictions and feature matrices mean
/// the same for all initialisations.
template <class Scalar>
class Mlp final : public Predictor<Scalar> {
 public:
  /// Draws parameters from `stream` ("layer1.weight", "layer1.bias", ...), never from torch's generator. Throws
  /// ConfigError on widths below 1, or a first_layer_std or output_scale that is not positive.
  Mlp(Index inputs, Index outputs, const MlpOptions& options, const RandomStream& stream);
  /// A bias-free network with these weights (W_l is k_l x k_{l-1}). DataError if the inputs of a layer are not as many
  /// as the outputs of the layer before, or if an entry is not finite.
  explicit Mlp(const std::vector<Matrix<Scalar>>& weights, Activation activation = Activation::relu);
  /// One with these layers, some of which may have biases; options().bias says whether any has. DataError as before,
  /// and if a layer has another number of biases than of outputs.
  explicit Mlp(const std::vector<LinearLayer<Scalar>>& layers, Activation activation = Activation::relu);
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
  Vector<Scalar> bias(Index layer) const;                       ///< empty if that layer has none
  FeatureMatrix<Scalar> feature_matrix(Index layer = 1) const;  ///< W^T W as the sandwich (W, I)
  /// AGOP with respect to the input of `layer` (1: the network's input) over the rows of x, as the sandwich (W, H) with
  /// H = (1/m) sum_i sum_c h h^T, where h is the signal back-propagated to that layer's pre-activation. `center`
  /// subtracts, per output, the outer product of the mean signal, which is exact because grad f = W^T h is linear in h.
  /// Works in tiles of rows. Throws DataError if there are no rows.
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
