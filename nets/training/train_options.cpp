#include "nets/training/train_options.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/base/error.h"

namespace ansatz::nets {
namespace {

std::string text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}

void require(bool holds, const char* key, const char* rule, double found) {
  if (!holds) throw ConfigError(std::string("network.") + key + ": must be " + rule + ", found " + text(found));
}

}  // namespace

const std::vector<OptimizerInfo>& optimizer_table() {
  using Kind = OptimizerOptions::Kind;
  static const std::vector<OptimizerInfo> table = {
      {"sgd", Kind::sgd, false, 0.1, 0}, {"adam", Kind::adam, true, 1e-3, 0}, {"adamw", Kind::adamw, true, 1e-3, 0.01}};
  return table;
}

const OptimizerInfo& info_of(OptimizerOptions::Kind kind) {
  const auto& table = optimizer_table();
  return *std::find_if(table.begin(), table.end(), [&](const OptimizerInfo& row) { return row.kind == kind; });
}

bool stays_in_span(const OptimizerOptions& optimizer) {
  return optimizer.kind == OptimizerOptions::Kind::sgd && optimizer.weight_decay == 0;
}

bool trains_in_span(const TrainOptions& options, Index train, Index validation, Index d, Index k) {
  using FirstLayer = TrainOptions::FirstLayer;
  const Index r = train + validation;
  if (options.first_layer == FirstLayer::in_span && r >= d)
    throw ConfigError("`first_layer`: in_span needs fewer rows than inputs, but there are " + std::to_string(train) +
                      " training and " + std::to_string(validation) + " validation rows of " + std::to_string(d) +
                      " inputs; take auto or direct");
  if (options.first_layer == FirstLayer::in_span && !stays_in_span(options.optimizer))
    throw ConfigError(std::string("`first_layer`: ") + kInSpanNeeds);
  if (options.first_layer != FirstLayer::automatic) return options.first_layer == FirstLayer::in_span;
  constexpr double kWorth = 4;  // a margin: W_1 is sometimes read back, and decompositions have a lower flop rate
  const double saved = 4.0 * double(k) * double(d - r) * double(train) * double(options.epochs);
  return stays_in_span(options.optimizer) && r < d && saved > kWorth * 4 * double(d) * double(r) * double(r);
}

template <class Scalar>
void validate(const TrainOptions& options) {
  const OptimizerOptions& o = options.optimizer;
  // Checked as Scalar: LibTorch would refuse a value that is too large for Scalar only in the middle of a step, and
  // would take 1e-60 for 0.
  using Limits = std::numeric_limits<Scalar>;
  const auto is_fraction = [](double x) { return x >= 0 && x < 1 && static_cast<Scalar>(x) < 1; };
  const auto is_finite = [](double x) { return std::abs(x) <= static_cast<double>(Limits::max()); };
  const auto is_positive = [&](double x) { return x >= static_cast<double>(Limits::min()) && is_finite(x); };
  require(is_positive(o.learning_rate), "optimizer.learning_rate", "positive and finite", o.learning_rate);
  require(is_fraction(o.momentum), "optimizer.momentum", "at least 0 and below 1", o.momentum);
  require(o.weight_decay >= 0 && is_finite(o.weight_decay), "optimizer.weight_decay", "at least 0 and finite",
          o.weight_decay);
  require(is_fraction(o.beta1), "optimizer.beta1", "at least 0 and below 1", o.beta1);
  require(is_fraction(o.beta2), "optimizer.beta2", "at least 0 and below 1", o.beta2);
  require(is_positive(o.epsilon), "optimizer.epsilon", "positive and finite", o.epsilon);
  require(options.batch_size >= 0, "batch_size", "at least 0 (0: full batch)", static_cast<double>(options.batch_size));
  require(options.epochs >= 0, "epochs", "at least 0", static_cast<double>(options.epochs));
  require(options.stop_at_train_loss >= 0 && std::isfinite(options.stop_at_train_loss), "stop_at_train_loss",
          "at least 0 and finite", options.stop_at_train_loss);
  require(options.evaluate_every >= 1, "evaluate_every", "at least 1", static_cast<double>(options.evaluate_every));
}

template void validate<float>(const TrainOptions&);
template void validate<double>(const TrainOptions&);

}  // namespace ansatz::nets
