#include "nets/training/trainer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "core/machine/threads_worth.h"
#include "nets/tensors.h"
#include "nets/training/backpropagation.h"
#include "nets/training/output_loss.h"
#include "nets/training/train_state_impl.h"

namespace ansatz::nets {
namespace {

// Rows of one pass. A larger batch takes several passes, so that memory does not grow with the batch.
constexpr Index kRowsAtOnce = 4096;
// Batches between two checks of the loss. A check on a GPU has to wait until the GPU is done.
constexpr Index kBatchesBetweenChecks = 64;

template <class Scalar>
void check_shapes(const Dataset<Scalar>& data, Index inputs, Index outputs, const std::string& name) {
  const auto check = [&](Index found, Index expected, const char* what) {
    if (found != expected)
      throw DataError("network training: " + name + " has " + std::to_string(found) + " " + what + ", the network " +
                      std::to_string(expected));
  };
  check(data.dimension(), inputs, "inputs");
  check(data.outputs(), outputs, "outputs");
  if (data.targets.rows() != data.size())
    throw DataError("network training: " + name + " has " + std::to_string(data.size()) + " rows of inputs and " +
                    std::to_string(data.targets.rows()) + " of targets");
}

/// What the first layer is trained on: the inputs themselves, or their coordinates in the span of all inputs.
struct Inputs {
  at::Tensor train, validation;
};

template <class Scalar>
Inputs as_they_are(const Dataset<Scalar>& train, const Dataset<Scalar>& validation, at::Device device) {
  return {detail::view_of<Scalar>(train.inputs).to(device), detail::view_of<Scalar>(validation.inputs).to(device)};
}

/// The coordinates of the inputs in their span. `state` receives the span, and W_1 in it, unless it has them already.
template <class Scalar>
Inputs enter_span(typename TrainState<Scalar>::Impl& state, const Dataset<Scalar>& train,
                  const Dataset<Scalar>& validation, at::Device device) {
  const Index n = train.size(), m = validation.size();
  if (!state.in_span()) {
    Matrix<Scalar> rows(n + m, state.inputs);
    rows.topRows(n) = train.inputs;
    if (m > 0) rows.bottomRows(m) = validation.inputs;
    const LqFactors<Scalar> factors = lq_decomposition(std::move(rows));
    state.span.emplace(detail::to_tensor<Scalar>(factors.q, device), detail::to_tensor<Scalar>(factors.l, device),
                       state.start);
    state.current = state.span->project(std::move(state.current));
  }
  const at::Tensor& coordinates = state.span->coordinates;
  if (coordinates.size(0) != n + m)
    throw DataError("network training: the saved training had other data; delete it to train from the start");
  return {coordinates.narrow(0, 0, n), coordinates.narrow(0, n, m)};
}

template <class Scalar>
Inputs first_layer_inputs(typename TrainState<Scalar>::Impl& state, const Dataset<Scalar>& train,
                          const Dataset<Scalar>& validation, const TrainOptions& options, at::Device device) {
  const Index k = state.current.layers.front().weight.size(0);
  const bool in_span = state.history.empty() ? trains_in_span(options, train.size(), validation.size(), state.inputs, k)
                                             : state.in_span();
  return in_span ? enter_span<Scalar>(state, train, validation, device)
                 : as_they_are<Scalar>(train, validation, device);
}

template <class Scalar>
class Training {
 public:
  Training(typename TrainState<Scalar>::Impl& state, const Dataset<Scalar>& train_set,
           const Dataset<Scalar>& validation_set, const TrainOptions& options, const RandomStream& stream);

  /// One epoch of updates; the mean loss over it.
  double run_epoch(Index epoch);
  /// Appends the record of `epoch`, evaluating if it is due, and keeps the network if it is the best.
  void record(Index epoch, double train_loss);

 private:
  void step(const at::Tensor& x, const at::Tensor& y, at::Tensor& loss_sum);
  /// Over x and y, a part of a batch with the mean over that many terms.
  void pass(const at::Tensor& x, const at::Tensor& y, double terms, at::Tensor& loss_sum,
            const detail::LayerGradient& visit);
  Matrix<Scalar> outputs_on(Index epoch, const at::Tensor& inputs) const;
  void keep_if_best(Index epoch, const Metrics& validation);
  [[noreturn]] void fail(Index epoch, const char* what) const;

  typename TrainState<Scalar>::Impl& state_;
  const Dataset<Scalar>& train_set_;
  const Dataset<Scalar>& validation_set_;
  const TrainOptions& options_;
  const RandomStream& stream_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const double seconds_before_;
  const Index batch_size_;
  const at::Device device_;
  const Inputs inputs_;  // on the device, as are the targets; on the CPU views of the data sets, unless in the span
  const at::Tensor targets_;
  at::Tensor batch_inputs_, batch_targets_;
  detail::Optimizer optimizer_;
  detail::Backpropagation backpropagation_;
};

template <class Scalar>
Training<Scalar>::Training(typename TrainState<Scalar>::Impl& state, const Dataset<Scalar>& train_set,
                           const Dataset<Scalar>& validation_set, const TrainOptions& options,
                           const RandomStream& stream)
    : state_(state),
      train_set_(train_set),
      validation_set_(validation_set),
      options_(options),
      stream_(stream),
      seconds_before_(state.history.empty() ? 0 : state.history.back().seconds),
      batch_size_(options.batch_size == 0 ? train_set.size() : std::min(options.batch_size, train_set.size())),
      device_(state.current.device()),
      inputs_(first_layer_inputs(state, train_set, validation_set, options, device_)),
      targets_(detail::view_of<Scalar>(train_set.targets).to(device_)),
      optimizer_(options.optimizer, state.current, state.optimizer),
      backpropagation_(state.current, std::min(batch_size_, kRowsAtOnce)) {
  if (batch_size_ == train_set.size()) return;
  batch_inputs_ = at::empty({batch_size_, inputs_.train.size(1)}, inputs_.train.options());
  batch_targets_ = at::empty({batch_size_, train_set.outputs()}, inputs_.train.options());
}

template <class Scalar>
void Training<Scalar>::pass(const at::Tensor& x, const at::Tensor& y, double terms, at::Tensor& loss_sum,
                            const detail::LayerGradient& visit) {
  // The sum stays on the device, so that no step waits for it.
  const auto gradient = [&](const at::Tensor& f, at::Tensor& g) {
    detail::output_gradient(options_.loss, f, y, 1 / terms, g, loss_sum);
  };
  backpropagation_.run(state_.current, x, gradient, visit);
}

template <class Scalar>
void Training<Scalar>::step(const at::Tensor& x, const at::Tensor& y, at::Tensor& loss_sum) {
  const Index rows = x.size(0);
  const double terms = detail::loss_terms(options_.loss, rows, y.size(1));
  if (rows <= kRowsAtOnce) {
    optimizer_.begin_step();
    pass(x, y, terms, loss_sum,
         [this](std::size_t l, const at::Tensor& g, const at::Tensor& h) { optimizer_.update(l, g, h); });
    return;
  }
  const auto add = [this](std::size_t l, const at::Tensor& g, const at::Tensor& h) { optimizer_.accumulate(l, g, h); };
  for (Index begin = 0; begin < rows; begin += kRowsAtOnce) {
    const Index count = std::min(kRowsAtOnce, rows - begin);
    pass(x.narrow(0, begin, count), y.narrow(0, begin, count), terms, loss_sum, add);
  }
  optimizer_.apply_accumulated();
}

/// Of a step over that many rows: three products a weight, forward and back.
double operations_of_step(const detail::Stack& network, Index rows) {
  double weights = 0;
  for (const detail::Layer& layer : network.layers) weights += static_cast<double>(layer.weight.numel());
  return 6 * weights * static_cast<double>(rows);
}

template <class Scalar>
double Training<Scalar>::run_epoch(Index epoch) {
  const ThreadScope enough(threads_worth(operations_of_step(state_.current, batch_size_), threads()));
  const Index n = train_set_.size();
  at::Tensor loss_sum = at::zeros({}, inputs_.train.options().dtype(at::kDouble));
  if (batch_size_ == n) {
    step(inputs_.train, targets_, loss_sum);
  } else {
    const std::vector<Index> order = stream_.named("epoch/" + std::to_string(epoch)).permutation(n);
    const at::Tensor indices =
        at::from_blob(const_cast<Index*>(order.data()), {n}, at::TensorOptions().dtype(at::kLong)).to(device_);
    Index batches = 0;
    for (Index begin = 0; begin < n; begin += batch_size_) {
      const Index count = std::min(batch_size_, n - begin);
      const at::Tensor rows = indices.narrow(0, begin, count);
      at::Tensor x = batch_inputs_.narrow(0, 0, count), y = batch_targets_.narrow(0, 0, count);
      at::index_select_out(x, inputs_.train, 0, rows);
      at::index_select_out(y, targets_, 0, rows);
      step(x, y, loss_sum);
      if (++batches % kBatchesBetweenChecks == 0 && !std::isfinite(loss_sum.item<double>()))
        fail(epoch, "the loss is not finite");
    }
  }
  const double loss = loss_sum.item<double>() / detail::loss_terms(options_.loss, n, train_set_.outputs());
  if (!std::isfinite(loss)) fail(epoch, "the loss is not finite");
  return loss;
}

template <class Scalar>
Matrix<Scalar> Training<Scalar>::outputs_on(Index epoch, const at::Tensor& inputs) const {
  Matrix<Scalar> outputs = detail::to_matrix<Scalar>(detail::forward_in_tiles(state_.current, inputs));
  if (!outputs.allFinite()) fail(epoch, "a prediction is not finite");
  return outputs;
}

template <class Scalar>
void Training<Scalar>::record(Index epoch, double train_loss) {
  EpochRecord record;
  record.epoch = epoch;
  record.train_loss = train_loss;
  // Needed in every epoch: the loss is that before the last step, and the callback gets the weights after it.
  for (const at::Tensor& p : state_.current.parameters())
    if (!std::isfinite(p.sum(at::kDouble).template item<double>())) fail(epoch, "a parameter is not finite");
  if (epoch % options_.evaluate_every == 0 || epoch == options_.epochs) {
    const Matrix<Scalar> outputs = outputs_on(epoch, inputs_.train);
    record.train = evaluate(outputs, train_set_, options_.loss);
    record.train_loss = record.train->cross_entropy ? *record.train->cross_entropy
                                                    : evaluate(outputs, train_set_.targets, Task::regression).mse;
    if (!std::isfinite(record.train_loss)) fail(epoch, "the loss is not finite");
    if (!validation_set_.empty()) {
      record.validation = evaluate(outputs_on(epoch, inputs_.validation), validation_set_, options_.loss);
      if (!std::isfinite(record.validation->loss())) fail(epoch, "the validation loss is not finite");
      if (options_.keep_best) keep_if_best(epoch, *record.validation);
    }
  }
  record.seconds = seconds_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  state_.history.push_back(record);
}

template <class Scalar>
void Training<Scalar>::keep_if_best(Index epoch, const Metrics& validation) {
  if (state_.best && !at_least_as_good(validation, state_.best_metrics)) return;
  state_.best = state_.current.copy_to(device_);
  state_.best_epoch = epoch;
  state_.best_metrics = validation;
}

template <class Scalar>
void Training<Scalar>::fail(Index epoch, const char* what) const {
  throw NumericalError("network training diverged in epoch " + std::to_string(epoch) + ": " + what +
                       fmt::format(" at learning rate {:g}", options_.optimizer.learning_rate) +
                       "; lower `optimizer.learning_rate`, scale the inputs, or use a smaller `first_layer_std`");
}

template <class Scalar>
void move_to(at::Device device, typename TrainState<Scalar>::Impl& state) {
  if (state.current.device() != device) state.current = state.current.copy_to(device);
  if (state.best && state.best->device() != device) state.best = state.best->copy_to(device);
  state.start = state.start.to(device);
  if (state.span && state.span->basis.device() != device)
    state.span.emplace(state.span->basis.to(device), state.span->coordinates.to(device), state.start);
  for (auto* buffers : {&state.optimizer.first, &state.optimizer.second})
    for (at::Tensor& t : *buffers) t = t.to(device);
}

bool has_reached(double loss, const EpochRecord& epoch) { return loss > 0 && epoch.train && epoch.train_loss <= loss; }

}  // namespace

template <class Scalar>
TrainState<Scalar> train(TrainState<Scalar> state, const Dataset<Scalar>& train_set,
                         const Dataset<Scalar>& validation_set, const TrainOptions& options, const RandomStream& stream,
                         const EpochCallback<Scalar>& on_epoch) {
  auto& impl = state.impl();
  validate<Scalar>(options);
  if (impl.optimizer.steps > 0 && impl.optimizer.kind != options.optimizer.kind)
    throw ConfigError("`optimizer.name`: the saved training used " + info_of(impl.optimizer.kind).name +
                      "; resume with that optimizer");
  const bool on_cross_entropy = options.loss == Loss::cross_entropy;
  if (!impl.history.empty() && impl.history.front().train &&
      impl.history.front().train->cross_entropy.has_value() != on_cross_entropy)
    throw ConfigError("`loss`: the saved training had the other one; resume with that one");
  if (train_set.empty()) throw DataError("network training: the training set is empty");
  const Index outputs = impl.current.outputs();
  check_shapes(train_set, impl.inputs, outputs, "the training set");
  if (!validation_set.empty()) check_shapes(validation_set, impl.inputs, outputs, "the validation set");
  const at::Device device = detail::torch_device(options.device);
  detail::at_border("network training", [&] {
    move_to<Scalar>(device, impl);
    Training<Scalar> training(impl, train_set, validation_set, options, stream);
    const auto go_on = [&] { return !on_epoch || on_epoch(impl.history.back(), state); };
    if (impl.history.empty()) {
      training.record(0, 0);
      if (!go_on()) return;
    }
    while (impl.history.back().epoch < options.epochs &&
           !has_reached(options.stop_at_train_loss, impl.history.back())) {
      const Index epoch = impl.history.back().epoch + 1;
      training.record(epoch, training.run_epoch(epoch));
      if (!go_on()) return;
    }
  });
  return state;
}

template TrainState<float> train(TrainState<float>, const Dataset<float>&, const Dataset<float>&, const TrainOptions&,
                                 const RandomStream&, const EpochCallback<float>&);
template TrainState<double> train(TrainState<double>, const Dataset<double>&, const Dataset<double>&,
                                  const TrainOptions&, const RandomStream&, const EpochCallback<double>&);

}  // namespace ansatz::nets
