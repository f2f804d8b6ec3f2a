#include "core/data/loading/load_dataset.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/data/constant_data.h"
#include "core/data/formats/find_files.h"
#include "core/data/formats/image_source.h"
#include "core/data/loading/data_set_table.h"
#include "core/data/loading/input_size.h"
#include "core/data/loading/label_plausibility.h"
#include "core/data/loading/read_drawn.h"
#include "core/data/normalization.h"
#include "core/data/synthetic/synthetic.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

const DataSet& data_set(const std::string& name) {
  std::vector<std::string> names;
  for (const DataSet& set : data_set_table()) {
    if (set.name == name) return set;
    names.emplace_back(set.name);
  }
  throw DataError(fmt::format("there is no data set \"{}\"; there are: {}", name, fmt::join(names, ", ")));
}

/// Whether the set is a user's own numbers, of which nobody has seen to it that they make sense.
bool own_numbers(const DataSet& set) { return set.form == DatasetForm::table || set.form == DatasetForm::arrays; }

/// The folders in which a set is looked for if no path is given. If ANSATZ_DATA is not set, its name stands for it.
std::vector<fs::path> places(const DataSet& set) {
  constexpr const char* kSystemFolder = "/usr/share/datasets";
  const char* own = std::getenv("ANSATZ_DATA");
  std::vector<fs::path> result;
  for (const fs::path& root : {fs::path(own && *own ? own : "$ANSATZ_DATA"), fs::path(kSystemFolder)}) {
    for (const std::string& folder : set.folders) {
      result.push_back(root / folder);
      if (*set.sub_folder) result.push_back(root / folder / set.sub_folder);
    }
  }
  return result;
}

/// What a folder lacks to be that of the data set, or "" if nothing.
std::string lacks(const fs::path& folder, const DataSet& set) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return "no such folder";
  for (const std::string& alternatives : set.files) {
    if (!find_file(folder, alternatives)) return "no " + split_alternatives(alternatives).front();
  }
  return "";
}

/// A set that is open, and which of its rows are used.
struct OpenSet {
  RowSource source;
  DrawnRows drawn;
};

/// Opens the set and draws its rows; what its inputs are may depend on those. Refuses a classification of a user's own
/// data whose labels are numbers to predict, or names of rows.
OpenSet open_set(const DataSet& set, const DatasetOptions& options, const RandomStream& stream,
                 const ImageReader& read_image) {
  OpenSet opened{resized(set.open(options, read_image), options.image.height, options.image.width), {}};
  opened.drawn = draw_rows(opened.source.outline, options.draw, stream);
  const DataOutline& outline = opened.source.outline;
  if (own_numbers(set) || set.form == DatasetForm::texts) require_classes(outline, opened.drawn.train);
  if (opened.source.learn) {
    const auto known = static_cast<std::ptrdiff_t>(outline.notes.size());
    opened.source = opened.source.learn(opened.drawn.train);
    opened.drawn.notes.insert(opened.drawn.notes.end(), outline.notes.begin() + known, outline.notes.end());
  }
  if (outline.dimension < 1) throw DataError(outline.name + ": the inputs have no columns (d = 0)");
  return opened;
}

template <class Scalar>
Split<Scalar> read_files(const DataSet& set, const DatasetOptions& options, const RandomStream& stream,
                         const ImageReader& read_image) {
  const OpenSet opened = open_set(set, options, stream, read_image);
  return read_drawn<Scalar>(opened.source, opened.drawn, options.normalize, options.target_scaling);
}

DatasetSize size_of_files(const DataSet& set, const DatasetOptions& options, const RandomStream& stream) {
  const auto [source, drawn] = open_set(set, options, stream, {});
  const DataOutline& outline = source.outline;
  const auto rows = [](const std::vector<Index>& indices) { return static_cast<Index>(indices.size()); };
  const Index outputs = drawn.class_names.empty() ? outline.outputs : static_cast<Index>(drawn.class_names.size());
  const TargetScaling scaling = scaling_of_targets(source, drawn, options.target_scaling);
  std::vector<std::string> notes = drawn.notes;
  if (std::string text = left_as_they_came(outline, options.target_scaling, scaling); !text.empty())
    notes.push_back(std::move(text));
  return {rows(drawn.train), rows(drawn.validation), rows(drawn.test), outline.dimension,
          outputs,           outline.reading_bytes,  scaling,          notes};
}

template <class Scalar>
Split<Scalar> compute_low_rank(const DatasetOptions& options, const RandomStream& stream) {
  const DrawOptions& draw = options.draw;
  if (draw.train_size < 1 || draw.test_size < 1) {
    throw DataError("low_rank: `train_size` and `test_size` must be given, as there is no end of rows");
  }
  Split<Scalar> split =
      make_low_rank<Scalar>(options.low_rank, draw.train_size, draw.validation_size, draw.test_size, stream);
  split.transform.raw = RawInputs::computed;
  normalize(split, options.normalize);
  return split;
}

DatasetSize size_of_low_rank(const DatasetOptions& options) {
  const DrawOptions& draw = options.draw;
  return {draw.train_size, draw.validation_size, draw.test_size, options.low_rank.dimension, 1};
}

/// Warns of what is odd about a user's own numbers.
template <class Scalar>
void judge_own_data(const DataSet& set, Normalization normalization, Split<Scalar>& split) {
  if (!own_numbers(set)) return;
  for (std::string& text : own_data_warnings(split.train, normalization)) {
    spdlog::warn("{}", text);
    split.notes.push_back(std::move(text));
  }
}

}  // namespace

template <class Scalar>
Split<Scalar> load_dataset(const DatasetOptions& options, const RandomStream& stream, const ImageReader& read_image) {
  const DataSet& set = data_set(options.name);
  Split<Scalar> split =
      set.open ? read_files<Scalar>(set, options, stream, read_image) : compute_low_rank<Scalar>(options, stream);
  validate(split);
  judge_variation(split);
  judge_own_data(set, options.normalize, split);
  encode_classes(split, options.class_coding);
  return split;
}

const std::vector<DatasetInfo>& dataset_table() {
  static const std::vector<DatasetInfo> table = [] {
    std::vector<DatasetInfo> infos;
    for (const DataSet& set : data_set_table())
      infos.push_back(
          {set.name, set.summary, set.files, places(set), set.how_to_get, set.made_from, set.form, set.in_one_piece});
    return infos;
  }();
  return table;
}

fs::path find_dataset(const std::string& name, const fs::path& path) {
  const DataSet& set = data_set(name);
  std::vector<fs::path> folders = places(set);
  if (!path.empty()) {
    folders = {path};
    if (*set.sub_folder) folders.push_back(path / set.sub_folder);
  }
  if (folders.empty()) throw DataError(name + ": `path` is not given");
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) {
    const std::string missing = lacks(folder, set);
    if (missing.empty()) return folder;
    looked.push_back(fmt::format("{} ({})", folder.string(), missing));
  }
  const std::string how = set.how_to_get;
  throw DataError(fmt::format("data set {} not found; looked in {}{}", name, fmt::join(looked, ", "),
                              how.empty() ? "" : "; to get it: " + how));
}

fs::path find_component(const fs::path& path, const std::string& name) {
  return find_dataset(name, path.empty() ? path : path / name);
}

DatasetSize dataset_size(const DatasetOptions& options, const RandomStream& stream) {
  const DataSet& set = data_set(options.name);
  DatasetSize size = set.open ? size_of_files(set, options, stream) : size_of_low_rank(options);
  if (options.task == Task::classification) size.outputs = coded_outputs(options.class_coding, size.outputs);
  return size;
}

template Split<float> load_dataset(const DatasetOptions&, const RandomStream&, const ImageReader&);
template Split<double> load_dataset(const DatasetOptions&, const RandomStream&, const ImageReader&);

}  // namespace ansatz
