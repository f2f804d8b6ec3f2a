// Checkpoints made byte by byte, so that any of their promises can be broken.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/matrix.h"

/// The number's lowest `size` bytes, least significant first.
inline std::string little(std::uint64_t number, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  return bytes;
}

inline std::string safetensors_bytes(const std::string& header, std::size_t data) {
  return little(header.size(), 8) + header + std::string(data, '\0');
}

/// A tensor of float32, row-major.
struct NamedTensor {
  std::string name;
  std::vector<ansatz::Index> shape;
  std::vector<float> values;
};

struct NamedShape {
  std::string name;
  ansatz::Index rows, cols;
};

/// Layer l (from 0) holds the value l throughout.
inline std::vector<NamedTensor> constant_layers(const std::vector<NamedShape>& layers) {
  std::vector<NamedTensor> tensors;
  for (std::size_t l = 0; l < layers.size(); ++l)
    tensors.push_back(
        {layers[l].name,
         {layers[l].rows, layers[l].cols},
         std::vector<float>(static_cast<std::size_t>(layers[l].rows * layers[l].cols), static_cast<float>(l))});
  return tensors;
}

inline std::string bytes_of(const std::vector<float>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

inline std::string safetensors_file(const std::vector<NamedTensor>& tensors) {
  std::string header = "{", data;
  for (const NamedTensor& tensor : tensors) {
    std::string shape;
    for (const ansatz::Index size : tensor.shape) shape += (shape.empty() ? "" : ",") + std::to_string(size);
    const std::string begin = std::to_string(data.size());
    data += bytes_of(tensor.values);
    header += (header.size() > 1 ? ",\"" : "\"") + tensor.name + R"(":{"dtype":"F32","shape":[)" + shape +
              R"(],"data_offsets":[)" + begin + "," + std::to_string(data.size()) + "]}";
  }
  return little(header.size() + 1, 8) + header + "}" + data;
}
inline std::string safetensors_file(const std::vector<NamedShape>& layers) {
  return safetensors_file(constant_layers(layers));
}

struct ZipRecord {
  std::string name, data;
  int method = 0;                      ///< 8: compressed
  std::uint32_t crc_error = 0;         ///< added to the checksum
  std::uint64_t claimed_size = ~0ULL;  ///< in the directory, if not the true one
  std::uint64_t claimed_begin = ~0ULL;
};

/// Its end in 64 bits, as PyTorch writes it, if asked for.
inline std::string zip_bytes(const std::vector<ZipRecord>& records, bool zip64 = false) {
  std::string file, directory;
  for (const ZipRecord& record : records) {
    const std::uint64_t begin = record.claimed_begin != ~0ULL ? record.claimed_begin : file.size();
    const std::uint64_t size = record.claimed_size != ~0ULL ? record.claimed_size : record.data.size();
    const unsigned long crc =
        crc32(0, reinterpret_cast<const Bytef*>(record.data.data()), static_cast<uInt>(record.data.size()));
    const std::string common = little(20, 2) + little(0, 2) + little(static_cast<std::uint64_t>(record.method), 2) +
                               little(0, 4) + little(crc + record.crc_error, 4) + little(size, 4) + little(size, 4) +
                               little(record.name.size(), 2) + little(0, 2);
    file += "PK\x03\x04" + common + record.name + record.data;
    directory += "PK\x01\x02" + little(20, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
                 little(begin, 4) + record.name;
  }
  const std::uint64_t begin = file.size(), end = begin + directory.size(), count = records.size();
  file += directory;
  if (zip64) {
    file += "PK\x06\x06" + little(44, 8) + little(0, 4) + little(0, 8) + little(count, 8) + little(count, 8) +
            little(directory.size(), 8) + little(begin, 8);
    file += "PK\x06\x07" + little(0, 4) + little(end, 8) + little(1, 4);
  }
  return file + "PK\x05\x06" + little(0, 4) + little(count, 2) + little(count, 2) + little(directory.size(), 4) +
         little(begin, 4) + little(0, 2);
}

/// Opcodes that push a text or an integer.
inline std::string pickled(const std::string& text) { return "X" + little(text.size(), 4) + text; }
inline std::string pickled(ansatz::Index number) { return "J" + little(static_cast<std::uint64_t>(number), 4); }

/// Opcodes that push a float tensor of that shape, row-major, in a storage of its own.
inline std::string pickled_tensor(const std::string& storage, ansatz::Index elements,
                                  const std::vector<ansatz::Index>& shape) {
  std::string sizes, strides;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    ansatz::Index stride = 1;
    for (std::size_t after = axis + 1; after < shape.size(); ++after) stride *= shape[after];
    sizes += pickled(shape[axis]);
    strides += pickled(stride);
  }
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled("storage") + "ctorch\nFloatStorage\n" + pickled(storage) +
         pickled("cpu") + pickled(elements) + "tQ" + pickled(ansatz::Index{0}) + "(" + sizes + "t(" + strides +
         "t\x89NtR";
}

/// The records of a .pt file with a dict of these tensors and, after them, the keys and values that `rest` pushes.
inline std::vector<ZipRecord> torch_records(const std::vector<NamedTensor>& tensors, const std::string& rest = "") {
  std::string pickle = "\x80\x02}(";
  std::vector<ZipRecord> storages;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const NamedTensor& tensor = tensors[i];
    pickle += pickled(tensor.name) +
              pickled_tensor(std::to_string(i), static_cast<ansatz::Index>(tensor.values.size()), tensor.shape);
    storages.push_back({"net/data/" + std::to_string(i), bytes_of(tensor.values)});
  }
  std::vector<ZipRecord> records = {{"net/data.pkl", pickle + rest + "u."}};
  records.insert(records.end(), storages.begin(), storages.end());
  records.push_back({"net/version", "3\n"});
  return records;
}
inline std::vector<ZipRecord> torch_records(const std::vector<NamedShape>& layers) {
  return torch_records(constant_layers(layers));
}

inline std::string torch_file(const std::vector<NamedTensor>& tensors) {
  return zip_bytes(torch_records(tensors), true);
}
inline std::string torch_file(const std::vector<NamedShape>& layers) { return zip_bytes(torch_records(layers), true); }
