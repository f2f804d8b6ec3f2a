// The test images of a task of CelebA, with pixels of one of them pasted into all, as the paper's Section 4.4 does.
#pragma once

#include <string>
#include <vector>

#include "core/data/loading/load_dataset.h"
#include "core/features/predictor.h"

namespace ansatz::experiments {

/// The test images as they are decoded, and the template: the first of them, in the order of list_attr_celeba.txt, that
/// has one attribute and lacks that of the task.
struct PastingImages {
  Matrix<float> decoded;  ///< n x d, 0..1: bytes need no more digits
  Index template_row = 0;
  ImageShape shape;
  Normalization normalization = Normalization::none;  ///< that of the task, for after pasting

  Vector<float> source() const { return decoded.row(template_row).transpose(); }
};

/// The test images that load_dataset gives for `dataset` and `stream`, read once more, not normalised; DataError if
/// they are no longer `source_rows` (Dataset::source_rows). ConfigError for a template attribute that the set does not
/// have, DataError if no test image will do as template.
PastingImages load_pasting_images(const DatasetOptions& dataset, const std::string& template_attribute,
                                  const std::vector<Index>& source_rows, const RandomStream& stream);

/// Throws what load_pasting_images would, before any work: no image is decoded.
void require_template(const DatasetOptions& dataset, const std::string& template_attribute, const RandomStream& stream);

/// What the model (n x c) says of all images after the template's `pixels` were pasted into them, all channels, and the
/// images normalised. Only unit_norm and none need no training rows.
Matrix<double> predict_pasted(const Predictor<double>& model, const PastingImages& images,
                              const std::vector<Index>& pixels);

}  // namespace ansatz::experiments
