// The test images of a task of CelebA, with pixels of some of them pasted into all, as the paper's Section 4.4 does.
#pragma once

#include <string>
#include <vector>

#include "core/data/loading/load_dataset.h"
#include "core/features/predictor.h"

namespace ansatz::experiments {

/// Whose pixels are pasted: the first `count` test images, in the order of list_attr_celeba.txt, that have `attribute`
/// and lack that of the task.
struct TemplateOptions {
  std::string attribute = "Male";
  Index count = 10;
};

/// The test images as they are decoded, and which of them are the templates.
struct PastingImages {
  Matrix<float> decoded;  ///< n x d, 0..1: bytes need no more digits
  std::vector<Index> template_rows;
  ImageShape shape;
  Normalization normalization = Normalization::none;  ///< that of the task, for after pasting

  Vector<float> source(std::size_t t) const { return decoded.row(template_rows.at(t)).transpose(); }
};

/// The test images that load_dataset gives for `dataset` and `stream`, read once more, not normalised; DataError if
/// they are no longer `source_rows` (Dataset::source_rows). ConfigError for a template attribute that the set does not
/// have, DataError if too few test images will do as templates.
PastingImages load_pasting_images(const DatasetOptions& dataset, const TemplateOptions& templates,
                                  const std::vector<Index>& source_rows, const RandomStream& stream);

/// Throws what load_pasting_images would, before any work: no image is decoded.
void require_templates(const DatasetOptions& dataset, const TemplateOptions& templates, const RandomStream& stream);

/// What the model (n x c) says of all images after those `pixels` of `source` (d) were pasted into them, all channels,
/// and the images normalised. Only unit_norm and none need no training rows.
Matrix<double> predict_pasted(const Predictor<double>& model, const PastingImages& images, const Vector<float>& source,
                              const std::vector<Index>& pixels);

}  // namespace ansatz::experiments
