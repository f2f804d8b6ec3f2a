#include "core/record/feature_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace ansatz {
namespace {

using Features = std::vector<const FeatureRecord*>;
using NameOf = std::function<std::string(Index)>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Index kRankedEigenvectors = 3;
constexpr std::size_t kLoadedFeatures = 12;
constexpr double kLeastShare = 0.005;  ///< of the trace: vectors of less are not worth naming

std::string pixel_name(const ImageShape& shape, Index i) {
  static const char* const colours[] = {"red", "green", "blue"};
  const Index plane = shape.height * shape.width, channel = i / plane, within = i % plane;
  const std::string place = fmt::format("r{} c{}", within / shape.width + 1, within % shape.width + 1);
  if (shape.channels == 1) return place;
  return (shape.channels == 3 ? colours[channel] : fmt::format("channel {}", channel + 1)) + (" " + place);
}

Features ranked_matrices(const RunRecord& record) {
  Features matrices;
  for (const std::optional<FeatureId>& id :
       {std::optional(FeatureId::nfm()), learned_by_rfm(record), std::optional(FeatureId::truth())})
    if (const FeatureRecord* found = id ? record.find(*id) : nullptr) matrices.push_back(found);
  return matrices;
}

/// A feature matrix as rankings see it.
struct RankedMatrix {
  Vector<double> diagonal;
  double trace = 0;
  Vector<double> eigenvalues;
  Matrix<double> eigenvectors;  ///< of the first of them, k x d
};

Vector<double> shares_of(const Vector<double>& diagonal) {
  const double trace = diagonal.sum();
  if (trace > 0) return diagonal / trace;
  return Vector<double>::Constant(diagonal.size(), kNaN);
}

/// Lists the coordinates with the largest entries. `diagonals`: one a matrix, of equal length.
std::vector<RankedFeature> largest(const std::vector<Vector<double>>& diagonals, const NameOf& name,
                                   const std::function<Index(Index)>& first) {
  std::vector<Vector<double>> shares;
  std::vector<std::vector<Index>> ranks;
  Vector<double> most = Vector<double>::Zero(diagonals.front().size());
  for (const Vector<double>& diagonal : diagonals) {
    shares.push_back(shares_of(diagonal));
    ranks.push_back(ranks_of(diagonal));
    most = most.cwiseMax(shares.back().array().isNaN().select(0, shares.back()));
  }
  std::vector<Index> chosen = descending_order(most);
  if (chosen.size() > kRankedFeatures) chosen.resize(kRankedFeatures);
  std::sort(chosen.begin(), chosen.end());
  const Vector<double>& leading = diagonals.front();
  std::stable_sort(chosen.begin(), chosen.end(), [&](Index a, Index b) { return leading(a) > leading(b); });
  std::vector<RankedFeature> features;
  for (const Index i : chosen) {
    features.push_back({name(i), first(i), {}, {}});
    for (std::size_t m = 0; m < diagonals.size(); ++m) {
      features.back().shares.push_back(shares[m](i));
      features.back().ranks.push_back(ranks[m][static_cast<std::size_t>(i)]);
    }
  }
  return features;
}

/// Turned to agree with `reference`, where that says anything; else the largest entry is positive.
Vector<double> turned(Vector<double> vector, const Vector<double>& reference) {
  double sign = reference.size() > 0 ? reference.dot(vector) : 0;
  if (sign == 0) {
    Index largest = 0;
    vector.cwiseAbs().maxCoeff(&largest);
    sign = vector(largest);
  }
  return sign < 0 ? Vector<double>(-vector) : vector;
}

/// The eigenvectors number i (from 0) of the matrices.
RankedEigenvector ranked_eigenvector(const std::vector<RankedMatrix>& matrices, Index i, const NameOf& name) {
  RankedEigenvector ranked;
  ranked.number = i + 1;
  std::vector<Vector<double>> vectors;
  Vector<double> first, most = Vector<double>::Zero(matrices.front().diagonal.size());
  for (const RankedMatrix& matrix : matrices) {
    const bool there = i < matrix.eigenvectors.rows() && matrix.trace > 0;
    vectors.push_back(there ? turned(matrix.eigenvectors.row(i).transpose(), first)
                            : Vector<double>::Constant(most.size(), kNaN));
    ranked.shares.push_back(there ? matrix.eigenvalues(i) / matrix.trace : kNaN);
    if (there && first.size() == 0) first = vectors.back();
    if (there) most = most.cwiseMax(vectors.back().cwiseAbs());
  }
  std::vector<Index> chosen = descending_order(most);
  if (chosen.size() > kLoadedFeatures) chosen.resize(kLoadedFeatures);
  std::sort(chosen.begin(), chosen.end());
  if (first.size() > 0)
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](Index a, Index b) { return std::abs(first(a)) > std::abs(first(b)); });
  for (const Index j : chosen) {
    ranked.features.push_back({name(j), j, {}});
    for (const Vector<double>& vector : vectors) ranked.features.back().loadings.push_back(vector(j));
  }
  return ranked;
}

FeatureRanking ranking_of(const std::vector<RankedMatrix>& matrices, const NameOf& name,
                          const std::vector<ColumnGroup>& groups) {
  FeatureRanking ranking;
  std::vector<Vector<double>> diagonals;
  for (const RankedMatrix& matrix : matrices) diagonals.push_back(matrix.diagonal);
  ranking.by_feature = largest(diagonals, name, [](Index i) { return i; });
  for (Index i = 0; i < kRankedEigenvectors; ++i) {
    RankedEigenvector ranked = ranked_eigenvector(matrices, i, name);
    if (std::any_of(ranked.shares.begin(), ranked.shares.end(), [](double share) { return share > kLeastShare; }))
      ranking.eigenvectors.push_back(std::move(ranked));
  }
  if (!has_one_hot(groups)) return ranking;
  for (Vector<double>& diagonal : diagonals) diagonal = sums_over_groups(diagonal, groups);
  const auto group = [&](Index g) -> const ColumnGroup& { return groups[static_cast<std::size_t>(g)]; };
  ranking.by_column = largest(
      diagonals, [&](Index g) { return group(g).name; }, [&](Index g) { return group(g).first; });
  return ranking;
}

}  // namespace

std::optional<FeatureId> learned_by_rfm(const RunRecord& record) {
  if (record.rfm) return record.rfm->feature_iteration > 0 ? std::optional(record.rfm->feature_id()) : std::nullopt;
  for (const FeatureRecord& features : record.features)
    if (features.id.kind == FeatureId::Kind::rfm) return features.id;
  return std::nullopt;
}

std::string feature_name(const DataRecord& data, Index i) {
  if (!data.feature_names.empty()) return data.feature_names[static_cast<std::size_t>(i)];
  return data.image_shape ? pixel_name(*data.image_shape, i) : fmt::format("x{}", i + 1);
}

std::vector<Index> descending_order(const Vector<double>& entries) {
  std::vector<Index> order(static_cast<std::size_t>(entries.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return entries(a) > entries(b); });
  return order;
}

std::vector<Index> ranks_of(const Vector<double>& entries) {
  const std::vector<Index> order = descending_order(entries);
  std::vector<Index> ranks(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    const bool tied = place > 0 && entries(order[place]) == entries(order[place - 1]);
    ranks[static_cast<std::size_t>(order[place])] =
        tied ? ranks[static_cast<std::size_t>(order[place - 1])] : static_cast<Index>(place) + 1;
  }
  return ranks;
}

Vector<double> sums_over_groups(const Vector<double>& diagonal, const std::vector<ColumnGroup>& groups) {
  Vector<double> sums(static_cast<Index>(groups.size()));
  for (Index g = 0; g < sums.size(); ++g) {
    const ColumnGroup& group = groups[static_cast<std::size_t>(g)];
    sums(g) = diagonal.segment(group.first, group.width).sum();
  }
  return sums;
}

bool has_one_hot(const std::vector<ColumnGroup>& groups) {
  return std::any_of(groups.begin(), groups.end(), [](const ColumnGroup& group) { return group.one_hot; });
}

std::vector<const FeatureRecord*> network_and_rfm_first(const RunRecord& record) {
  Features matrices;
  for (const FeatureRecord& features : record.features) matrices.push_back(&features);
  const std::optional<FeatureId> learned = learned_by_rfm(record);
  std::stable_partition(matrices.begin(), matrices.end(), [&](const FeatureRecord* f) { return f->id == learned; });
  std::stable_partition(matrices.begin(), matrices.end(),
                        [](const FeatureRecord* f) { return f->id == FeatureId::nfm(); });
  return matrices;
}

std::optional<FeatureRanking> rank_features(const RunRecord& record) {
  const DataRecord& data = record.data.value();
  const Features found = ranked_matrices(record);
  if (found.empty() || data.image_shape) return std::nullopt;
  std::vector<RankedMatrix> matrices;
  for (const FeatureRecord* features : found)
    matrices.push_back({features->diagonal, features->trace, features->eigenvalues, features->eigenvectors});
  FeatureRanking ranking = ranking_of(
      matrices, [&](Index i) { return feature_name(data, i); }, data.column_groups);
  for (const FeatureRecord* features : found) ranking.matrices.push_back(features->id);
  return ranking;
}

std::optional<SetRanking> rank_features(const BenchmarkSet& set) {
  SetRanking ranking;
  std::vector<RankedMatrix> matrices;
  for (const MethodOnSet& result : set.results) {
    if (!result.features || matrices.size() == kRankedMethods) continue;
    const LearnedFeatures& features = *result.features;
    ranking.methods.push_back(result.method);
    matrices.push_back({features.diagonal, features.trace, features.eigenvalues, features.eigenvectors});
  }
  if (matrices.empty()) return std::nullopt;
  const auto name = [&](Index i) {
    return set.feature_names.empty() ? fmt::format("x{}", i + 1) : set.feature_names[static_cast<std::size_t>(i)];
  };
  ranking.ranking = ranking_of(matrices, name, set.column_groups);
  return ranking;
}

}  // namespace ansatz
