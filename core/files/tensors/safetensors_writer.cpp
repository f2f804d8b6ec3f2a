#include "core/files/tensors/safetensors_writer.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>

#include "core/files/checksum.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

constexpr std::size_t kLengthBytes = 8;

std::string header_length(std::uint64_t length) {
  std::string bytes;
  for (std::size_t i = 0; i < kLengthBytes; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
  return bytes;
}

}  // namespace

void SafetensorsWriter::add_text(const std::string& key, const std::string& text) { texts_.emplace_back(key, text); }

std::string SafetensorsWriter::checksum() const {
  Checksum sum;
  for (const Tensor& tensor : tensors_) sum.add(tensor.data, tensor.bytes);
  return sum.text();
}

void SafetensorsWriter::write(const std::filesystem::path& path) const {
  nlohmann::ordered_json header;
  for (const auto& [key, text] : texts_) header["__metadata__"][key] = text;
  std::uint64_t offset = 0;
  for (const Tensor& tensor : tensors_) {
    const std::uint64_t end = offset + tensor.bytes;
    header[tensor.name] = {{"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');  // aligns the data, as the format asks
  write_file_atomically(path, [&](std::ostream& out) {
    out << header_length(text.size()) << text;
    for (const Tensor& tensor : tensors_) out.write(tensor.data, static_cast<std::streamsize>(tensor.bytes));
  });
}

}  // namespace ansatz
