// `ansatz data --download`, from a server on this machine.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "core/base/error.h"
#include "experiments/download/download.h"
#include "experiments/jobs/child_process.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/with_environment.h"

using namespace ansatz;
using namespace ansatz::experiments;
using ansatz::testing::Workspace;
namespace fs = std::filesystem;

namespace {

class Server {
 public:
  explicit Server(const fs::path& folder) : port_file_(folder / "port") {
    ::setenv("no_proxy", "127.0.0.1", 1);
    child_ = fork();
    if (child_ == 0) {
      execl("/usr/bin/python3", "python3", ANSATZ_RANGE_SERVER, folder.c_str(), port_file_.c_str(), nullptr);
      _exit(127);
    }
    for (int tries = 0; tries < 1000 && !fs::exists(port_file_); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    REQUIRE(fs::exists(port_file_));
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  std::string url(const std::string& mode) const { return "http://127.0.0.1:" + read_bytes(port_file_) + "/" + mode; }
  std::string requests() const { return read_bytes(port_file_.string() + ".log"); }

 private:
  fs::path port_file_;
  pid_t child_ = -1;
};

const std::string kContent(1000000, 'a');
constexpr const char* kMd5 = "7707d6ae4e027c70eea2a935c2296f21";  // of a million a's, by md5sum

OfficialFiles one_file(const std::string& md5 = kMd5, Index bytes = 1000000) {
  return {"letters", "", {{"letters.bin", bytes, md5}}, {}, "", 0};
}

struct Site {
  TemporaryFolder folder;
  Server server;
  fs::path into = folder / "data";
  Site() : server(folder.path()) { write_bytes(folder / "letters.bin", kContent); }
  bool empty() const { return !fs::exists(into) || fs::is_empty(into); }
  template <class Error>
  std::string complaint(const OfficialFiles& set, const std::string& mode) const {
    return message_of<Error>([&] { download(set, server.url(mode), into); });
  }
};

}  // namespace

TEST_CASE("programs that are missing are missed before anything is fetched") {
  const Site site;
  const OfficialFiles zip = {"z", "", {{"letters.bin", 1000000, kMd5}, {"letters.zip", 9, ""}}, {{"x", 1, ""}}, "", 0};
  const OfficialFiles tar = {"t", "", {{"letters.bin", 1000000, kMd5}, {"letters.tar.gz", 9, ""}}, {{"x", 1, ""}},
                             "",  0};
  const WithEnvironment none("PATH", "/nowhere");
  CHECK(contains(site.complaint<ConfigError>(one_file(), "whole/"), "curl"));
  fs::create_directories(site.folder / "bin");
  fs::create_symlink("/usr/bin/curl", site.folder / "bin/curl");
  const WithEnvironment curl_only("PATH", (site.folder / "bin").string());
  CHECK(contains(site.complaint<ConfigError>(one_file(), "whole/"), "md5sum"));
  fs::create_symlink("/usr/bin/md5sum", site.folder / "bin/md5sum");
  const WithEnvironment no_unpackers("PATH", (site.folder / "bin").string());
  CHECK(contains(site.complaint<ConfigError>(zip, "whole/"), "letters.zip is unpacked by the program unzip"));
  CHECK(contains(site.complaint<ConfigError>(tar, "whole/"), "letters.tar.gz is unpacked by the program tar"));
  CHECK(site.empty());
}

TEST_CASE("a download has its name once it is whole, and is left alone afterwards") {
  const Site site;
  download(one_file(), site.server.url("whole/"), site.into);
  CHECK(read_bytes(site.into / "letters.bin") == kContent);
  CHECK(std::distance(fs::directory_iterator(site.into), {}) == 1);
  CHECK(check_official(site.into, one_file().downloads[0]) == FileState::official);
  download(one_file(), site.server.url("broken"), site.into);
  CHECK(site.server.requests() == "/whole/letters.bin \n");
}

TEST_CASE("a file that a distributor has packed again is official, and one of its size with other content is not") {
  const Site site;
  OfficialFile file = one_file().downloads[0];
  file.repacked = {{"a distributor", 3, "900150983cd24fb0d6963f7d28e17f72"}};  // MD5 of "abc", as in RFC 1321
  fs::create_directory(site.into);
  write_bytes(site.into / "letters.bin", "abc");
  CHECK(check_official(site.into, file) == FileState::repacked);
  write_bytes(site.into / "letters.bin", "abd");
  CHECK(check_official(site.into, file) == FileState::other_size);
}

TEST_CASE("ansatz data: Debian's files of Fashion-MNIST are the official data") {
  if (!fs::exists("/usr/share/datasets/fashion-mnist/t10k-labels-idx1-ubyte.gz")) {
    WARN("skipped: Debian's dataset-fashion-mnist is not installed");
    return;
  }
  const OfficialFiles* const set = official_files("fashion_mnist");
  REQUIRE(set != nullptr);
  for (const OfficialFile& file : set->downloads) {
    INFO(file.name);
    CHECK(check_official("/usr/share/datasets/fashion-mnist", file) == FileState::repacked);
  }
}

TEST_CASE("a download that was cut off goes on from there") {
  const Site site;
  CHECK(contains(site.complaint<DataError>(one_file(), "cut"), "letters.bin: cut off after 500000 bytes"));
  CHECK_FALSE(fs::exists(site.into / "letters.bin"));
  download(one_file(), site.server.url("cut"), site.into);
  CHECK(read_bytes(site.into / "letters.bin") == kContent);
  CHECK(contains(site.server.requests(), "/cut/letters.bin bytes=500000-\n"));
}

TEST_CASE("a server without ranges sends all of it again") {
  const Site site;
  fs::create_directory(site.into);
  write_bytes(site.into / ".letters.bin.part", "bbbb");
  download(one_file(), site.server.url("noranges"), site.into);
  CHECK(read_bytes(site.into / "letters.bin") == kContent);
}

TEST_CASE("what goes wrong with a download is said, and leaves no file") {
  const Site site;
  OfficialFiles missing = one_file();
  missing.downloads[0].name = "numbers.bin";
  CHECK(contains(site.complaint<DataError>(missing, "whole"), "/whole/numbers.bin: not there (404)"));
  CHECK(contains(site.complaint<DataError>(one_file("00000000000000000000000000000000"), "whole"),
                 std::string("MD5 ") + kMd5 + " instead of the official 0000"));
  CHECK(contains(site.complaint<DataError>(one_file(kMd5, 1000001), "whole"),
                 "1000000 bytes arrived, the official file has 1000001"));
  CHECK(site.empty());
  const std::string nobody = message_of<DataError>([&] { download(one_file(), "http://127.0.0.1:1/", site.into); });
  CHECK(contains(nobody, "http://127.0.0.1:1/letters.bin: the server cannot be reached"));
  CHECK(site.empty());

  write_bytes(site.into / "letters.bin", "mine");
  CHECK(contains(site.complaint<OutputError>(one_file(), "whole"), "letters.bin: is there, but is not the official"));
  CHECK(read_bytes(site.into / "letters.bin") == "mine");
}

TEST_CASE("a server that fails is named with its answer") {
  const Site site;
  CHECK(contains(site.complaint<DataError>(one_file(), "broken"), "the server answered 500"));
}

TEST_CASE("archives are unpacked and removed, and never over what is there") {
  const Site site;
  fs::create_directory(site.folder / "inner");
  write_bytes(site.folder / "inner" / "letters.bin", kContent);
  const std::string archive = (site.folder / "letters.tar.gz").string();
  REQUIRE(run_child({"tar", "-czf", archive, "-C", site.folder.path().string(), "inner"}, true).exit_code == 0);
  const OfficialFiles set{"letters",
                          "",
                          {{"letters.tar.gz", static_cast<Index>(fs::file_size(archive)), md5_of(archive)}},
                          {{"inner/letters.bin", 1000000, kMd5}},
                          "",
                          0};
  fs::create_directories(site.into / "inner");
  CHECK(contains(site.complaint<OutputError>(set, "whole"), "inner: is there, but does not hold the official files"));
  fs::remove(site.into / "inner");
  download(set, site.server.url("whole"), site.into);
  CHECK(read_bytes(site.into / "inner" / "letters.bin") == kContent);
  CHECK(std::distance(fs::directory_iterator(site.into), {}) == 1);
  download(set, site.server.url("broken"), site.into);  // nothing left to fetch
}

TEST_CASE("a zip archive of images is unpacked too") {
  const Site site;
  fs::create_directory(site.folder / "faces");
  write_bytes(site.folder / "faces" / "1.jpg", "one");
  const std::string archive = (site.folder / "faces.zip").string();
  const std::string make = "import os, shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[2], 'faces')";
  REQUIRE(
      run_child({"/usr/bin/python3", "-c", make, (site.folder / "faces").string(), site.folder.path().string()}, true)
          .exit_code == 0);
  const OfficialFiles set{"faces", "", {{"faces.zip", static_cast<Index>(fs::file_size(archive)), md5_of(archive)}}, {},
                          "faces", 1};
  download(set, site.server.url("whole"), site.into);
  CHECK(read_bytes(site.into / "faces" / "1.jpg") == "one");
  CHECK_FALSE(fs::exists(site.into / "faces.zip"));
}

TEST_CASE("ansatz data: a server without the files, and downloads that cannot be") {
  const Site site;
  const Workspace workspace;
  const auto result =
      workspace.run({"data", "svhn", "--download", "--from", site.server.url("whole"), "--into", "svhn"});
  CHECK(result.exit_code == 3);
  CHECK(contains(result.err, "/whole/train_32x32.mat: not there (404)"));
  const auto fails = [&](std::vector<std::string> arguments, const std::string& message) {
    const auto refused = workspace.run(arguments);
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, message));
  };
  fails({"data", "celeba", "--download", "--into", "x"}, "no plain download address");
  fails({"data", "csv", "--download", "--into", "x"}, "nothing to download");
  fails({"data", "crowded_digits", "--download", "--into", "x"}, "made of mnist");
  fails({"data", "svhn", "--into", "x"}, "go with --download");
  fails({"data", "svnh"}, "did you mean svhn?");
}

TEST_CASE("ansatz data: the official files, and what there is of them") {
  const Workspace workspace;
  workspace.write("data/svhn/train_32x32.mat", "short");
  workspace.write("data/svhn/test_32x32.mat", "");
  const char* before = std::getenv("ANSATZ_DATA");
  const std::string old = before ? before : "";
  ::setenv("ANSATZ_DATA", (workspace.path() / "data").c_str(), 1);
  const auto svhn = workspace.run({"data", "svhn"});
  const auto pairs = workspace.run({"data", "cifar_mnist"});
  old.empty() ? ::unsetenv("ANSATZ_DATA") : ::setenv("ANSATZ_DATA", old.c_str(), 1);
  CHECK(svhn.exit_code == 0);
  CHECK(contains(svhn.out, "train_32x32.mat: 5 bytes, where the official file has 182,040,794"));
  CHECK(contains(svhn.out, "MD5 eb5a983be6a315427106f1b164d9cef3"));
  CHECK(contains(svhn.out, "ansatz data svhn --download"));
  CHECK(contains(pairs.out, "made of: cifar10"));
  CHECK(contains(pairs.out, "made of: mnist"));
  CHECK(contains(workspace.run({"list", "datasets"}).out, "starred_planes_trucks"));
}
