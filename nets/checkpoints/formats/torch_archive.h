// The zip files of torch.save and torch.jit.save.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "nets/checkpoints/formats/tensor_info.h"
#include "nets/checkpoints/formats/zip_archive.h"

namespace ansatz::nets {

/// Whether a file is of the kind that torch.save wrote before PyTorch 1.6: not a zip, but several pickles in a row.
bool is_legacy_torch_file(const std::string& first_bytes);

/// An open .pt/.pth file. TorchScript's code is not looked at, because its parameters are in the same kind of pickle.
/// LibTorch's own reader is not used, because it trusts the sizes and versions that a file claims.
class TorchArchive {
 public:
  /// Throws DataError if the file is not a zip that PyTorch writes, is damaged, or has an unknown format version, and
  /// for what read_pickle() and network_tensors() refuse.
  explicit TorchArchive(const std::filesystem::path& path);
  /// The network's tensors in file order. Those of one storage agree on its type and number of elements.
  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  /// The bytes of a tensor's storage, exactly as many as its elements take.
  std::string read(const TensorInfo& tensor) const;

 private:
  std::string text_of(const std::string& record) const;  // "" if there is none
  void check_version() const;
  void check_storages() const;

  std::string path_;
  ZipArchive zip_;
  std::string folder_;  // of all records, with the slash
  std::vector<TensorInfo> tensors_;
};

}  // namespace ansatz::nets
