#include "core/data/formats/image_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"

namespace ansatz {
namespace {

bool is_channels(Index n) { return n == 1 || n == 3 || n == 4; }

[[noreturn]] void refuse_ambiguous(const std::vector<Index>& array, const std::string& name) {
  throw DataError(
      fmt::format("{} is n x {} x {} x {}, whose first or last dimension may be the channels; say `image_layout`: "
                  "channels_first or channels_last",
                  name, array[1], array[2], array[3]));
}

bool channels_are_last(const std::vector<Index>& array, const std::optional<ImageShape>& given, ImageLayout layout,
                       const std::string& name) {
  if (layout != ImageLayout::automatic) return layout == ImageLayout::channels_last;
  bool first = is_channels(array[1]), last = is_channels(array[3]);
  if (given) {
    first = *given == ImageShape{array[1], array[2], array[3]};
    last = *given == ImageShape{array[3], array[1], array[2]};
  }
  if (first && last) refuse_ambiguous(array, name);
  return last;
}

void require_size(const std::vector<Index>& array, const ImageShape& given, const std::string& name) {
  Index d = 1;
  for (std::size_t i = 1; i < array.size(); ++i) d *= array[i];
  if (given.size() != d)
    throw DataError(fmt::format("`image_shape` [{}, {}, {}] has {} values but {} has d = {}", given.channels,
                                given.height, given.width, given.size(), name, d));
}

}  // namespace

ArrayImages images_of(const std::vector<Index>& array, const std::optional<ImageShape>& given, ImageLayout layout,
                      const std::string& name) {
  if (given) require_size(array, *given, name);
  if (array.size() == 4) {
    const bool last = channels_are_last(array, given, layout, name);
    const ImageShape read = last ? ImageShape{array[3], array[1], array[2]} : ImageShape{array[1], array[2], array[3]};
    if (given && layout != ImageLayout::automatic && !(*given == read))
      throw DataError(
          fmt::format("`image_shape` [{}, {}, {}] is not that of {}, whose images `image_layout` makes [{}, "
                      "{}, {}]; leave one of them out",
                      given->channels, given->height, given->width, name, read.channels, read.height, read.width));
    return {given ? *given : read, last};
  }
  if (array.size() == 3 && !given) return {ImageShape{1, array[1], array[2]}, false};
  if (!given && layout != ImageLayout::automatic)
    throw DataError(fmt::format("`image_layout` is for images, and {} is n x d: say `image_shape` too", name));
  return {given, given && layout == ImageLayout::channels_last};
}

TableRows with_channels_first(TableRows table, const ImageShape& shape) {
  std::vector<Index> order;  // the file's column of each of ours
  for (Index c = 0; c < shape.channels; ++c)
    for (Index pixel = 0; pixel < shape.height * shape.width; ++pixel) order.push_back(pixel * shape.channels + c);
  TableRows moved = table;
  moved.where = [where = table.where, order](Index row, Index column) {
    return where(row, order[static_cast<std::size_t>(column)]);
  };
  moved.read = [read = std::move(table.read), order](const std::vector<Index>& rows, const TableRows::Take& take) {
    read(rows, [&](Index first, Matrix<double>& block) {
      Matrix<double> turned = block(Eigen::all, order);
      take(first, turned);
    });
  };
  return moved;
}

}  // namespace ansatz
