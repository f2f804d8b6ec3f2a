#include "experiments/paper/simplicity_bias.h"

#include <fmt/format.h>

#include <utility>

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
  for (const char* model : {"network", "rfm"})
    for (const char* half : {"photographs", "digits"})
      names.push_back(fmt::format("{}_accuracy_{}_shuffled", model, half));
  for (std::string& name : accuracy_names("", part.options)) names.push_back(std::move(name));
  return names;
}

template <class Scalar>
void add_shuffled(const std::string& name, const Predictor<Scalar>& model, const Dataset<Scalar>& test,
                  const RunContext& run, std::vector<Finding>& findings) {
  RandomStream stream = run.stream.named("simplicity/shuffle");
  const std::vector<Index> order = stream.permutation(test.size());
  for (const Half half : {Half::left, Half::right}) {
    const std::string what = half == Half::left ? "photographs" : "digits";
    const Matrix<Scalar> images = with_half_of(test.inputs, *test.image_shape, half, order);
    findings.push_back({fmt::format("{}_accuracy_{}_shuffled", name, what),
                        fmt::format("test accuracy, {}, {} shuffled", name, what),
                        percent(evaluate(Matrix<Scalar>(model.predict(images)), test)), "%"});
  }
}

template <class Scalar>
Digest digest(const Part&, const Results<Scalar>& results, const RunContext& run) {
  const ComparisonResult<Scalar>& comparison = results.comparison;
  const FeatureId learned = results.rfm->feature_id();
  const Dataset<Scalar>& test = results.split->test;
  Digest digest;
  digest.shape = *results.split->train.image_shape;
  digest.network = comparison.find(FeatureId::nfm())->summary.diagonal();
  digest.rfm = comparison.find(learned)->summary.diagonal();
  const auto add_share = [&](const std::string& name, const std::string& of, const Vector<double>& diagonal) {
    digest.findings.push_back({name + "_digit_share", "share of the digits in the diagonal, " + of,
                               100 * digit_share(diagonal, digest.shape), "%"});
  };
  add_share("network", "network W₁ᵀW₁", digest.network);
  digest.learned = results.network->learned_diagonal();
  if (results.network->initial) {
    add_share("learned", "what training added, (W₁−W₀)ᵀ(W₁−W₀)", digest.learned);
    add_share("initial", "initial weights W₀ᵀW₀", comparison.find(FeatureId::initial_nfm())->summary.diagonal());
    digest.findings.push_back({"learned_pearson", "r of the diagonals of (W₁−W₀)ᵀ(W₁−W₀) and the RFM's M",
                               pearson(digest.learned, digest.rfm)});
  }
  add_share("network_agop", "network AGOP", comparison.find(FeatureId::agop())->summary.diagonal());
  add_share("rfm", "RFM M", digest.rfm);
  digest.findings.push_back({"diagonal_pearson", "r of the diagonals",
                             comparison.find_pair(FeatureId::nfm(), learned)->values.diagonal_pearson});
  if (const IdentifiedComparison* initial = comparison.find_pair(FeatureId::initial_nfm(), learned))
    digest.findings.push_back(
        {"initial_diagonal_pearson", "r of the diagonals, at the initial weights", initial->values.diagonal_pearson});
  for (Finding& finding : accuracy_findings("", "", results)) digest.findings.push_back(std::move(finding));
  add_shuffled<Scalar>("network", results.network->network, test, run, digest.findings);
  add_shuffled<Scalar>("rfm", results.rfm->trace.machine(), test, run, digest.findings);
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

PartsSummary summarize(const std::vector<Part>& parts, const std::vector<Digest>& digests, const RunContext& run) {
  PartsSummary summary{digests.front().findings, {}};
  if (parts.front().options.save.images) summary.figures.push_back(draw(digests.front(), run));
  return summary;
}

}  // namespace

template <class Scalar>
Matrix<Scalar> with_half_of(const Matrix<Scalar>& images, const ImageShape& shape, Half half,
                            const std::vector<Index>& order) {
  const Index middle = shape.width / 2;
  const Index first = half == Half::left ? 0 : middle, width = half == Half::left ? middle : shape.width - middle;
  Matrix<Scalar> mixed = images;
  for (Index i = 0; i < images.rows(); ++i)
    for (Index line = 0; line < shape.channels * shape.height; ++line)
      mixed.row(i).segment(line * shape.width + first, width) =
          images.row(order[static_cast<std::size_t>(i)]).segment(line * shape.width + first, width);
  return mixed;
}

PreparedExperiment prepare_simplicity_bias(const Config& root, const CommonOptions& common) {
  const Part part{kData, parse_feature_comparison(root, common)};
  if (part.options.dataset.name != kData)
    root.section("dataset").fail("name", "simplicity_bias needs dataset: {name: cifar_mnist}");
  if (!part.options.network || !part.options.rfm || part.options.rfm->iterations < 1)
    root.fail("",
              "simplicity_bias compares a network with an RFM that learns: network and rfm (iterations: 1) are needed");
  const Expectations expectations = parse_expectations(root, finding_names(part));
  return prepare_parts(common, {part}, expectations, Digesting<Digest>{digest<float>, digest<double>, summarize});
}

template Matrix<float> with_half_of(const Matrix<float>&, const ImageShape&, Half, const std::vector<Index>&);
template Matrix<double> with_half_of(const Matrix<double>&, const ImageShape&, Half, const std::vector<Index>&);

}  // namespace ansatz::experiments
