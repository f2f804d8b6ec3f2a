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

/// Which of the test images is the template: the first in the set's own list that has `attribute` and lacks the task's.
Index find_template(const DatasetOptions& options, const std::string& attribute,
                    const std::vector<Index>& source_rows) {
  const std::filesystem::path folder = find_dataset(options.name, options.path);
  const std::vector<Index> wanted = celeba_attribute(folder, attribute, kTemplate);
  const std::vector<Index> unwanted = celeba_attribute(folder, options.attribute, "spurious_features.attributes");
  std::optional<Index> first;
  const auto source = [&](Index i) { return static_cast<std::size_t>(source_rows[static_cast<std::size_t>(i)]); };
  for (Index i = 0; i < static_cast<Index>(source_rows.size()); ++i)
    if (wanted[source(i)] && !unwanted[source(i)] && (!first || source(i) < source(*first))) first = i;
  if (!first) {
    throw DataError(
        fmt::format("none of the {} test images has {} ({}) without {}, so there is nothing to paste; take another "
                    "attribute, or more test images",
                    source_rows.size(), attribute, kTemplate, options.attribute));
  }
  return *first;
}

}  // namespace

PastingImages load_pasting_images(const DatasetOptions& dataset, const std::string& template_attribute,
                                  const std::vector<Index>& source_rows, const RandomStream& stream) {
  const DatasetOptions options = test_images_only(dataset);
  Dataset<float> raw = load_dataset<float>(options, stream, viz::read_image_planes).test;
  if (raw.source_rows != source_rows)
    throw DataError(dataset.attribute + ": the list of images changed while the experiment ran; run it again");
  const Index row = find_template(options, template_attribute, raw.source_rows);
  return {std::move(raw.inputs), row, raw.image_shape.value(), dataset.normalize};
}

Matrix<double> predict_pasted(const Predictor<double>& model, const PastingImages& images,
                              const std::vector<Index>& pixels) {
  const Index n = images.decoded.rows();
  const Vector<float> source = images.source();
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

void require_template(const DatasetOptions& dataset, const std::string& template_attribute,
                      const RandomStream& stream) {
  DatasetOptions options = test_images_only(dataset);
  options.image.height = options.image.width = 1;
  const auto black = [](const std::filesystem::path&) { return DecodedImage{{3, 1, 1}, {0, 0, 0}}; };
  find_template(options, template_attribute, load_dataset<float>(options, stream, black).test.source_rows);
}

}  // namespace ansatz::experiments
