// Input: a byte of options, the length of the labels' file and that file, then the images' file.
#include <zlib.h>

#include "core/data/sets/idx.h"
#include "tests/fuzz/read_rows.h"

using namespace ansatz;

namespace {

/// The training files; the test files are links to them.
struct IdxFolder : fuzz::Folder {
  IdxFolder() {
    for (const char* kind : {"images-idx3-ubyte", "labels-idx1-ubyte"})
      std::filesystem::create_symlink(path() / (std::string("train-") + kind), path() / (std::string("t10k-") + kind));
  }
};

/// The readers tell gzip by its first bytes, whatever the file's name. Mutations seldom leave a stream whole, so that
/// what lies inside is packed here.
std::string packed(std::string_view bytes) {
  uLongf length = compressBound(static_cast<uLong>(bytes.size())) + 32;
  std::string out(length, '\0');
  z_stream stream{};
  fuzz::require(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib starts");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  fuzz::require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib ends");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const IdxFolder folder;
  fuzz::Input input(data, size);
  const std::size_t choice = input.number(1);
  const std::string_view labels = input.take(input.number(1)), images = input.rest();
  folder.write("train-labels-idx1-ubyte", choice & 1 ? packed(labels) : std::string(labels));
  folder.write("train-images-idx3-ubyte", choice & 2 ? packed(images) : std::string(images));
  fuzz::read_or_refuse([&] {
    fuzz::read_rows(choice & 4 ? open_mnist(folder.path()) : open_idx({"idx", idx_files(), {}}, folder.path()));
  });
  return 0;
}
