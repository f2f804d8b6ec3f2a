// Data sets small enough to write by hand.
#pragma once

#include <zlib.h>

#include <initializer_list>
#include <string>

#include "core/data/loading/load_dataset.h"
#include "core/files/npy.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

/// The whole set, none of it held out.
inline ansatz::DatasetOptions all_rows(const std::string& name) {
  ansatz::DatasetOptions options;
  options.name = name;
  options.draw.validation_fraction = 0;
  return options;
}

template <class Scalar = double>
ansatz::Split<Scalar> load(const ansatz::DatasetOptions& options, std::uint64_t seed = 0,
                           const ansatz::ImageReader& read_image = {}) {
  return ansatz::load_dataset<Scalar>(options, ansatz::RandomStream(seed), read_image);
}

/// What load_dataset says is wrong.
inline std::string load_error(const ansatz::DatasetOptions& options, const ansatz::ImageReader& read_image = {}) {
  return message_of<ansatz::DataError>([&] { load(options, 0, read_image); });
}

inline std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

inline void write_gzip(const std::filesystem::path& path, const std::string& text) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

template <class Scalar>
std::filesystem::path write_matrix(const std::filesystem::path& path, ansatz::Index rows, ansatz::Index cols,
                                   std::initializer_list<Scalar> values) {
  ansatz::Matrix<Scalar> a(rows, cols);
  std::copy(values.begin(), values.end(), a.data());
  ansatz::write_npy<Scalar>(path, a);
  return path;
}

/// Little-endian .npy of any descr and shape text, e.g. "<i8", "(3,)".
inline std::filesystem::path write_npy_bytes(const std::filesystem::path& path, const std::string& descr,
                                             const std::string& shape, const std::string& values) {
  const std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return write_bytes(path,
                     std::string("\x93NUMPY\x01\0", 8) + bytes({static_cast<int>(dict.size()), 0}) + dict + values);
}
