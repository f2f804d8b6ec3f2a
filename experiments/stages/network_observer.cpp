#include "experiments/stages/network_observer.h"

#include <cmath>

#include "core/data/class_coding.h"
#include "experiments/stages/layer_variants.h"

namespace ansatz::experiments {
namespace {

/// diag(wᵀw).
template <class Scalar>
Vector<double> squared_columns(const Matrix<Scalar>& w) {
  return w.template cast<double>().colwise().squaredNorm().transpose();
}

}  // namespace

template <class Scalar>
NetworkObserver<Scalar>::NetworkObserver(const NetworkOptions& options, const Split<Scalar>& split,
                                         const RunContext& run)
    : observed_(options.observed), loss_(options.training.loss), split_(split) {
  if (observed_ == Observed::generalization) watched_ = options.watched(*split.train.image_shape);
  if (observed_ != Observed::ansatz_by_layer) return;
  epochs_ = snapshot_epochs(options.training.epochs, options.snapshots);
  points_ = gradient_points(options, split, run);
}

template <class Scalar>
bool NetworkObserver<Scalar>::due(const EpochRecord& epoch) const {
  switch (observed_) {
    case Observed::nothing:
      break;
    case Observed::generalization:
      return epoch.train.has_value();
    case Observed::ansatz_by_layer:
      return epochs_.count(epoch.epoch) > 0;
  }
  return false;
}

template <class Scalar>
Seen NetworkObserver<Scalar>::observe(const nets::Mlp<Scalar>& now, const nets::Mlp<Scalar>& initial) const {
  if (observed_ == Observed::generalization) return generalization(now, initial);
  return layer_variants<Scalar>(now, &initial, points_);
}

template <class Scalar>
Generalization NetworkObserver<Scalar>::generalization(const nets::Mlp<Scalar>& now,
                                                       const nets::Mlp<Scalar>& initial) const {
  const Dataset<Scalar>& train = split_.train;
  Generalization seen;
  seen.test = evaluate(now, split_.test, loss_);
  seen.train_balanced_accuracy = balanced_share_of_hits(decode_classes(now.predict(train.inputs), train.class_codes),
                                                        decode_classes(train.targets, train.class_codes));
  const Matrix<Scalar> w = now.weight(1);
  const ImageGrid grid{train.image_shape->height, train.image_shape->width};
  seen.weights = region_share(squared_columns(w), grid, watched_);
  seen.learned = region_share(squared_columns<Scalar>(w - initial.weight(1)), grid, watched_);
  return seen;
}

std::set<Index> snapshot_epochs(Index epochs, Index count) {
  std::set<Index> chosen;
  if (count < 1) return chosen;
  for (Index i = 0; i < count; ++i) {
    const double u = count == 1 ? 1.0 : static_cast<double>(i) / static_cast<double>(count - 1);
    chosen.insert(static_cast<Index>(std::lround(static_cast<double>(epochs) * u * u)));
  }
  chosen.insert(0);
  chosen.insert(epochs);
  return chosen;
}

template <class Scalar>
Matrix<Scalar> gradient_points(const NetworkOptions& options, const Split<Scalar>& split, const RunContext& run) {
  if (options.gradient_samples == 0 || options.gradient_samples >= split.train.size()) return split.train.inputs;
  RandomStream stream = run.stream.named("network/gradient points");
  return split.train.rows(stream.sample(split.train.size(), options.gradient_samples)).inputs;
}

template class NetworkObserver<float>;
template class NetworkObserver<double>;
template Matrix<float> gradient_points(const NetworkOptions&, const Split<float>&, const RunContext&);
template Matrix<double> gradient_points(const NetworkOptions&, const Split<double>&, const RunContext&);

}  // namespace ansatz::experiments
