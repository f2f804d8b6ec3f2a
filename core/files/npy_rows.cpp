#include "core/files/npy_rows.h"

#include "core/files/npy_dtype.h"
#include "core/files/npy_header.h"

namespace ansatz {
namespace {

constexpr Index kGap = 8;          // up to so many unwanted rows in between are read rather than skipped
constexpr Index kPiece = 1 << 18;  // values read at once, but at least one row

}  // namespace

NpyRows::NpyRows(const std::filesystem::path& path)
    : file_(std::make_shared<InputFile>(path)), header_(detail::read_npy_header(*file_)), begin_(file_->position()) {
  detail::checked_npy_dtype<double>(path, header_, file_->stored_bytes() - begin_);
}

template <class T>
void NpyRows::read(const Index* rows, Index count, Matrix<T>& out) const {
  out.resize(count, header_.cols());
  if (out.size() == 0) return;
  const Index longest = std::max<Index>(1, kPiece / header_.cols());
  for (Index begin = 0, end = 0; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && rows[end] - rows[end - 1] <= kGap && rows[end] - rows[begin] < longest) ++end;
    read_piece(rows + begin, end - begin, out.data() + begin * out.cols());
  }
}

/// Reads rows that lie close together.
template <class T>
void NpyRows::read_piece(const Index* rows, Index count, T* out) const {
  const Index cols = header_.cols(), first = rows[0], span = rows[count - 1] - first + 1;
  const bool by_columns = header_.fortran_order && header_.shape.size() > 1;
  std::vector<char> bytes;
  std::vector<T> values(static_cast<std::size_t>(by_columns ? span : span * cols));
  if (!by_columns) {
    read_values(first * cols, span * cols, bytes, values.data());
    for (Index i = 0; i < count; ++i) std::copy_n(values.data() + (rows[i] - first) * cols, cols, out + i * cols);
    return;
  }
  for (Index r = 0; r < cols; ++r) {
    read_values(r * header_.rows() + first, span, bytes, values.data());
    const Index column = detail::fortran_column(r, header_.shape);
    for (Index i = 0; i < count; ++i) out[i * cols + column] = values[static_cast<std::size_t>(rows[i] - first)];
  }
}

template <class T>
void NpyRows::read_values(Index first, Index count, std::vector<char>& bytes, T* out) const {
  const detail::NpyDtype<T>& dtype = *detail::find_npy_dtype<T>(header_.dtype);
  bytes.resize(static_cast<std::size_t>(count * dtype.bytes));
  file_->seek(begin_ + static_cast<std::uintmax_t>(first * dtype.bytes));
  file_->read_exactly(bytes.data(), bytes.size());
  dtype.decoder(bytes.data(), count, detail::is_swapped(header_), out);
}

double epsilon_of(const NpyHeader& header) { return header.is_integer() ? 0 : header.rounding(); }

template void NpyRows::read(const Index*, Index, Matrix<double>&) const;
template void NpyRows::read(const Index*, Index, Matrix<std::int64_t>&) const;
template void NpyRows::read(const Index*, Index, Matrix<std::uint64_t>&) const;

}  // namespace ansatz
