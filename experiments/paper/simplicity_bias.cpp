// Given a photograph and a digit that tell the same, both models look at the digit (paper, Section 4.3 and Fig. 8).
//
// One comparison on dataset cifar_mnist, in parts/cifar_mnist/. Findings: share of the digit's half in the
// diagonals of W₁ᵀW₁, (W₁−W₀)ᵀ(W₁−W₀), W₀ᵀW₀, the network's AGOP and the RFM's M, r of the diagonals, test accuracies
// of both models as they are and with the photographs, or the digits, of the test images shuffled, and what shuffling
// the photographs costs. Figure: both diagonals.
#include "experiments/paper/simplicity_bias.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/data/class_coding.h"
#include "experiments/paper/image_regions.h"
#include "experiments/parts.h"
#include "experiments/pictures/feature_cells.h"
#include "experiments/results/score_findings.h"

namespace ansatz::experiments {
namespace {

constexpr const char* kData = "cifar_mnist";

struct Digest {
  ImageShape shape;
  Vector<double> network, learned, rfm;  ///< diagonals; learned: of (W₁−W₀)ᵀ(W₁−W₀), or empty
  std::vector<Finding> findings;
};

double digit_share(const Vector<double>& diagonal, const ImageShape& shape) {
  return column_share(diagonal, shape, shape.width / 2, shape.width);
}

std::vector<std::string> finding_names(const Part& part) {
  std::vector<std::string> names = {"network_digit_share",      "learned_digit_share",     "initial_digit_share",
                                    "network_agop_digit_share", "rfm_digit_share",         "diagonal_pearson",
                                    "learned_pearson",          "initial_diagonal_pearson"};
  for (const char* model : {"network", "rfm"}) {
    for (const char* half : {"photographs", "digits"})
      names.push_back(fmt::format("{}_accuracy_{}_shuffled", model, half));
    names.push_back(fmt::format("{}_drop_photographs_shuffled", model));
  }
  for (std::string& name : accuracy_names("", part.options)) names.push_back(std::move(name));
  return names;
}

/// Which of the test images the model gives their class when that half of each is another's. A block of images at a
/// time.
std::vector<bool> right_when_shuffled(const Predictor<double>& model, const RunRecord& record, const Models& models,
                                      Half half, const std::vector<Index>& order) {
  constexpr Index kBlock = 1024;
  const std::vector<Index> truth = models.classes(Rows::test);
  const auto n = static_cast<Index>(truth.size());
  std::vector<bool> right;
  for (Index begin = 0; begin < n; begin += kBlock) {
    std::vector<Index> rows(static_cast<std::size_t>(std::min(kBlock, n - begin)));
    std::iota(rows.begin(), rows.end(), begin);
    const std::vector<Index> others(order.begin() + begin, order.begin() + begin + static_cast<Index>(rows.size()));
    const Matrix<double> mixed = with_half_of(models.inputs(Rows::test, rows), models.inputs(Rows::test, others),
                                              *record.data->image_shape, half);
    for (const Index called : decode_classes<double>(model.predict(mixed), record.data->class_codes))
      right.push_back(called == truth[right.size()]);
  }
  return right;
}

double percent(const std::vector<bool>& right) {
  return 100 * static_cast<double>(std::count(right.begin(), right.end(), true)) / static_cast<double>(right.size());
}

/// `as_they_are`: which of the test images the model gives their class.
void add_shuffled(const std::string& name, const Predictor<double>& model, const std::vector<bool>& as_they_are,
                  const RunRecord& record, const Models& models, const RunContext& run,
                  std::vector<Finding>& findings) {
  RandomStream stream = run.stream.named("simplicity/shuffle");
  const std::vector<Index> order = stream.permutation(record.data->test_size);
  const auto right = [&](Half half) { return right_when_shuffled(model, record, models, half, order); };
  const std::vector<bool> photographs = right(Half::left), digits = right(Half::right);
  const auto add = [&](const char* what, const std::vector<bool>& shuffled) {
    findings.push_back(accuracy_finding(fmt::format("{}_accuracy_{}_shuffled", name, what),
                                        fmt::format("test accuracy, {}, {} shuffled", name, what), percent(shuffled),
                                        record.data->test_size));
  };
  add("photographs", photographs);
  add("digits", digits);
  findings.push_back(paired_gain_finding(name + "_drop_photographs_shuffled",
                                         fmt::format("points lost by shuffling the photographs, {}", name), as_they_are,
                                         photographs));
}

Digest digest(const Part&, const RunRecord& record, const Models& models, const RunContext& run) {
  const FeatureId learned = record.rfm->feature_id();
  Digest digest;
  digest.shape = *record.data->image_shape;
  digest.network = record.find(FeatureId::nfm())->diagonal;
  digest.rfm = record.find(learned)->diagonal;
  digest.learned = record.network->learned_diagonal;
  const auto add_share = [&](const std::string& name, const std::string& of, const Vector<double>& diagonal) {
    digest.findings.push_back({name + "_digit_share", "share of the digits in the diagonal, " + of,
                               100 * digit_share(diagonal, digest.shape), "%"});
  };
  add_share("network", "network W₁ᵀW₁", digest.network);
  if (const FeatureRecord* initial = record.find(FeatureId::initial_nfm())) {
    add_share("learned", "what training added, (W₁−W₀)ᵀ(W₁−W₀)", digest.learned);
    add_share("initial", "initial weights W₀ᵀW₀", initial->diagonal);
    digest.findings.push_back({"learned_pearson", "r of the diagonals of (W₁−W₀)ᵀ(W₁−W₀) and the RFM's M",
                               pearson(digest.learned, digest.rfm)});
  }
  add_share("network_agop", "network AGOP", record.find(FeatureId::agop())->diagonal);
  add_share("rfm", "RFM M", digest.rfm);
  digest.findings.push_back(
      {"diagonal_pearson", "r of the diagonals", record.find_pair(FeatureId::nfm(), learned)->values.diagonal_pearson});
  if (const FeaturePair* initial = record.find_pair(FeatureId::initial_nfm(), learned))
    digest.findings.push_back(
        {"initial_diagonal_pearson", "r of the diagonals, at the initial weights", initial->values.diagonal_pearson});
  for (Finding& finding : accuracy_findings("", "", record)) digest.findings.push_back(std::move(finding));
  add_shuffled("network", models.network(), models.network_right(), record, models, run, digest.findings);
  add_shuffled("rfm", models.rfm(), models.rfm_right(), record, models, run, digest.findings);
  return digest;
}

Figure draw(const Digest& digest, const RunContext& run) {
  viz::Panel panel;
  panel.title = "Photograph or digit?";
  panel.note = "Mean over the colour channels; each picture has its own linear scale.";
  for (const auto& [label, diagonal] :
       {std::pair("network W₁ᵀW₁", &digest.network), std::pair("what training added", &digest.learned),
        std::pair("RFM M", &digest.rfm)}) {
    if (diagonal->size() == 0) continue;
    viz::PanelCell cell = diagonal_cell(*diagonal, digest.shape);
    cell.title = "photograph | digit";
    cell.captions = {fmt::format("{:.1f} % on the digits", 100 * digit_share(*diagonal, digest.shape))};
    panel.row_labels.push_back(label);
    panel.rows.push_back({cell});
  }
  viz::draw_panel(panel, run.directory.path() / "images/halves");
  return {
      "halves", "Diagonals of both feature matrices",
      "Diagonals of the network's W₁ᵀW₁, of (W₁−W₀)ᵀ(W₁−W₀) and of the RFM's feature matrix: the photograph's half is "
      "on the left."};
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<Digest>& digests, const RunContext& run) {
  ExperimentSummary summary{digests.front().findings, {}};
  if (parts.front().options.save.images) summary.figures.push_back(draw(digests.front(), run));
  return summary;
}

}  // namespace

Matrix<double> with_half_of(const Matrix<double>& images, const Matrix<double>& others, const ImageShape& shape,
                            Half half) {
  const Index middle = shape.width / 2;
  const Index first = half == Half::left ? 0 : middle, width = half == Half::left ? middle : shape.width - middle;
  Matrix<double> mixed = images;
  for (Index line = 0; line < shape.channels * shape.height; ++line)
    mixed.middleCols(line * shape.width + first, width) = others.middleCols(line * shape.width + first, width);
  return mixed;
}

PreparedExperiment prepare_simplicity_bias(const Config& root, const CommonOptions& common) {
  const Part part{kData, parse_feature_comparison(root, common)};
  if (part.options.dataset.name != kData)
    root.section("dataset").fail("name", "simplicity_bias needs dataset: {name: cifar_mnist}");
  if (!part.options.network || !part.options.rfm || part.options.rfm->iterations < 1)
    root.fail("",
              "simplicity_bias compares a network with an RFM that learns: network and rfm (iterations: 1) are needed");
  return prepare_parts<Digest>(common, {{part}, parse_expectations(root, finding_names(part)), digest, summarize});
}

}  // namespace ansatz::experiments
