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

struct NamedShape {
  std::string name;
  ansatz::Index rows, cols;
};

/// A layer of float32 in which every entry is `value`.
inline std::string constant_layer(const NamedShape& layer, float value) {
  std::string bytes;
  for (ansatz::Index i = 0; i < layer.rows * layer.cols; ++i)
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

/// Layer l (from 0) holds the value l throughout.
inline std::string safetensors_file(const std::vector<NamedShape>& layers) {
  std::string header = "{", data;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const std::string values = constant_layer(layers[l], static_cast<float>(l));
    header += (l > 0 ? ",\"" : "\"") + layers[l].name + R"(":{"dtype":"F32","shape":[)" +
              std::to_string(layers[l].rows) + "," + std::to_string(layers[l].cols) + R"(],"data_offsets":[)" +
              std::to_string(data.size()) + "," + std::to_string(data.size() + values.size()) + "]}";
    data += values;
  }
  return little(header.size() + 1, 8) + header + "}" + data;
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

/// Opcodes that push a float tensor of that shape, row-major, in a storage of its own.
inline std::string pickled_tensor(const std::string& storage, ansatz::Index elements, ansatz::Index rows,
                                  ansatz::Index cols) {
  const auto text = [](const std::string& t) { return "X" + little(t.size(), 4) + t; };
  const auto integer = [](ansatz::Index n) { return "J" + little(static_cast<std::uint64_t>(n), 4); };
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text(storage) +
         text("cpu") + integer(elements) + "tQ" + integer(0) + integer(rows) + integer(cols) + "\x86" + integer(cols) +
         integer(1) + "\x86\x89NtR";
}

/// The records of a .pt file with a dict of these layers, layer l (from 0) holding the value l throughout.
inline std::vector<ZipRecord> torch_records(const std::vector<NamedShape>& layers) {
  std::string pickle = "\x80\x02}(";
  std::vector<ZipRecord> storages;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const NamedShape& layer = layers[l];
    pickle += "X" + little(layer.name.size(), 4) + layer.name +
              pickled_tensor(std::to_string(l), layer.rows * layer.cols, layer.rows, layer.cols);
    storages.push_back({"net/data/" + std::to_string(l), constant_layer(layer, static_cast<float>(l))});
  }
  std::vector<ZipRecord> records = {{"net/data.pkl", pickle + "u."}};
  records.insert(records.end(), storages.begin(), storages.end());
  records.push_back({"net/version", "3\n"});
  return records;
}

inline std::string torch_file(const std::vector<NamedShape>& layers) { return zip_bytes(torch_records(layers), true); }
