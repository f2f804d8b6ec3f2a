#include "rfm/trees/fitting/tree_growth.h"

#include <spdlog/spdlog.h>

#include <numeric>
#include <optional>
#include <utility>

#include "core/machine/interrupt.h"
#include "core/machine/parallel.h"
#include "rfm/trees/fitting/median_cut.h"
#include "rfm/trees/fitting/split_directions.h"

namespace ansatz::rfm {
namespace {

constexpr Index kProjectedRows = 1024;
constexpr double kEven = 1.0 / 8;       // a cut that leaves such a share on its smaller side is taken at once
constexpr double kHopeless = 1.0 / 64;  // and one that leaves less than this is never taken

/// A node whose rows are not yet divided.
struct Bud {
  std::string path;
  std::vector<Index> rows;
  Index parent = -1;  // -1: the root
  bool above = false;
};

struct Division {
  TreeSplit split;
  MedianCut cut;
  std::vector<double> places;  // of the bud's rows
};

template <class Scalar>
std::vector<double> places_of(const StoredRows<Scalar>& inputs, const std::vector<Index>& rows,
                              const TreeSplit& split) {
  std::vector<double> places(rows.size());
  parallel_tiles(static_cast<Index>(rows.size()), kProjectedRows, [&](Index begin, Index end) {
    const Matrix<Scalar> tile = inputs.gather({rows.begin() + begin, rows.begin() + end});
    for (Index i = begin; i < end; ++i)
      places[static_cast<std::size_t>(i)] = split.place(tile.row(i - begin).template cast<double>());
  });
  return places;
}

/// The first direction that divides the rows evenly, or else the one that does so best.
template <class Scalar>
std::optional<Division> divide(const StoredRows<Scalar>& inputs, const std::vector<Index>& rows,
                               const Matrix<double>& directions) {
  std::optional<Division> best;
  for (Index i = 0; i < directions.rows(); ++i) {
    Division division;
    division.split.direction = directions.row(i);
    division.places = places_of(inputs, rows, division.split);
    const std::optional<MedianCut> cut = median_cut(division.places);
    if (!cut || cut->smaller_share < kHopeless || (best && cut->smaller_share <= best->cut.smaller_share)) continue;
    division.cut = *cut;
    division.split.threshold = cut->threshold;
    division.split.spread = cut->spread;
    best = std::move(division);
    if (cut->smaller_share >= kEven) break;
  }
  return best;
}

template <class Scalar>
class Growth {
 public:
  Growth(const StoredDataset<Scalar>& train, const RfmTreeOptions& options, const RandomStream& stream)
      : train_(train), options_(options), stream_(stream) {}

  GrownTree grow() {
    std::vector<Bud> level(1);
    level.front().rows.resize(static_cast<std::size_t>(train_.size()));
    std::iota(level.front().rows.begin(), level.front().rows.end(), Index{0});
    while (!level.empty()) {
      throw_if_interrupted();
      level = next_level(std::move(level));
    }
    return std::move(tree_);
  }

 private:
  /// Makes every bud a leaf or a split. Returns the buds of these splits.
  std::vector<Bud> next_level(std::vector<Bud> level) {
    std::vector<Matrix<double>> directions(level.size());
    {
      const ThreadScope scope(level.size() == 1 ? 1
                                                : threads());  // BLAS may round by its number of threads: one, always
      parallel_for(static_cast<Index>(level.size()), [&](Index i) {
        const Bud& bud = level[static_cast<std::size_t>(i)];
        if (!is_small(bud)) directions[static_cast<std::size_t>(i)] = directions_of(bud);
      });
    }
    std::vector<Bud> next;
    for (std::size_t i = 0; i < level.size(); ++i) {
      std::optional<Division> division;
      if (!is_small(level[i])) division = divide(train_.inputs, level[i].rows, directions[i]);
      if (division)
        add_split(std::move(level[i]), std::move(*division), next);
      else
        add_leaf(std::move(level[i]));
    }
    return next;
  }

  bool is_small(const Bud& bud) const { return static_cast<Index>(bud.rows.size()) <= options_.leaf_size; }

  Matrix<double> directions_of(const Bud& bud) const {
    const RandomStream stream = stream_.named("split/" + bud.path);
    std::vector<Index> sample;
    for (const Index i : RandomStream(stream).sample(static_cast<Index>(bud.rows.size()), options_.split_rows))
      sample.push_back(bud.rows[static_cast<std::size_t>(i)]);
    return split_directions(train_.rows(sample), options_, stream);
  }

  /// Tells the bud's parent where it went.
  void attach(const Bud& bud, Index node) {
    if (bud.parent < 0) return;
    TreeSplit& parent = tree_.splits[static_cast<std::size_t>(bud.parent)];
    (bud.above ? parent.above : parent.below) = node;
  }

  void add_leaf(Bud bud) {
    if (!is_small(bud))
      spdlog::warn(
          "rfm tree: {} rows are equal in every direction that was tried; they stay one leaf of more than "
          "{} rows",
          bud.rows.size(), options_.leaf_size);
    attach(bud, -1 - static_cast<Index>(tree_.leaf_rows.size()));
    tree_.leaf_rows.push_back(std::move(bud.rows));
    tree_.leaf_paths.push_back(std::move(bud.path));
  }

  void add_split(Bud bud, Division division, std::vector<Bud>& next) {
    const Index node = static_cast<Index>(tree_.splits.size());
    attach(bud, node);
    Bud below{bud.path + 'b', {}, node, false}, above{bud.path + 'a', {}, node, true};
    below.rows.reserve(static_cast<std::size_t>(division.cut.below));
    for (std::size_t i = 0; i < bud.rows.size(); ++i)
      (division.places[i] <= division.cut.threshold ? below : above).rows.push_back(bud.rows[i]);
    tree_.splits.push_back(std::move(division.split));
    next.push_back(std::move(below));
    next.push_back(std::move(above));
  }

  const StoredDataset<Scalar>& train_;
  const RfmTreeOptions& options_;
  const RandomStream& stream_;
  GrownTree tree_;
};

}  // namespace

template <class Scalar>
GrownTree grow_tree(const StoredDataset<Scalar>& train, const RfmTreeOptions& options, const RandomStream& stream) {
  return Growth<Scalar>(train, options, stream).grow();
}

template GrownTree grow_tree(const StoredDataset<float>&, const RfmTreeOptions&, const RandomStream&);
template GrownTree grow_tree(const StoredDataset<double>&, const RfmTreeOptions&, const RandomStream&);

}  // namespace ansatz::rfm
