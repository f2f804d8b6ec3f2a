#include "experiments/stages/layer_variants.h"

namespace ansatz::experiments {

template <class Scalar>
LayerVariants layer_variants(const nets::Mlp<Scalar>& network, const nets::Mlp<Scalar>* initial,
                             const Matrix<Scalar>& points, Index first) {
  LayerVariants layers;
  for (Index layer = first; layer <= network.layers(); ++layer) {
    using Summary = MatrixSummary<Scalar>;
    const Matrix<Scalar> weights = network.weight(layer);
    LayerFeatures<Scalar> features{Summary(FeatureMatrix<Scalar>::sandwich(weights)),
                                   {},
                                   {},
                                   Summary(network.agop(points, false, layer)),
                                   Summary(network.agop(points, true, layer))};
    if (initial) {
      const Matrix<Scalar> before = initial->weight(layer);
      features.change.emplace(change_features(weights, before));
      features.initial.emplace(FeatureMatrix<Scalar>::sandwich(before));
    }
    layers.push_back(ansatz_variants(features));
  }
  return layers;
}

template LayerVariants layer_variants(const nets::Mlp<float>&, const nets::Mlp<float>*, const Matrix<float>&, Index);
template LayerVariants layer_variants(const nets::Mlp<double>&, const nets::Mlp<double>*, const Matrix<double>&, Index);

}  // namespace ansatz::experiments
