// A small set in the layout of the UCI study, which tests write and then damage.
#pragma once

#include <zlib.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/support/temporary_folder.h"

/// `text` as a gzip file's bytes.
inline std::string gzipped(const std::string& text) {
  std::string packed(text.size() + 200, '\0');
  z_stream stream = {};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// The files of a set of 6 rows, 2 features and 3 classes. Row i has the features i and -i/2.
struct UciFiles {
  std::string description =
      "n_entradas= 2\nn_clases= 3\nn_arquivos= 1\nfich1= toy_R.dat\nn_patrons1= 6\nn_patrons_entrena= 3\n"
      "n_patrons_valida= 3\nn_conxuntos= 1\n";
  std::string data = "\tf1\tf2\tclase\n" +
                     std::string("1\t0\t0\t0\n2\t1\t-0.5\t1\n3\t2\t-1\t2\n4\t3\t-1.5\t0\n5\t4\t-2\t1\n6\t5\t-2.5\t2\n");
  std::string tuning = "5 0 1 \n4 2 3 \n";
  std::string folds = "0 1 2 3 \n4 5 \n2 3 4 5 \n0 1 \n0 1 4 5 \n2 3 \n1 2 3 4 \n5 0 \n";

  /// Writes them into FOLDER/toy.
  void write(const std::filesystem::path& folder) const {
    const std::filesystem::path set = folder / "toy";
    std::filesystem::create_directories(set);
    write_bytes(set / "toy.txt", description);
    write_bytes(set / "toy_R.dat", data);
    write_bytes(set / "conxuntos.dat", tuning);
    write_bytes(set / "conxuntos_kfold.dat", folds);
  }
};
