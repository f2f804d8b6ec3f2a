#include "rfm/trees/fitting/choose_temperature.h"

#include <algorithm>
#include <map>

#include "core/machine/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr Index kRoutedRows = 256;

/// A row's share of a leaf at each temperature, by row.
using Wanted = std::map<Index, Vector<double>>;

template <class Scalar>
std::vector<Wanted> shares_at_each(const TreeRouting& routing, const std::vector<double>& temperatures,
                                   const Matrix<Scalar>& x) {
  const Index count = static_cast<Index>(temperatures.size());
  std::vector<Wanted> leaves(static_cast<std::size_t>(routing.leaves()));
  for (Index t = 0; t < count; ++t) {
    RoutingOptions options = routing.options();
    options.temperature = temperatures[static_cast<std::size_t>(t)];
    const TreeRouting at = routing.with(options);
    std::vector<std::vector<LeafShare>> shares(static_cast<std::size_t>(x.rows()));
    parallel_tiles(x.rows(), kRoutedRows, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        shares[static_cast<std::size_t>(i)] = at.shares(x.row(i).template cast<double>());
    });
    for (Index i = 0; i < x.rows(); ++i)
      for (const LeafShare& share : shares[static_cast<std::size_t>(i)]) {
        Wanted& wanted = leaves[static_cast<std::size_t>(share.leaf)];
        wanted.try_emplace(i, Vector<double>::Zero(count)).first->second[t] = share.weight;
      }
  }
  return leaves;
}

/// One n x c a temperature.
template <class Scalar>
std::vector<Matrix<double>> mixtures(const RfmTree<Scalar>& tree, const std::vector<Wanted>& wanted,
                                     const Matrix<Scalar>& x, Index temperatures) {
  const Matrix<double> none = Matrix<double>::Zero(x.rows(), tree.output_dimension());
  std::vector<Matrix<double>> result(static_cast<std::size_t>(temperatures), none);
  std::vector<Matrix<Scalar>> predictions = tree.leaf_predictions(x, [&](Index leaf) {
    std::vector<Index> rows;
    for (const auto& [row, weights] : wanted[static_cast<std::size_t>(leaf)]) rows.push_back(row);
    return rows;
  });
  for (std::size_t leaf = 0; leaf < wanted.size(); ++leaf) {
    Index place = 0;
    for (const auto& [row, weights] : wanted[leaf]) {
      for (Index t = 0; t < temperatures; ++t)
        result[static_cast<std::size_t>(t)].row(row) +=
            weights[t] * predictions[leaf].row(place).template cast<double>();
      ++place;
    }
  }
  return result;
}

}  // namespace

template <class Scalar>
std::vector<TemperatureRecord> try_temperatures(const RfmTree<Scalar>& tree, const StoredDataset<Scalar>& validation,
                                                const RfmTreeOptions& options, const RandomStream& stream) {
  if (options.temperatures.size() < 2 || tree.leaves().size() < 2 || validation.empty()) return {};
  const Dataset<Scalar> data =
      validation.rows(RandomStream(stream).sample(validation.size(), options.temperature_rows));
  const std::vector<Wanted> wanted = shares_at_each(tree.routing(), options.temperatures, data.inputs);
  const std::vector<Matrix<double>> predictions =
      mixtures(tree, wanted, data.inputs, static_cast<Index>(options.temperatures.size()));
  std::vector<TemperatureRecord> records;
  for (std::size_t t = 0; t < predictions.size(); ++t)
    records.push_back(
        {options.temperatures[t], evaluate<Scalar>(Matrix<Scalar>(predictions[t].template cast<Scalar>()), data)});
  return records;
}

RoutingOptions best_of(const std::vector<TemperatureRecord>& tried, RoutingOptions options) {
  const TemperatureRecord* best = nullptr;
  for (const TemperatureRecord& record : tried)
    if (best == nullptr || !at_least_as_good(best->validation, record.validation)) best = &record;
  if (best != nullptr) options.temperature = best->temperature;
  return options;
}

template std::vector<TemperatureRecord> try_temperatures(const RfmTree<float>&, const StoredDataset<float>&,
                                                         const RfmTreeOptions&, const RandomStream&);
template std::vector<TemperatureRecord> try_temperatures(const RfmTree<double>&, const StoredDataset<double>&,
                                                         const RfmTreeOptions&, const RandomStream&);

}  // namespace ansatz::rfm
