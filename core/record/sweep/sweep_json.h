// metrics.json of a sweep: {schema, experiment, name, conventions, config, sweep: {axes: [{keys, values, spacing}],
// numbers: [name], cells: [{cell, values: {key: value}, places, runs: [{seed, status, failure}], numbers: {name: {mean,
// sd, standard_error, values}}, warnings}]}, figures: [{file, title, caption}], timings: {sweep: [[seconds]]}}, absent
// parts left out. `values` of a number are one a run, null where it has none. What is read is checked: DataError naming
// the file and the key.
#pragma once

#include "core/files/json_value.h"
#include "core/record/sweep/sweep_record.h"

namespace ansatz {

Json to_json(const SweepRecord& sweep);
SweepRecord sweep_from_json(const JsonValue& metrics);

/// Whether this metrics.json is of a sweep.
bool is_of_sweep(const JsonValue& metrics);

}  // namespace ansatz
