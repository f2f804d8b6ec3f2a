#include "experiments/benchmark/set_run.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/machine/interrupt.h"
#include "core/record/benchmark/benchmark_json.h"
#include "experiments/benchmark/round_checks.h"
#include "experiments/benchmark/worse_than_constant.h"

namespace ansatz::experiments {
namespace {

BenchmarkScore score_of(const Metrics& metrics) {
  BenchmarkScore score;
  if (metrics.accuracy) score.accuracy = *metrics.accuracy;
  score.mse = metrics.mse;
  score.r2 = metrics.r2;
  return score;
}

/// Adds what a round chose to what those before it chose: "0.1", or "0.1 / 0.01" where they differ.
void add_choice(const MethodChoice& choice, bool learns_features, MethodOnSet& result) {
  std::vector<std::pair<std::string, std::string>> own;
  for (std::size_t axis = 0; axis < choice.tuning.axes.size(); ++axis)
    own.emplace_back(choice.tuning.axes[axis].key, choice.tuning.chosen_cell().values[axis]);
  if (learns_features) own.emplace_back("iterations", std::to_string(choice.iteration));
  if (result.choice.empty()) {
    result.choice = own;
    return;
  }
  for (std::size_t i = 0; i < own.size(); ++i)
    if (result.choice[i].second != own[i].second) result.choice[i].second += " / " + own[i].second;
}

/// One method on one set, column by column.
class MethodRun {
 public:
  MethodRun(const NamedMethod& method, Protocol protocol, const TableSet& set, const RandomStream& stream)
      : method_(*method.method), set_(set), stream_(stream) {
    for (const BenchmarkMethod& column : columns_of(method, protocol)) {
      results_.push_back({column.label, "", {}, method_.cells(), std::nullopt, {}, std::nullopt, 0, 0});
      keeps_features_.push_back(column.protocol == "authors");
    }
  }

  void run(const std::vector<Round>& rounds) {
    for (std::size_t r = 0; r < rounds.size(); ++r) run_round(rounds[r], stream_.named(fmt::format("round/{}", r)));
  }

  void fail(const std::string& why) {
    for (MethodOnSet& result : results_) {
      result.failure = why;
      result.folds.clear();
    }
  }

  std::vector<MethodOnSet> results() && { return std::move(results_); }

 private:
  void run_round(const Round& round, const RandomStream& stream) {
    const Stopwatch watch;
    const MethodChoice choice = method_.search(set_.rows.rows(round.selection.train),
                                               set_.rows.rows(round.selection.test), stream.named("search"));
    const double seconds = watch.seconds();
    for (MethodOnSet& result : results_) {
      add_choice(choice, method_.learns_features(), result);
      if (!result.validation && choice.tuning.chosen_cell().validation)
        result.validation = score_of(*choice.tuning.chosen_cell().validation);
      result.search_seconds += seconds;
    }
    for (std::size_t k = 0; k < round.folds.size(); ++k) {
      run_fold(choice, round.folds[k], stream.named(fmt::format("fold/{}", k)));
      throw_if_interrupted();
    }
  }

  /// Where nothing was learned, the protocols are one, and it is fitted once.
  void run_fold(const MethodChoice& choice, const RowSplit& fold, const RandomStream& stream) {
    const Dataset<double> train = set_.rows.rows(fold.train), test = set_.rows.rows(fold.test);
    for (std::size_t c = 0; c < results_.size(); ++c) {
      MethodOnSet& result = results_[c];
      if (c > 0 && !choice.features) {
        result.folds.push_back(results_.front().folds.back());
        continue;
      }
      const Stopwatch watch;
      const bool keep = keeps_features_[c] && choice.features;
      MethodFit fit = method_.fit_predict(choice, train, test.inputs, keep, stream);
      result.folds.push_back(score_of(evaluate(fit.predictions, test)));
      result.fit_seconds += watch.seconds();
      if (fit.features && !result.features)
        result.features =
            learned_features(*fit.features, keep ? "the tuning split" : "the training rows of the first fold");
    }
  }

  const Method& method_;
  const TableSet& set_;
  RandomStream stream_;
  std::vector<MethodOnSet> results_;  // one a column
  std::vector<bool> keeps_features_;  // of each
};

constexpr const char* kState = "results";

/// The set as it is, without results; or as a run that was cut off left it.
BenchmarkSet begin_set(const TableSet& set, const CheckedRounds& checked, const RunContext& run) {
  if (run.directory.has_state(kState)) {
    const JsonValue saved = run.directory.load_state(kState).value();
    BenchmarkRecord record = benchmark_from_json(saved.at("benchmark"));
    add_timing(saved.at("timing"), record);
    return record.sets.front();
  }
  BenchmarkSet begun;
  begun.name = set.name;
  begun.rows = set.rows.size();
  begun.dimension = set.rows.dimension();
  begun.outputs = set.rows.outputs();
  begun.task = set.rows.task;
  begun.notes = set.notes;
  for (const auto* more : {&set.warnings, &checked.warnings, &checked.notes})
    begun.notes.insert(begun.notes.end(), more->begin(), more->end());
  begun.feature_names = set.rows.feature_names;
  begun.column_groups = set.rows.column_groups;
  return begun;
}

void save(const BenchmarkSet& set, const BenchmarkOptions& options, const RunContext& run) {
  BenchmarkRecord record;
  record.methods = columns_of(options);
  record.sets = {set};
  run.directory.save_state(kState, Json{{"benchmark", to_json(record)}, {"timing", timing_json(record)}});
}

}  // namespace

std::vector<MethodOnSet> run_method(const NamedMethod& method, Protocol protocol, const TableSet& set,
                                    const std::vector<Round>& rounds, const RandomStream& stream) {
  MethodRun run(method, protocol, set, stream);
  try {
    run.run(rounds);
  } catch (const NumericalError& error) {
    run.fail(error.what());
  } catch (const MemoryError& error) {
    run.fail(error.what());
  }
  return std::move(run).results();
}

BenchmarkSet run_set(const TableSet& set, const BenchmarkOptions& options, const RunContext& run) {
  const Stopwatch watch;
  const CheckedRounds checked =
      checked_rounds(set, rounds_of(set, options, run.stream.named("splits")), options.splits == SplitKind::random);
  for (const auto* warnings : {&set.warnings, &checked.warnings})
    for (const std::string& warning : *warnings) spdlog::warn("{}: {}", set.name, warning);
  BenchmarkSet result = begin_set(set, checked, run);
  Progress progress(set.name, static_cast<Index>(options.methods.size()), "methods", run.quiet);
  Index done = 0;
  for (const NamedMethod& method : options.methods) {
    progress.update(done++, method.name);
    if (result.find(columns_of(method, options.protocol).front().label) != nullptr) continue;
    const Stopwatch own;
    for (MethodOnSet& one :
         run_method(method, options.protocol, set, checked.rounds, run.stream.named("method/" + method.name))) {
      if (!one.failure.empty()) spdlog::warn("{}: {} fails: {}", set.name, one.method, one.failure);
      result.results.push_back(std::move(one));
    }
    result.seconds += own.seconds();
    save(result, options, run);
    throw_if_interrupted();
  }
  progress.update(done);
  progress.finish();
  if (const std::string useless = worse_than_constant(result, set, checked.rounds); !useless.empty()) {
    spdlog::warn("{}: {}", set.name, useless);
    result.notes.push_back(useless);
  }
  return result;
}

}  // namespace ansatz::experiments
