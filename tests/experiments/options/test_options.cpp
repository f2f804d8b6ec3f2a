#include <cmath>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "core/base/error.h"
#include "core/files/files.h"
#include "experiments/cli/doc_tables.h"
#include "experiments/cli/registry.h"
#include "experiments/options/grid.h"
#include "experiments/options/options.h"
#include "experiments/options/rfm_tree_options.h"
#include "experiments/plan.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

FeatureComparisonOptions parse(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  const Config root = Config::from_string(yaml, "test.yaml", overrides);
  const CommonOptions common = parse_common(root, "test");
  FeatureComparisonOptions options = parse_feature_comparison(root, common);
  root.finish();
  return options;
}

std::string failure(const std::string& yaml) {
  try {
    parse(yaml);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string resolved_text(const std::string& yaml) {
  const Config root = Config::from_string(yaml, "test.yaml");
  parse_feature_comparison(root, parse_common(root, "test"));
  return root.resolved_yaml();
}

const std::string kData = "dataset: {name: low_rank}\n";

void prepare(const Config& root) {
  if (root.has("sweep")) parse_grid(root.section("sweep"));
  const CommonOptions common = parse_common(root, "x");
  find_experiment(root, common.experiment).prepare(root, common);
}

}  // namespace

TEST_CASE("options: the quickstart says what it means") {
  const FeatureComparisonOptions o = parse(R"(
experiment: feature_comparison
dataset: {name: fashion_mnist, train_size: 5000, test_size: 2000, validation_fraction: 0.2, normalize: unit_norm}
network: {hidden_layers: [1024, 512], optimizer: {name: sgd, learning_rate: 0.2, momentum: 0.9}, batch_size: full, epochs: 50}
rfm: {kernel: laplace, bandwidth: 10, ridge: 1.0e-3, iterations: 1, feature_matrix: diagonal, center_gradients: true, gradient_samples: all}
kernel_machines:
  - {label: ntk2, kernel: ntk, depth: 2, ridge: 0}
)");
  CHECK(o.dataset.draw.train_size == 5000);
  CHECK(o.dataset.normalize == Normalization::unit_norm);
  CHECK(o.dataset.task == Task::classification);
  CHECK(o.network->architecture.hidden_layers == std::vector<Index>{1024, 512});
  CHECK(o.network->training.optimizer.momentum == 0.9);
  CHECK(o.network->training.batch_size == 0);
  CHECK(o.network->gradient_samples == 0);  // as the rfm section says
  CHECK(o.rfm->gradients.diagonal);
  CHECK(o.rfm->gradients.center);
  CHECK(o.rfm->iterations == 1);
  CHECK(o.kernel_machines.at(0).kernel.depth == 2);
  CHECK(o.kernel_machines.at(0).solver.ridge == 0);
}

TEST_CASE("options: the tables of the documentation are those of the program") {
  int tables = 0;
  for (const auto& file : std::filesystem::directory_iterator(ANSATZ_DOCS)) {
    if (file.path().extension() != ".md") continue;
    INFO(file.path() << ": run scripts/update_docs");
    const std::string document = read_file(file.path());
    CHECK(with_tables(document) == document);
    for (std::size_t at = document.find("<!-- table: "); at != std::string::npos;
         at = document.find("<!-- table: ", at + 1))
      ++tables;
  }
  CHECK(tables >= 2);
}

TEST_CASE("options: a table of the documentation that is stale, unknown or without an end is found") {
  const std::string begin = "text\n<!-- table: kernels (scripts/update_docs writes it) -->\n",
                    end = "<!-- end of table -->\nmore\n";
  const std::string written = with_tables(begin + "| old |\n" + end);
  CHECK_THAT(written, Catch::StartsWith(begin + "| `kernel` |") && Catch::EndsWith(" |\n" + end) &&
                          Catch::Contains("exp(-\\|x-z\\|_M / L)") && !Catch::Contains("old"));
  CHECK(with_tables(written) == written);
  CHECK(with_tables("no table\n") == "no table\n");
  CHECK_THROWS_AS(with_tables(begin), ConfigError);
  CHECK_THROWS_AS(with_tables("<!-- table: colours (scripts/update_docs writes it) -->\n" + end), ConfigError);
}

TEST_CASE("options: every kernel takes its own keys, within their ranges, and no other's") {
  const auto with = [](const std::string& keys) { return kData + "rfm: {" + keys + "}\n"; };
  for (const rfm::KernelInfo& kernel : rfm::kernel_table()) {
    const rfm::KernelSpec spec = parse(with("kernel: " + kernel.name)).rfm->kernel;
    CHECK(spec.family == kernel.family);
    for (const rfm::KernelInfo& other : rfm::kernel_table()) {
      for (const rfm::KernelParameter& parameter : other.parameters) {
        const std::string key = parameter.key, keys = "kernel: " + kernel.name + ", " + key + ": ";
        CAPTURE(keys);
        if (kernel.find(key) == nullptr) {
          CHECK_THAT(failure(with(keys + "1.5")), Catch::StartsWith("test.yaml:2:") && Catch::Contains(other.name));
          continue;
        }
        const rfm::KernelParameter& own = *kernel.find(key);
        CHECK_THAT(resolved_text(with("kernel: " + kernel.name)), Catch::Contains("\n  " + key + ": "));
        if (std::holds_alternative<rfm::Activation rfm::KernelSpec::*>(own.field)) {
          CHECK_THAT(failure(with(keys + "1")), Catch::Contains("one of relu, erf, linear"));
          continue;
        }
        CHECK(value_of(parse(with(keys + "1")).rfm->kernel, own) == 1);
        CHECK_THAT(failure(with(keys + "-1")), Catch::StartsWith("test.yaml:2:") && Catch::Contains("rfm." + key));
        if (own.above_low) CHECK_THAT(failure(with(keys + "0")), Catch::Contains("greater than 0"));
        if (std::isfinite(own.high))
          CHECK_THAT(failure(with(keys + std::to_string(own.high + 1).substr(0, std::to_string(own.high).find('.')))),
                     Catch::Contains("rfm." + key + ": must be at most"));
      }
    }
  }
  CHECK(failure(with("kernel: laplace, exponent: 1")) == "no error");  // config.yaml of earlier versions
  CHECK_THAT(failure(with("kernel: ntk, exponent: 1")), Catch::Contains("is not used by kernel: ntk"));
  CHECK_THAT(failure(with("kernel: ntk, bandwidth_mode: adaptive")), Catch::Contains("bandwidth_mode"));
  CHECK_THAT(failure(with("kernel: lpq_laplace, norm: 1.2, exponent: 1.5")), Catch::Contains("at most norm"));
}

TEST_CASE("options: the scale of a wide network's weights depends on its activation unless it is given") {
  const auto kernel = [](const std::string& keys) {
    return parse(kData + "rfm: {kernel: ntk" + keys + "}\n").rfm->kernel;
  };
  const rfm::KernelSpec plain = kernel("");
  CHECK(plain.activation == rfm::Activation::relu);
  CHECK(plain.weight_std == std::sqrt(2.0));
  CHECK(plain.bias_std == 0);
  for (const char* word : {"erf", "linear"}) CHECK(kernel(std::string(", activation: ") + word).weight_std == 1);
  const rfm::KernelSpec given = kernel(", activation: erf, weight_std: 1.5, bias_std: 0.05, depth: 3");
  CHECK(given.activation == rfm::Activation::erf);
  CHECK((given.weight_std == 1.5 && given.bias_std == 0.05 && given.depth == 3));
  // The resolved text names all of them, and gives the same kernel again.
  const std::string text = resolved_text(kData + "rfm: {kernel: ntk}\n");
  CHECK_THAT(text, Catch::Contains("activation: relu"));
  CHECK(parse(text).rfm->kernel == plain);
}

namespace {

struct DocumentedDefault {
  std::string section, key, value;
};

/// The rows | `key` | value | of docs/configuration.md below "## Top level" and "## `section`" whose value is a number,
/// true or false, a list, or a `word`.
std::vector<DocumentedDefault> documented_defaults() {
  static const std::regex heading(R"(## (?:Top level|`(\w+)`).*)");
  static const std::regex row(R"(\| `(\w+)` \| (?:`(\w+)`|(-?[0-9][-0-9.e]*|true|false|\[.*?\])) \|.*)");
  std::vector<DocumentedDefault> defaults;
  std::string section = "none";
  std::istringstream lines(read_file(std::filesystem::path(ANSATZ_DOCS) / "configuration.md"));
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, match, heading))
      section = match[1];
    else if (line.rfind("## ", 0) == 0)
      section = "none";
    else if (section != "none" && std::regex_match(line, match, row))
      defaults.push_back({section, match[1], match[2].matched ? match[2] : match[3]});
  }
  return defaults;
}

/// The value of section.key in the resolved text of a config; empty where it is not there.
std::string resolved(const std::string& yaml, const DocumentedDefault& of) {
  std::istringstream lines(yaml);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':'), indent = line.find_first_not_of(' ');
    if (indent == 0 && colon + 1 == line.size()) section = line.substr(0, colon);
    if (indent == 0 && colon + 1 < line.size()) section.clear();
    if (indent == (section.empty() ? 0 : 2) && section == of.section && line.substr(indent, colon - indent) == of.key)
      return line.substr(std::min(colon + 2, line.size()));
  }
  return "";
}

bool same_value(const std::string& a, const std::string& b) {
  char *end_a = nullptr, *end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
  return a == b || (*end_a == 0 && *end_b == 0 && x == y);
}

}  // namespace

TEST_CASE("options: defaults are those of the documentation") {
  const Config root = Config::from_string(
      "experiment: feature_comparison\n"
      "dataset: {name: csv, path: a.csv, target: t, task: classification}\nnetwork: {}\nrfm: {}\nrfm_tree: {}\n");
  parse_feature_comparison(root, parse_common(root, "test"));
  parse_rfm_tree(root.section("rfm_tree"));
  const std::string yaml = root.resolved_yaml();
  int compared = 0;
  for (const DocumentedDefault& documented : documented_defaults()) {
    const std::string value = resolved(yaml, documented);
    if (value.empty()) continue;  // the key of another data set, solver or optimizer
    CAPTURE(documented.section, documented.key, documented.value, value);
    CHECK(same_value(documented.value, value));
    ++compared;
  }
  CHECK(compared >= 39);
}

TEST_CASE("options: the image sets of the paper") {
  const auto data = [](const std::string& section) { return parse("dataset: {" + section + "}\nrfm: {}\n").dataset; };
  const DatasetOptions faces = data("name: celeba, attribute: Smiling, balanced: true, crop: center, image_width: 64");
  CHECK(faces.attribute == "Smiling");
  CHECK(faces.draw.balanced);
  CHECK(faces.image.crop == ImageCrop::center);
  CHECK(faces.image.height == 96);
  CHECK(faces.image.width == 64);
  CHECK(data("name: stl10").image.height == 0);  // as stored
  CHECK(data("name: stl10, image_height: 32").image.height == 32);
  const DatasetOptions starred = data("name: starred_planes_trucks, source: stl10, marker: square");
  CHECK(starred.starred.photographs == "stl10");
  CHECK(starred.starred.marker == StarMarker::square);
  CHECK(starred.draw.class_sizes == std::vector<Index>{500, 53});
  CHECK(data("name: starred_planes_trucks, balanced: true").draw.class_sizes.empty());
  CHECK(data("name: starred_planes_trucks, class_sizes: [53, 500]").draw.class_sizes == std::vector<Index>{53, 500});
  CHECK(data("name: cifar10, classes: [ship, dog], class_sizes: [9, 5]").draw.class_sizes == std::vector<Index>{9, 5});
  CHECK(data("name: cifar10").draw.which == RowDraw::random);
  CHECK(data("name: cifar10, draw: first").draw.which == RowDraw::first);

  const auto refused = [](const std::string& section) { return failure("dataset: {" + section + "}\nrfm: {}\n"); };
  CHECK_THAT(refused("name: celeba"), Catch::Contains("dataset.attribute: is needed"));
  CHECK_THAT(refused("name: svhn, attribute: Smiling"),
             Catch::Contains("test.yaml:1:23: dataset.attribute: unknown key"));
  CHECK_THAT(refused("name: starred_planes_trucks, marker: circle"), Catch::Contains("one of star, square"));
  CHECK_THAT(refused("name: cifar10, class_sizes: [5, 0]"), Catch::Contains("class_sizes.1: must be at least 1"));
  CHECK_THAT(refused("name: cifar10, class_sizes: [5, 5], balanced: true"), Catch::Contains("leave out train_size"));
  CHECK_THAT(refused("name: celeba, attribute: Bald, crop: middle"), Catch::Contains("dataset.crop"));
}

TEST_CASE("options: what the cells of a table mean") {
  const auto cells = [](const std::string& keys) {
    return parse("dataset: {name: csv, path: t.csv, target: y" + keys + "}\nrfm: {}\n").dataset.csv.cells;
  };
  CHECK(cells("").decimal == '.');
  CHECK(cells("").default_missing_values);
  const CellFormat::Options given =
      cells(", decimal: \",\", missing_values: [\"-\", -999, none], default_missing_values: false");
  CHECK(given.decimal == ',');
  CHECK(given.missing_values == std::vector<std::string>{"-", "-999", "none"});
  CHECK_FALSE(given.default_missing_values);
  CHECK_THROWS_AS(cells(", decimal: \";\""), ConfigError);
}

TEST_CASE("options: features of arrays are named by a list or by a file") {
  const std::string arrays =
      "dataset: {name: arrays, train_inputs: x.npy, train_targets: y.npy, test_inputs: x.npy, test_targets: y.npy";
  const auto named = [&](const std::string& keys) { return parse(arrays + keys + "}\nrfm: {}\n").dataset.arrays; };
  CHECK(named("").feature_names.empty());
  CHECK(named("").feature_names_file.empty());
  const ArrayOptions listed = named(", feature_names: [age, \"a, b\", 7]");
  CHECK(listed.feature_names == std::vector<std::string>{"age", "a, b", "7"});
  CHECK(listed.feature_names_file.empty());
  const ArrayOptions in_file = named(", feature_names: names.txt");
  CHECK(in_file.feature_names.empty());
  CHECK(in_file.feature_names_file.filename() == "names.txt");
  CHECK_THAT(failure(arrays + ", feature_names: {a: b}}\nrfm: {}\n"), Catch::Contains("dataset.feature_names"));
  CHECK_THAT(failure("dataset: {name: csv, path: t.csv, target: y, feature_names: [a]}\nrfm: {}\n"),
             Catch::Contains("unknown key"));
  for (const char* names : {"[age, \"a, b\", 7]", "/names.txt"}) {
    const Config root = Config::from_string(arrays + ", feature_names: " + names + "}\nrfm: {}\n");
    parse_feature_comparison(root, parse_common(root, "test"));
    CHECK(parse(root.resolved_yaml()).dataset.arrays.feature_names ==
          named(", feature_names: " + std::string(names)).feature_names);
    CHECK(parse(root.resolved_yaml()).dataset.arrays.feature_names_file ==
          named(", feature_names: " + std::string(names)).feature_names_file);
  }
}

TEST_CASE("options: what makes no sense is refused where it stands") {
  CHECK(failure(kData + "rfm: {ridge: -1}\n").find("test.yaml:2:14") != std::string::npos);
  CHECK(failure(kData + "rfm: {iteratons: 2}\n").find("iterations") != std::string::npos);
  CHECK(failure(kData + "rfm: {kernel: lapalce}\n").find("laplace") != std::string::npos);
  CHECK(failure(kData + "rfm: {kernel: laplace, exponent: 0.7}\n").find("generalized_laplace") != std::string::npos);
  CHECK(failure(kData + "rfm: {iterations: many}\n").find("iterations") != std::string::npos);
  CHECK(failure(kData + "network: {train: false}\n").find("weights") != std::string::npos);
  CHECK(failure(kData + "network: {weights: [a.npy], train: true}\n").find("train") != std::string::npos);
  CHECK(failure(kData + "network: {hidden_layers: [0]}\n").find("hidden_layers") != std::string::npos);
  CHECK(failure(kData + "kernel_machines: [{label: rfm, kernel: ntk}]\n").find("taken") != std::string::npos);
  CHECK(failure(kData).find("nothing to do") != std::string::npos);
  CHECK(failure("dataset: {name: mnits}\nrfm: {iterations: 1}\n").find("mnist") != std::string::npos);
  CHECK(failure("dataset: {name: arrays}\nrfm: {iterations: 1}\n").find("train_inputs") != std::string::npos);
}

TEST_CASE("options: every number of a network has a range") {
  const auto refused = [](const std::string& keys, const std::string& words) {
    CAPTURE(keys);
    CHECK_THAT(failure(kData + "network: {" + keys + "}\n"),
               Catch::StartsWith("test.yaml:2:") && Catch::Contains("network.") && Catch::Contains(words));
  };
  const auto taken = [](const std::string& keys) {
    CAPTURE(keys);
    CHECK(failure(kData + "network: {" + keys + "}\n") == "no error");
  };
  for (const char* rate : {"1e39", "1e31", "1e300"})
    refused(std::string("optimizer: {learning_rate: ") + rate + "}", "learning_rate: must be at most 1e+30");
  for (const char* rate : {"1e-40", "0", "-0.1"})
    refused(std::string("optimizer: {learning_rate: ") + rate + "}", "learning_rate: must be at least 1e-30");
  for (const char* momentum : {"0.99999999", "1", "-0.1", "1e39"})
    refused(std::string("optimizer: {momentum: ") + momentum + "}", "momentum");
  refused("optimizer: {weight_decay: 1e39}", "weight_decay");
  refused("optimizer: {weight_decay: -1}", "weight_decay");
  for (const char* beta : {"beta1", "beta2"})
    refused("optimizer: {name: adam, " + std::string(beta) + ": 0.99999999}", beta);
  for (const char* epsilon : {"0", "1e-60", "1e39"})
    refused(std::string("optimizer: {name: adam, epsilon: ") + epsilon + "}", "epsilon");
  for (const char* std : {"0", "1e-30", "1e39"}) refused(std::string("first_layer_std: ") + std, "first_layer_std");
  for (const char* size : {"0", "-1", "1000000001", "4611686018427387904", "9223372036854775807", "1e300"}) {
    for (const char* key : {"batch_size", "epochs", "evaluate_every", "gradient_samples"})
      refused(std::string(key) + ": " + size, key);
    refused(std::string("hidden_layers: [3, ") + size + "]", "hidden_layers");
  }
  for (const char* count : {"-1", "100001", "4611686018427387904"})
    refused(std::string("snapshots: ") + count, "snapshots");
  std::string widths = "1";
  for (int i = 0; i < 1000; ++i) widths += ", 1";
  refused("hidden_layers: [" + widths + "]", "at most 1000 layers");

  taken("optimizer: {learning_rate: 1e30, momentum: 0.999999, weight_decay: 1e30}");
  taken("optimizer: {name: adam, learning_rate: 1e-30, beta1: 0, beta2: 0.999999, epsilon: 1e-30}");
  taken("optimizer: {name: adamw, learning_rate: 1e-30, weight_decay: 1e30, beta1: 0, beta2: 0.999999}");
  refused("optimizer: {name: adamw, momentum: 0.9}", "momentum");
  refused("optimizer: {name: adamw}, first_layer: in_span", "first_layer");
  refused("optimizer: {name: adam}, initialization: mup", "initialization");
  taken("initialization: mup, hidden_layers: [8]");
  taken("first_layer_std: 1e-15, batch_size: full, gradient_samples: all, snapshots: 0");
  taken("hidden_layers: [], batch_size: 1000000000, epochs: 1000000000, evaluate_every: 1000000000, snapshots: 100000");
}

TEST_CASE("options: each optimizer has its own default rate and weight decay, and every activation its word") {
  const auto network = [](const std::string& keys) { return *parse(kData + "network: {" + keys + "}\n").network; };
  using Kind = nets::OptimizerOptions::Kind;
  const auto check = [&](const std::string& name, Kind kind, double rate, double decay) {
    const nets::OptimizerOptions o = network("optimizer: {name: " + name + "}").training.optimizer;
    CHECK(o.kind == kind);
    CHECK(o.learning_rate == rate);
    CHECK(o.weight_decay == decay);
  };
  check("sgd", Kind::sgd, 0.1, 0);
  check("adam", Kind::adam, 1e-3, 0);
  check("adamw", Kind::adamw, 1e-3, 0.01);  // those of torch.optim.AdamW
  for (const nets::ActivationInfo& row : nets::activation_table())
    CHECK(network("activation: " + row.name).architecture.activation == row.activation);
}

TEST_CASE("options: cross_entropy is for one-hot classes, of trained and of imported networks") {
  const std::string classes = "dataset: {name: mnist}\n";
  for (const char* more : {"", ", checkpoint: net.pt, train: false"}) {
    const std::string network = "network: {loss: cross_entropy" + std::string(more) + "}\n";
    CHECK(parse(classes + network).network->training.loss == Loss::cross_entropy);
    CHECK_THAT(failure("dataset: {name: mnist, class_coding: prevalence}\n" + network),
               Catch::Contains("test.yaml:2:") && Catch::Contains("loss") && Catch::Contains("class_coding: one_hot"));
    CHECK_THAT(failure("dataset: {name: low_rank}\n" + network),
               Catch::Contains("test.yaml:2:") && Catch::Contains("loss") && Catch::Contains("for classification"));
  }
  CHECK(parse(classes + "network: {}\n").network->training.loss == Loss::mse);
}

TEST_CASE("options: beside a network trained elsewhere no validation rows and all layers, unless asked for otherwise") {
  const auto of = [](const std::string& dataset, const std::string& more) {
    return parse("dataset: {name: mnist" + dataset + "}\n" + more + "\n");
  };
  const std::string imported = "network: {weights: [a.npy, b.npy], train: false}";
  CHECK(of("", imported).dataset.draw.validation_fraction == 0);
  CHECK(of("", "network: {checkpoint: a.pt, train: false}").dataset.draw.validation_fraction == 0);
  CHECK(of(", validation_fraction: 0.1", imported).dataset.draw.validation_fraction == 0.1);
  CHECK(of("", "network: {}").dataset.draw.validation_fraction == 0.2);
  CHECK(of("", "rfm: {}").dataset.draw.validation_fraction == 0.2);
  CHECK(of("", imported).network->layers == ComparedLayers::all);
  CHECK(of("", imported + "\ncomparison: {layers: first}").network->layers == ComparedLayers::first);
  CHECK(of("", "network: {}").network->layers == ComparedLayers::first);
  CHECK(of("", "network: {}\ncomparison: {layers: all}").network->layers == ComparedLayers::all);
}

TEST_CASE("options: names of layers go with a checkpoint, and messages about them say where they stand") {
  const auto network = [](const std::string& keys) { return kData + "network: {" + keys + "}\n"; };
  const FeatureComparisonOptions o =
      parse(network("checkpoint: net.pt, train: false, layer_names: [in.weight, 2, out]"));
  CHECK(o.network->known.names == std::vector<std::string>{"in.weight", "2", "out"});
  CHECK(o.network->layer_names_key == "test.yaml:2:58: network.layer_names");
  CHECK_THAT(parse(network("checkpoint: net.pt, train: false")).network->layer_names_key,
             Catch::StartsWith("test.yaml:2:") && Catch::EndsWith(": network.layer_names"));
  CHECK_THAT(failure(network("layer_names: [a]")), Catch::Contains("none is given"));
  CHECK_THAT(failure(network("weights: [a.npy, b.npy], train: false, layer_names: [a, b]")),
             Catch::StartsWith("test.yaml:2:") && Catch::Contains("layer_names") && Catch::Contains("one file"));
  CHECK_THAT(failure(network("checkpoint: net.pt, train: false, layer_names: a")), Catch::Contains("list"));
}

TEST_CASE("options: the configs that are shipped parse, and their resolved text gives itself") {
  for (const auto& file : std::filesystem::recursive_directory_iterator(ANSATZ_CONFIGS)) {
    if (file.path().extension() != ".yaml" || file.path().parent_path().filename() == "targets") continue;
    INFO(file.path());
    const Config root = Config::from_file(file.path());
    prepare(root);
    root.finish();
    const Config again = Config::from_string(root.resolved_yaml(), "resolved");
    prepare(again);
    again.finish();
    CHECK(again.resolved_yaml() == root.resolved_yaml());
  }
}

TEST_CASE("options: the configs of the paper's experiments parse, and expect findings that there are") {
  for (const char* folder : {"paper", "small"}) {
    for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(ANSATZ_CONFIGS) / folder)) {
      INFO(file.path());
      const auto prepare = [](const Config& root) {
        const CommonOptions common = parse_common(root, "x");
        find_experiment(root, common.experiment).prepare(root, common);
        root.finish();
        return root.resolved_yaml();
      };
      const std::string resolved = prepare(Config::from_file(file.path()));
      CHECK(prepare(Config::from_string(resolved, "resolved")) == resolved);
    }
  }
}

TEST_CASE("plan: bytes grow with n squared, and what cannot fit is refused") {
  const auto peak = [](const std::string& n) {
    return plan_feature_comparison(parse("dataset: {name: low_rank, train_size: " + n + "}\nrfm: {iterations: 1}\n"))
        .peak_bytes();
  };
  CHECK(peak("40000") - peak("20000") == Approx(3 * 20000.0 * 20000.0 * 4).epsilon(0.05));
  const Plan huge =
      plan_feature_comparison(parse("dataset: {name: low_rank, train_size: 100000000}\nrfm: {iterations: 1}\n"));
  CHECK_THROWS_AS(require_fits(huge), MemoryError);
}

TEST_CASE("plan: the largest sizes of a network are counted, at once") {
  const auto planned = [](const std::string& keys) {
    return plan_feature_comparison(parse("dataset: {name: low_rank, dimension: 10}\nnetwork: {" + keys + "}\n"));
  };
  const double usual = planned("epochs: 100").peak_bytes();
  CHECK(planned("epochs: 100000000").peak_bytes() > usual + 1e8 * 50);  // the history alone
  CHECK(planned("epochs: 100000000, snapshots: 100000").peak_bytes() >
        planned("epochs: 100000000").peak_bytes() + 3e6);  // 10 numbers a snapshot, a few of them of one epoch
  const Plan wide = planned("hidden_layers: [1000000000, 1000000000, 1000000000]");
  CHECK(wide.peak_bytes() > 2e18);
  CHECK_THROWS_AS(require_fits(wide), MemoryError);
  CHECK_THAT(describe(wide), Catch::Contains("years") && !Catch::Contains("-9223"));
}
