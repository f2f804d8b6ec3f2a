// `ansatz compare` and `ansatz render`: feature matrices from files, compared and drawn.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.h"
#include "core/features/comparison.h"
#include "core/features/feature_id.h"
#include "core/machine/interrupt.h"
#include "core/record/json/comparison_json.h"
#include "core/record/json/run_record_json.h"
#include "core/run/run_directory.h"
#include "experiments/cli/commands.h"
#include "experiments/options/options.h"
#include "experiments/pictures/feature_cells.h"
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

void require_fit(const std::optional<ImageShape>& shape, Index d) {
  if (shape && shape->size() != d) {
    throw ConfigError(fmt::format("--shape {}x{}x{} has {} pixels, the matrix has d = {}", shape->channels,
                                  shape->height, shape->width, shape->size(), d));
  }
}

struct Named {
  std::string name;
  MatrixSummary<double> summary;

  const FeatureMatrix<double>& matrix() const { return summary.matrix(); }
};

Named read_named(const std::string& name, const std::filesystem::path& path, Index eigenpairs) {
  Named named{name,
              MatrixSummary<double>(read_feature_matrix<double>(path), eigenpairs, feature_matrix_rounding(path))};
  if (named.summary.is_zero())
    throw DataError(path.string() + ": all entries are 0, so there is nothing to be like or unlike");
  return named;
}

/// Of a run: its network's W'W and every RFM feature matrix but M_0; of a file: that matrix.
std::vector<Named> read_features(const std::filesystem::path& path, Index eigenpairs) {
  if (!std::filesystem::is_directory(path)) return {read_named(path.stem().string(), path, eigenpairs)};
  std::vector<std::string> names;
  const std::filesystem::path folder = path / "matrices";
  if (!std::filesystem::is_directory(folder))
    throw DataError(path.string() + ": no run directory (matrices/ is not there)");
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    const std::size_t end = name.rfind(".diagonal.npy");
    if (end != std::string::npos && name != FeatureId::rfm(0).name() + ".diagonal.npy")
      names.push_back(name.substr(0, end));
  }
  std::sort(names.begin(), names.end());
  std::vector<Named> features;
  for (const std::string& name : names) features.push_back(read_named(name, folder / name, eigenpairs));
  return features;
}

std::string number(double value) { return std::isnan(value) ? "undefined" : fmt::format("{:.4f}", value); }

/// Why some of the numbers of a comparison are undefined, if they are.
std::vector<std::string> reasons(const FeatureComparison& c, const Named& a, const Named& b) {
  std::vector<std::string> why;
  for (const Named* m : {&a, &b}) {
    const Vector<double>& diagonal = m->summary.unit_diagonal();
    if (std::isnan(c.diagonal_pearson) && diagonal.maxCoeff() - diagonal.minCoeff() <= 1e-12 * diagonal.maxCoeff())
      why.push_back(fmt::format("the diagonal of {} is constant", m->name));
    const double off = m->summary.unit_squared_norm() - diagonal.squaredNorm();
    if (std::isnan(c.off_diagonal_pearson) && off <= m->summary.rounding() * m->summary.unit_squared_norm())
      why.push_back(fmt::format("{} has no entries off its diagonal", m->name));
  }
  const auto undefined = std::count_if(c.top_eigenvector_pearson.begin(), c.top_eigenvector_pearson.end(),
                                       [](double r) { return std::isnan(r); });
  if (undefined > 0) why.push_back("eigenvectors beyond the rank, or with equal entries, have no correlation");
  if (why.empty() && (std::isnan(c.diagonal_pearson) || std::isnan(c.matrix_pearson)))
    why.push_back("the entries of one of them are all equal");
  return why;
}

void print_comparison(const FeatureComparison& c, const Named& left, const Named& right, const std::string& a,
                      const std::string& b) {
  std::string text = fmt::format("{} ~ {}\n", a, b);
  for (const auto& [what, value] :
       {std::pair("Pearson r of the diagonals", c.diagonal_pearson),
        std::pair("Pearson r of all entries", c.matrix_pearson),
        std::pair("Pearson r off the diagonal", c.off_diagonal_pearson), std::pair("cosine of all entries", c.cosine)})
    text += fmt::format("  {:<30} {:>8}\n", what, number(value));
  for (std::size_t i = 0; i < c.top_eigenvector_pearson.size(); ++i) {
    text += fmt::format("  eigenvector {}: |Pearson r|      {:>8}   relative gaps {:.3g}, {:.3g}\n", i + 1,
                        number(c.top_eigenvector_pearson[i]), c.relative_gaps_a[i], c.relative_gaps_b[i]);
  }
  text += "  principal angles (degrees)    ";
  for (const double angle : c.principal_angles_deg) text += std::isnan(angle) ? " -" : fmt::format(" {:.2f}", angle);
  text += '\n';
  for (const std::string& why : reasons(c, left, right)) text += fmt::format("  undefined: {}\n", why);
  std::fputs(text.c_str(), stdout);
}

using Cells = std::vector<viz::PanelCell>;

Cells cells(const Named& features, const ImageShape& shape, Index top) {
  return feature_cells(features.summary.diagonal(), features.summary.top().first(top).vectors, shape);
}

void add_likeness(const FeatureComparison& likeness, Cells& cells) {
  cells.front().captions.push_back(fmt::format("r = {:.3f}", likeness.diagonal_pearson));
  for (std::size_t i = 0; i + 1 < cells.size(); ++i)
    cells[i + 1].captions.push_back(fmt::format("|r| = {:.3f}", likeness.top_eigenvector_pearson[i]));
}

/// What a finished run says of its inputs, if `path` is one.
std::optional<ImageShape> shape_of_run(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path / "metrics.json")) return std::nullopt;
  const std::optional<JsonValue> data = read_metrics(path).find("data");
  return data ? data_from_json(*data).image_shape : std::nullopt;
}

void draw_comparison(const Named& a, const Named& b, const std::string& a_label, const std::string& b_label,
                     const std::optional<ImageShape>& shape, Index top, const FeatureComparison& c,
                     const viz::FigureFiles& out) {
  if (shape) {
    Cells above = cells(a, *shape, top), below = cells(b, *shape, top);
    add_likeness(c, below);
    viz::draw_panel({"", {a_label, b_label}, {std::move(above), std::move(below)}, true, ""}, out);
    return;
  }
  const Index d = a.matrix().dimension(), side = std::min<Index>(d, 64);
  const std::string part = side < d ? fmt::format(", first {} of {} coordinates", side, d) : "";
  viz::draw_heat_maps({{a_label + part, a.matrix().top_left_block(side), viz::Palette::diverging},
                       {b_label + part, b.matrix().top_left_block(side), viz::Palette::diverging}},
                      out);
}

/// All that drawing these files needs, before hours of eigenvectors.
void require_drawing(const viz::FigureFiles& out) {
  const std::filesystem::path folder = out.stem.has_parent_path() ? out.stem.parent_path() : std::filesystem::path(".");
  const InterruptsWait until_removed;
  std::string probe = (folder / ".ansatz-XXXXXX").string();
  const int file = ::mkstemp(probe.data());
  if (file < 0) throw OutputError("cannot write " + out.first().string() + ": " + std::strerror(errno));
  ::close(file);
  ::unlink(probe.c_str());
  viz::check_drawing(out.formats);
}

}  // namespace

void compare_command(const CompareArguments& arguments) {
  require_top(arguments.top);
  const std::optional<ImageShape> asked_for = parse_shape(arguments.shape);
  std::optional<viz::FigureFiles> out;
  if (!arguments.out.empty()) {
    out = viz::FigureFiles::named(arguments.out);
    require_drawing(*out);
  }
  const std::optional<ImageShape> of_a = shape_of_run(arguments.a), of_b = shape_of_run(arguments.b);
  const std::optional<ImageShape> shape = asked_for ? asked_for : of_a ? of_a : of_b;
  apply_threads(0);
  const Index eigenpairs = arguments.top + 1;
  const std::vector<Named> a = read_features(arguments.a, eigenpairs), b = read_features(arguments.b, eigenpairs);
  const bool runs = std::filesystem::is_directory(arguments.a) || std::filesystem::is_directory(arguments.b);
  Json list = Json::array();
  for (const Named& left : a) {
    for (const Named& right : b) {
      if (runs && a.size() > 1 && b.size() > 1 && left.name != right.name) continue;
      require_fit(shape, left.matrix().dimension());
      const FeatureComparison c = compare(left.summary, right.summary, {arguments.top});
      const std::string left_name = runs ? (arguments.a / left.name).string() : left.name;
      const std::string right_name = runs ? (arguments.b / right.name).string() : right.name;
      if (!arguments.json) print_comparison(c, left, right, left_name, right_name);
      list.push_back(to_json(c, left_name, right_name));
      if (!out) continue;
      viz::FigureFiles picture = *out;
      if (a.size() * b.size() > 1) picture.stem += "." + left.name;
      draw_comparison(left, right, left_name, right_name, shape, arguments.top, c, picture);
      if (!arguments.json) std::printf("  picture: %s\n", picture.first().c_str());
    }
  }
  if (list.empty()) throw DataError("the two runs have no feature matrix of the same name");
  if (arguments.json) std::printf("%s\n", list.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

void render_command(const RenderArguments& arguments) {
  require_top(arguments.top);
  const std::optional<ImageShape> shape = parse_shape(arguments.shape);
  const viz::FigureFiles out = viz::FigureFiles::named(arguments.out);
  require_drawing(out);
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
    viz::draw_heat_maps({{title, m.top_left_block(side), viz::Palette::diverging}}, out);
    return;
  }
  const MatrixSummary<double> summary(m, arguments.what == "diagonal" ? 0 : arguments.top);
  Cells row = feature_cells(summary.diagonal(), summary.top().vectors, *shape);
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
