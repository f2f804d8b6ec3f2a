// The table of data sets: what each is called, where its files lie and how it is opened.
#pragma once

#include <string>
#include <vector>

#include "core/data/loading/load_dataset.h"
#include "core/data/row_source.h"

namespace ansatz {

/// A row of the table.
struct DataSet {
  const char* name;
  const char* summary;
  std::vector<std::string> files;    ///< needed in the folder, alternatives separated by '|'
  std::vector<std::string> folders;  ///< below $ANSATZ_DATA and below the system's folder
  const char* sub_folder;            ///< where the files may also lie, or ""
  const char* how_to_get;
  RowSource (*open)(const DatasetOptions&,
                    const ImageReader&);  ///< nullptr: not read but computed (core/data/synthetic/synthetic.h)
  std::vector<std::string> made_from = {};
  DatasetForm form = DatasetForm::images;
  bool in_one_piece = false;
};

const std::vector<DataSet>& data_set_table();

}  // namespace ansatz
