// Zip files as torch.save and torch.jit.save write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ansatz::nets {

/// An open zip file whose directory has been read and checked: every record lies inside the file, and no two share a
/// name or bytes. What is read is therefore never larger than the file, whatever sizes the file claims. The format is
/// that of PKWARE's APPNOTE, sections 4.3 and 4.5.3 (zip64).
class ZipArchive {
 public:
  struct Record {
    std::string name;
    std::uint16_t method = 0;  ///< 0: stored as it is; 8: deflated
    std::uint32_t crc = 0;
    std::uint64_t size = 0;          ///< bytes in the file
    std::uint64_t header_begin = 0;  ///< of its local header
  };

  /// Throws DataError if the file is missing, not a zip, cut short, followed by other bytes, encrypted, or in several
  /// volumes, or if records overlap or share a name.
  explicit ZipArchive(std::filesystem::path path);
  const std::vector<Record>& records() const { return records_; }  ///< as listed in the directory
  const Record* find(const std::string& name) const;               ///< null if there is none
  /// Throws DataError if the record is compressed (PyTorch stores tensors uncompressed), if its checksum is wrong, or
  /// if its local header disagrees with the directory.
  std::string read(const Record& record) const;
  /// The same of a text, which may be compressed, too (PyTorch compresses TorchScript's code). Throws DataError if it
  /// is larger than 16 MB.
  std::string read_text(const Record& record) const;

  [[noreturn]] void fail(const std::string& what) const;  ///< DataError naming the file

 private:
  struct Directory {
    std::uint64_t begin = 0, size = 0, records = 0;
  };
  std::string bytes(std::uint64_t begin, std::uint64_t size) const;
  std::string stored_bytes(const Record& record) const;
  void check_crc(const Record& record, const std::string& data) const;
  std::string inflated(const std::string& compressed, const Record& record) const;
  Directory find_directory() const;
  void find_zip64(std::uint64_t end_begin, Directory& directory, std::uint64_t& directory_end) const;
  void add_records(const Directory& directory);
  void check_overlaps(std::uint64_t directory_begin) const;

  std::filesystem::path path_;
  std::uint64_t file_size_ = 0;
  std::vector<Record> records_;
  std::unordered_map<std::string, std::size_t> places_;  // of the names in records_
};

}  // namespace ansatz::nets
