#include "viz/report/report_comparison.h"

#include <fmt/format.h>

#include <cmath>

#include "core/record/headline.h"
#include "core/record/score_tables.h"
#include "viz/page/captions.h"
#include "viz/page/figure.h"
#include "viz/page/html.h"
#include "viz/page/numbers.h"
#include "viz/page/typeset.h"
#include "viz/report/report_features.h"
#include "viz/report/report_tuning.h"

namespace ansatz::viz {

namespace {

std::string top_vector(const FeatureComparison& likeness) {
  const std::vector<double>& list = likeness.top_eigenvector_pearson;
  return list.empty() ? "–" : number(list.front());
}

/// The largest there is: NaN beyond the smaller rank.
std::string last_angle(const FeatureComparison& likeness) {
  std::string text = "–";
  for (const double angle : likeness.principal_angles_deg) text = std::isfinite(angle) ? degrees(angle) : text;
  return text;
}

std::string headline_paragraph(const RunRecord& record) {
  const std::string text = headline(record, {"<b>", "</b>"});
  return text.empty() ? "" : "<p class=\"headline\">" + text + "</p>\n";
}

/// "0.0312", or "0.3120 nats" of a model whose outputs are logits; of a regression the root, in the unit of the
/// targets.
std::string test_error(const SplitMetrics& metrics) {
  if (!metrics.test) return "–";
  const double error = metrics.test->accuracy ? metrics.test->loss() : std::sqrt(metrics.test->mse);
  return number(error, error_decimals(error)) + (metrics.test->cross_entropy ? " nats" : "");
}

std::vector<std::string> model_row(const std::string& name, const SplitMetrics& metrics, const std::string& remark,
                                   const std::string& description) {
  return {name,   score(metrics.train), score(metrics.validation), score(metrics.test), test_error(metrics),
          remark, typeset(description)};
}

/// What no model should fall short of.
std::vector<std::string> constant_row(const DataRecord& data) {
  SplitMetrics metrics;
  (data.test_size > 0 ? metrics.test : metrics.validation) = data.constant;
  const bool classes = data.task == Task::classification;
  std::vector<std::string> row =
      model_row("best constant", metrics, "",
                classes ? "the most frequent class of the training rows" : "the mean of the training targets");
  row[1] = "–";  // how well it does there is not known
  return row;
}

std::string models_section(const RunRecord& record) {
  std::vector<std::vector<std::string>> rows;
  if (const std::optional<NetworkRecord>& network = record.network)
    rows.push_back(model_row("network", network->metrics,
                             network->reported_epoch ? fmt::format("epoch {}", *network->reported_epoch) : "imported",
                             network->description + (network->reading.empty() ? "" : "; read as " + network->reading)));
  if (const std::optional<RfmRecord>& rfm = record.rfm) {
    rows.push_back(
        model_row("rfm", rfm->reported_iteration(), fmt::format("iteration {}", rfm->reported), rfm->description));
    for (const RfmIteration& it : rfm->iterations)
      rows.push_back(model_row(fmt::format("<span class=\"soft\">rfm, iteration {}</span>", it.iteration), it, "", ""));
  }
  for (const KernelMachineRecord& machine : record.kernel_machines)
    rows.push_back(model_row(escape_html(machine.label), machine.metrics, "", machine.description));
  if (record.data->constant) rows.push_back(constant_row(*record.data));
  const bool classes = record.data->task == Task::classification;
  const bool logits = record.network && record.network->metrics.train.cross_entropy;
  const char* const error = !classes ? "test RMSE" : logits ? "test MSE, or cross-entropy in nats" : "test MSE";
  return fmt::format("<h2>How well they predict</h2>\n<p class=\"soft\">{}.</p>\n",
                     classes ? "Accuracy on the rows of each part of the data"
                             : "R² on the rows of each part of the data; RMSE in the unit of the targets") +
         html_table({"model", "train", "validation", "test", error, "reported", "what it is"}, rows);
}

/// Of a regression on several outputs.
std::string outputs_section(const RunRecord& record) {
  const OutputScores scores = output_scores(record);
  if (scores.models.empty()) return "";
  std::vector<std::string> header = {"output"};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t j = 0; j < scores.models.front().second.size(); ++j) rows.push_back({std::to_string(j)});
  for (const auto& [model, r2] : scores.models) {
    header.push_back(escape_html(model));
    for (std::size_t j = 0; j < rows.size(); ++j) rows[j].push_back(number(r2[j], 4));
  }
  return fmt::format("<p class=\"soft\">The R² of a model is {}. R² of each output, {} rows:</p>\n", scores.scores,
                     scores.split) +
         html_table(header, rows);
}

/// Why the features are not those of the model that is reported, where iteration 0 is.
std::string which_iteration(const RunRecord& record) {
  const std::optional<RfmRecord>& rfm = record.rfm;
  if (!rfm || rfm->reported == rfm->feature_iteration) return "";
  return fmt::format(
      "<p>Validation prefers iteration {} of the RFM, the plain kernel, which has learned no features. The matrix "
      "compared is therefore that of the first update, {}.</p>\n",
      rfm->reported, readable(rfm->feature_id()));
}

std::string comparison_section(const RunRecord& record) {
  if (record.pairs.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const auto& [a, b, likeness] : record.pairs) {
    rows.push_back({readable(a) + " ~ " + readable(b), number(likeness.diagonal_pearson), top_vector(likeness),
                    last_angle(likeness), number(likeness.matrix_pearson), number(likeness.off_diagonal_pearson),
                    number(likeness.cosine)});
  }
  const std::vector<std::size_t> strong =
      record.has_headline ? std::vector<std::size_t>{0} : std::vector<std::size_t>{};
  const std::size_t angles = record.pairs.front().values.principal_angles_deg.size();
  return "<h2>How alike the features are</h2>\n" + which_iteration(record) +
         html_table({"feature matrices", "diagonal r", "top vector |r|", "largest angle", "entries r", "off-diagonal r",
                     "cosine"},
                    rows, strong) +
         fmt::format(
             "<p class=\"soft\">Pearson r of the diagonals, of the top eigenvectors (sign ignored), of all "
             "entries and of those off the diagonal; the largest principal angle between the spans of the top "
             "{} eigenvectors. Read each beside its baseline at the initial weights: two nearly isotropic "
             "matrices correlate through their diagonals alone.</p>\n",
             angles);
}

/// "WᵀW ~ AGOP^p, p fitted: 0.31", where the power is not in the label.
std::string variant_name(const AnsatzVariant& v) {
  const std::string fitted = "p fitted";
  const bool open = v.label.size() >= fitted.size() && v.label.substr(v.label.size() - fitted.size()) == fitted;
  return typeset(v.label) + (open ? ": " + number(v.power, 2) : "");
}

std::vector<std::string> variant_cells(const AnsatzVariant& v) {
  return {variant_name(v), number(v.similarity.matrix_pearson), number(v.similarity.off_diagonal_pearson),
          number(v.similarity.cosine), number(v.similarity.diagonal_pearson)};
}

std::string variants_table(const std::vector<AnsatzVariant>& variants) {
  std::vector<std::vector<std::string>> rows;
  for (const AnsatzVariant& v : variants) rows.push_back(variant_cells(v));
  return html_table({"variant", "entries r", "off-diagonal r", "cosine", "diagonal r"}, rows);
}

std::string variants_section(const RunRecord& record) {
  if (record.variants.empty()) return "";
  const bool baseline = record.variants.back().right == "W₀ᵀW₀";
  std::string html =
      std::string(
          "<h2>The Neural Feature Ansatz, variant by variant</h2>\n"
          "<p class=\"soft\">The ansatz: WᵀW is proportional to a power p of the AGOP. The fitted p makes the "
          "entries most alike; a centred AGOP leaves out the mean gradient") +
      (baseline ? ", and W − W₀ what the initial weights W₀ put there. The last row is the baseline" : "") + ".</p>\n" +
      variants_table(record.variants);
  const std::size_t layers = record.variants_by_layer.size();
  for (std::size_t l = 1; l < layers; ++l)
    html += fmt::format("<h3>Layer {} of {}</h3>\n", l + 1, layers) + variants_table(record.variants_by_layer[l]);
  if (layers > 1)
    html +=
        "<p class=\"soft\">The table above is of layer 1. W is each layer's own, and the AGOP is that of the network "
        "as "
        "a function of that layer's input. The outputs are linear in the last layer's input: there the AGOP is WᵀW "
        "itself, and the centred AGOP is 0.</p>\n";
  return html;
}

std::string pictures_of(const std::vector<DescribedPicture>& pictures, const std::filesystem::path& images,
                        const std::string& title) {
  std::string html;
  for (const DescribedPicture& picture : pictures)
    html += html_figure(images / picture.file, picture.alternative, picture.caption);
  return html.empty() ? html : "<h2>" + title + "</h2>\n" + html;
}

std::string pictures_section(const RunRecord& record, const std::filesystem::path& images) {
  return pictures_of(feature_pictures(record), images, "What they look at") +
         pictures_of(training_pictures(record), images, "How they got there");
}

}  // namespace

std::string comparison_sections(const RunRecord& record, const std::filesystem::path& images) {
  return headline_paragraph(record) + models_section(record) + outputs_section(record) +
         tuning_section(record.tuning, images) + pictures_section(record, images) + top_features_section(record) +
         comparison_section(record) + variants_section(record);
}

}  // namespace ansatz::viz
