#include "core/data/composed/crowded_digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/base/random.h"
#include "core/data/sets/idx.h"

namespace ansatz {
namespace {

constexpr Index kSide = 32, kDigit = 28;
constexpr ImageShape kShape{3, kSide, kSide};

// These numbers were chosen so that 3000 training images (unit_norm, Laplace, L = 10, ridge 1e-3) give about 58 %
// without features and about 76 % after three centred feature updates, most of whose diagonal then lies in the middle
// columns.
constexpr std::uint64_t kSeed = 20240101;
constexpr double kContrast = 0.25;    // least difference of ink and background, mean over channels
constexpr Index kCentreJitter = 1;    // the centre digit is off the middle by up to so many pixels either way
constexpr Index kNeighbourNear = 17;  // how far the middles of the neighbours are from the middle of the image
constexpr Index kNeighbourFar = 20;
constexpr double kNoise = 0.04;  // standard deviation of Gaussian noise on every value

using Colour = std::array<double, 3>;

Colour draw_colour(RandomStream& stream) { return {stream.uniform(), stream.uniform(), stream.uniform()}; }

double contrast(const Colour& a, const Colour& b) { return std::abs(a[0] + a[1] + a[2] - b[0] - b[1] - b[2]) / 3; }

/// Draws the digit over what is in the image, with its middle at column `x` and row `y`. What lies outside is cut off.
template <class Scalar>
void add_ink(const std::vector<Scalar>& digit, Index y, Index x, std::array<double, kSide * kSide>& ink) {
  const Index top = y - kDigit / 2, left = x - kDigit / 2;
  for (Index i = std::max<Index>(0, -top); i < kDigit && top + i < kSide; ++i) {
    for (Index j = std::max<Index>(0, -left); j < kDigit && left + j < kSide; ++j) {
      double& value = ink[static_cast<std::size_t>((top + i) * kSide + left + j)];
      value = std::max(value, static_cast<double>(digit[static_cast<std::size_t>(i * kDigit + j)]));
    }
  }
}

struct Digits {
  RowReader read;
  Index count = 0;
};

template <class Scalar>
void draw_image(const Digits& digits, Index row, RandomStream stream, Scalar* out) {
  std::vector<Scalar> digit(kDigit * kDigit);
  const auto jitter = [&] { return stream.below(2 * kCentreJitter + 1) - kCentreJitter; };
  const auto away = [&] { return kNeighbourNear + stream.below(kNeighbourFar - kNeighbourNear + 1); };
  std::array<double, kSide * kSide> ink{};
  for (const Index side : {-1, 1}) {
    const Index neighbour = stream.below(digits.count), y = kSide / 2 + jitter(), x = kSide / 2 + side * away();
    digits.read(neighbour, digit.data());
    add_ink(digit, y, x, ink);
  }
  const Index y = kSide / 2 + jitter(), x = kSide / 2 + jitter();
  digits.read(row, digit.data());
  add_ink(digit, y, x, ink);
  const Colour background = draw_colour(stream);
  Colour foreground = draw_colour(stream);
  while (contrast(foreground, background) < kContrast) foreground = draw_colour(stream);
  for (std::size_t c = 0; c < 3; ++c) {
    for (const double a : ink) {
      const double value = background[c] + a * (foreground[c] - background[c]) + kNoise * stream.normal();
      *out++ = static_cast<Scalar>(std::clamp(value, 0.0, 1.0));
    }
  }
}

PartValues crowded(PartValues digits, Index count, const char* part) {
  PartValues values;
  values.read_row =
      row_reader([digits = Digits{std::move(digits.read_row), count}, stream = RandomStream(kSeed).named(part)](
                     Index row, auto* out) { draw_image(digits, row, stream.named(std::to_string(row)), out); });
  return values;
}

std::vector<Index> all_rows(Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

}  // namespace

RowSource open_crowded_digits(const std::filesystem::path& mnist_folder) {
  const RowSource mnist = open_mnist(mnist_folder);
  RowSource source;
  source.outline = mnist.outline;
  source.outline.name = "crowded_digits";
  source.outline.image_shape = kShape;
  source.outline.dimension = kShape.size();
  source.outline.reading_bytes +=
      static_cast<double>((mnist.outline.train.rows + mnist.outline.test.rows) * kDigit * kDigit);
  source.outline.notes.push_back("each digit between two others cut off by the sides, in random colours (3 x 32 x 32)");
  source.read = [read = mnist.read, train = mnist.outline.train.rows,
                 test = mnist.outline.test.rows](const WantedRows&) {
    DataValues values = read({all_rows(train), {}, all_rows(test)});  // any digit may stand beside another
    return DataValues{
        crowded(std::move(values.train), train, "train"), {}, crowded(std::move(values.test), test, "test")};
  };
  return source;
}

}  // namespace ansatz
