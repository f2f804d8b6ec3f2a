#include "experiments/paper/faces/pasting.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/data/class_coding.h"
#include "core/record/findings/standard_errors.h"

namespace ansatz::experiments {
namespace {

std::vector<bool> right_of(const Matrix<double>& right, Index column) {
  std::vector<bool> rows(static_cast<std::size_t>(right.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = right(static_cast<Index>(i), column) > 0.5;
  return rows;
}

double recall_of(const std::vector<Index>& called, const std::vector<Index>& classes) {
  double with = 0, found = 0;
  for (std::size_t i = 0; i < called.size(); ++i) {
    with += classes[i] == 1;
    found += classes[i] == 1 && called[i] == 1;
  }
  return with > 0 ? 100 * found / with : std::numeric_limits<double>::quiet_NaN();
}

/// Columns of `right` that a template has.
Index column_of(const Outcome& outcome, Index t) { return outcome.right.cols() == 1 ? 0 : t; }

}  // namespace

std::vector<Pasting> pastings_of(const SpuriousOptions& options, const Part& part, const Vector<double>& diagonal,
                                 const ImageShape& shape, const RandomStream& stream) {
  const SpuriousTask& task = options.tasks.at(part.name);
  const std::vector<Index> mask = feature_mask(diagonal, shape, options.mask, task.excluded);
  if (mask.empty()) {
    throw DataError(fmt::format(
        "{}: outside of the excluded regions no entry of the RFM's diagonal, scaled to 0..1, exceeds {}{}, so "
        "there is nothing to paste; lower spurious_features.threshold",
        part.name, options.mask.threshold, options.mask.keep_largest ? "" : " but the largest (keep_largest: false)"));
  }
  const auto templates = static_cast<std::size_t>(options.templates.count);
  const auto of_all = [&](const std::vector<Index>& pixels) { return std::vector(templates, pixels); };
  std::vector<Pasting> pastings = {{"untouched", "as they are", {{}}, {}, {}},
                                   {"mask", "mask", of_all(mask), {}, {}},
                                   {"compared", task.label, of_all(pixels_in(task.compared, shape)), {}, {}}};
  if (!task.narrow.empty())
    pastings.push_back({"narrow", "narrow " + task.label, of_all(pixels_in(task.narrow, shape)), {}, {}});
  Pasting region{"region", "random", {}, {}, {}};
  for (std::size_t t = 0; t < templates; ++t) {
    RandomStream random = stream.named(fmt::format("spurious/random region/{}", t));
    region.pixels.push_back(random_region(static_cast<Index>(mask.size()), shape, task.excluded, random));
  }
  pastings.push_back(std::move(region));
  return pastings;
}

Outcome outcome_of(const Predictor<double>& model, const PastingImages& images, const Truth& truth,
                   const std::vector<std::vector<Index>>& pixels, const std::function<void()>& after_each) {
  const auto n = static_cast<Index>(truth.classes.size()), t = static_cast<Index>(pixels.size());
  Outcome outcome{Matrix<double>(n, t), Vector<double>(t)};
  for (Index column = 0; column < t; ++column) {
    const auto at = static_cast<std::size_t>(column);
    const std::vector<Index> called =
        decode_classes(predict_pasted(model, images, images.source(at), pixels[at]), truth.codes);
    for (Index i = 0; i < n; ++i)
      outcome.right(i, column) = called[static_cast<std::size_t>(i)] == truth.classes[static_cast<std::size_t>(i)];
    outcome.recall(column) = recall_of(called, truth.classes);
    after_each();
  }
  return outcome;
}

Matrix<double> costs(const Outcome& before, const Outcome& after) {
  Matrix<double> differences = -after.right;
  for (Index t = 0; t < differences.cols(); ++t) differences.col(t) += before.right.col(column_of(before, t));
  return differences;
}

double sd_over_templates(const Matrix<double>& costs) {
  const Vector<double> of_templates = costs.colwise().mean().transpose();
  const auto n = static_cast<double>(of_templates.size());
  return 100 * std::sqrt((of_templates.array() - of_templates.mean()).square().sum() / (n - 1));
}

std::string pasting_csv_header() {
  return "part,model,pasted,template,pixels_percent,test_accuracy_percent,recall_percent,drop_percent,"
         "drop_standard_error_percent\n";
}

std::string pasting_csv_rows(const std::string& part, const std::vector<Pasting>& pastings, const ImageShape& shape) {
  std::string text;
  for (const Pasting& pasting : pastings)
    for (const auto& [model, outcome] : {std::pair("network", &Pasting::network), std::pair("rfm", &Pasting::rfm)}) {
      const Outcome &before = pastings.front().*outcome, &after = pasting.*outcome;
      const Vector<double> accuracy = after.accuracy();
      for (Index t = 0; t < accuracy.size(); ++t)
        text += fmt::format("{},{},{},{},{},{},{},{},{}\n", part, model, pasting.name, t + 1,
                            pixel_share(pasting.pixels[static_cast<std::size_t>(t)], shape), accuracy(t),
                            after.recall(t), before.accuracy()(0) - accuracy(t),
                            100 * paired_standard_error(right_of(before.right, 0), right_of(after.right, t)));
    }
  return text;
}

}  // namespace ansatz::experiments
