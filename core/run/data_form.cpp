#include "core/run/data_form.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/json_lists.h"
#include "core/files/json_value.h"

namespace ansatz {
namespace {

constexpr Index kMost = 1'000'000'000;                      // of any dimension
constexpr const char *kNone = "zero", *kRefused = "error";  // an unknown category, as configs say it

template <class Value>
struct Word {
  const char* word;
  Value value;
};
constexpr Word<RawInputs> kRawInputs[] = {
    {"numbers", RawInputs::numbers}, {"pixels", RawInputs::pixels}, {"computed", RawInputs::computed}};
constexpr Word<Normalization> kNormalizations[] = {{"none", Normalization::none},
                                                   {"unit_norm", Normalization::unit_norm},
                                                   {"standardize", Normalization::standardize},
                                                   {"min_max", Normalization::min_max}};
constexpr Word<Task> kTasks[] = {{"regression", Task::regression}, {"classification", Task::classification}};

template <class Value, std::size_t n>
std::string word_of(const Word<Value> (&table)[n], Value value) {
  for (const Word<Value>& row : table)
    if (row.value == value) return row.word;
  return "";
}

template <class Value, std::size_t n>
Value value_of(const Word<Value> (&table)[n], const JsonValue& word) {
  for (const Word<Value>& row : table)
    if (word.text() == row.word) return row.value;
  word.fail("is none of the words that stand there");
}

Json to_json(const TableSchema& table) {
  Json columns = Json::array();
  for (const TableSchema::Column& column : table.columns) {
    Json entry = {{"name", column.name}};
    if (!column.categories.empty()) entry["categories"] = column.categories;
    columns.push_back(std::move(entry));
  }
  return {{"columns", std::move(columns)},
          {"target", table.target},
          {"delimiter", std::string(1, table.delimiter)},
          {"decimal", std::string(1, table.decimal)},
          {"missing_values", table.missing_values},
          {"default_missing_values", table.default_missing_values},
          {"unknown_category", table.unknown_category_is_none ? kNone : kRefused}};
}

char character(const JsonValue& value) {
  const std::string text = value.text();
  if (text.size() != 1) value.fail("must be a single character");
  return text.front();
}

TableSchema schema_from_json(const JsonValue& json) {
  TableSchema table;
  for (const JsonValue& column : json.at("columns").list())
    table.columns.push_back({column.at("name").text(), texts_of(column, "categories")});
  table.target = json.at("target").text();
  table.delimiter = character(json.at("delimiter"));
  table.decimal = character(json.at("decimal"));
  table.missing_values = texts_of(json, "missing_values");
  table.default_missing_values = json.at("default_missing_values").truth();
  const JsonValue unknown = json.at("unknown_category");
  table.unknown_category_is_none = unknown.text() == kNone;
  if (!table.unknown_category_is_none && unknown.text() != kRefused) unknown.fail("is neither zero nor error");
  return table;
}

Json to_json(const TextSchema& text) {
  return {{"label", text.label},
          {"text", text.text},
          {"delimiter", std::string(1, text.delimiter)},
          {"word_ngrams", text.words},
          {"character_ngrams", text.characters},
          {"sublinear_tf", text.sublinear_tf},
          {"names", text.names},
          {"idf", text.idf}};
}

std::vector<Index> lengths_of(const JsonValue& json, const std::string& key) {
  std::vector<Index> lengths;
  for (const JsonValue& length : json.at(key).list()) lengths.push_back(length.integer(1, kMost));
  if (!lengths.empty() && lengths.size() != 2) json.at(key).fail("must be two numbers or none");
  return lengths;
}

TextSchema text_from_json(const JsonValue& json) {
  TextSchema text;
  text.label = json.at("label").text();
  text.text = json.at("text").text();
  text.delimiter = character(json.at("delimiter"));
  text.words = lengths_of(json, "word_ngrams");
  text.characters = lengths_of(json, "character_ngrams");
  text.sublinear_tf = json.at("sublinear_tf").truth();
  text.names = texts_of(json, "names");
  for (const JsonValue& idf : json.at("idf").list()) text.idf.push_back(idf.number());
  return text;
}

/// Names that are not UTF-8 are replaced.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class Scalar>
Json inputs_json(const DataForm<Scalar>& form) {
  Json json = {{"dimension", form.dimension},
               {"raw", word_of(kRawInputs, form.transform.raw)},
               {"normalize", word_of(kNormalizations, form.transform.normalization)}};
  if (form.image_shape)
    json["image_shape"] = {form.image_shape->channels, form.image_shape->height, form.image_shape->width};
  if (form.transform.channels_last) json["channels_last"] = true;
  if (form.transform.table) json["table"] = to_json(*form.transform.table);
  if (form.transform.text) json["text"] = to_json(*form.transform.text);
  return json;
}

template <class Scalar>
Json outputs_json(const DataForm<Scalar>& form) {
  Json json = {{"count", form.outputs}, {"task", word_of(kTasks, form.task)}};
  if (form.task != Task::classification) return json;
  json["class_names"] = form.class_names;
  json["class_coding"] = form.class_codes.size() > 0 ? "prevalence" : "one_hot";
  return json;
}

InputTransform::Row row_of(const SafetensorsFile& file, const std::string& name, Index dimension) {
  if (!file.has(name)) return {};
  return file.matrix<double>(name, dimension, 0).col(0).transpose().array();
}

std::optional<ImageShape> shape_from_json(const JsonValue& inputs, Index dimension) {
  if (!inputs.has("image_shape")) return std::nullopt;
  const std::vector<JsonValue> sides = inputs.at("image_shape").list();
  if (sides.size() != 3) inputs.at("image_shape").fail("must be three numbers");
  const ImageShape shape{sides[0].integer(1, kMost), sides[1].integer(1, kMost), sides[2].integer(1, kMost)};
  if (shape.size() != dimension) inputs.at("image_shape").fail("is not of the inputs' dimension");
  return shape;
}

void require_columns(const TableSchema& table, Index dimension, const JsonValue& place) {
  std::size_t width = 0;
  for (const TableSchema::Column& column : table.columns)
    width += column.categories.empty() ? 1 : column.categories.size();
  if (width != static_cast<std::size_t>(dimension)) place.fail("does not make the inputs' dimension");
}

}  // namespace

template <class Scalar>
DataForm<Scalar> data_form_of(const Split<Scalar>& split) {
  const Dataset<Scalar>& train = split.train;
  // Of texts the range says nothing: most n-grams that a new text has are more frequent in it than in any other.
  const bool numbers = split.transform.raw == RawInputs::numbers && !train.image_shape && !split.transform.text;
  return {split.transform,   train.dimension(),    train.outputs(),
          train.image_shape, train.task,           train.class_names,
          train.class_codes, train.target_scaling, numbers ? range_of(train.inputs) : InputRange()};
}

template <class Scalar>
void add_data_form(const DataForm<Scalar>& form, SafetensorsWriter& file) {
  file.add_text("inputs", text_of(inputs_json(form)));
  file.add_text("outputs", text_of(outputs_json(form)));
  const InputTransform& transform = form.transform;
  if (transform.fill.size() > 0) file.add("inputs.fill", transform.fill);
  if (transform.shift.size() > 0) file.add("inputs.shift", transform.shift);
  if (transform.scale.size() > 0) file.add("inputs.scale", transform.scale);
  if (form.range.low.size() > 0) file.add("inputs.low", form.range.low);
  if (form.range.high.size() > 0) file.add("inputs.high", form.range.high);
  if (form.class_codes.size() > 0) file.add("class_codes", form.class_codes);
  if (!form.target_scaling.scales()) return;
  file.add("targets.mean", form.target_scaling.mean);
  file.add("targets.sd", form.target_scaling.sd);
}

template <class Scalar>
DataForm<Scalar> read_data_form(const SafetensorsFile& file) {
  const JsonValue inputs = file.metadata_json("inputs"), outputs = file.metadata_json("outputs");
  DataForm<Scalar> form;
  form.dimension = inputs.at("dimension").integer(1, kMost);
  form.outputs = outputs.at("count").integer(1, kMost);
  form.image_shape = shape_from_json(inputs, form.dimension);
  form.task = value_of(kTasks, outputs.at("task"));
  form.class_names = texts_of(outputs, "class_names");
  if (file.has("class_codes"))
    form.class_codes = file.matrix<Scalar>("class_codes", static_cast<Index>(form.class_names.size()), form.outputs);
  if (file.has("targets.mean"))
    form.target_scaling = {file.matrix<double>("targets.mean", form.outputs, 0).col(0),
                           file.matrix<double>("targets.sd", form.outputs, 0).col(0)};
  InputTransform& transform = form.transform;
  transform.raw = value_of(kRawInputs, inputs.at("raw"));
  transform.normalization = value_of(kNormalizations, inputs.at("normalize"));
  transform.channels_last = inputs.has("channels_last") && inputs.at("channels_last").truth();
  if (transform.channels_last && !form.image_shape) inputs.at("channels_last").fail("needs an image_shape");
  transform.fill = row_of(file, "inputs.fill", form.dimension);
  transform.shift = row_of(file, "inputs.shift", form.dimension);
  transform.scale = row_of(file, "inputs.scale", form.dimension);
  form.range = {row_of(file, "inputs.low", form.dimension), row_of(file, "inputs.high", form.dimension)};
  if (transform.shift.size() != transform.scale.size())
    throw DataError(file.path().string() + ": it has only one of inputs.shift and inputs.scale; damaged");
  if (inputs.has("text")) {
    transform.text = text_from_json(inputs.at("text"));
    const auto d = static_cast<std::size_t>(form.dimension);
    if (transform.text->names.size() != d || transform.text->idf.size() != d)
      inputs.at("text").fail("does not make the inputs' dimension");
  }
  if (!inputs.has("table")) return form;
  transform.table = schema_from_json(inputs.at("table"));
  require_columns(*transform.table, form.dimension, inputs.at("table"));
  return form;
}

#define ANSATZ_INSTANTIATE(Scalar)                                          \
  template DataForm<Scalar> data_form_of(const Split<Scalar>&);             \
  template void add_data_form(const DataForm<Scalar>&, SafetensorsWriter&); \
  template DataForm<Scalar> read_data_form(const SafetensorsFile&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
