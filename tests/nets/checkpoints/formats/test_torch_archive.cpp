#include <chrono>
#include <functional>

#include "core/base/error.h"
#include "nets/checkpoints/checkpoint.h"
#include "nets/checkpoints/formats/torch_archive.h"
#include "tests/support/catch.h"
#include "tests/support/checkpoint_files.h"
#include "tests/support/errors.h"
#include "tests/support/read_weights.h"
#include "tests/support/temporary_folder.h"

using ansatz::DataError;
using ansatz::Matrix;
using ansatz::MemoryError;

namespace {

const std::vector<NamedShape> two_layers = {{"0.weight", 4, 5}, {"2.weight", 3, 4}};

std::string error_of(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "net.pt", bytes);
  return message_of<DataError>([&] { read_weights<float>({path}); });
}

/// With one record (the first: the pickle, the second: the first layer) changed.
std::string error_with(std::size_t record, const std::function<void(ZipRecord&)>& change) {
  std::vector<ZipRecord> records = torch_records(two_layers);
  change(records[record]);
  return error_of(zip_bytes(records));
}

std::string error_of_version(const std::string& version) {
  return error_with(3, [&](ZipRecord& record) { record.data = version; });
}

}  // namespace

TEST_CASE("torch archive: with and without a directory in 64 bits") {
  for (const bool zip64 : {false, true}) {
    const TemporaryFolder folder;
    const auto path = write_bytes(folder / "net.pt", zip_bytes(torch_records(two_layers), zip64));
    const auto weights = read_weights<double>({path});
    REQUIRE(weights.size() == 2);
    CHECK(weights[0] == Matrix<double>::Constant(4, 5, 0));
    CHECK(weights[1] == Matrix<double>::Constant(3, 4, 1));
  }
}

TEST_CASE("torch archive: format versions that are not known are refused, however long") {
  for (const char* version : {"1", "3\n", "10\n"}) CHECK(error_of_version(version) == "");
  for (const char* version : {"100000000000000000000", "0", "11", "-1", "", "3x", "0x3", "1e0", " 3", "three"}) {
    CAPTURE(version);
    CHECK_THAT(error_of_version(version), Catch::Contains("version"));
  }
  CHECK(error_of_version(std::string(1'000'000, '9')).size() < 400);
  CHECK_THAT(error_with(3, [](ZipRecord& record) { record.name = "net/other"; }), Catch::Contains("version"));
}

TEST_CASE("torch archive: what the zip's directory claims is checked") {
  const auto refuses = [](std::size_t record, const std::string& reason,
                          const std::function<void(ZipRecord&)>& change) {
    const std::string error = error_with(record, change);
    CHECK_THAT(error, Catch::Contains(reason));
    CHECK(error.find('\n') == std::string::npos);
  };
  refuses(1, "checksum", [](ZipRecord& record) { record.crc_error = 1; });
  refuses(0, "checksum", [](ZipRecord& record) { record.crc_error = 1; });
  refuses(1, "compressed", [](ZipRecord& record) { record.method = 8; });
  refuses(1, "reaches into another", [](ZipRecord& record) { record.claimed_size = 1 << 30; });
  refuses(1, "reaches into another", [](ZipRecord& record) { record.claimed_size = 81; });
  refuses(1, "zip64", [](ZipRecord& record) { record.claimed_size = 0xffffffff; });
  refuses(1, "reaches into another", [](ZipRecord& record) { record.claimed_begin = 0; });
  refuses(1, "reaches into another", [](ZipRecord& record) { record.claimed_begin = 0x7fffffff; });
  refuses(2, "is there twice", [](ZipRecord& record) { record.name = "net/data/0"; });
  refuses(2, "no numbers for '2.weight'", [](ZipRecord& record) { record.name = "net/data/7"; });
  refuses(1, "has 76 bytes for 20 elements", [](ZipRecord& record) { record.data.resize(76); });
  refuses(1, "has 84 bytes for 20 elements", [](ZipRecord& record) { record.data.resize(84); });
  refuses(0, "without data.pkl", [](ZipRecord& record) { record.name = "net/data.pk"; });
  refuses(0, "no folder", [](ZipRecord& record) { record.name = "data.pkl"; });
}

TEST_CASE("torch archive: a file cut short, or with bytes after its end") {
  const std::string whole = torch_file(two_layers);
  REQUIRE(error_of(whole) == "");
  for (std::size_t size = 4; size < whole.size(); ++size) REQUIRE(error_of(whole.substr(0, size)) != "");
  CHECK(error_of(whole + '\0') != "");
  CHECK(error_of("PK\x03\x04" + whole) != "");
}

TEST_CASE("torch archive: no bit can flip in what is read without being noticed") {
  const std::string whole = torch_file(two_layers);
  const std::size_t version = whole.rfind("PK\x01\x02");  // flags, times and the like are free
  int noticed = 0;
  const std::size_t pickle_end = whole.find("PK\x03\x04", 4);
  for (std::size_t at = 30 + std::string("net/data.pkl").size(); at < pickle_end; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    noticed += error_of(damaged) != "";
  }
  CHECK(noticed == static_cast<int>(pickle_end) - 42);
  CHECK(version > pickle_end);
}

TEST_CASE("torch archive: tensors of one storage agree on it, and a small file cannot ask for much memory") {
  // Two thousand views of one storage of 4 million zeros, saved in a file of 16 MB, would take 32 GB.
  const auto shared = [](std::size_t views, ansatz::Index side, ansatz::Index last_elements) {
    std::string pickle = "\x80\x02}(";
    for (std::size_t i = 0; i < views; ++i) {
      const std::string name = std::to_string(i) + ".weight";
      pickle += "X" + little(name.size(), 4) + name +
                pickled_tensor("0", i + 1 == views ? last_elements : side * side, {side, side});
    }
    const std::string data(static_cast<std::size_t>(side * side) * 4, '\0');
    return zip_bytes({{"net/data.pkl", pickle + "u."}, {"net/data/0", data}, {"net/version", "3\n"}});
  };
  CHECK(error_of(shared(3, 4, 16)) == "");
  CHECK_THAT(error_of(shared(3, 4, 17)), Catch::Contains("disagree"));
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "net.pt", shared(10'000, 2000, 2000 * 2000));
  CHECK_THAT(message_of<MemoryError>([&] { read_weights<double>({path}); }),
             Catch::Contains("net.pt: the network needs 320.02 GB of memory"));
}

TEST_CASE("torch archive: a device or a pipe is not read") {
  CHECK_THAT(message_of<DataError>([] { read_weights<float>({"/dev/zero"}); }), Catch::Contains("device"));
}

namespace {

unsigned long checksum(const std::string& bytes) {
  return crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
}

/// A record with that text, deflated as PyTorch deflates code.
ZipRecord deflated(const std::string& name, const std::string& text) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  ZipRecord record{name, out, 8};
  record.crc_error = static_cast<std::uint32_t>(checksum(text) - checksum(out));
  return record;
}

std::string code_error(const ZipRecord& code) {
  std::vector<ZipRecord> records = torch_records(two_layers);
  records.push_back(code);
  const TemporaryFolder folder;
  const auto path = write_bytes(folder / "net.pt", zip_bytes(records));
  const ansatz::nets::TorchArchive archive(path);
  CHECK(archive.code_of("__torch__.b") == "");
  std::string read;
  const std::string error = message_of<DataError>([&] { read = archive.code_of("__torch__.a"); });
  CHECK((error != "" || read == std::string(300, 'x') + "\n"));
  return error;
}

}  // namespace

TEST_CASE("torch archive: code may be compressed, but not without bound") {
  const std::string text = std::string(300, 'x') + "\n", name = "net/code/__torch__/a.py";
  CHECK(code_error({name, text}) == "");
  CHECK(code_error(deflated(name, text)) == "");
  ZipRecord cut = deflated(name, text);
  cut.data.resize(cut.data.size() / 2);
  CHECK_THAT(code_error(cut), Catch::Contains("cannot be inflated"));
  ZipRecord wrong = deflated(name, text);
  ++wrong.crc_error;
  CHECK_THAT(code_error(wrong), Catch::Contains("checksum"));
  CHECK_THAT(code_error(deflated(name, std::string(std::size_t{1} << 25, 'x'))), Catch::Contains("too large"));
  ZipRecord other = deflated(name, text);
  other.method = 12;
  CHECK_THAT(code_error(other), Catch::Contains("compressed in an unknown way"));
}
