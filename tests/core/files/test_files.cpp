#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <cstdint>
#include <ostream>

#include "core/base/error.h"
#include "core/files/files.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string gzip(const std::string& text, const fs::path& scratch) {
  const gzFile file = ::gzopen(scratch.c_str(), "wb");
  ::gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  ::gzclose(file);
  return read_bytes(scratch);
}

/// Files may grow to `bytes` only, as on a full disk, while this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    before_signal_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limited = before_;
    limited.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, before_signal_);
  }

 private:
  rlimit before_{};
  void (*before_signal_)(int) = nullptr;
};

}  // namespace

TEST_CASE("an atomic write leaves the text and nothing else") {
  const TemporaryFolder folder;
  const std::string large(3'000'000, 'x');
  write_file_atomically(folder / "a.txt", "first");
  write_file_atomically(folder / "a.txt", [&](std::ostream& out) { out << "second " << 2 << large << '\n'; });
  CHECK(read_file(folder / "a.txt") == "second 2" + large + "\n");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("an atomic write gives the permissions of any new file and follows links") {
  const TemporaryFolder folder;
  write_bytes(folder / "plain", "x");
  write_file_atomically(folder / "atomic", "x");
  CHECK(fs::status(folder / "atomic").permissions() == fs::status(folder / "plain").permissions());

  fs::create_symlink(folder / "atomic", folder / "link");
  write_file_atomically(folder / "link", "through the link");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_file(folder / "atomic") == "through the link");
}

TEST_CASE("a failed atomic write keeps the old file and removes the temporary") {
  const TemporaryFolder folder;
  const fs::path path = write_bytes(folder / "a.txt", "old");

  SECTION("an exception of the writer") {
    const auto fails = [](std::ostream& out) {
      out << "half";
      throw std::runtime_error("gave up");
    };
    const std::string message = message_of<OutputError>([&] { write_file_atomically(path, fails); });
    CHECK(contains(message, path.string()));
    CHECK(contains(message, "gave up"));
  }
  SECTION("an error of ours passes unchanged") {
    CHECK_THROWS_AS(write_file_atomically(path, [](std::ostream&) { throw NumericalError("not finite"); }),
                    NumericalError);
  }
  SECTION("a full disk") {
    for (const std::size_t size : {std::size_t{10'000}, std::size_t{5'000'000}}) {
      const FileSizeLimit limit(4096);
      const std::string message = message_of<OutputError>([&] { write_file_atomically(path, std::string(size, 'x')); });
      CHECK(contains(message, path.string()));
      CHECK(contains(message, "File too large"));
    }
  }
  CHECK(read_bytes(path) == "old");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("an atomic write says why a place cannot be written") {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "x");
  const auto message = [](const fs::path& path) {
    return message_of<OutputError>([&] { write_file_atomically(path, "x"); });
  };
  CHECK(contains(message(folder / "file" / "below"), "Not a directory"));
  CHECK(contains(message(folder / "missing" / "below"), "No such file"));
  CHECK(contains(message(folder.path()), "not a regular file"));
  CHECK(contains(message("/dev/full"), "not a regular file"));
  CHECK(fs::is_character_file("/dev/full"));
  CHECK(contains(message(""), "not a file name"));
  if (::geteuid() != 0) {
    fs::create_directory(folder / "sealed");
    fs::permissions(folder / "sealed", fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(contains(message(folder / "sealed" / "below"), "Permission denied"));
    fs::permissions(folder / "sealed", fs::perms::owner_all);
  }
}

TEST_CASE("lines are appended whole") {
  const TemporaryFolder folder;
  append_line(folder / "log", "one");
  append_line(folder / "log", "two");
  CHECK(read_file(folder / "log") == "one\ntwo\n");
  CHECK(contains(message_of<OutputError>([&] { append_line(folder / "none" / "log", "x"); }), "No such file"));
  CHECK(contains(message_of<OutputError>([&] { append_line("/dev/full", "x"); }), "No space left"));
}

TEST_CASE("folders are made with their parents, or it is said why not") {
  const TemporaryFolder folder;
  make_folder(folder / "a" / "b");
  make_folder(folder / "a" / "b");
  CHECK(fs::is_directory(folder / "a" / "b"));
  write_bytes(folder / "file", "x");
  CHECK(contains(message_of<OutputError>([&] { make_folder(folder / "file"); }), "file"));
  CHECK(contains(message_of<OutputError>([&] { make_folder(folder / "file" / "below"); }), "file/below"));
}

TEST_CASE("temporary files are recognised by name") {
  CHECK(is_temporary_file("runs/x/.metrics.json.123-0.tmp"));
  CHECK_FALSE(is_temporary_file("runs/x/metrics.json"));
  CHECK_FALSE(is_temporary_file("runs/x/notes.tmp"));
}

TEST_CASE("reading says what is missing") {
  const TemporaryFolder folder;
  CHECK(contains(message_of<DataError>([&] { read_file(folder / "none"); }), "No such file"));
  CHECK(contains(message_of<DataError>([&] { read_file(folder.path()); }), "it is a folder"));
  CHECK(contains(message_of<DataError>([&] { read_file_or_gzip(folder / "none"); }), "No such file"));
  CHECK(contains(message_of<DataError>([&] { read_file_or_gzip(folder.path()); }), "it is a folder"));
}

TEST_CASE("gzip files are unpacked, others read as they are") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += static_cast<char>((static_cast<std::int64_t>(i) * i / 7) % 251);
  const std::string packed = gzip(text, folder / "scratch");
  REQUIRE(packed.size() < text.size());

  CHECK(read_file_or_gzip(write_bytes(folder / "a.gz", packed)) == text);
  CHECK(read_file_or_gzip(write_bytes(folder / "two members", packed + packed)) == text + text);
  CHECK(read_file_or_gzip(write_bytes(folder / "plain", text)) == text);
  CHECK(read_file_or_gzip(write_bytes(folder / "empty", "")).empty());
  CHECK(read_file(folder / "a.gz") == packed);
}

TEST_CASE("damaged gzip files are errors") {
  const TemporaryFolder folder;
  const std::string packed = gzip(std::string(100'000, 'a') + "b", folder / "scratch");
  const auto message = [&](const std::string& bytes) {
    const fs::path path = write_bytes(folder / "bad.gz", bytes);
    return message_of<DataError>([&] { read_file_or_gzip(path); });
  };
  for (const std::size_t keep :
       {std::size_t{5}, std::size_t{30}, packed.size() / 2, packed.size() - 4, packed.size() - 1})
    CHECK(contains(message(packed.substr(0, keep)), "truncated"));
  std::string flipped = packed;
  flipped[packed.size() - 6] ^= 1;  // within the checksum
  CHECK(contains(message(flipped), "corrupt"));
}

TEST_CASE("only regular files are read, and nothing is waited for") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  fs::create_directory(folder / "folder");
  for (const auto& [path, kind] :
       {std::pair(folder / "pipe", "a pipe"), std::pair(folder / "folder", "a folder"),
        std::pair(fs::path("/dev/zero"), "a device"), std::pair(fs::path("/dev/null"), "a device")}) {
    const std::string expected = "cannot read " + path.string() + ": it is " + kind + ", no regular file";
    const fs::path file = path;
    CHECK(message_of<DataError>([&] { read_file(file); }) == expected);
    CHECK(message_of<DataError>([&] { read_file_or_gzip(file); }) == expected);
    CHECK(message_of<DataError>([&] { InputFile input(file); }) == expected);
    CHECK(message_of<DataError>([&] { require_regular_file(file); }) == expected);
  }
  write_file_atomically(folder / "text", "abc");
  fs::create_symlink(folder / "text", folder / "link");
  CHECK(require_regular_file(folder / "link") == 3);
}

TEST_CASE("an input file goes forward, plain or gzipped, and tells short from whole") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += static_cast<char>(i * 7 + i / 251);
  write_file_atomically(folder / "plain", text);
  gzip(text, folder / "packed");
  for (const char* name : {"plain", "packed"}) {
    InputFile file(folder / name, InputFile::Packing::gzip_or_none);
    CHECK(file.gzipped() == (std::string(name) == "packed"));
    CHECK(file.most_bytes() >= static_cast<double>(text.size()));
    std::string got(1000, '\0');
    file.read_exactly(got.data(), got.size());
    CHECK(got == text.substr(0, 1000));
    file.seek(270'001);
    file.read_exactly(got.data(), got.size());
    CHECK(got == text.substr(270'001, 1000));
    CHECK(file.position() == 271'001);
    CHECK(file.finish() == text.size());
    CHECK(contains(message_of<DataError>([&] {
                     InputFile again(folder / name, InputFile::Packing::gzip_or_none);
                     again.seek(text.size() - 10);
                     again.read_exactly(got.data(), 11);
                   }),
                   std::string(name) + ": truncated"));
  }
  // Bytes that only look like gzip's are read as they are where nothing packed is expected.
  write_file_atomically(folder / "pixels", std::string("\x1f\x8b\x08 and pixels"));
  InputFile pixels(folder / "pixels");
  CHECK_FALSE(pixels.gzipped());
  CHECK(pixels.finish() == 14);
}
