#include "experiments/paper/faces/pasted_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/data/normalization.h"
#include "core/data/sets/celeba.h"
#include "experiments/paper/image_regions.h"
#include "viz/images/feature_image.h"

namespace ansatz::experiments {
namespace {

constexpr Index kChunk = 1024;  ///< images that are pasted into at a time
constexpr const char* kTemplate = "spurious_features.template";

/// The data set of a part as far as its test rows go, which the draw of training rows does not shift: two of these will
/// do. Nothing is scaled.
DatasetOptions test_images_only(DatasetOptions options) {
  options.draw.class_sizes = {1, 1};
  options.draw.train_size = options.draw.train_limit = options.draw.validation_size = 0;
  options.draw.validation_fraction = 0;
  options.normalize = Normalization::none;
  return options;
}

/// Which of the test images are the templates, in the set's own order.
std::vector<Index> find_templates(const DatasetOptions& options, const TemplateOptions& templates,
                                  const std::vector<Index>& source_rows) {
  const std::filesystem::path folder = find_dataset(options.name, options.path);
  const std::vector<Index> wanted = celeba_attribute(folder, templates.attribute, kTemplate);
  const std::vector<Index> unwanted = celeba_attribute(folder, options.attribute, "spurious_features.attributes");
  const auto source = [&](Index i) { return static_cast<std::size_t>(source_rows[static_cast<std::size_t>(i)]); };
  std::vector<Index> found;
  for (Index i = 0; i < static_cast<Index>(source_rows.size()); ++i)
    if (wanted[source(i)] && !unwanted[source(i)]) found.push_back(i);
  if (found.empty()) {
    throw DataError(
        fmt::format("none of the {} test images has {} ({}) without {}, so there is nothing to paste; take another "
                    "attribute, or more test images",
                    source_rows.size(), templates.attribute, kTemplate, options.attribute));
  }
  if (static_cast<Index>(found.size()) < templates.count) {
    throw DataError(fmt::format(
        "{} of the {} test images have {} ({}) without {}, fewer than spurious_features."
        "templates: {}; ask for fewer",
        found.size(), source_rows.size(), templates.attribute, kTemplate, options.attribute, templates.count));
  }
  std::sort(found.begin(), found.end(), [&](Index a, Index b) { return source(a) < source(b); });
  found.resize(static_cast<std::size_t>(templates.count));
  return found;
}

}  // namespace

PastingImages load_pasting_images(const DatasetOptions& dataset, const TemplateOptions& templates,
                                  const std::vector<Index>& source_rows, const RandomStream& stream) {
  const DatasetOptions options = test_images_only(dataset);
  Dataset<float> raw = load_dataset<float>(options, stream, viz::read_image_planes).test;
  if (raw.source_rows != source_rows)
    throw DataError(dataset.attribute + ": the list of images changed while the experiment ran; run it again");
  std::vector<Index> rows = find_templates(options, templates, raw.source_rows);
  return {std::move(raw.inputs), std::move(rows), raw.image_shape.value(), dataset.normalize};
}

Matrix<double> predict_pasted(const Predictor<double>& model, const PastingImages& images, const Vector<float>& source,
                              const std::vector<Index>& pixels) {
  const Index n = images.decoded.rows();
  Matrix<double> predictions(n, model.output_dimension());
  for (Index begin = 0; begin < n; begin += kChunk) {
    const Index rows = std::min(kChunk, n - begin);
    Split<float> chunk;
    chunk.test.inputs = images.decoded.middleRows(begin, rows);
    paste_pixels(source, pixels, images.shape, chunk.test.inputs);
    normalize(chunk, images.normalization);
    predictions.middleRows(begin, rows) = model.predict(Matrix<double>(chunk.test.inputs.cast<double>()));
  }
  return predictions;
}

void require_templates(const DatasetOptions& dataset, const TemplateOptions& templates, const RandomStream& stream) {
  DatasetOptions options = test_images_only(dataset);
  options.image.height = options.image.width = 1;
  const auto black = [](const std::filesystem::path&) { return DecodedImage{{3, 1, 1}, {0, 0, 0}}; };
  find_templates(options, templates, load_dataset<float>(options, stream, black).test.source_rows);
}

}  // namespace ansatz::experiments
