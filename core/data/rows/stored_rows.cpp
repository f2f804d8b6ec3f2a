#include "core/data/rows/stored_rows.h"

#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/files/mapped_npy.h"
#include "core/files/npy_dtype.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

constexpr Index kDecodedRows = 256;

/// NumPy's name of an element type.
template <class Element>
std::string name_of() {
  const bool real = std::is_floating_point_v<Element> || std::is_same_v<Element, Eigen::half>;
  return (real ? "f" : std::is_signed_v<Element> ? "i" : "u") + std::to_string(sizeof(Element));
}

template <class Scalar>
const detail::NpyDtype<Scalar>& dtype_of(const std::string& element) {
  return *detail::find_npy_dtype<Scalar>("|" + element);
}

}  // namespace

template <class Scalar>
template <class Element>
StoredRows<Scalar>::StoredRows(std::shared_ptr<const Matrix<Element>> rows)
    : values_(rows, reinterpret_cast<const char*>(rows->data())),
      rows_(rows->rows()),
      cols_(rows->cols()),
      element_(name_of<Element>()) {}

template <class Scalar>
StoredRows<Scalar> StoredRows<Scalar>::npy(const std::filesystem::path& path) {
  MappedNpy file = map_npy(path);
  StoredRows result;
  result.values_ = std::move(file.values);
  result.rows_ = file.header.rows();
  result.cols_ = file.header.cols();
  result.element_ = file.header.dtype.substr(1);
  result.swapped_ = detail::is_swapped(file.header);
  return result;
}

template <class Scalar>
StoredRows<Scalar> StoredRows<Scalar>::transformed(InputTransform transform) const {
  if (transform_) throw std::logic_error("stored rows: transformed twice");
  StoredRows result = *this;
  result.transform_ = std::make_shared<const InputTransform>(std::move(transform));
  return result;
}

template <class Scalar>
StoredRows<Scalar> StoredRows<Scalar>::chosen(const std::vector<Index>& rows) const {
  auto places = std::make_shared<std::vector<Index>>(rows);
  for (Index& row : *places) {
    if (row < 0 || row >= rows_) throw std::out_of_range("stored rows: there is no such row");
    if (chosen_) row = (*chosen_)[static_cast<std::size_t>(row)];
  }
  StoredRows result = *this;
  result.rows_ = static_cast<Index>(rows.size());
  result.chosen_ = std::move(places);
  return result;
}

template <class Scalar>
double StoredRows<Scalar>::bytes() const {
  const Index each = rows_ == 0 ? 0 : dtype_of<Scalar>(element_).bytes;
  return static_cast<double>(rows_) * static_cast<double>(cols_ * each);
}

template <class Scalar>
bool StoredRows<Scalar>::stored_as_scalars() const {
  return element_ == name_of<Scalar>() && !swapped_ && !transform_;
}

template <class Scalar>
template <class RowOf>
Matrix<Scalar> StoredRows<Scalar>::decode(Index count, const RowOf& row_of) const {
  Matrix<Scalar> result(count, cols_);
  if (result.size() == 0) return result;
  const detail::NpyDtype<Scalar>& dtype = dtype_of<Scalar>(element_);
  parallel_tiles(count, kDecodedRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index row = chosen_ ? (*chosen_)[static_cast<std::size_t>(row_of(i))] : row_of(i);
      const char* const from = values_.get() + row * cols_ * dtype.bytes;
      dtype.decoder(from, cols_, swapped_, result.data() + i * cols_);
    }
  });
  if (transform_) transform_->apply(result);
  return result;
}

template <class Scalar>
Matrix<Scalar> StoredRows<Scalar>::gather(const std::vector<Index>& rows) const {
  return decode(static_cast<Index>(rows.size()), [&](Index i) { return rows[static_cast<std::size_t>(i)]; });
}

template <class Scalar>
Matrix<Scalar> StoredRows<Scalar>::middle_rows(Index first, Index count) const {
  return decode(count, [&](Index i) { return first + i; });
}

#define ANSATZ_INSTANTIATE_ELEMENT(Scalar, Element) \
  template StoredRows<Scalar>::StoredRows(std::shared_ptr<const Matrix<Element>>);
#define ANSATZ_INSTANTIATE(Scalar)                  \
  template class StoredRows<Scalar>;                \
  ANSATZ_INSTANTIATE_ELEMENT(Scalar, float)         \
  ANSATZ_INSTANTIATE_ELEMENT(Scalar, double)        \
  ANSATZ_INSTANTIATE_ELEMENT(Scalar, Eigen::half)   \
  ANSATZ_INSTANTIATE_ELEMENT(Scalar, std::int8_t)   \
  ANSATZ_INSTANTIATE_ELEMENT(Scalar, std::uint8_t)  \
  ANSATZ_INSTANTIATE_ELEMENT(Scalar, std::int16_t)  \
  ANSATZ_INSTANTIATE_ELEMENT(Scalar, std::uint16_t) \
  ANSATZ_INSTANTIATE_ELEMENT(Scalar, std::int32_t)  \
  ANSATZ_INSTANTIATE_ELEMENT(Scalar, std::uint32_t)
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE
#undef ANSATZ_INSTANTIATE_ELEMENT

}  // namespace ansatz
