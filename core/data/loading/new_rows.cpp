#include "core/data/loading/new_rows.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/data/formats/image_layout.h"
#include "core/data/formats/npy_table.h"
#include "core/data/table_rows.h"
#include "core/data/tables/csv_table.h"
#include "core/data/text/text_dataset.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

using Kind = CsvColumn::Kind;

struct NewRows {
  TableRows values;  // the model's d columns, as its training file had them; NaN: a missing value
  Index rows = 0;
  bool bytes = false;  // unsigned integers of 8 bits
};

CsvColumn column_of(const TableSchema::Column& wanted) {
  CsvColumn column;
  column.name = wanted.name;
  column.kind = wanted.categories.empty() ? Kind::numeric : Kind::categorical;
  for (const std::string& name : wanted.categories) column.categories.add(name);
  column.categories.finish();
  return column;
}

/// The plan of the training table, for a table that lacks its target and has other columns beside.
CsvPlan plan_of(const TableSchema& schema, const std::vector<std::string>& header) {
  CsvPlan plan;
  plan.label = "the table that the model was trained on";
  plan.delimiter = schema.delimiter;
  plan.format = CellFormat({schema.decimal, schema.missing_values, schema.default_missing_values});
  plan.missing = MissingValues::mean;  // no row may be left out
  plan.unknown_category = schema.unknown_category_is_none ? UnknownCategory::zero : UnknownCategory::error;
  for (const TableSchema::Column& wanted : schema.columns) {
    CsvColumn column = column_of(wanted);
    column.offset = plan.dimension;
    plan.dimension += column.width();
    plan.columns.push_back(std::move(column));
  }
  for (const std::string& name : header) {
    if (std::any_of(plan.columns.begin(), plan.columns.end(), [&](const CsvColumn& c) { return c.name == name; }))
      continue;
    plan.columns.emplace_back();
    plan.columns.back().name = name;
    plan.columns.back().kind = Kind::ignored;
  }
  return plan;
}

std::vector<std::string> header_of(const CsvTable& table, char delimiter) {
  CsvReader reader(table.text, delimiter, table.label);
  if (!reader.next()) return {};
  return {reader.cells().begin(), reader.cells().end()};
}

void refuse_missing_cells(const CsvReader& reader, const std::vector<std::size_t>& order, const CsvPlan& plan) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (plan.columns[i].kind == Kind::ignored || !plan.format.is_missing(reader.cells()[order[i]])) continue;
    throw DataError(fmt::format(
        "{}: missing value ({}); the model was not trained to fill them in: fill in the cell, or train with `missing`: "
        "mean",
        place(reader, plan.columns[i]), in_quotes(reader.cells()[order[i]])));
  }
}

std::string dimensions_in_words(const std::vector<Index>& shape) { return fmt::format("{}", fmt::join(shape, " x ")); }

void check_width(const NpyRows& file, Index dimension, const std::optional<ImageShape>& image) {
  const NpyHeader& header = file.header();
  if (header.cols() == dimension && header.shape.size() >= 2) return;
  throw DataError(fmt::format(
      "{} is {}; the model takes n x {}{}", file.path().string(),
      header.shape.empty() ? "a single number" : dimensions_in_words(header.shape), dimension,
      image ? fmt::format(", or images as n x {} x {} x {}", image->channels, image->height, image->width) : ""));
}

/// Whether the file has its images as height, width, channel. Where the dimensions do not say it, the training file's
/// order is meant.
bool channels_are_last(const NpyRows& file, const ImageShape& image, bool as_trained) {
  const std::vector<Index>& shape = file.header().shape;
  if (shape.size() == 2 || (shape.size() == 3 && image.channels == 1 && shape[1] == image.height)) return as_trained;
  const std::vector<Index> own(shape.begin() + 1, shape.end()), first = {image.channels, image.height, image.width},
                                                                last = {image.height, image.width, image.channels};
  if (own != first && own != last)
    throw DataError(fmt::format("{} is {}, but the model takes images as n x {}, or n x {}", file.path().string(),
                                dimensions_in_words(shape), dimensions_in_words(first), dimensions_in_words(last)));
  return own == last && (own != first || as_trained);
}

void warn_of_unused(const CsvPlan& plan, const TableSchema& schema, const std::string& label) {
  std::vector<std::string> unused;
  for (const CsvColumn& column : plan.columns)
    if (column.kind == Kind::ignored && column.name != schema.target) unused.push_back(in_quotes(column.name));
  if (!unused.empty()) spdlog::warn("{}: columns that the model does not use: {}", label, fmt::join(unused, ", "));
}

NewRows open_csv_rows(const std::filesystem::path& path, const TableSchema& schema, bool fills_missing) {
  const std::shared_ptr<CsvTable> table = open_csv_table(path);
  table->plan = std::make_shared<const CsvPlan>(plan_of(schema, header_of(*table, schema.delimiter)));
  const CsvPlan& plan = *table->plan;
  NewRows result;
  Index unknown = 0;
  std::vector<double> row(static_cast<std::size_t>(plan.dimension));
  walk_csv(table->text, table->label, plan, [&](const CsvReader& reader, const std::vector<std::size_t>& order) {
    if (table->order.empty()) table->order = order;
    table->offsets.push_back(reader.offset());
    if (!fills_missing) refuse_missing_cells(reader, order, plan);
    write_csv_inputs(reader, order, plan, row.data());  // throws here, where the whole file is read anyway
    unknown += unknown_categories(reader, order, plan);
    ++result.rows;
  });
  if (unknown > 0)
    spdlog::warn("{}: {} cells of categories that {} does not have: none of the column's categories", table->label,
                 unknown, plan.label);
  warn_of_unused(plan, schema, table->label);
  result.values = csv_rows(table, plan.input_names(), write_csv_inputs);
  return result;
}

NewRows open_array_rows(const std::filesystem::path& path, const InputTransform& transform, Index dimension,
                        const std::optional<ImageShape>& image) {
  const NpyRows file(path);
  check_width(file, dimension, image);
  TableRows values = npy_table(file);
  if (image && channels_are_last(file, *image, transform.channels_last))
    values = with_channels_first(std::move(values), *image);
  return {std::move(values), file.header().rows(), file.header().dtype.find("u1") != std::string::npos};
}

bool is_npy(const std::filesystem::path& path) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  InputFile file(path);
  std::string start(kMagic.size(), '\0');
  return file.read(start.data(), start.size()) == kMagic.size() && start == kMagic;
}

NewRows open_rows(const std::filesystem::path& path, const InputTransform& transform, Index dimension,
                  const std::optional<ImageShape>& image) {
  if (is_npy(path)) return open_array_rows(path, transform, dimension, image);
  if (transform.text) {
    NewTexts texts = open_new_texts(path, *transform.text);
    return {std::move(texts.values), texts.rows, false};
  }
  if (!transform.table)
    throw DataError(
        fmt::format("{}: not a .npy file; the model was not trained on a text table, and takes an array of "
                    "n x {} numbers",
                    path.string(), dimension));
  return open_csv_rows(path, *transform.table, transform.fill.size() > 0);
}

/// Bytes as data sets of images read them; other values must be pixels already.
template <class Scalar>
void bring_to_pixels(const std::filesystem::path& path, bool bytes, Matrix<Scalar>& values) {
  constexpr double kSlack = 1e-3;  // of an average of pixels
  if (bytes) {
    values /= Scalar(255);
    return;
  }
  const auto low = static_cast<double>(values.minCoeff()), high = static_cast<double>(values.maxCoeff());
  if (low < -kSlack || high > 1 + kSlack)
    throw DataError(fmt::format(
        "{}: values from {:.6g} to {:.6g}, where the model's images have 0 to 1: divide by 255, or save bytes (uint8)",
        path.string(), low, high));
}

}  // namespace

template <class Scalar>
Matrix<Scalar> read_new_rows(const std::filesystem::path& path, const InputTransform& transform, Index dimension,
                             const std::optional<ImageShape>& image_shape) {
  const NewRows source = open_rows(path, transform, dimension, image_shape);
  if (source.rows == 0) throw DataError(path.string() + ": no rows");
  std::vector<Index> rows(static_cast<std::size_t>(source.rows));
  std::iota(rows.begin(), rows.end(), Index{0});
  if (transform.raw == RawInputs::numbers)
    return read_table<Scalar>(source.values, rows, dimension, [&](Matrix<double>& block) { transform.apply(block); });
  Matrix<Scalar> values = read_table<Scalar>(source.values, rows, dimension);
  if (transform.raw == RawInputs::pixels) bring_to_pixels(path, source.bytes, values);
  transform.apply(values);
  return values;
}

template Matrix<float> read_new_rows(const std::filesystem::path&, const InputTransform&, Index,
                                     const std::optional<ImageShape>&);
template Matrix<double> read_new_rows(const std::filesystem::path&, const InputTransform&, Index,
                                      const std::optional<ImageShape>&);

}  // namespace ansatz
