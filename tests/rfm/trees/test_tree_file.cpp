#include "core/base/error.h"
#include "rfm/trees/tree_file.h"
#include "tests/rfm/trees/tree_data.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

template <class Scalar>
RfmTree<Scalar> tree_of(const StoredSplit<Scalar>& split, Index leaf_size) {
  return fit_rfm_tree(split, tree_options(leaf_size), RandomStream(4)).tree;
}

/// Whole numbers as bytes.
StoredSplit<float> bytes_split(const Split<float>& split) {
  StoredSplit<float> result = stored(split);
  result.train.inputs = StoredRows<float>(std::make_shared<const Matrix<std::int8_t>>(
      (20 * split.train.inputs.array()).max(-128).min(127).cast<int>().cast<std::int8_t>()));
  result.validation = {};
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("a tree predicts from its file as before, bit by bit", "", float, double) {
  const TemporaryFolder folder;
  const Split<TestType> split = regimes_split<TestType>(200, 6);
  const StoredSplit<TestType> rows = stored(split);
  for (const Index leaf_size : {40, 200}) {
    const RfmTree<TestType> tree = tree_of(rows, leaf_size);
    for (const CentersKept kept : {CentersKept::in_file, CentersKept::elsewhere}) {
      write_tree(folder / "tree.safetensors", tree, kept);
      const RfmTree<TestType> again =
          read_tree<TestType>(folder / "tree.safetensors", [&] { return rows.train.inputs; });
      CHECK(again.predict(split.test.inputs) == tree.predict(split.test.inputs));
      CHECK(again.input_jacobian(split.test.inputs) == tree.input_jacobian(split.test.inputs));
      CHECK(again.routing().options().temperature == tree.routing().options().temperature);
      for (std::size_t i = 0; i < tree.leaves().size(); ++i) CHECK(again.leaves()[i].rows() == tree.leaves()[i].rows());
    }
  }
}

TEST_CASE("a tree over byte rows comes back over byte rows") {
  const TemporaryFolder folder;
  const Split<float> split = regimes_split<float>(200, 6);
  const StoredSplit<float> rows = bytes_split(split);
  const RfmTree<float> tree = tree_of(rows, 60);
  write_tree(folder / "tree.safetensors", tree, CentersKept::elsewhere);
  const RfmTree<float> again = read_tree<float>(folder / "tree.safetensors", [&] { return rows.train.inputs; });
  CHECK_FALSE(again.leaves()[0].keeps_centers());
  CHECK(again.predict(split.test.inputs) == tree.predict(split.test.inputs));
  write_tree(folder / "whole.safetensors", tree, CentersKept::in_file);
  const RfmTree<float> whole =
      read_tree<float>(folder / "whole.safetensors", []() -> StoredRows<float> { throw DataError("not needed"); });
  CHECK(whole.predict(split.test.inputs) == tree.predict(split.test.inputs));
}

TEST_CASE("a tree's file with other training rows, or other splits, is refused") {
  const TemporaryFolder folder;
  const Split<double> split = regimes_split<double>(200, 6);
  write_tree(folder / "tree.safetensors", tree_of(stored(split), 60), CentersKept::elsewhere);
  const auto error = [&](const StoredRows<double>& rows) {
    return message_of<DataError>([&] { read_tree<double>(folder / "tree.safetensors", [&] { return rows; }); });
  };
  CHECK(error(stored(split).train.inputs).empty());
  CHECK(contains(error(StoredRows<double>(share(normal(200, 6, 99)))), "the data have changed"));
  CHECK(contains(error(StoredRows<double>(share(Matrix<double>(split.train.inputs.topRows(50))))), "the data have"));

  SafetensorsWriter file;
  file.add_text("tree", R"({"leaves": 3, "temperature": 0.0, "negligible": 0.01, "most_leaves": 12})");
  file.write(folder / "empty.safetensors");
  CHECK(contains(message_of<DataError>([&] { read_tree<double>(folder / "empty.safetensors", {}); }), "leaf.0.alpha"));
}
