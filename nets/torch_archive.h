// The zip files of torch.save and torch.jit.save.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "nets/tensor_info.h"

namespace ansatz::nets {

/// True for a file as torch.save wrote it before PyTorch 1.6 (no zip, but pickles in a row).
bool is_legacy_torch_file(const std::string& first_bytes);

/// An open .pt/.pth file. Nothing of TorchScript's code is looked at: its parameters are read from the same kind of
/// pickle.
class TorchArchive {
 public:
  /// Throws DataError: not a zip that PyTorch writes, damaged, or what read_pickle and network_tensors refuse.
  explicit TorchArchive(const std::filesystem::path& path);
  TorchArchive(TorchArchive&&) noexcept;
  ~TorchArchive();
  /// The network's tensors in file order.
  const std::vector<TensorInfo>& tensors() const { return tensors_; }
  /// The bytes of a tensor's storage.
  std::string read(const TensorInfo& tensor) const;

 private:
  struct Zip;
  std::unique_ptr<Zip> zip_;
  std::vector<TensorInfo> tensors_;
};

}  // namespace ansatz::nets
