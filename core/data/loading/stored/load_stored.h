// A data set whose inputs may stay where they are.
#pragma once

#include <string>
#include <vector>

#include "core/data/loading/load_dataset.h"
#include "core/data/rows/stored_dataset.h"

namespace ansatz {

template <class Scalar>
struct StoredParts {
  StoredDataset<Scalar> train, validation, test;
  InputTransform transform;        ///< what makes the inputs of all three
  std::vector<std::string> notes;  ///< as of a Split
};

/// Whether load_stored() leaves the inputs in their files: those of `arrays` whose numbers a Scalar (of so many bytes)
/// holds exactly, which lie there row by row, and whose channels need not be moved.
bool inputs_stay_stored(const DatasetOptions& options, std::size_t scalar_bytes);

/// The rows, numbers and notes of load_dataset(), to the bit; but inputs that can stay in their files do so, mapped
/// into memory (core/data/rows/stored_rows.h). What load_dataset() says of the size of inputs, and of inputs that are
/// the target, then comes from some thousand rows; that all inputs are finite, whoever gathers them must see.
template <class Scalar>
StoredParts<Scalar> load_stored(const DatasetOptions& options, const RandomStream& stream,
                                const ImageReader& read_image = {});

}  // namespace ansatz
