// The files that the publishers of a data set offer: to download them, and to check the files that are there.
#pragma once

#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// The same data, compressed again by somebody who distributes them.
struct RepackedFile {
  std::string by;
  Index bytes = 0;
  std::string md5;
};

struct OfficialFile {
  std::string name;  ///< in the data set's folder
  Index bytes = 0;
  std::string md5;  ///< hexadecimal; empty: not published
  std::vector<RepackedFile> repacked = {};
};

struct OfficialFiles {
  std::string dataset;
  std::string url;  ///< of the folder that the downloads are in, with "/" at its end; empty: no plain address
  std::vector<OfficialFile> downloads;  ///< what is fetched; .tar.gz and .zip are unpacked
  std::vector<OfficialFile> files;      ///< what is then in the folder; empty: the downloads themselves
  std::string image_folder;             ///< of `images` image files, where a set has one
  Index images = 0;
};

/// The official files of a data set; null for sets that nobody publishes (csv, arrays, ...) or that are made of others.
const OfficialFiles* official_files(const std::string& dataset);

}  // namespace ansatz
