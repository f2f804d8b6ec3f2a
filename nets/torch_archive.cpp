#include "nets/torch_archive.h"

#include <c10/util/Exception.h>
#include <caffe2/serialize/inline_container.h>

#include <new>
#include <stdexcept>

#include "core/error.h"
#include "nets/pickle.h"
#include "nets/state_dict.h"

namespace ansatz::nets {

struct TorchArchive::Zip {
  explicit Zip(const std::filesystem::path& file) : path(file.string()) {
    guarded("opened", [&] { reader = std::make_unique<caffe2::serialize::PyTorchStreamReader>(path); });
  }

  bool has(const std::string& record) {
    bool found = false;
    guarded("searched", [&] { found = reader->hasRecord(record); });
    return found;
  }

  std::string read(const std::string& record) {
    std::string bytes;
    guarded("read", [&] {
      const auto [data, size] = reader->getRecord(record);
      if (size > 0) bytes.assign(static_cast<const char*>(data.get()), size);
    });
    return bytes;
  }

  /// LibTorch's own messages speak of its source files; all that they say here is that the zip is damaged.
  template <class Action>
  void guarded(const char* what, const Action& action) {
    try {
      action();
    } catch (const c10::Error&) {
      fail(what);
    } catch (const std::bad_alloc&) {
      fail(what);
    } catch (const std::length_error&) {
      fail(what);
    }
  }
  [[noreturn]] void fail(const char* what) const {
    throw DataError(path + ": cannot be " + what + " as a PyTorch file; truncated, damaged or made by another program");
  }

  std::string path;
  std::unique_ptr<caffe2::serialize::PyTorchStreamReader> reader;
};

TorchArchive::TorchArchive(TorchArchive&&) noexcept = default;
TorchArchive::~TorchArchive() = default;

TorchArchive::TorchArchive(const std::filesystem::path& path) : zip_(std::make_unique<Zip>(path)) {
  if (!zip_->has("data.pkl")) {
    throw DataError(zip_->path + ": a zip without data.pkl; not written by torch.save, or by a PyTorch before 1.4");
  }
  if (zip_->has("byteorder") && zip_->read("byteorder") != "little") {
    throw DataError(zip_->path + ": written on a big-endian machine; save it again on a little-endian one");
  }
  tensors_ = network_tensors(read_pickle(zip_->read("data.pkl"), zip_->path), zip_->path);
}

std::string TorchArchive::read(const TensorInfo& tensor) const { return zip_->read("data/" + tensor.storage); }

bool is_legacy_torch_file(const std::string& first_bytes) {
  // The number 0x1950a86a20f9469cfc6c as a pickle holds it, after the opcodes for protocol and frame.
  const std::string magic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
  return first_bytes.substr(0, 32).find(magic) != std::string::npos;
}

}  // namespace ansatz::nets
