#include "core/data/composed/cifar_mnist.h"

#include <algorithm>
#include <memory>

#include "core/data/formats/image_source.h"
#include "core/data/sets/cifar10.h"
#include "core/data/sets/idx.h"

namespace ansatz {
namespace {

constexpr Index kHalf = 32, kMostTrain = 5000, kMostTest = 1000;
constexpr ImageShape kPairShape{3, kHalf, 2 * kHalf};

/// The row of each photograph and of the digit beside it.
struct Pairs {
  std::vector<Index> photographs, digits;
  PartOutline outline;
};

std::vector<Index> rows_of(const PartOutline& part, Index label) {
  std::vector<Index> rows;
  for (Index i = 0; i < part.rows; ++i) {
    if (part.labels[static_cast<std::size_t>(i)] == label) rows.push_back(i);
  }
  return rows;
}

Pairs pair_up(const PartOutline& photographs, const PartOutline& digits, Index most) {
  Pairs pairs;
  for (Index label = 0; label < 10; ++label) {
    const std::vector<Index> left = rows_of(photographs, label), right = rows_of(digits, label);
    const auto n = static_cast<std::ptrdiff_t>(std::min({left.size(), right.size(), static_cast<std::size_t>(most)}));
    pairs.photographs.insert(pairs.photographs.end(), left.begin(), left.begin() + n);
    pairs.digits.insert(pairs.digits.end(), right.begin(), right.begin() + n);
    pairs.outline.labels.resize(pairs.photographs.size(), label);
  }
  pairs.outline.rows = static_cast<Index>(pairs.photographs.size());
  return pairs;
}

/// The rows of one of the two files that occur in the wanted pairs, ascending. Pairs are in the order of classes, not
/// in that of the file.
std::vector<Index> sorted_rows(const std::vector<Index>& of_pairs, const std::vector<Index>& wanted) {
  std::vector<Index> rows;
  for (const Index pair : wanted) rows.push_back(of_pairs[static_cast<std::size_t>(pair)]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

PartValues side_by_side(PartValues photographs, PartValues digits, Pairs pairs) {
  PartValues values;
  values.read_row = row_reader([photographs = std::move(photographs), digits = std::move(digits),
                                pairs = std::move(pairs)](Index row, auto* out) {
    std::vector<std::decay_t<decltype(*out)>> left(3 * kHalf * kHalf), right(kHalf * kHalf);
    photographs.read_row(pairs.photographs[static_cast<std::size_t>(row)], left.data());
    digits.read_row(pairs.digits[static_cast<std::size_t>(row)], right.data());
    for (Index line = 0; line < 3 * kHalf; ++line) {
      out = std::copy_n(left.data() + line * kHalf, kHalf, out);
      out = std::copy_n(right.data() + line % kHalf * kHalf, kHalf, out);
    }
  });
  return values;
}

}  // namespace

RowSource open_cifar_mnist(const std::filesystem::path& cifar_folder, const std::filesystem::path& mnist_folder) {
  const RowSource cifar = open_cifar10(cifar_folder);
  const RowSource mnist = resized(open_mnist(mnist_folder), kHalf, kHalf);
  const Pairs train = pair_up(cifar.outline.train, mnist.outline.train, kMostTrain);
  const Pairs test = pair_up(cifar.outline.test, mnist.outline.test, kMostTest);
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = "cifar_mnist";
  outline.train = train.outline;
  outline.test = test.outline;
  for (std::size_t k = 0; k < 10; ++k)
    outline.class_names.push_back(cifar.outline.class_names[k] + " " + mnist.outline.class_names[k]);
  outline.image_shape = kPairShape;
  outline.dimension = kPairShape.size();
  outline.outputs = 10;
  outline.notes = cifar.outline.notes;
  outline.notes.insert(outline.notes.end(), mnist.outline.notes.begin(), mnist.outline.notes.end());
  outline.notes.push_back("each photograph (left) beside a digit of its class's number (right), 3 x 32 x 64");
  source.read = [photographs = cifar.read, digits = mnist.read, train, test](const WantedRows& wanted) {
    DataValues left =
        photographs({sorted_rows(train.photographs, wanted.train), {}, sorted_rows(test.photographs, wanted.test)});
    DataValues right = digits({sorted_rows(train.digits, wanted.train), {}, sorted_rows(test.digits, wanted.test)});
    return DataValues{side_by_side(std::move(left.train), std::move(right.train), train),
                      {},
                      side_by_side(std::move(left.test), std::move(right.test), test)};
  };
  return source;
}

}  // namespace ansatz
