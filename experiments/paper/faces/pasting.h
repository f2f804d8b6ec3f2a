// What pasting pixels of templates into all test images does to a model.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/features/predictor.h"
#include "experiments/paper/faces/pasted_images.h"
#include "experiments/paper/faces/spurious_options.h"

namespace ansatz::experiments {

/// The test rows' classes, and how outputs say theirs.
struct Truth {
  std::vector<Index> classes;
  Matrix<double> codes;
};

/// A model on the n test images, each pasted into from t templates in turn (t = 1 where nothing is pasted).
struct Outcome {
  Matrix<double> right;   ///< n x t: 1 where the image is given its class, else 0
  Vector<double> recall;  ///< t: % of the images with the attribute that the model says have it; NaN where none has it

  Vector<double> accuracy() const { return 100 * right.colwise().mean().transpose(); }  ///< t, %
};

/// One change of the test images, and how both models fare.
struct Pasting {
  std::string name;                        ///< "untouched", "mask", "compared", "narrow", "region"
  std::string label;                       ///< for pictures: "as they are", "mask", "lips", "narrow lips", "random"
  std::vector<std::vector<Index>> pixels;  ///< of each template, those that are pasted; of "untouched" none, once
  Outcome network, rfm;
};

/// Untouched, the mask, the compared region, the narrow one if the task has one, and a random connected region as large
/// as the mask, another one of each template; outcomes still to come. `diagonal`: the RFM's. DataError if the mask is
/// empty.
std::vector<Pasting> pastings_of(const SpuriousOptions& options, const Part& part, const Vector<double>& diagonal,
                                 const ImageShape& shape, const RandomStream& stream);

/// The model's outcome of each template's pixels; `after_each` template is called, and may throw.
Outcome outcome_of(const Predictor<double>& model, const PastingImages& images, const Truth& truth,
                   const std::vector<std::vector<Index>>& pixels, const std::function<void()>& after_each);

/// What the change from `before` to `after` costs, row by row and template by template: 1 where only `before` is right,
/// -1 where only `after` is. A single column of `before` stands for all of them.
Matrix<double> costs(const Outcome& before, const Outcome& after);

/// Of what the templates cost on average over the rows, in percent; NaN for a single template.
double sd_over_templates(const Matrix<double>& costs);

/// "part,model,pasted,template,pixels_percent,..." of all parts: a row a template.
std::string pasting_csv_header();
std::string pasting_csv_rows(const std::string& part, const std::vector<Pasting>& pastings, const ImageShape& shape);

}  // namespace ansatz::experiments
