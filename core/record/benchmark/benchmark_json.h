// `benchmark` of metrics.json: {collection, baseline, methods: [{label, kind, protocol, summary}], sets: [{name,
// failure, rows, dimension, outputs, task, notes, feature_names, columns, results: [{method, failure, choice: {key:
// text}, trials, validation, folds: [{accuracy, mse, r2}], features: {learned_from, trace, diagonal, eigenvalues,
// eigenvectors}}]}], published: [{source, sets, methods, scores}]}, absent parts left out. What is read is checked:
// DataError naming the file and the key.
#pragma once

#include "core/data/dataset.h"
#include "core/files/json_value.h"
#include "core/record/benchmark/benchmark_record.h"

namespace ansatz {

/// Names of inputs and feature matrices of sets with more inputs are left out.
inline constexpr Index kMostNamedInputs = 10'000;

Json to_json(const BenchmarkRecord& benchmark);
BenchmarkRecord benchmark_from_json(const JsonValue& json);

/// {set: {seconds, methods: {label: [search, fit]}}}; equal runs differ in these alone.
Json timing_json(const BenchmarkRecord& benchmark);
void add_timing(const JsonValue& json, BenchmarkRecord& benchmark);

Json task_json(Task task);  ///< "classification" or "regression"
Task task_from_json(const JsonValue& json);

}  // namespace ansatz
