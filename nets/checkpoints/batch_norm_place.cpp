#include "nets/checkpoints/batch_norm_place.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/files/tensors/safetensors.h"
#include "nets/checkpoints/module_numbers.h"

namespace ansatz::nets {
namespace {

class Places {
 public:
  Places(const std::string& file, const NetworkParts& parts, const Order& order, const KnownLayers& known,
         FileOrder file_order)
      : file_(file), parts_(parts), order_(order), known_(known), file_order_(file_order) {}

  std::vector<Placed> find() {
    const std::size_t count = parts_.batch_norms.size();
    std::vector<std::optional<std::size_t>> layers(count);
    for (std::size_t j = 0; j < count; ++j) {
      layers[j] = by_name(j);
      if (!layers[j]) layers[j] = by_number(j);
      if (layers[j] && width(*layers[j]) != size(j)) refuse_size(j, *layers[j]);
    }
    if (std::find(layers.begin(), layers.end(), std::nullopt) != layers.end()) place_rest(layers);
    std::vector<Placed> placed;
    for (std::size_t j = 0; j < count; ++j) placed.push_back({j, *layers[j], before_activation(j, *layers[j])});
    std::stable_sort(placed.begin(), placed.end(), [&](const Placed& a, const Placed& b) { return is_first(a, b); });
    return placed;
  }

 private:
  std::size_t depth() const { return order_.size(); }
  const LinearTensors& layer(std::size_t applied) const { return parts_.linear[order_[applied]]; }
  std::int64_t size(std::size_t norm) const { return parts_.batch_norms[norm].mean.shape[0]; }
  const std::string& name(std::size_t norm) const { return parts_.batch_norms[norm].name; }
  /// What flows after that many layers.
  std::int64_t width(std::size_t layers) const {
    return layers == 0 ? layer(0).weight.shape[1] : layer(layers - 1).weight.shape[0];
  }

  bool is_norm(const std::string& name) const {
    return std::any_of(parts_.batch_norms.begin(), parts_.batch_norms.end(),
                       [&](const BatchNormTensors& norm) { return norm.name == name; });
  }

  std::optional<std::size_t> by_name(std::size_t norm) const {
    std::size_t layers = 0;
    for (const std::string& listed : known_.names) {
      if (listed == name(norm)) return layers;
      layers += !is_norm(listed);
    }
    return std::nullopt;
  }

  /// Between which layers of its container the number stands, if they follow each other.
  std::optional<std::size_t> by_number(std::size_t norm) const {
    const std::optional<Slot> slot = slot_of(name(norm));
    if (!slot) return std::nullopt;
    std::optional<std::size_t> last_before, first_after;
    for (std::size_t l = 0; l < depth(); ++l) {
      const std::optional<Slot> other = slot_of(layer(l).name);
      if (!other || other->container != slot->container) continue;
      if (other->number < slot->number) last_before = l;
      if (other->number > slot->number && !first_after) first_after = l;
    }
    if (last_before && first_after && *first_after != *last_before + 1) return std::nullopt;
    if (last_before) return *last_before + 1;
    return first_after;
  }

  using Guess = std::optional<std::vector<std::size_t>>;  // for each of `rest`

  /// The file's order, if it is that of the layers and puts each in a place of its own that fits. After the last layer
  /// stand also those that were registered after all layers but are applied elsewhere.
  Guess by_file_order(const std::vector<std::size_t>& rest) const {
    if (file_order_ != FileOrder::registered || !std::is_sorted(order_.begin(), order_.end())) return std::nullopt;
    std::vector<std::size_t> layers;
    for (const std::size_t j : rest) {
      const std::size_t at = parts_.linear_before[j];
      const bool fits = width(at) == size(j) && (at < depth() || places_of_size(size(j)).size() == 1);
      if (!fits || std::find(layers.begin(), layers.end(), at) != layers.end()) return std::nullopt;
      layers.push_back(at);
    }
    return layers;
  }

  std::vector<std::size_t> places_of_size(std::int64_t size) const {
    std::vector<std::size_t> places;
    for (std::size_t layers = 0; layers <= depth(); ++layers)
      if (width(layers) == size) places.push_back(layers);
    return places;
  }

  Guess by_size(const std::vector<std::size_t>& rest) const {
    std::vector<std::size_t> layers;
    for (const std::size_t j : rest) {
      const std::vector<std::size_t> places = places_of_size(size(j));
      if (places.size() != 1 || std::find(layers.begin(), layers.end(), places[0]) != layers.end()) return std::nullopt;
      layers.push_back(places[0]);
    }
    return layers;
  }

  /// One for each of several hidden layers, with names that differ in their numbers only.
  Guess by_series(const std::vector<std::size_t>& rest) const {
    if (rest.size() < 2 || rest.size() + 1 != depth()) return std::nullopt;
    std::vector<std::size_t> sorted(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) sorted[i] = i;
    std::sort(sorted.begin(), sorted.end(),
              [&](std::size_t a, std::size_t b) { return natural_less(name(rest[a]), name(rest[b])); });
    std::vector<std::size_t> layers(rest.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const std::size_t j = rest[sorted[i]];
      if (without_numbers(name(j)) != without_numbers(name(rest[0])) || size(j) != width(i + 1)) return std::nullopt;
      if (i > 0 && !natural_less(name(rest[sorted[i - 1]]), name(j))) return std::nullopt;
      layers[sorted[i]] = i + 1;
    }
    return layers;
  }

  void place_rest(std::vector<std::optional<std::size_t>>& layers) const {
    std::vector<std::size_t> rest;
    for (std::size_t j = 0; j < layers.size(); ++j)
      if (!layers[j]) rest.push_back(j);
    Guess found;
    for (const Guess& guess : {by_file_order(rest), by_size(rest), by_series(rest)}) {
      if (guess && found && *guess != *found) refuse_place(rest[0]);
      if (guess) found = guess;
    }
    if (!found) refuse_place(rest[0]);
    for (std::size_t i = 0; i < rest.size(); ++i) layers[rest[i]] = (*found)[i];
  }

  bool before_activation(std::size_t norm, std::size_t layers) const {
    if (layers == 0) return false;       // what the first layer takes
    if (layers == depth()) return true;  // no activation follows
    if (known_.batch_norm) return *known_.batch_norm == BatchNormPlace::before_activation;
    if (known_.activation == Activation::linear) return true;  // both are the same
    if (const std::optional<bool> by_gap = gap_after(norm, layers)) return *by_gap;
    throw ConfigError("`batch_norm`: must say whether '" + printable(name(norm)) + "' of " + file_ +
                      " stands before_activation or after_activation: the file does not tell");
  }

  /// In nn.Sequential the activation has a number, too, but no tensors. Whether the numbers without tensors stand all
  /// after the batch normalisation (true) or all before it (false).
  std::optional<bool> gap_after(std::size_t norm, std::size_t layers) const {
    const std::optional<Slot> slot = slot_of(name(norm)), left = slot_of(layer(layers - 1).name);
    const std::optional<Slot> right = slot_of(layer(layers).name);
    if (!slot || !left || left->container != slot->container) return std::nullopt;
    const std::set<long> taken = numbers_in(parts_, slot->container);
    const bool gap_before = has_gap(taken, left->number, slot->number);
    if (!right || right->container != slot->container) {
      // The last layer stands elsewhere. If the container holds activations, the one that follows is no functional one.
      const bool holds_activations = has_gap(taken, *taken.begin(), *taken.rbegin());
      return !gap_before && holds_activations ? std::optional<bool>(true) : std::nullopt;
    }
    const bool behind = has_gap(taken, slot->number, right->number);
    return gap_before == behind ? std::nullopt : std::optional<bool>(behind);
  }

  /// In known.names, in the numbers of a container, or in the file.
  bool is_first(const Placed& a, const Placed& b) const {
    if (a.layers != b.layers) return a.layers < b.layers;
    const auto listed = [&](const Placed& p) {
      return std::find(known_.names.begin(), known_.names.end(), name(p.norm)) - known_.names.begin();
    };
    if (listed(a) != listed(b)) return listed(a) < listed(b);
    const std::optional<Slot> slot_a = slot_of(name(a.norm)), slot_b = slot_of(name(b.norm));
    if (slot_a && slot_b && slot_a->container == slot_b->container) return slot_a->number < slot_b->number;
    return a.norm < b.norm;
  }

  [[noreturn]] void refuse_place(std::size_t norm) const {
    throw ConfigError("`layer_names`: must list the batch normalisations of " + file_ +
                      " among its layers, in the order in which they are applied: it is not clear where '" +
                      printable(name(norm)) + "' (" + std::to_string(size(norm)) + ") stands");
  }

  [[noreturn]] void refuse_size(std::size_t norm, std::size_t layers) const {
    throw DataError(file_ + ": batch normalisation '" + printable(name(norm)) + "' is of " +
                    std::to_string(size(norm)) + " entries, but what it is applied to, after " +
                    std::to_string(layers) + " layers, has " + std::to_string(width(layers)));
  }

  const std::string& file_;
  const NetworkParts& parts_;
  const Order& order_;
  const KnownLayers& known_;
  FileOrder file_order_;
};

}  // namespace

std::vector<Placed> place_batch_norms(const std::string& file, const NetworkParts& parts, const Order& order,
                                      const KnownLayers& known, FileOrder file_order) {
  constexpr std::size_t most = 1000;
  if (parts.batch_norms.size() > most) throw DataError(file + ": more than 1000 batch normalisations; refused");
  return parts.batch_norms.empty() ? std::vector<Placed>() : Places(file, parts, order, known, file_order).find();
}

}  // namespace ansatz::nets
