// The table of data sets: what each is called, where its files lie and how it is loaded.
#pragma once

#include <string>
#include <vector>

#include "core/load_dataset.h"

namespace ansatz {

/// A row of the table. Loading gives the rows drawn and normalised, before validation and coding (core/load_dataset.h).
struct DataSet {
  const char* name;
  const char* summary;
  std::vector<std::string> files;    ///< needed in the folder, alternatives separated by '|'
  std::vector<std::string> folders;  ///< below $ANSATZ_DATA and below the system's folder
  const char* sub_folder;            ///< where the files may also lie, or ""
  const char* how_to_get;
  Split<float> (*load_float)(const DatasetOptions&, const RandomStream&, const ImageReader&);
  Split<double> (*load_double)(const DatasetOptions&, const RandomStream&, const ImageReader&);
  DatasetSize (*size)(const DatasetOptions&);
  std::vector<std::string> made_from = {};
};

const std::vector<DataSet>& data_sets();

}  // namespace ansatz
