#include "core/base/error.h"
#include "core/run/data_form.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;

namespace {

template <class Scalar>
DataForm<Scalar> read_back(const DataForm<Scalar>& form) {
  const TemporaryFolder folder;
  SafetensorsWriter file;
  add_data_form(form, file);
  file.write(folder / "form.safetensors");
  return read_data_form<Scalar>(SafetensorsFile(folder / "form.safetensors"));
}

bool same(const InputTransform::Row& a, const InputTransform::Row& b) { return a.size() == b.size() && (a == b).all(); }

}  // namespace

TEMPLATE_TEST_CASE("the form of a model's data is read back as it was", "", float, double) {
  DataForm<TestType> form;
  form.dimension = 4;
  form.outputs = 2;
  form.task = Task::classification;
  form.class_names = {"a, \"b\"", "ü", "3"};
  form.class_codes = testing::random_matrix<TestType>(3, 2);
  form.transform.normalization = Normalization::standardize;
  const InputTransform::Row numbers = testing::random_matrix(3, 4).row(0).array();
  form.transform.fill = numbers;
  form.transform.shift = numbers / 3.0;
  form.transform.scale = numbers.abs() * 1e-300;
  form.transform.table =
      TableSchema{{{"age", {}}, {"color", {"red", "blue, green"}}, {"n", {}}}, "y", '\t', ',', {"-9"}, false, true};
  form.target_scaling = {Vector<double>{{1.0 / 3, -7}}, Vector<double>{{1e-9, 2}}};
  form.range = {numbers - 1, numbers + 1e-9};
  const DataForm<TestType> read = read_back(form);
  CHECK(same(read.range.low, form.range.low));
  CHECK(same(read.range.high, form.range.high));
  CHECK(read.target_scaling == form.target_scaling);
  CHECK(read.dimension == 4);
  CHECK(read.outputs == 2);
  CHECK(read.task == Task::classification);
  CHECK(read.class_names == form.class_names);
  CHECK(read.class_codes == form.class_codes);
  CHECK(read.transform.raw == RawInputs::numbers);
  CHECK(read.transform.normalization == Normalization::standardize);
  CHECK(same(read.transform.fill, form.transform.fill));
  CHECK(same(read.transform.shift, form.transform.shift));
  CHECK(same(read.transform.scale, form.transform.scale));
  CHECK(read.transform.table == form.transform.table);
  CHECK_FALSE(read.image_shape);

  DataForm<TestType> images;
  images.dimension = 12;
  images.outputs = 1;
  images.image_shape = ImageShape{3, 2, 2};
  images.transform.raw = RawInputs::pixels;
  images.transform.channels_last = true;
  images.transform.normalization = Normalization::unit_norm;
  const DataForm<TestType> plain = read_back(images);
  CHECK(plain.image_shape == images.image_shape);
  CHECK(plain.transform.raw == RawInputs::pixels);
  CHECK(plain.transform.channels_last);
  CHECK_FALSE(plain.target_scaling.scales());
  CHECK(plain.transform.normalization == Normalization::unit_norm);
  CHECK(plain.transform.shift.size() == 0);
  CHECK(plain.class_codes.size() == 0);
  CHECK_FALSE(plain.transform.table);
}

TEST_CASE("a form that does not fit itself is refused") {
  const TemporaryFolder folder;
  const auto refuses = [&](const std::string& inputs, const std::string& outputs, const std::string& reason) {
    CAPTURE(inputs, outputs);
    SafetensorsWriter file;
    file.add_text("inputs", inputs);
    if (!outputs.empty()) file.add_text("outputs", outputs);
    file.write(folder / "x.safetensors");
    CHECK_THAT(message_of<DataError>([&] { read_data_form<float>(SafetensorsFile(folder / "x.safetensors")); }),
               Catch::Contains(reason));
  };
  const std::string whole = R"({"dimension":4,"raw":"numbers","normalize":"none"})",
                    regression = R"({"count":1,"task":"regression"})";
  refuses(whole, "", "no 'outputs'");
  refuses("{", regression, "not JSON");
  refuses(R"({"raw":"numbers","normalize":"none"})", regression, "dimension");
  refuses(R"({"dimension":4,"raw":"other","normalize":"none"})", regression, "raw");
  refuses(R"({"dimension":4,"raw":"numbers","normalize":"none","image_shape":[1,2,3]})", regression, "dimension");
  refuses(whole, R"({"count":0,"task":"regression"})", "count");
}
