#include "experiments/runs/compared_matrices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/features/feature_id.h"
#include "core/record/json/ranking_json.h"
#include "core/record/json/run_record_json.h"
#include "core/run/run_directory.h"
#include "experiments/pictures/feature_cells.h"
#include "experiments/pictures/feature_labels.h"

namespace ansatz::experiments {
namespace {

std::string number(double value) { return std::isnan(value) ? "undefined" : fmt::format("{:.4f}", value); }

/// Why some of the numbers of a comparison are undefined, if they are.
std::vector<std::string> reasons(const FeatureComparison& c, const NamedMatrix& a, const NamedMatrix& b) {
  std::vector<std::string> why;
  for (const NamedMatrix* m : {&a, &b}) {
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

void add_likeness(const FeatureComparison& likeness, std::vector<viz::PanelCell>& cells) {
  cells.front().captions.push_back("r = " + correlation_text(likeness.diagonal_pearson));
  for (std::size_t i = 0; i + 1 < cells.size(); ++i)
    cells[i + 1].captions.push_back("|r| = " + correlation_text(likeness.top_eigenvector_pearson[i]));
}

}  // namespace

void require_fit(const std::optional<ImageShape>& shape, Index d) {
  if (shape && shape->size() != d) {
    throw ConfigError(fmt::format("--shape {}x{}x{} has {} pixels, the matrix has d = {}", shape->channels,
                                  shape->height, shape->width, shape->size(), d));
  }
}

NamedMatrix read_matrix(const std::string& name, const std::filesystem::path& path, Index eigenpairs) {
  NamedMatrix named{
      name, MatrixSummary<double>(read_feature_matrix<double>(path), eigenpairs, feature_matrix_rounding(path))};
  if (named.summary.is_zero())
    throw DataError(path.string() + ": all entries are 0, so there is nothing to be like or unlike");
  return named;
}

std::vector<std::string> names_of_inputs(const std::filesystem::path& matrix, Index d) {
  const std::filesystem::path folder = std::filesystem::absolute(matrix).lexically_normal().parent_path();
  const std::filesystem::path run = folder.parent_path();
  if (folder.filename() != "matrices" || !std::filesystem::exists(run / "metrics.json")) return {};
  const JsonValue metrics = read_metrics(run);
  if (!metrics.has("data")) return {};
  DataRecord data = data_from_json(metrics.at("data"));
  read_feature_names(metrics, data);
  return names_of_inputs(data, d);
}

std::vector<std::string> names_of_inputs(const DataRecord& data, Index d) {
  if (static_cast<Index>(data.feature_names.size()) != d) return {};
  return feature_labels(data, d);
}

viz::HeatMap named_heat_map(const std::string& title, const FeatureMatrix<double>& matrix, Index side,
                            const std::vector<std::string>& names) {
  viz::HeatMap map{title, matrix.top_left_block(side), viz::Palette::diverging};
  if (!names.empty()) map.row_names = map.column_names = {names.begin(), names.begin() + side};
  return map;
}

std::vector<std::string> matrices_of_run(const std::filesystem::path& run) {
  std::vector<std::string> names;
  const std::filesystem::path folder = run / "matrices";
  if (!std::filesystem::is_directory(folder)) return names;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    const std::size_t end = name.rfind(".diagonal.npy");
    if (end != std::string::npos && name != FeatureId::rfm(0).name() + ".diagonal.npy")
      names.push_back(name.substr(0, end));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool same_matrix(const NamedMatrix& a, const NamedMatrix& b) {
  const EigenPairs<double>&left = a.summary.top(), &right = b.summary.top();
  return a.summary.diagonal() == b.summary.diagonal() && left.values == right.values && left.vectors == right.vectors;
}

std::string comparison_text(const FeatureComparison& c, const NamedMatrix& a, const NamedMatrix& b) {
  std::string text = fmt::format("{} ~ {}\n", a.name, b.name);
  for (const auto& [what, value] :
       {std::pair("Pearson r of the diagonals", c.diagonal_pearson),
        std::pair("Pearson r of all entries", c.matrix_pearson),
        std::pair("Pearson r off the diagonal", c.off_diagonal_pearson), std::pair("cosine of all entries", c.cosine)})
    text += fmt::format("  {:<30} {:>8}\n", what, number(value));
  for (std::size_t i = 0; i < c.top_eigenvector_pearson.size(); ++i) {
    text += fmt::format("  eigenvector {}: |Pearson r|     {:>8}   relative gaps {:.3g}, {:.3g}\n", i + 1,
                        number(c.top_eigenvector_pearson[i]), c.relative_gaps_a[i], c.relative_gaps_b[i]);
  }
  text += "  principal angles (degrees)    ";
  for (const double angle : c.principal_angles_deg) text += std::isnan(angle) ? " -" : fmt::format(" {:.2f}", angle);
  text += '\n';
  for (const std::string& why : reasons(c, a, b)) text += fmt::format("  undefined: {}\n", why);
  return text;
}

void MatrixFigure::add(const NamedMatrix& matrix, const std::string& label, const FeatureComparison* likeness) {
  if (shape_) {
    std::vector<viz::PanelCell> cells =
        feature_cells(matrix.summary.diagonal(), matrix.summary.top().first(eigenvectors_).vectors, *shape_);
    if (likeness != nullptr) add_likeness(*likeness, cells);
    panel_.row_labels.push_back(label);
    panel_.rows.push_back(std::move(cells));
    return;
  }
  const Index d = matrix.matrix().dimension(), side = std::min<Index>(d, 64);
  const std::string part = side < d ? fmt::format(", first {} of {} coordinates", side, d) : "";
  maps_.push_back(named_heat_map(label + part, matrix.matrix(), side, matrix.feature_names));
}

void MatrixFigure::draw(const viz::FigureFiles& files) const {
  if (shape_) {
    viz::draw_panel(panel_, files);
  } else {
    viz::draw_heat_maps(maps_, files);
  }
}

}  // namespace ansatz::experiments
