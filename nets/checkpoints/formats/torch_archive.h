// The zip files of torch.save and torch.jit.save.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "nets/checkpoints/formats/state_dict.h"
#include "nets/checkpoints/formats/zip_archive.h"

namespace ansatz::nets {

/// Whether a file is of the kind that torch.save wrote before PyTorch 1.6: not a zip, but several pickles in a row.
bool is_legacy_torch_file(const std::string& first_bytes);

/// An open .pt/.pth file. The parameters of a TorchScript module are in the same kind of pickle as a state dict; those
/// of a frozen one are in another, and are named "CONSTANTS.c0" and so on, as its code names them. LibTorch's own
/// reader is not used, because it trusts the sizes and versions that a file claims.
class TorchArchive {
 public:
  /// Throws DataError if the file is not a zip that PyTorch writes, is damaged, or has an unknown format version, and
  /// for what read_pickle() and network_tensors(), which takes `part`, refuse.
  explicit TorchArchive(const std::filesystem::path& path, const std::string& part = "");
  /// The network's tensors in file order. Those of one storage agree on its type and number of elements.
  const std::vector<TensorInfo>& tensors() const { return network_.tensors; }
  const std::string& under() const { return network_.under; }  ///< NetworkTensors::under
  /// The class of a TorchScript module: "__torch__.Net"; empty of other files.
  const std::string& script_class() const { return script_class_; }
  const std::map<std::string, Pickle::Value>& settings() const { return network_.settings; }
  /// The text of the file with the code of a Python module: "__torch__.torch.nn.modules.linear"; empty if there is
  /// none.
  std::string code_of(const std::string& module) const;
  /// The bytes of a tensor's storage, exactly as many as its elements take.
  std::string read(const TensorInfo& tensor) const;

 private:
  std::string text_of(const std::string& record) const;  // "" if there is none
  void check_version() const;
  void check_storages() const;
  void read_tensors(const std::string& part);
  void add_constants();

  std::string path_;
  ZipArchive zip_;
  std::string folder_;  // of all records, with the slash
  NetworkTensors network_;
  std::string script_class_;
};

}  // namespace ansatz::nets
