#include "experiments/simplicity_bias.h"

#include <fmt/format.h>

#include "experiments/accuracy_findings.h"
#include "experiments/feature_cells.h"
#include "experiments/parts.h"

namespace ansatz::experiments {
namespace {

constexpr const char* kData = "cifar_mnist";

struct Digest {
  ImageShape shape;
  Vector<double> network, rfm;  ///< diagonals
  std::vector<Finding> findings;
};

std::vector<std::string> finding_names(const Part& part) {
  std::vector<std::string> names = {"network_digit_share", "rfm_digit_share", "initial_digit_share", "diagonal_pearson",
                                    "initial_diagonal_pearson"};
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
  const std::string learned = fmt::format("rfm.M{}", results.rfm->feature_iteration());
  const Dataset<Scalar>& test = results.split->test;
  Digest digest;
  digest.shape = *results.split->train.image_shape;
  digest.network = comparison.find("network.nfm")->summary.diagonal();
  digest.rfm = comparison.find(learned)->summary.diagonal();
  digest.findings = {{"network_digit_share", "share of the diagonal on the digits, network",
                      100 * right_share(digest.network, digest.shape), "%"},
                     {"rfm_digit_share", "share of the diagonal on the digits, RFM",
                      100 * right_share(digest.rfm, digest.shape), "%"}};
  if (const NamedFeatures<Scalar>* initial = comparison.find("network.nfm0"))
    digest.findings.push_back({"initial_digit_share", "share of the diagonal on the digits, initial weights",
                               100 * right_share(initial->summary.diagonal(), digest.shape), "%"});
  digest.findings.push_back({"diagonal_pearson", "r of the diagonals",
                             comparison.find_pair("network.nfm", learned)->values.diagonal_pearson});
  if (const NamedComparison* initial = comparison.find_pair("network.nfm0", learned))
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
  panel.row_labels = {"network W₁ᵀW₁", "RFM M"};
  for (const Vector<double>* diagonal : {&digest.network, &digest.rfm}) {
    panel.rows.push_back({feature_cells(*diagonal, Matrix<double>(0, diagonal->size()), digest.shape).front()});
    panel.rows.back().front().title = "photograph | digit";
    panel.rows.back().front().captions = {
        fmt::format("{:.1f} % on the digits", 100 * right_share(*diagonal, digest.shape))};
  }
  viz::draw_panel(panel, run.directory.path() / "images/halves");
  return {"halves", "Diagonals of both feature matrices",
          "Diagonals of the network's W₁ᵀW₁ and of the RFM's feature matrix: the photograph's half is on the left."};
}

PartsSummary summarize(const std::vector<Part>& parts, const std::vector<Digest>& digests, const RunContext& run) {
  PartsSummary summary{digests.front().findings, {}};
  if (parts.front().options.save.images) summary.figures.push_back(draw(digests.front(), run));
  return summary;
}

}  // namespace

double right_share(const Vector<double>& values, const ImageShape& shape) {
  double right = 0;
  for (Index i = 0; i < values.size(); ++i)
    if (i % shape.width >= shape.width / 2) right += values(i);
  return right / values.sum();
}

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
