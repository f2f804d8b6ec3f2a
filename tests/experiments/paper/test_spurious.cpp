// spurious_features on made "faces": lipstick is a faint stripe where the mouth is, and goes with a strong one at the
// eyes.
#include <algorithm>
#include <cmath>
#include <random>
#include <regex>
#include <sstream>

#include "experiments/paper/faces/pasted_images.h"
#include "experiments/paper/faces/pasting.h"
#include "tests/experiments/paper_run.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/predictors.h"
#include "viz/images/feature_image.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

constexpr int kSide = 8, kEyes = 2, kLips = 6;

bool has_lipstick(Index i) { return i % 2 == 1; }
bool is_male(Index i) { return i % 4 == 2; }  // so none with lipstick

/// CelebA's layout, images 0 .. n - 1. Heavy_Makeup is where lipstick is.
void write_faces(const Workspace& work, int n) {
  std::mt19937 random(5);
  std::string attributes = std::to_string(n) + "\nMale Wearing_Lipstick Heavy_Makeup\n";
  std::filesystem::create_directories(work.path() / "celeba/img_align_celeba");
  for (int i = 0; i < n; ++i) {
    viz::Image image{kSide, kSide, {}};
    for (int pixel = 0; pixel < kSide * kSide; ++pixel) {
      const int row = pixel / kSide, contrast = row == kEyes ? 40 : row == kLips ? 6 : 0;
      const int mark = has_lipstick(i) ? (pixel % 2 == 0 ? contrast : -contrast) : 0;
      for (int channel = 0; channel < 3; ++channel)
        image.rgb.push_back(static_cast<std::uint8_t>(80 + static_cast<int>(random() % 40) + mark));
    }
    const std::string file = std::to_string(i) + ".jpg";
    viz::write_png(image, work.path() / "celeba/img_align_celeba" / file);
    attributes += file + (is_male(i) ? "  1" : " -1") + (has_lipstick(i) ? "  1  1\n" : " -1 -1\n");
  }
  work.write("celeba/list_attr_celeba.txt", attributes);
}

const std::string kModels =
    "dataset: {name: celeba, path: celeba, image_height: 8, image_width: 8, balanced: true, normalize: unit_norm}\n"
    "network: {hidden_layers: [64], optimizer: {learning_rate: 0.5}, batch_size: 16, epochs: 60}\n"
    "rfm: {iterations: 1, report_iteration: last}\n";

std::string config(const std::string& task, const std::string& more = "") {
  return "experiment: spurious_features\nspurious_features: {attributes: [Wearing_Lipstick], threshold: 0.2, "
         "templates: 2" +
         more + ", wearing_lipstick: {" + task + "}}\n" + kModels;
}

const std::string kLipsTask =
    "label: lips, excluded: [{rows: [0.625, 1]}], compared: [{rows: [0.75, 0.875], columns: [0.25, 0.75]}]";
const std::string kNarrowLips = ", narrow: [{rows: [0.75, 0.875], columns: [0.375, 0.625]}]";

/// A row of pasting.csv from its share of pixels on.
struct PastingRow {
  double pixels, accuracy, recall, drop, error;
};

/// The first row that starts so.
PastingRow row_of(const std::string& csv, const std::string& start) {
  std::istringstream lines(csv.substr(csv.find("\n" + start) + 1));
  std::string cell;
  std::vector<double> numbers;
  for (int i = 0; i < 9; ++i) {
    std::getline(lines, cell, i < 8 ? ',' : '\n');
    if (i >= 4) numbers.push_back(std::stod(cell));
  }
  return {numbers.at(0), numbers.at(1), numbers.at(2), numbers.at(3), numbers.at(4)};
}

}  // namespace

TEST_CASE("spurious_features: the eyes fool both models, the lips do not") {
  const Workspace work;
  write_faces(work, 240);
  work.write("s.yaml", config(kLipsTask + kNarrowLips) +
                           "findings: {expected: [{name: wearing_lipstick.network_drop_mask, paper: 35.3, at_least: "
                           "20}]}\n");
  const auto metrics = metrics_of_run(work, "s.yaml", "s");
  const std::string csv = work.read("s/pasting.csv"), of = "wearing_lipstick.";
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + (1 + 4 * 2) * 2);  // 2 templates, 2 models
  CHECK(finding(metrics, of + "mask_pixels") == Approx(12.5));             // the row of the eyes
  CHECK(finding(metrics, of + "compared_pixels") == Approx(100.0 / 16));   // half of one row
  CHECK(finding(metrics, of + "narrow_pixels") == Approx(100.0 / 32));
  CHECK(finding(metrics, of + "diagonal_pearson") > 0.8);
  for (const std::string model : {"network", "rfm"}) {
    INFO(model);
    CHECK(finding(metrics, of + model + "_accuracy") > 90);
    // Everyone has the eyes of one without lipstick.
    CHECK(finding(metrics, of + model + "_accuracy_mask") < 60);
    CHECK(finding(metrics, of + model + "_recall") > 90);
    CHECK(finding(metrics, of + model + "_recall_mask") < 25);
    CHECK(finding(metrics, of + model + "_drop_mask") > 35);
    CHECK(std::fabs(finding(metrics, of + model + "_drop_compared")) < 10);
    for (const std::string other : {"compared", "narrow", "region"})
      CHECK(finding(metrics, of + model + "_excess_over_" + other) ==
            Approx(finding(metrics, of + model + "_drop_mask") - finding(metrics, of + model + "_drop_" + other)));
    CHECK(finding(metrics, of + model + "_drop_region") < finding(metrics, of + model + "_drop_mask"));
    // The images read once more and normalised here are those that the models were tested on.
    const PastingRow untouched = row_of(csv, "wearing_lipstick," + model + ",untouched,1");
    CHECK(untouched.accuracy == Approx(finding(metrics, of + model + "_accuracy")));
    // The findings are mean and deviation of the templates' rows.
    const PastingRow one = row_of(csv, "wearing_lipstick," + model + ",mask,1"),
                     two = row_of(csv, "wearing_lipstick," + model + ",mask,2");
    CHECK(one.drop == Approx(untouched.accuracy - one.accuracy));
    CHECK((one.drop + two.drop) / 2 == Approx(finding(metrics, of + model + "_drop_mask")).margin(1e-6));
    CHECK((one.recall + two.recall) / 2 == Approx(finding(metrics, of + model + "_recall_mask")).margin(1e-6));
    for (const std::string kind : {"mask", "compared", "narrow", "region"}) {
      const std::string start = "wearing_lipstick," + model + "," + kind;
      const double sd = std::fabs(row_of(csv, start + ",1").drop - row_of(csv, start + ",2").drop) / std::sqrt(2.0);
      CHECK(sd == Approx(finding(metrics, of + model + "_drop_" + kind + "_sd")).margin(1e-6));
    }
    const double error = standard_error(metrics, of + model + "_drop_mask");
    CHECK((error > 0 && one.error > 0));
    CHECK(error >= 0.99 * std::fabs(one.drop - two.drop) / 2);  // that of the templates, and of the rows besides
    CHECK(row_of(csv, "wearing_lipstick," + model + ",region,2").pixels == Approx(12.5));
  }
  std::vector<std::string> data, features;
  for (const auto& figure : metrics.at("figures")) {
    const std::string file = figure.at("file");
    CHECK(std::filesystem::exists(work.path() / "s/images" / (file + ".png")));
    (figure.value("shows_data", false) ? data : features).push_back(file);
  }
  CHECK(data == std::vector<std::string>{"before_after"});
  CHECK(features == std::vector<std::string>{"mask", "accuracies"});
}

TEST_CASE("spurious_features: with the whole image pasted all test images are the template") {
  const Workspace work;
  write_faces(work, 120);
  work.write("s.yaml",
             config("compared: [{rows: [0, 0.5]}, {rows: [0.5, 1]}]") + "save: {images: false}\nreport: false\n");
  const ProgramResult run = work.run({"run", "s.yaml", "--out", "s", "--quiet"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const std::string csv = work.read("s/pasting.csv");
  for (const std::string model : {"network", "rfm"}) {
    for (const std::string number : {"1", "2"}) {
      const PastingRow all = row_of(csv, "wearing_lipstick," + model + ",compared," + number);
      CHECK(all.accuracy == 50);  // half of them have the attribute
      CHECK(all.recall == 0);     // and the template has not
    }
  }
}

TEST_CASE("spurious_features: one template has no standard error, and so no verdict but unclear") {
  const Workspace work;
  write_faces(work, 120);
  work.write("s.yaml", config(kLipsTask) +
                           "save: {images: false}\nreport: false\nfindings: {expected: [{name: "
                           "wearing_lipstick.network_drop_mask, at_least: 0}]}\n");
  const ProgramResult run =
      work.run({"run", "s.yaml", "--out", "s", "--quiet", "--set", "spurious_features.templates=1"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  for (const auto& one : work.metrics("s").at("findings").at("list")) {
    if (one.at("name") == "wearing_lipstick.network_drop_mask") CHECK(one.at("verdict") == "unclear");
  }
}

TEST_CASE("spurious_features: the plan counts what the templates cost") {
  const Workspace work;
  write_faces(work, 120);
  work.write("s.yaml", config(kLipsTask));
  const auto gflop = [&](const std::string& templates) {
    const ProgramResult run = work.run({"plan", "s.yaml", "--set", "spurious_features.templates=" + templates, "--set",
                                        "dataset.image_height=64", "--set", "dataset.image_width=64"});
    std::smatch found;
    REQUIRE(std::regex_search(run.out, found, std::regex("pasting +test images once more +([0-9.]+)")));
    return std::stod(found[1]);
  };
  // Predictions of 24 images, d = 3 * 64 * 64, 77 training rows: one without pasting, three a template.
  const double one = 24 * 2 * 2 * 12288 * 77e-9;
  CHECK(gflop("2") == Approx(7 * one).margin(0.1));
  CHECK(gflop("20") == Approx(61 * one).margin(0.1));
}

TEST_CASE("spurious_features: what is wrong is named before anything is written") {
  const Workspace work;
  write_faces(work, 40);
  const auto complaint = [&](const std::string& text, int exit_code) {
    work.write("s.yaml", text);
    const ProgramResult run = work.run({"run", "s.yaml", "--out", "s", "--quiet"});
    CHECK(run.exit_code == exit_code);
    CHECK_FALSE(std::filesystem::exists(work.path() / "s"));
    return run.err;
  };
  const std::string good = config(kLipsTask);
  const auto with = [&](const std::string& old, const std::string& other) {
    std::string text = good;
    return text.replace(text.find(old), old.size(), other);
  };
  CHECK(contains(complaint(with("name: celeba", "name: mnist"), 2), "dataset.name: attributes are those of celeba"));
  const std::string fractions = "must be two ascending fractions of the image within 0..1";
  CHECK(contains(complaint(with("rows: [0.625, 1]", "rows: [0.625, 1.5]"), 2), "excluded.0.rows.1: must be at most 1"));
  CHECK(contains(complaint(with("columns: [0.25, 0.75]", "columns: [0.75, 0.25]"), 2), fractions));
  CHECK(contains(complaint(with("rows: [0.75, 0.875]", "rows: [0.5]"), 2), fractions));
  CHECK(contains(complaint(with("rows: [0.75, 0.875]", "rows: [0.75, 0.76]"), 2),
                 "compared: is needed, with at least one pixel of 8 x 8"));
  CHECK(contains(complaint(config("label: lips"), 2), "compared: is needed"));
  CHECK(contains(complaint(with("}]}", "}], narrow: [{rows: [0.75, 0.76]}]}"), 2), "narrow: is needed, with at least"));
  CHECK(contains(complaint(with("templates: 2", "templates: 0"), 2), "templates: must be at least 1"));
  CHECK(contains(complaint(with("templates: 2", "templates: 7"), 3),
                 "of the 8 test images have Male (spurious_features.template) without Wearing_Lipstick, fewer than "
                 "spurious_features.templates: 7"));
  CHECK(contains(complaint(with("rows: [0.625, 1]", "rows: [0, 1]"), 2), "excluded: is the whole image"));
  CHECK(contains(complaint(with("wearing_lipstick:", "wearing_earrings:"), 2), "wearing_lipstick: is needed"));
  CHECK(contains(complaint(with("unit_norm", "min_max"), 2), "normalize: must be unit_norm or none"));
  CHECK(contains(complaint(with("network:", "save: {images: false}\n#"), 2), "network and rfm"));
  CHECK(contains(complaint(config(kLipsTask, ", template: Mail"), 2),
                 "has no attribute \"Mail\" (spurious_features.template); "));
  CHECK(contains(complaint(config(kLipsTask, ", template: Wearing_Lipstick"), 2), "so it cannot be that"));
  CHECK(contains(complaint(config(kLipsTask, ", template: Heavy_Makeup"), 3),
                 "none of the 8 test images has Heavy_Makeup (spurious_features.template) without "
                 "Wearing_Lipstick, so there is nothing to paste"));
}

TEST_CASE(
    "spurious_features: an empty mask is named when the RFM is there, and the run may be tried again in its place") {
  const Workspace work;
  write_faces(work, 120);
  work.write("s.yaml", config("excluded: [{rows: [0, 0.5]}], compared: [{rows: [0.5, 1]}]") +
                           "save: {images: false}\nreport: false\n");
  const ProgramResult run =
      work.run({"run", "s.yaml", "--out", "s", "--quiet", "--set", "spurious_features.threshold=0.6"});
  CHECK(run.exit_code == 3);
  CHECK(contains(run.err,
                 "wearing_lipstick: outside of the excluded regions no entry of the RFM's diagonal, scaled to 0..1, "
                 "exceeds 0.6, so"));
  const ProgramResult again =
      work.run({"run", "s.yaml", "--out", "s", "--quiet", "--set", "spurious_features.threshold=0.001"});
  INFO(again.err);
  CHECK(again.exit_code == 0);
}

TEST_CASE("pasting: costs are row by row, and their deviation that of the templates, in percent") {
  experiments::Outcome before{Matrix<double>(4, 1), {}}, after{Matrix<double>(4, 2), {}};
  before.right << 1, 1, 1, 0;
  after.right << 1, 0, 1, 0, 0, 0, 1, 1;  // a row an image: templates cost 0 and 2 of 4
  const Matrix<double> cost = experiments::costs(before, after);
  CHECK(cost.col(0) == (Vector<double>(4) << 0, 0, 1, -1).finished());
  CHECK(cost.col(1) == (Vector<double>(4) << 1, 1, 1, -1).finished());
  CHECK(experiments::sd_over_templates(cost) == Approx(50 / std::sqrt(2.0)));
}

TEST_CASE("pasting: the first test images of the list without the attribute, their pixels, then the normalisation") {
  const Workspace work;
  write_faces(work, 60);
  DatasetOptions options;
  options.name = "celeba";
  options.path = work.path() / "celeba";
  options.attribute = "Wearing_Lipstick";
  options.image.height = options.image.width = kSide;
  options.normalize = Normalization::unit_norm;
  options.draw.train_limit = 20;
  const RandomStream stream(4);
  const Dataset<double> test = load_dataset<double>(options, stream, viz::read_image_planes).test;
  const auto images = experiments::load_pasting_images(options, {"Male", 2}, test.source_rows, stream);
  REQUIRE(test.source_rows.size() == 12);
  std::vector<Index> males;
  for (const Index source : test.source_rows)
    if (is_male(source)) males.push_back(source);
  std::sort(males.begin(), males.end());
  REQUIRE(males.size() >= 2);
  const auto source_of = [&](Index row) { return test.source_rows[static_cast<std::size_t>(row)]; };
  REQUIRE(images.template_rows.size() == 2);
  CHECK(source_of(images.template_rows[0]) == males[0]);
  CHECK(source_of(images.template_rows[1]) == males[1]);

  const Matrix<double> weights = RandomStream(3).normal_matrix<double>(2, 3 * kSide * kSide);
  const ansatz::testing::LinearPredictor<double> model(weights);
  const std::vector<Index> pixels = {0, 9, 63};
  const Matrix<double> said = experiments::predict_pasted(model, images, images.source(1), pixels);
  for (Index i = 0; i < test.size(); ++i) {
    const auto file = [&](Index row) {
      return viz::read_image(options.path / "img_align_celeba" /
                             (std::to_string(test.source_rows[static_cast<std::size_t>(row)]) + ".jpg"));
    };
    const viz::Image own = file(i), source = file(images.template_rows[1]);
    Vector<double> image(3 * kSide * kSide);
    for (std::size_t pixel = 0; pixel < kSide * kSide; ++pixel)
      for (std::size_t channel = 0; channel < 3; ++channel) {
        const bool pasted = std::find(pixels.begin(), pixels.end(), static_cast<Index>(pixel)) != pixels.end();
        image(static_cast<Index>(channel * kSide * kSide + pixel)) =
            (pasted ? source : own).rgb[3 * pixel + channel] / 255.0;
      }
    const Vector<double> expected = weights * image / image.norm();
    CHECK(said(i, 0) == Approx(expected(0)).margin(1e-6));
    CHECK(said(i, 1) == Approx(expected(1)).margin(1e-6));
  }
}
