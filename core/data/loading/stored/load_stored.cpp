#include "core/data/loading/stored/load_stored.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/data/constant_data.h"
#include "core/data/loading/input_size.h"
#include "core/data/loading/label_plausibility.h"
#include "core/data/loading/read_drawn.h"
#include "core/data/normalization.h"
#include "core/files/npy.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<Index>;

/// Whether the file's rows can be gathered as they are.
bool stays(const fs::path& file, std::size_t scalar_bytes) {
  if (file.empty()) return true;
  const NpyHeader header = read_npy_header(file);
  const std::string element = header.dtype.substr(1);
  const auto is_one_of = [&](const std::vector<std::string>& elements) {
    return std::find(elements.begin(), elements.end(), element) != elements.end();
  };
  if (header.fortran_order && header.shape.size() > 1) return false;
  return is_one_of({"b1", "u1", "i1", "u2", "i2", "f2", "f4"}) || (scalar_bytes == 8 && is_one_of({"u4", "i4", "f8"}));
}

/// The same rows, of whose inputs nothing is read: their numbers take the place.
RowSource without_inputs(RowSource source) {
  source.outline.dimension = 1;
  source.outline.input_names.clear();
  source.outline.image_shape.reset();
  source.read = [read = std::move(source.read)](const WantedRows& wanted) {
    DataValues values = read(wanted);
    for (PartValues* part : {&values.train, &values.validation, &values.test}) {
      part->inputs = {};
      part->read_row =
          row_reader([](Index row, auto* out) { *out = static_cast<std::remove_pointer_t<decltype(out)>>(row); });
    }
    return values;
  };
  return source;
}

/// The rows of a file, with targets and all else of `numbered`.
template <class Scalar>
StoredDataset<Scalar> stored_part(const fs::path& file, const Rows& rows, const InputTransform& transform,
                                  const DataOutline& outline, Dataset<Scalar> numbered) {
  StoredDataset<Scalar> part;
  part.rest = std::move(numbered);
  part.rest.inputs.resize(static_cast<Index>(rows.size()), 0);
  part.rest.feature_names = outline.input_names;
  part.rest.image_shape = outline.image_shape;
  if (rows.empty()) return part;
  part.inputs = StoredRows<Scalar>::npy(file).chosen(rows);
  if (transform.normalization != Normalization::none) part.inputs = part.inputs.transformed(transform);
  return part;
}

/// Warns of what is odd about some of the rows, evenly chosen.
template <class Scalar>
void judge_some(const StoredDataset<Scalar>& train, Normalization normalization, std::vector<std::string>& notes) {
  constexpr Index kJudged = 4000;
  const Index count = std::min(train.size(), kJudged);
  Rows rows;
  for (Index i = 0; i < count; ++i) rows.push_back(i * train.size() / count);
  for (std::string& text : own_data_warnings(train.rows(rows), normalization)) {
    spdlog::warn("{}", text);
    notes.push_back(std::move(text));
  }
}

template <class Scalar>
StoredParts<Scalar> map_arrays(const DatasetOptions& options, const RandomStream& stream) {
  const RowSource source = open_arrays(options.arrays, options.task);
  const DataOutline& outline = source.outline;
  const DrawnRows drawn = draw_rows(outline, options.draw, stream);
  require_classes(outline, drawn.train);
  Split<Scalar> numbered =
      read_drawn<Scalar>(without_inputs(source), drawn, Normalization::none, options.target_scaling);
  validate(numbered);
  judge_variation(numbered);
  encode_classes(numbered, options.class_coding);
  const TableScaling scaling(source.read({drawn.train, {}, {}}).train.inputs, drawn.train, outline.input_names,
                             options.normalize, false);
  const ArrayOptions& files = options.arrays;
  const auto part = [&](const fs::path& file, const Rows& rows, Dataset<Scalar>& of) {
    return stored_part(file, rows, scaling.transform(), outline, std::move(of));
  };
  StoredParts<Scalar> parts;
  parts.train = part(files.train_inputs, drawn.train, numbered.train);
  parts.validation = part(outline.validation.rows > 0 ? files.validation_inputs : files.train_inputs, drawn.validation,
                          numbered.validation);
  parts.test = part(files.test_inputs, drawn.test, numbered.test);
  parts.transform = scaling.transform();
  parts.notes = std::move(numbered.notes);
  parts.notes.insert(parts.notes.end(), scaling.notes().begin(), scaling.notes().end());
  for (const std::string& text : scaling.warnings()) {
    spdlog::warn("{}", text);
    parts.notes.push_back(text);
  }
  judge_some(parts.train, options.normalize, parts.notes);
  parts.notes.push_back(
      fmt::format("inputs stay in their files ({}) and are read as they are needed", parts.train.inputs.element()));
  return parts;
}

template <class Scalar>
StoredDataset<Scalar> in_memory(Dataset<Scalar> data) {
  return StoredDataset<Scalar>::of(std::make_shared<const Dataset<Scalar>>(std::move(data)));
}

}  // namespace

bool inputs_stay_stored(const DatasetOptions& options, std::size_t scalar_bytes) {
  const ArrayOptions& files = options.arrays;
  if (options.name != "arrays" || options.image.height > 0 || options.image.width > 0) return false;
  for (const fs::path& file : {files.train_inputs, files.validation_inputs, files.test_inputs})
    if (!stays(file, scalar_bytes)) return false;
  return !open_arrays(files, options.task).outline.channels_last;
}

template <class Scalar>
StoredParts<Scalar> load_stored(const DatasetOptions& options, const RandomStream& stream,
                                const ImageReader& read_image) {
  if (inputs_stay_stored(options, sizeof(Scalar))) return map_arrays<Scalar>(options, stream);
  Split<Scalar> split = load_dataset<Scalar>(options, stream, read_image);
  return {in_memory(std::move(split.train)), in_memory(std::move(split.validation)), in_memory(std::move(split.test)),
          std::move(split.transform), std::move(split.notes)};
}

template StoredParts<float> load_stored(const DatasetOptions&, const RandomStream&, const ImageReader&);
template StoredParts<double> load_stored(const DatasetOptions&, const RandomStream&, const ImageReader&);

}  // namespace ansatz
