#include "core/record/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "core/record/fit_quality.h"

namespace ansatz {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// "RFM M₂"; the network's are called as they are everywhere.
std::string readable(const FeatureId& id) {
  if (id.kind != FeatureId::Kind::rfm) return id.label();
  static const char* const digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  std::string text = "RFM M";
  for (const char digit : std::to_string(id.iteration)) text += digits[digit - '0'];
  return text;
}

std::string correlation(double r) {
  return std::isfinite(r) ? fmt::format("{}{:.3f}", r < 0 ? "−" : "", std::fabs(r)) : "–";
}
std::string degrees(double angle) { return std::isfinite(angle) ? fmt::format("{:.1f}°", angle) : "–"; }

/// The likeness of the first `dimension` eigenvectors: |r| of one, the largest angle between the spans of several.
double leading(const FeatureComparison& likeness, Index dimension) {
  const std::vector<double>& list = dimension == 1 ? likeness.top_eigenvector_pearson : likeness.subspace_angles_deg;
  const auto at = static_cast<std::size_t>(dimension - 1);
  return at < list.size() ? list[at] : kUndefined;
}

/// How far from equal, 0 to 1 (or 2 for a negative r).
double distance(double leading, Index dimension) { return dimension == 1 ? 1 - leading : leading / 90; }

/// What training did to a distance. Neither half of a small one nor a tenth of a large one is noise.
enum class Change { undefined, none, nearer, farther };
Change change(double before, double after) {
  constexpr double kNoticeable = 0.1;
  if (!std::isfinite(before) || !std::isfinite(after)) return Change::undefined;
  if (before - after >= kNoticeable || (before >= kNoticeable && after <= before / 2)) return Change::nearer;
  return after - before >= kNoticeable ? Change::farther : Change::none;
}

/// Whose first eigenvalue does not stand clear of the second.
std::string without_gap(const FeaturePair& pair) {
  const auto clear = [](const std::vector<double>& gaps) { return !gaps.empty() && gaps.front() >= kClearGap; };
  const bool a = clear(pair.values.relative_gaps_a), b = clear(pair.values.relative_gaps_b);
  return a == b ? "both" : readable(a ? pair.b : pair.a);
}

/// ", so training added little", where it did.
std::string verdict(Change diagonal, Change leading) {
  const auto either = [&](Change kind) { return diagonal == kind || leading == kind; };
  if (either(Change::nearer) && either(Change::farther))
    return diagonal == Change::nearer ? ": training brought the diagonals together, and the leading directions apart"
                                      : ": training brought the leading directions together, and the diagonals apart";
  if (diagonal == Change::nearer && leading == Change::nearer) return ": the likeness was learned";
  if (either(Change::nearer))
    return diagonal == Change::nearer ? ": the likeness of the diagonals was learned"
                                      : ": the likeness of the leading directions was learned";
  if (either(Change::farther)) return ": training made them less alike";
  return either(Change::none) ? ", so training added little" : "";
}

/// "The network and the RFM predict no better than a constant: ", if it is so.
std::string caution(const RunRecord& record) {
  std::string models;
  for (const ModelScores& model : scores_of(record)) {
    const bool compared = model.model == "network" || model.model == "rfm";
    if (!compared || !poor_fit(record, model)) continue;
    models += models.empty() ? (model.model == "rfm" ? "The RFM" : "The network") : " and the RFM";
  }
  if (models.empty()) return "";
  const bool both = models.find(" and ") != std::string::npos;
  return fmt::format("{} predict{} no better than a constant, so that a likeness says nothing about the target. ",
                     models, both ? "" : "s");
}

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && rest == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string headline(const RunRecord& record, const Emphasis& emphasis) {
  if (!record.has_headline) return "";
  const auto& [a, b, likeness] = record.pairs.front();
  const auto strong = [&](const std::string& text) { return emphasis.begin + text + emphasis.end; };
  const Index dimension = leading_dimension(likeness);
  const double top = leading(likeness, dimension);
  std::string text =
      caution(record) + fmt::format("The diagonals of {} and {} correlate with {}", readable(a), readable(b),
                                    strong("r = " + correlation(likeness.diagonal_pearson)));
  text += dimension == 1
              ? fmt::format(", their top eigenvectors with {}", strong("|r| = " + correlation(top)))
              : fmt::format(
                    "; the leading eigenvalues of {} are nearly equal, so that single eigenvectors are arbitrary, and "
                    "the largest angle between the spans of the first {} is {}",
                    without_gap(record.pairs.front()), dimension, strong(degrees(top)));
  if (const FeaturePair* baseline = record.find_pair(FeatureId::initial_nfm(), b)) {
    const double before = leading(baseline->values, dimension);
    text +=
        fmt::format(". Before training the same numbers were {} and {}", correlation(baseline->values.diagonal_pearson),
                    dimension == 1 ? correlation(before) : degrees(before));
    text += verdict(change(1 - baseline->values.diagonal_pearson, 1 - likeness.diagonal_pearson),
                    change(distance(before, dimension), distance(top, dimension)));
  }
  return text + ".";
}

std::string tuning_edges(const TuningRecord& tuning) {
  std::string text;
  for (std::size_t i = 0; i < tuning.axes.size(); ++i) {
    std::vector<double> numbers;
    for (const std::string& value : tuning.axes[i].values)
      if (const std::optional<double> number = number_of(value)) numbers.push_back(*number);
    if (numbers.size() < 2 || numbers.size() < tuning.axes[i].values.size()) continue;
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    const std::string& chosen = tuning.chosen_cell().values[i];
    const double value = *number_of(chosen);
    const bool at_low = value == *low && value != 0;  // no option goes below 0
    if (!at_low && value != *high) continue;
    const bool largest = value == *high;
    text += fmt::format("{} = {} is the {} value tried, so a {} one may be better. ", tuning.axes[i].key, chosen,
                        largest ? "largest" : "smallest", largest ? "larger" : "smaller");
  }
  return text;
}

}  // namespace ansatz
