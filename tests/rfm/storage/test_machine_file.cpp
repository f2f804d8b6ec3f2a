#include "core/base/error.h"
#include "core/files/checksum.h"
#include "rfm/storage/machine_file.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
using namespace ansatz::rfm;
using testing::random_matrix;
using testing::random_psd;

namespace {

constexpr Index kCenters = 12, kDimension = 5, kOutputs = 2;

/// Not the defaults, where a family has them.
KernelSpec odd_spec(KernelFamily family) {
  KernelSpec spec;
  spec.family = family;
  spec.bandwidth = 1.0 / 3;
  spec.bandwidth_mode = BandwidthMode::adaptive;  // resolved by the machine's kernel
  spec.exponent = 0.7;
  spec.norm = 1.3;
  spec.depth = 3;
  spec.degree = 3;
  spec.scale = 0.1;
  spec.offset = 0.2;
  spec.activation = Activation::erf;
  spec.weight_std = 0.9;
  spec.bias_std = 0.3;
  return spec;
}

template <class Scalar>
struct Fixture {
  TemporaryFolder folder;
  std::shared_ptr<const Matrix<Scalar>> centers =
      std::make_shared<const Matrix<Scalar>>(random_matrix<Scalar>(kCenters, kDimension, 5));
  Matrix<Scalar> alpha = random_matrix<Scalar>(kCenters, kOutputs, 6), x = random_matrix<Scalar>(7, kDimension, 7);

  std::filesystem::path path() const { return folder / "machine.safetensors"; }
  KernelMachine<Scalar> machine(const KernelSpec& spec, FeatureMatrix<Scalar> metric) const {
    return KernelMachine<Scalar>(Kernel::make(spec).with_bandwidth(2.0 / 3), std::move(metric), centers, alpha);
  }
  void write(const KernelMachine<Scalar>& machine, CentersKept kept) const {
    SafetensorsWriter file;
    add_machine(machine, kept, file);
    file.write(path());
  }
  KernelMachine<Scalar> read(std::shared_ptr<const Matrix<Scalar>> elsewhere = nullptr) const {
    return read_machine<Scalar>(SafetensorsFile(path()), [&] { return elsewhere; });
  }
};

/// M in each of its forms.
template <class Scalar>
std::vector<FeatureMatrix<Scalar>> metrics(const Fixture<Scalar>& f) {
  using Features = FeatureMatrix<Scalar>;
  const auto factor = std::make_shared<const Matrix<Scalar>>(random_matrix<Scalar>(3, kDimension, 8));
  return {Features::identity(kDimension),
          Features::diagonal_form(random_matrix<Scalar>(kDimension, 1, 9).cwiseAbs().col(0)),
          Features::dense(random_psd<Scalar>(kDimension, kDimension)),
          Features::sandwich(factor),
          Features::sandwich(factor, random_psd<Scalar>(3, 3)),
          Features::sandwich(f.centers, random_psd<Scalar>(kCenters, kCenters))};
}

}  // namespace

TEMPLATE_TEST_CASE("a machine predicts from its file as before, bit by bit: every kernel, every form of M", "", float,
                   double) {
  const Fixture<TestType> f;
  for (const KernelInfo& info : kernel_table()) {
    for (const FeatureMatrix<TestType>& metric : metrics(f)) {
      CAPTURE(info.name, metric.describe());
      const KernelMachine<TestType> machine = f.machine(odd_spec(info.family), metric);
      for (const CentersKept kept : {CentersKept::in_file, CentersKept::elsewhere}) {
        f.write(machine, kept);
        const KernelMachine<TestType> again = f.read(f.centers);
        CHECK(again.metric().form() == metric.form());
        CHECK(again.predict(f.x) == machine.predict(f.x));
      }
    }
  }
}

TEST_CASE(
    "a machine's file holds no M where that is the identity or lies over the centres, and no centres kept elsewhere") {
  const Fixture<double> f;
  const std::vector<FeatureMatrix<double>> forms = metrics(f);
  const auto tensors = [&](std::size_t form, CentersKept kept) {
    f.write(f.machine({}, forms[form]), kept);
    std::string names;
    const SafetensorsFile file(f.path());
    for (const TensorInfo& tensor : file.tensors()) names += tensor.name + " ";
    return names;
  };
  CHECK(tensors(0, CentersKept::in_file) == "alpha centers ");
  CHECK(tensors(0, CentersKept::elsewhere) == "alpha ");
  CHECK(tensors(1, CentersKept::elsewhere) == "M alpha ");
  CHECK(tensors(3, CentersKept::elsewhere) == "M.F alpha ");
  CHECK(tensors(5, CentersKept::elsewhere) == "M.C alpha ");
}

TEST_CASE("centres that are not those of the machine are refused") {
  const Fixture<float> f;
  f.write(f.machine({}, FeatureMatrix<float>::identity(kDimension)), CentersKept::elsewhere);
  const auto error = [&](Matrix<float> centers) {
    return message_of<DataError>([&] { f.read(std::make_shared<const Matrix<float>>(std::move(centers))); });
  };
  CHECK(error(*f.centers) == "");
  Matrix<float> other = *f.centers;
  other(3, 1) += 1e-5F;
  CHECK_THAT(error(other), Catch::Contains("the data have changed"));
  CHECK_THAT(error(f.centers->topRows(5)), Catch::Contains("the data have changed"));
}

TEST_CASE("a machine's file that says something else is refused") {
  const Fixture<float> f;
  const auto error = [&](const std::string& key, const std::string& text) {
    SafetensorsWriter file;
    file.add("alpha", f.alpha);
    file.add("centers", *f.centers);
    const std::vector<std::pair<std::string, std::string>> right = {{"kernel", R"({"name":"laplace","bandwidth":2.0})"},
                                                                    {"feature_matrix", "identity"},
                                                                    {"centers", "in_file"},
                                                                    {"centers_crc32", checksum(*f.centers)}};
    for (const auto& [k, t] : right)
      if (k != key) file.add_text(k, t);
    if (!text.empty()) file.add_text(key, text);
    file.write(f.path());
    return message_of<DataError>([&] { f.read(); });
  };
  CHECK(error("more", "text") == "");
  CHECK_THAT(error("kernel", ""), Catch::Contains("no 'kernel'"));
  CHECK_THAT(error("kernel", R"({"name":"laplac","bandwidth":2.0})"), Catch::Contains("no kernel"));
  CHECK_THAT(error("kernel", R"({"name":"laplace"})"), Catch::Contains("bandwidth"));
  CHECK_THAT(error("kernel", R"({"name":"ntk","depth":1,"activation":"sine"})"), Catch::Contains("no activation"));
  CHECK_THAT(error("kernel", R"({"name":"ntk","depth":1,"weight_std":0})"), Catch::Contains("out of range"));
  CHECK_THAT(error("kernel", R"({"name":"laplace","bandwidth":-1})"), Catch::Contains("out of range"));
  CHECK_THAT(error("feature_matrix", "round"), Catch::Contains("in which form M is"));
  CHECK_THAT(error("feature_matrix", "dense"), Catch::Contains("'M' is missing"));
  CHECK_THAT(error("centers_crc32", "1"), Catch::Contains("the centres are damaged"));
  CHECK_THAT(error("centers_crc32", ""), Catch::Contains("where the centres are"));
}

TEST_CASE("a machine's file of an earlier version, whose networks had no other activation and no biases, is read") {
  const Fixture<float> f;
  KernelSpec spec;
  spec.family = KernelFamily::ntk;
  spec.depth = 2;
  const KernelMachine<float> machine = f.machine(spec, FeatureMatrix<float>::identity(kDimension));
  SafetensorsWriter file;
  file.add("alpha", f.alpha);
  file.add("centers", *f.centers);
  for (const auto& [key, text] :
       std::vector<std::pair<std::string, std::string>>{{"kernel", R"({"name":"ntk","depth":2})"},
                                                        {"feature_matrix", "identity"},
                                                        {"centers", "in_file"},
                                                        {"centers_crc32", checksum(*f.centers)}})
    file.add_text(key, text);
  file.write(f.path());
  CHECK(f.read().predict(f.x) == machine.predict(f.x));
}
