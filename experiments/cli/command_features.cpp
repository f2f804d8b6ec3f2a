// `ansatz compare` and `ansatz render`: feature matrices from files, compared and drawn.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.h"
#include "core/features/comparison.h"
#include "core/machine/terminal.h"
#include "core/record/json/comparison_json.h"
#include "core/record/json/run_record_json.h"
#include "core/run/run_directory.h"
#include "experiments/cli/commands.h"
#include "experiments/options/options.h"
#include "experiments/pictures/feature_cells.h"
#include "experiments/runs/compare_runs.h"
#include "experiments/runs/compared_matrices.h"
#include "viz/canvas/runtime.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

std::optional<ImageShape> parse_shape(const std::string& text) {
  constexpr Index kLongestSide = 1'000'000;
  if (text.empty()) return std::nullopt;
  std::vector<Index> sides;
  const char *at = text.data(), *const end = at + text.size();
  for (Index side = 0; at <= end && sides.size() < 4; ++at) {
    const auto [rest, error] = std::from_chars(at, end, side);
    if (error != std::errc() || side < 1 || side > kLongestSide || (rest != end && *rest != 'x')) break;
    sides.push_back(side);
    at = rest;
  }
  if (at != end + 1 || sides.size() < 2 || sides.size() > 3) {
    throw ConfigError(
        fmt::format("--shape {}: must be CHANNELSxHEIGHTxWIDTH such as 3x32x32, or HEIGHTxWIDTH, each from 1 to {}",
                    text, kLongestSide));
  }
  if (sides.size() == 2) sides.insert(sides.begin(), 1);
  return ImageShape{sides[0], sides[1], sides[2]};
}

void require_top(long top) {
  if (top < 1 || top > kMostEigenvectors)
    throw ConfigError(fmt::format("--top {}: must be from 1 to {}", top, kMostEigenvectors));
}

/// What a finished run says of its inputs, if `path` is one.
std::optional<ImageShape> shape_of_run(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path / "metrics.json")) return std::nullopt;
  const std::optional<JsonValue> data = read_metrics(path).find("data");
  return data ? data_from_json(*data).image_shape : std::nullopt;
}

/// "rfm.M1" of rfm.M1.npy, and of the rfm.M1 that stands for the files of its factors.
std::string name_of_file(const std::filesystem::path& path) {
  return (path.extension() == ".npy" ? path.stem() : path.filename()).string();
}

/// The names of its features only where they are drawn.
NamedMatrix read_named(const std::string& name, const std::filesystem::path& path, Index eigenpairs, bool drawn) {
  NamedMatrix matrix = read_matrix(name, path, eigenpairs);
  if (drawn) matrix.feature_names = names_of_inputs(path, matrix.matrix().dimension());
  return matrix;
}

/// Two matrices, of which one may be any of a run's.
std::vector<NamedMatrix> read_side(const std::filesystem::path& path, Index eigenpairs, bool drawn) {
  std::vector<NamedMatrix> matrices;
  if (!std::filesystem::is_directory(path)) {
    matrices.push_back(read_named(name_of_file(path), path, eigenpairs, drawn));
    return matrices;
  }
  for (const std::string& name : matrices_of_run(path))
    matrices.push_back(read_named((path / name).string(), path / "matrices" / name, eigenpairs, drawn));
  if (matrices.empty()) throw DataError(path.string() + ": no run with feature matrices (matrices/ has none)");
  return matrices;
}

void compare_files(const CompareArguments& arguments, const std::optional<ImageShape>& asked_for) {
  if (arguments.inputs.size() != 2)
    throw ConfigError("compare takes two feature matrices, or any number of run directories");
  std::optional<viz::FigureFiles> out;
  if (!arguments.out.empty()) {
    out = viz::FigureFiles::named(arguments.out);
    viz::check_drawing(*out);
  }
  const std::filesystem::path &a = arguments.inputs[0], &b = arguments.inputs[1];
  const std::optional<ImageShape> of_a = shape_of_run(a), of_b = shape_of_run(b);
  const std::optional<ImageShape> shape = asked_for ? asked_for : of_a ? of_a : of_b;
  const std::vector<NamedMatrix> lefts = read_side(a, arguments.top + 1, out.has_value());
  const std::vector<NamedMatrix> rights = read_side(b, arguments.top + 1, out.has_value());
  Json list = Json::array();
  for (const NamedMatrix& left : lefts) {
    for (const NamedMatrix& right : rights) {
      require_fit(shape, left.matrix().dimension());
      const FeatureComparison c = compare(left.summary, right.summary, {arguments.top});
      list.push_back(to_json(c, left.name, right.name));
      if (!arguments.json) std::fputs(comparison_text(c, left, right).c_str(), stdout);
      if (!out) continue;
      viz::FigureFiles files = *out;
      if (lefts.size() * rights.size() > 1)
        files.stem += "." + std::filesystem::path(lefts.size() > 1 ? left.name : right.name).filename().string();
      MatrixFigure figure(shape, arguments.top);
      figure.add(left, left.name, nullptr);
      figure.add(right, right.name, &c);
      figure.draw(files);
      if (!arguments.json) std::printf("  figure: %s\n", files.first().c_str());
    }
  }
  if (arguments.json) std::printf("%s\n", list.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

}  // namespace

void compare_command(const CompareArguments& arguments) {
  require_top(arguments.top);
  const std::optional<ImageShape> shape = parse_shape(arguments.shape);
  apply_threads(0);
  const auto is_run = [](const std::filesystem::path& path) { return std::filesystem::is_directory(path); };
  if (std::all_of(arguments.inputs.begin(), arguments.inputs.end(), is_run)) {
    compare_runs(
        {arguments.inputs, shape, arguments.top, arguments.out, arguments.json, terminal_columns(STDOUT_FILENO)});
  } else {
    compare_files(arguments, shape);
  }
}

void render_command(const RenderArguments& arguments) {
  require_top(arguments.top);
  const std::optional<ImageShape> shape = parse_shape(arguments.shape);
  const viz::FigureFiles out = viz::FigureFiles::named(arguments.out);
  viz::check_drawing(out);
  apply_threads(0);
  const FeatureMatrix<double> m = read_feature_matrix<double>(arguments.matrix);
  require_fit(shape, m.dimension());
  const std::string name = arguments.matrix.stem().string();
  if (arguments.what == "matrix" || !shape) {
    if (arguments.what != "matrix")
      throw ConfigError("--what " + arguments.what + " needs --shape CxHxW; --what matrix does not");
    const Index side = std::min<Index>(m.dimension(), 1024);
    const std::string title =
        side < m.dimension() ? fmt::format("{}, first {} of {} coordinates", name, side, m.dimension()) : name;
    viz::draw_heat_maps({named_heat_map(title, m, side, names_of_inputs(arguments.matrix, m.dimension()))}, out);
    return;
  }
  const MatrixSummary<double> summary(m, arguments.what == "diagonal" ? 0 : arguments.top);
  std::vector<viz::PanelCell> row = feature_cells(summary.diagonal(), summary.top().vectors, *shape);
  if (arguments.what == "diagonal") {
    viz::PanelCell& diagonal = row.front();
    if (shape->channels == 3) diagonal.rgb = viz::rgb_image(m.diagonal(), *shape);
    row.resize(1);
  } else {
    row.erase(row.begin());
  }
  viz::draw_panel({name, {""}, {row}, true, ""}, out);
}

}  // namespace ansatz::experiments
