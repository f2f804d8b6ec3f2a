#include "viz/page/captions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/page/html.h"
#include "viz/page/numbers.h"

namespace ansatz::viz {
namespace {

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : i + 1 < list.size() ? ", " : " and ") + list[i];
  return text;
}

/// The feature matrices that pictures show, from the top.
std::vector<std::string> shown_matrices(const RunRecord& record) {
  std::vector<std::string> labels;
  if (record.network) labels.push_back(FeatureId::nfm().label());
  if (record.rfm && record.rfm->feature_iteration > 0) labels.push_back(record.rfm->feature_id().label());
  for (const FeatureId& id : {FeatureId::truth(), FeatureId::initial_nfm()}) {
    const bool compared = std::any_of(record.pairs.begin(), record.pairs.end(),
                                      [&](const FeaturePair& pair) { return pair.a == id || pair.b == id; });
    if (compared) labels.push_back(id.label());
  }
  return labels;
}

std::string image_size(const RunRecord& record) {
  const std::optional<ImageShape>& shape = record.data->image_shape;
  return shape ? fmt::format("{} × {} pixels", shape->height, shape->width) : "";
}

/// "The diagonals of the first two correlate with r = 0.812, their top eigenvectors with |r| = 0.930."
std::string likeness(const RunRecord& record) {
  if (!record.has_headline) return "";
  const FeatureComparison& values = record.pairs.front().values;
  std::string text = " The diagonals of the first two correlate with r = " + number(values.diagonal_pearson);
  if (!values.top_eigenvector_pearson.empty())
    text += ", their top eigenvectors with |r| = " + number(values.top_eigenvector_pearson.front());
  return text + ".";
}

DescribedPicture features(const RunRecord& record) {
  const std::string rows = joined(shown_matrices(record)), size = image_size(record);
  return {
      "features",
      fmt::format("Diagonal and leading eigenvectors, each a picture of {}, of {}.{}", size, rows, likeness(record)),
      fmt::format("One feature matrix a row: {}. First its diagonal, where bright pixels are those that the model "
                  "depends on most; then its leading eigenvectors as pictures of {}, with signs turned to agree "
                  "with the first row (an eigenvector’s own sign is arbitrary).",
                  escape_html(rows), size)};
}

DescribedPicture channels(const RunRecord& record) {
  const std::string rows = joined(shown_matrices(record));
  return {"channels", "Diagonals of " + rows + " by colour channel: all three as one picture, then red, green, blue.",
          "The diagonals of " + escape_html(rows) +
              ", colour channel by colour channel, and (all) as one RGB picture on a joint min–max scale."};
}

DescribedPicture top_features(const RunRecord& record) {
  return {
      "top_features", "Bars: the largest diagonal entries of " + joined(shown_matrices(record)) + ", by name.",
      "The largest diagonal entries by name, in % of each matrix’s trace, sorted by the first matrix; where there are "
      "one-hot columns, beside them the sums over each variable."};
}

DescribedPicture loadings(const RunRecord& record) {
  return {
      "loadings",
      "Bars: the largest entries of the leading eigenvectors of " + joined(shown_matrices(record)) + ", by name.",
      "The inputs that the leading eigenvectors give their largest entries to: which inputs act together (same side) "
      "or against each other. Signs are turned to agree with the first matrix; where eigenvalues are close, single "
      "eigenvectors are arbitrary."};
}

DescribedPicture diagonals(const RunRecord& record) {
  const std::string rows = joined(shown_matrices(record));
  return {"diagonals",
          fmt::format("Bars: diagonals of {} over {} inputs.{}", rows, record.data->dimension, likeness(record)),
          fmt::format("How much the models depend on each of the {} inputs: diagonals of their feature matrices, each "
                      "divided by its largest entry.",
                      record.data->dimension)};
}

DescribedPicture matrices(const RunRecord& record) {
  const std::string rows = joined(shown_matrices(record));
  const Index d = record.data->dimension, shown = d <= kWholeMatrix ? d : kMatrixCorner;
  const std::string part = shown == d ? fmt::format("All {0} × {0} entries", d)
                                      : fmt::format("The first {0} × {0} of {1} × {1} entries", shown, d);
  return {"matrices", fmt::format("Heat maps of {}: {} × {} entries each.", rows, shown, shown),
          fmt::format("{} of {}. Off the diagonal: red, inputs that act together; blue, against each other.", part,
                      escape_html(rows))};
}

/// "0.35 for network W₁ᵀW₁ and 0.41 for RFM M, iteration 1"
std::string second_eigenvalues(const RunRecord& record) {
  std::vector<std::string> list;
  const FeaturePair& first = record.pairs.front();
  for (const auto& [id, values] :
       {std::pair(first.a, first.values.eigenvalues_a), std::pair(first.b, first.values.eigenvalues_b)})
    if (values.size() > 1 && values[0] > 0)
      list.push_back(fmt::format("{} for {}", number(values[1] / values[0], 2), id.label()));
  return joined(list);
}

DescribedPicture spectra(const RunRecord& record) {
  const std::string second = record.pairs.empty() ? "" : second_eigenvalues(record);
  const std::string told = second.empty() ? "" : " The second eigenvalue relative to the first: " + second + ".";
  return {"spectra", "Leading eigenvalues of " + joined(shown_matrices(record)) + ", relative to the largest." + told,
          "Leading eigenvalues relative to the largest." + escape_html(told) +
              " Where neighbours are close, single eigenvectors are arbitrary and only angles between subspaces mean "
              "something."};
}

/// "training accuracy from 62.10 % to 85.40 %"
std::string course(const std::string& what, const std::optional<Metrics>& first, const std::optional<Metrics>& last) {
  return what + (first ? " from " + score(first) : "") + " to " + score(last);
}

std::string network_course(const RunRecord& record) {
  const std::vector<EpochRecord>& epochs = record.network->epochs;
  const auto evaluated = [](const EpochRecord& epoch) { return epoch.train.has_value(); };
  const auto first = std::find_if(epochs.begin(), epochs.end(), evaluated);
  const auto last = std::find_if(epochs.rbegin(), epochs.rend(), evaluated);
  const std::string what = record.data->task == Task::classification ? "accuracy" : "R²";
  std::string text = fmt::format("The network over {} epochs: loss from {} to {}", epochs.back().epoch,
                                 number(epochs.front().train_loss, 4), number(epochs.back().train_loss, 4));
  if (first != epochs.end()) text += "; " + course("training " + what, first->train, last->train);
  if (first != epochs.end() && last->validation)
    text += "; " + course("validation " + what, first->validation, last->validation);
  return text + ".";
}

std::string rfm_course(const RunRecord& record) {
  const std::vector<RfmIteration>& iterations = record.rfm->iterations;
  const bool has_test = iterations.back().test.has_value();
  const std::string what = record.data->task == Task::classification ? "accuracy" : "R²";
  const auto of = [&](const RfmIteration& it) { return has_test ? it.test : std::optional<Metrics>(it.train); };
  return fmt::format(" The RFM’s {} {} at iteration 0 (the plain kernel): {}; at iteration {}: {}.",
                     has_test ? "test" : "training", what, score(of(iterations.front())), iterations.back().iteration,
                     score(of(iterations.back())));
}

DescribedPicture training(const RunRecord& record) {
  std::string text;
  if (record.network && !record.network->epochs.empty()) text += network_course(record);
  if (record.rfm && !record.rfm->iterations.empty()) text += rfm_course(record);
  return {"training", "Training curves. " + text, escape_html(text)};
}

DescribedPicture evolution(const RunRecord& record) {
  std::string text = "How like the network’s diagonal was to the RFM’s and to its own initial value, epoch by epoch";
  if (record.evolution) {
    const std::vector<double>& r = record.evolution->with_rfm;
    if (!r.empty() && std::isfinite(r.front()) && std::isfinite(r.back()))
      text += fmt::format(": r with the RFM’s from {} to {}", number(r.front()), number(r.back()));
  }
  return {"evolution", text + ".", escape_html(text) + "."};
}

}  // namespace

std::vector<DescribedPicture> feature_pictures(const RunRecord& record) {
  return {features(record),  channels(record), top_features(record), loadings(record),
          diagonals(record), matrices(record), spectra(record)};
}

std::vector<DescribedPicture> training_pictures(const RunRecord& record) {
  const std::string animated =
      "The diagonal of the network’s W₁ᵀW₁ from the first epoch to the last, animated, on one colour scale.";
  const std::string solvers =
      "Relative residual and validation error of the iterative solvers of kernel systems against seconds.";
  return {
      training(record), {"solvers", solvers, solvers}, evolution(record), {"evolution_diagonal", animated, animated}};
}

}  // namespace ansatz::viz
