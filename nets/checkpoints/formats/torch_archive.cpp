#include "nets/checkpoints/formats/torch_archive.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "core/base/error.h"
#include "nets/checkpoints/formats/pickle.h"
#include "nets/checkpoints/formats/pickle_names.h"

namespace ansatz::nets {
namespace {

/// The last version number of the zip's layout, which has not changed since PyTorch 1.6 wrote version 3.
constexpr int newest_version = 10;

std::string folder_of_first(const ZipArchive& zip) {
  if (zip.records().empty()) zip.fail("no records");
  const std::string& first = zip.records().front().name;
  const std::size_t slash = first.find('/');
  if (slash == std::string::npos) zip.fail("its records are in no folder");
  return first.substr(0, slash + 1);
}

std::string without_blanks_after(std::string text) {
  text.erase(text.find_last_not_of(" \r\n\t") + 1);
  return text;
}

}  // namespace

TorchArchive::TorchArchive(const std::filesystem::path& path, const std::string& part)
    : path_(path.string()), zip_(path), folder_(folder_of_first(zip_)) {
  if (!zip_.find(folder_ + "data.pkl"))
    throw DataError(path_ +
                    ": a zip without data.pkl, as torch.export or a PyTorch before 1.4 writes it; write it with "
                    "torch.save(model.state_dict(), file)");
  if (const std::string order = text_of("byteorder"); !order.empty() && order != "little")
    throw DataError(path_ + ": written on a big-endian machine; save it again on a little-endian one");
  check_version();
  read_tensors(part);
  check_storages();
}

void TorchArchive::read_tensors(const std::string& part) {
  const Pickle pickle = read_pickle(zip_.read(*zip_.find(folder_ + "data.pkl")), path_);
  const Pickle::Value& root = pickle.at(pickle.root);
  if (root.kind == Pickle::Kind::object && is_script_class(maker_of(pickle, root)))
    script_class_ = maker_of(pickle, root);
  if (!script_class_.empty()) add_constants();
  if (!network_.tensors.empty()) return;
  network_ = network_tensors(pickle, path_, part);
  for (TensorInfo& tensor : network_.tensors) tensor.storage = "data/" + tensor.storage;
}

/// Of a frozen module, in which they are no attributes any more.
void TorchArchive::add_constants() {
  const ZipArchive::Record* record = zip_.find(folder_ + "constants.pkl");
  if (!record) return;
  const Pickle pickle = read_pickle(zip_.read(*record), path_);
  const Pickle::Value& constants = pickle.at(pickle.root);
  if (constants.kind != Pickle::Kind::tuple) return;
  for (std::size_t i = 0; i < constants.items.size(); ++i) {
    const Pickle::Value& value = pickle.at(constants.items[i]);
    if (value.kind != Pickle::Kind::tensor) continue;
    TensorInfo tensor = pickle.tensors[static_cast<std::size_t>(value.integer)];
    tensor.name = "CONSTANTS.c" + std::to_string(i);
    tensor.storage = "constants/" + tensor.storage;
    network_.tensors.push_back(std::move(tensor));
  }
}

std::string TorchArchive::code_of(const std::string& module) const {
  std::string file = module;
  std::replace(file.begin(), file.end(), '.', '/');
  const ZipArchive::Record* found = zip_.find(folder_ + "code/" + file + ".py");
  return found ? zip_.read_text(*found) : "";
}

std::string TorchArchive::text_of(const std::string& record) const {
  const ZipArchive::Record* found = zip_.find(folder_ + record);
  return found ? without_blanks_after(zip_.read(*found)) : "";
}

void TorchArchive::check_version() const {
  std::string text = text_of("version");
  if (text.empty()) text = text_of(".data/version");
  int version = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || rest != text.data() + text.size() || version < 1 || version > newest_version) {
    throw DataError(path_ + ": format version '" + printable(text) + "', known are 1 to " +
                    std::to_string(newest_version) + "; written by a newer PyTorch, or damaged");
  }
}

void TorchArchive::check_storages() const {
  std::unordered_map<std::string, const TensorInfo*> known;
  for (const TensorInfo& tensor : network_.tensors) {
    const TensorInfo& first = *known.emplace(tensor.storage, &tensor).first->second;
    if (first.type_name != tensor.type_name || first.storage_elements != tensor.storage_elements)
      throw DataError(path_ + ": '" + printable(tensor.name) + "' and '" + printable(first.name) +
                      "' share a storage but disagree about its type or size; the file is damaged");
  }
}

std::string TorchArchive::read(const TensorInfo& tensor) const {
  const ZipArchive::Record* record = zip_.find(folder_ + tensor.storage);
  if (!record) zip_.fail("no numbers for '" + printable(tensor.name) + "'");
  std::int64_t expected = 0;
  if (__builtin_mul_overflow(tensor.storage_elements, element_size(tensor.type), &expected) ||
      record->size != static_cast<std::uint64_t>(expected)) {
    throw DataError(path_ + ": the storage of '" + printable(tensor.name) + "' has " + std::to_string(record->size) +
                    " bytes for " + std::to_string(tensor.storage_elements) + " elements of type " + tensor.type_name +
                    "; the file is damaged");
  }
  return zip_.read(*record);
}

bool is_legacy_torch_file(const std::string& first_bytes) {
  // The number 0x1950a86a20f9469cfc6c as a pickle holds it, after the opcodes for protocol and frame.
  const std::string magic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
  return first_bytes.substr(0, 32).find(magic) != std::string::npos;
}

}  // namespace ansatz::nets
