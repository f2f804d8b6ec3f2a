// The state of a training and its file. The file is a .safetensors: a JSON header, then the tensors as little-endian
// bytes, so that other programs can look at the parameters. Everything that is not a tensor stands as JSON text under
// "__metadata__", with a CRC-32 over header and tensors.
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>

#include "core/base/error.h"
#include "core/files/checksum.h"
#include "core/files/files.h"
#include "nets/tensors.h"
#include "nets/training/train_state_impl.h"
#include "nets/training/trainer.h"

namespace ansatz::nets {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "ansatz training state 2";

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// JSON has no NaN: null stands for it.
json number(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }
double number(const json& j) { return j.is_null() ? std::numeric_limits<double>::quiet_NaN() : j.get<double>(); }

json to_json(const std::optional<Metrics>& metrics) {
  if (!metrics) return nullptr;
  json j{{"mse", number(metrics->mse)}, {"r2", number(metrics->r2)}};
  if (metrics->cross_entropy) j["cross_entropy"] = number(*metrics->cross_entropy);
  if (metrics->accuracy) j["accuracy"] = *metrics->accuracy;
  if (metrics->standardized_mse) j["standardized_mse"] = number(*metrics->standardized_mse);
  for (const double r2 : metrics->r2_by_output) j["r2_by_output"].push_back(number(r2));
  return j;
}

std::optional<Metrics> metrics_from(const json& j) {
  if (j.is_null()) return {};
  Metrics metrics;
  metrics.mse = number(j.at("mse"));
  metrics.r2 = number(j.at("r2"));
  if (j.contains("cross_entropy")) metrics.cross_entropy = number(j.at("cross_entropy"));
  if (j.contains("accuracy")) metrics.accuracy = j.at("accuracy").get<double>();
  if (j.contains("standardized_mse")) metrics.standardized_mse = number(j.at("standardized_mse"));
  if (j.contains("r2_by_output"))
    for (const json& r2 : j.at("r2_by_output")) metrics.r2_by_output.push_back(number(r2));
  return metrics;
}

json to_json(const EpochRecord& r) {
  return {{"epoch", r.epoch},
          {"train_loss", number(r.train_loss)},
          {"train", to_json(r.train)},
          {"validation", to_json(r.validation)},
          {"seconds", r.seconds}};
}

EpochRecord record_from(const json& j) {
  EpochRecord r;
  r.epoch = j.at("epoch").get<Index>();
  r.train_loss = number(j.at("train_loss"));
  r.train = metrics_from(j.at("train"));
  r.validation = metrics_from(j.at("validation"));
  r.seconds = j.at("seconds").get<double>();
  return r;
}

// What two networks must have in common for their tensors to mean the same. The initialisation is not part of it.
json architecture(const MlpOptions& options, Index inputs, const detail::Stack& stack) {
  json same = {{"inputs", inputs},
               {"outputs", stack.outputs()},
               {"hidden_layers", options.hidden_layers},
               {"activation", static_cast<int>(options.activation)},
               {"bias", options.bias},
               {"ntk", options.initialization == Initialization::ntk}};
  if (options.initialization == Initialization::mup) same["mup"] = true;
  if (options.output_scale != 1) same["output_scale"] = options.output_scale;  // states of before these two have none
  return same;
}

void append(NamedTensors& named, const std::string& group, const std::vector<at::Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i)
    named.emplace_back(group + "." + std::to_string(i), tensors[i].to(at::kCPU).contiguous());
}

const char* dtype_name(at::ScalarType type) { return type == at::kFloat ? "F32" : "F64"; }

// The safetensors header: names, types, shapes and places of the tensors, and the metadata.
json header_for(const NamedTensors& tensors, const json& state) {
  json header = json::object();
  std::size_t offset = 0;
  for (const auto& [name, t] : tensors) {
    header[name] = {{"dtype", dtype_name(t.scalar_type())},
                    {"shape", t.sizes().vec()},
                    {"data_offsets", {offset, offset + t.nbytes()}}};
    offset += t.nbytes();
  }
  header["__metadata__"] = {{"format", kFormat}, {"state", state.dump()}};
  return header;
}

void write(const std::filesystem::path& path, const NamedTensors& tensors, const json& state) {
  json header = header_for(tensors, state);
  Checksum crc;
  crc.add(header.dump());
  for (const auto& [name, t] : tensors) crc.add(t.data_ptr(), t.nbytes());
  header["__metadata__"]["crc32"] = crc.text();
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // the format asks for aligned tensors
  const std::uint64_t length = text.size();
  write_file_atomically(path, [&](std::ostream& out) {
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out << text;
    for (const auto& [name, t] : tensors)
      out.write(static_cast<const char*>(t.data_ptr()), static_cast<std::streamsize>(t.nbytes()));
  });
}

// A file read whole and checked.
class StateFile {
 public:
  explicit StateFile(const std::filesystem::path& path) : name_(path.string()), bytes_(read_file(path)) {
    std::uint64_t length = 0;
    if (bytes_.size() < sizeof length) damaged("it is cut off");
    std::memcpy(&length, bytes_.data(), sizeof length);
    if (length > bytes_.size() - sizeof length) damaged("it is cut off, or no training state at all");
    data_ = sizeof length + length;
    header_ = json::parse(bytes_.begin() + sizeof length, bytes_.begin() + static_cast<std::ptrdiff_t>(data_), nullptr,
                          /*allow_exceptions=*/false);
    if (!header_.is_object()) damaged("its header is no JSON object");
    try {
      json& metadata = header_.at("__metadata__");
      if (metadata.at("format") != kFormat) damaged("its format is not \"" + std::string(kFormat) + "\"");
      const std::string expected = metadata.at("crc32").get<std::string>();
      metadata.erase("crc32");
      Checksum crc;
      crc.add(header_.dump());
      crc.add(bytes_.data() + data_, bytes_.size() - data_);
      if (crc.text() != expected) damaged("its checksum is wrong");
      state_ = json::parse(metadata.at("state").get<std::string>());
    } catch (const json::exception& e) {
      damaged(e.what());
    }
  }

  const json& state() const { return state_; }
  bool has(const std::string& tensor) const { return header_.contains(tensor); }

  /// Copies the tensors group.0, group.1, ... into new tensors of the shapes, types and devices of `like`.
  std::vector<at::Tensor> read(const std::string& group, const std::vector<at::Tensor>& like) const {
    std::vector<at::Tensor> tensors;
    for (std::size_t i = 0; i < like.size(); ++i) {
      at::Tensor t = at::empty_like(like[i], at::TensorOptions().device(at::kCPU));
      const json& entry = header_.at(group + "." + std::to_string(i));
      const auto begin = entry.at("data_offsets").at(0).get<std::size_t>();
      if (entry.at("dtype") != dtype_name(t.scalar_type()) || entry.at("shape") != json(t.sizes().vec()))
        damaged("it was saved in another precision or shape");
      if (begin > bytes_.size() - data_ || t.nbytes() > bytes_.size() - data_ - begin) damaged("it is cut off");
      std::memcpy(t.data_ptr(), bytes_.data() + data_ + begin, t.nbytes());
      tensors.push_back(t.to(like[i].device()));
    }
    return tensors;
  }

  [[noreturn]] void damaged(const std::string& why) const {
    throw DataError("training state " + name_ + ": " + why + "; delete it to train from the start");
  }

 private:
  std::string name_, bytes_;
  std::size_t data_ = 0;
  json header_, state_;
};

// `stack` with other parameters.
detail::Stack with_parameters(detail::Stack stack, const std::vector<at::Tensor>& parameters) {
  std::size_t next = 0;
  for (detail::Layer& layer : stack.layers) {
    layer.weight = parameters[next++];
    if (layer.bias.defined()) layer.bias = parameters[next++];
  }
  return stack;
}

template <class Scalar>
Mlp<Scalar> network(const typename TrainState<Scalar>::Impl& state, const detail::Stack& stack) {
  using Impl = typename Mlp<Scalar>::Impl;
  return detail::at_border("copying the network", [&] {
    return Mlp<Scalar>(std::make_unique<Impl>(Impl{state.options, state.whole(stack).copy_to(stack.device())}));
  });
}

}  // namespace

template <class Scalar>
TrainState<Scalar>::TrainState(const Mlp<Scalar>& initial) : impl_(std::make_unique<Impl>()) {
  const auto& stack = initial.impl().stack;
  impl_->options = initial.options();
  impl_->inputs = stack.inputs();
  impl_->start = stack.layers.front().weight;
  impl_->current = detail::at_border("copying the network", [&] { return stack.copy_to(stack.device()); });
}

template <class Scalar>
TrainState<Scalar>::TrainState(TrainState&&) noexcept = default;
template <class Scalar>
TrainState<Scalar>& TrainState<Scalar>::operator=(TrainState&&) noexcept = default;
template <class Scalar>
TrainState<Scalar>::~TrainState() = default;

template <class Scalar>
Index TrainState<Scalar>::epoch() const {
  return impl_->history.empty() ? 0 : impl_->history.back().epoch;
}

template <class Scalar>
Mlp<Scalar> TrainState<Scalar>::current() const {
  return network<Scalar>(*impl_, impl_->current);
}

template <class Scalar>
Mlp<Scalar> TrainState<Scalar>::best() const {
  return network<Scalar>(*impl_, impl_->best ? *impl_->best : impl_->current);
}

template <class Scalar>
Index TrainState<Scalar>::best_epoch() const {
  return impl_->best ? impl_->best_epoch : epoch();
}

template <class Scalar>
const std::vector<EpochRecord>& TrainState<Scalar>::history() const {
  return impl_->history;
}

template <class Scalar>
Matrix<Scalar> TrainState<Scalar>::first_layer() const {
  return detail::at_border("reading weights", [&] {
    return detail::to_matrix<Scalar>(impl_->whole(impl_->current).layers.front().effective_weight());
  });
}

template <class Scalar>
void TrainState<Scalar>::save(const std::filesystem::path& path) const {
  json state{{"architecture", architecture(impl_->options, impl_->inputs, impl_->current)},
             {"first_layer_inputs", impl_->current.inputs()},
             {"optimizer", static_cast<int>(impl_->optimizer.kind)},
             {"steps", impl_->optimizer.steps},
             {"best_epoch", impl_->best_epoch},
             {"best_metrics", to_json(std::optional<Metrics>(impl_->best_metrics))},
             {"history", json::array()}};
  for (const EpochRecord& record : impl_->history) state["history"].push_back(to_json(record));
  detail::at_border("saving the training state", [&] {
    NamedTensors tensors;
    append(tensors, "current", impl_->current.parameters());
    if (impl_->best) append(tensors, "best", impl_->best->parameters());
    append(tensors, "first", impl_->optimizer.first);
    append(tensors, "second", impl_->optimizer.second);
    // Q is saved with V: if rows of X depend on others, rounding decides some rows of Q, and may decide otherwise on
    // another machine.
    if (impl_->in_span()) append(tensors, "span", {impl_->span->basis, impl_->span->coordinates});
    write(path, tensors, state);
  });
}

template <class Scalar>
TrainState<Scalar> TrainState<Scalar>::load(const std::filesystem::path& path, const Mlp<Scalar>& initial) {
  const StateFile file(path);
  TrainState loaded(initial);
  Impl& impl = *loaded.impl_;
  const json& state = file.state();
  try {
    if (state.at("architecture") != architecture(impl.options, impl.inputs, impl.current))
      file.damaged("it belongs to a network of another architecture");
    detail::at_border("loading the training state", [&] {
      std::vector<at::Tensor> like = impl.current.parameters();
      like.front() = like.front().new_empty({like.front().size(0), state.at("first_layer_inputs").get<Index>()});
      impl.current = with_parameters(impl.current, file.read("current", like));
      if (file.has("best.0")) impl.best = with_parameters(impl.current, file.read("best", like));
      if (file.has("first.0")) impl.optimizer.first = file.read("first", like);
      if (file.has("second.0")) impl.optimizer.second = file.read("second", like);
      if (file.has("span.0")) {
        const Index r = like.front().size(1);
        const std::vector<at::Tensor> span =
            file.read("span", {like.front().new_empty({r, impl.inputs}), like.front().new_empty({r, r})});
        impl.span.emplace(span[0], span[1], impl.start);
      }
    });
    impl.optimizer.kind = static_cast<OptimizerOptions::Kind>(state.at("optimizer").get<int>());
    impl.optimizer.steps = state.at("steps").get<Index>();
    impl.best_epoch = state.at("best_epoch").get<Index>();
    impl.best_metrics = metrics_from(state.at("best_metrics")).value_or(Metrics{});
    for (const json& record : state.at("history")) impl.history.push_back(record_from(record));
  } catch (const json::exception& e) {
    file.damaged(e.what());
  }
  return loaded;
}

template class TrainState<float>;
template class TrainState<double>;

}  // namespace ansatz::nets
