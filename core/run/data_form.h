// What a model's inputs and outputs mean: all of a data set that is needed to ask a fitted model about new rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/files/tensors/safetensors.h"
#include "core/files/tensors/safetensors_writer.h"
#include "core/run/input_range.h"

namespace ansatz {

template <class Scalar>
struct DataForm {
  InputTransform transform;          ///< from raw rows to inputs
  Index dimension = 0, outputs = 0;  ///< d and c
  std::optional<ImageShape> image_shape;
  Task task = Task::regression;
  std::vector<std::string> class_names;
  Matrix<Scalar> class_codes;    ///< as in Dataset
  TargetScaling target_scaling;  ///< from outputs back to the targets' own unit
  InputRange range;              ///< of a table or array that is no images
};

template <class Scalar>
DataForm<Scalar> data_form_of(const Split<Scalar>& split);

/// Adds it to a model's file: the texts `inputs` and `outputs` (JSON), and tensors named inputs.shift, targets.mean and
/// so on, which are borrowed.
template <class Scalar>
void add_data_form(const DataForm<Scalar>& form, SafetensorsWriter& file);

/// Reads what add_data_form has written. DataError naming the file if it is missing or damaged.
template <class Scalar>
DataForm<Scalar> read_data_form(const SafetensorsFile& file);

}  // namespace ansatz
