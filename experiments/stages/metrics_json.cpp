#include "experiments/stages/metrics_json.h"

#include <limits>

namespace ansatz::experiments {
namespace {

constexpr Index kMost = std::numeric_limits<Index>::max();

std::optional<Metrics> optional_metrics(const JsonValue& json, const char* key) {
  const std::optional<JsonValue> there = json.find(key);
  if (!there) return std::nullopt;
  return metrics_from_json(*there);
}

Index optional_count(const JsonValue& json, const char* key) {
  const std::optional<JsonValue> there = json.find(key);
  return there ? there->integer(0, kMost) : 0;
}

}  // namespace

Json to_json(const rfm::SolveSummary& solve) {
  Json json = {{"method", solve.method}, {"jitter", solve.jitter}, {"relative_residual", solve.relative_residual}};
  if (!solve.note.empty()) json["note"] = solve.note;
  if (solve.iterations > 0) {
    json["iterations"] = solve.iterations;
    json["preconditioner_rank"] = solve.preconditioner_rank;
    json["stopped"] = solve.stopped;
  }
  return json;
}

rfm::SolveSummary solve_from_json(const JsonValue& json) {
  rfm::SolveSummary solve;
  solve.method = json.at("method").text();
  solve.note = json.text("note", "");
  solve.jitter = json.at("jitter").number();
  solve.relative_residual = json.at("relative_residual").number();
  solve.iterations = optional_count(json, "iterations");
  solve.preconditioner_rank = optional_count(json, "preconditioner_rank");
  solve.stopped = json.text("stopped", "");
  return solve;
}

Json timing_json(const rfm::SolveSummary& solve) {
  Json json = {
      {"kernel_seconds", solve.kernel_seconds}, {"solve_seconds", solve.seconds}, {"solve_flops", solve.flops}};
  for (const rfm::SolveProgress& point : solve.history)
    json["solve_history"].push_back({point.seconds, point.relative_residual, point.validation_mse});
  return json;
}

void add_timing(const JsonValue& json, rfm::SolveSummary& solve) {
  solve.kernel_seconds = json.at("kernel_seconds").number();
  solve.seconds = json.at("solve_seconds").number();
  solve.flops = json.at("solve_flops").number();
  const std::optional<JsonValue> history = json.find("solve_history");
  if (!history) return;
  for (const JsonValue& point : history->list()) {
    const std::vector<JsonValue> values = point.list();
    if (values.size() != 3) point.fail("must be a list of three numbers");
    solve.history.push_back({values[0].number(), values[1].number(), values[2].number()});
  }
}

Json to_json(const Metrics& metrics) {
  Json json = Json::object();
  if (metrics.accuracy) json["accuracy"] = *metrics.accuracy;
  json["mse"] = metrics.mse;
  json["r2"] = metrics.r2;
  return json;
}

Metrics metrics_from_json(const JsonValue& json) {
  Metrics metrics;
  if (json.has("accuracy")) metrics.accuracy = json.at("accuracy").number();
  metrics.mse = json.at("mse").number();
  metrics.r2 = json.at("r2").number();
  return metrics;
}

Json to_json(const FeatureComparison& c, const std::string& a, const std::string& b) {
  return {{"a", a},
          {"b", b},
          {"diagonal_pearson", c.diagonal_pearson},
          {"diagonal_cosine", c.diagonal_cosine},
          {"matrix_pearson", c.matrix_pearson},
          {"cosine", c.cosine},
          {"off_diagonal_pearson", c.off_diagonal_pearson},
          {"off_diagonal_cosine", c.off_diagonal_cosine},
          {"top_eigenvector_pearson", c.top_eigenvector_pearson},
          {"principal_angles_deg", c.principal_angles_deg},
          {"eigenvalues_a", c.eigenvalues_a},
          {"eigenvalues_b", c.eigenvalues_b},
          {"relative_gaps_a", c.relative_gaps_a},
          {"relative_gaps_b", c.relative_gaps_b}};
}

Json to_json(const AnsatzVariant& v) {
  return {{"name", v.name},
          {"label", v.label},
          {"power", v.power},
          {"matrix_pearson", v.similarity.matrix_pearson},
          {"off_diagonal_pearson", v.similarity.off_diagonal_pearson},
          {"cosine", v.similarity.cosine},
          {"diagonal_pearson", v.similarity.diagonal_pearson}};
}

Json to_json(const nets::EpochRecord& record) {
  Json json = {{"epoch", record.epoch}, {"train_loss", record.train_loss}};
  if (record.train) json["train"] = to_json(*record.train);
  if (record.validation) json["validation"] = to_json(*record.validation);
  return json;
}

Json split_json(const Metrics& train, const std::optional<Metrics>& validation, const std::optional<Metrics>& test) {
  Json json = {{"train", to_json(train)}};
  if (validation) json["validation"] = to_json(*validation);
  if (test) json["test"] = to_json(*test);
  return json;
}

Json to_json(const rfm::RfmIteration& iteration) {
  Json json = {{"iteration", iteration.iteration}};
  json.update(split_json(iteration.train, iteration.validation, iteration.test));
  if (iteration.bandwidth > 0) json["bandwidth"] = iteration.bandwidth;
  json["solve"] = to_json(iteration.solve);
  if (iteration.gradients) {
    json["gradients"] = {{"form", iteration.gradients->form}, {"points", iteration.gradients->points}};
  }
  return json;
}

Json timing_json(const rfm::RfmIteration& iteration) {
  Json json = timing_json(iteration.solve);
  json["iteration"] = iteration.iteration;
  json["seconds"] = iteration.seconds;
  if (iteration.gradients) {
    json["agop_seconds"] = iteration.gradients->seconds;
    json["agop_flops"] = iteration.gradients->flops;
  }
  return json;
}

Json state_json(const rfm::RfmIteration& iteration) {
  Json json = to_json(iteration);
  json["timing"] = timing_json(iteration);
  return json;
}

rfm::RfmIteration iteration_from_state(const JsonValue& json) {
  rfm::RfmIteration it;
  it.iteration = json.at("iteration").integer(0, kMost);
  it.train = metrics_from_json(json.at("train"));
  it.validation = optional_metrics(json, "validation");
  it.test = optional_metrics(json, "test");
  it.bandwidth = json.number("bandwidth", 0);
  const JsonValue timing = json.at("timing");
  it.solve = solve_from_json(json.at("solve"));
  add_timing(timing, it.solve);
  it.seconds = timing.at("seconds").number();
  if (const std::optional<JsonValue> gradients = json.find("gradients")) {
    it.gradients = rfm::GradientSummary{gradients->at("form").text(), gradients->at("points").integer(0, kMost),
                                        timing.at("agop_seconds").number(), timing.at("agop_flops").number()};
  }
  return it;
}

Json conventions() {
  Json json = {
      {"inputs", "n x d, one sample a row; images are flattened channel, row, column"},
      {"targets", "n x c; for classification one-hot 0/1, or codes: see class_coding"},
      {"class_coding",
       "data.class_coding one_hot: accuracy = argmax (c = 1: prediction > 1/2). prevalence: rows of data.class_codes "
       "(classes x (classes - 1)), a regular simplex of edge sqrt 2 whose mean over the training rows is 0; accuracy = "
       "nearest code"},
      {"distance", "|x-z|_M^2 = (x-z)' M (x-z)"},
      {"inner_product", "<x,z>_M = x' M z, |x|_M^2 = <x,x>_M"},
      {"ridge", "alpha = (K(X,X) + ridge I)^-1 Y, ridge absolute"},
      {"agop", "(1/m) sum over the m points used and over outputs of grad f grad f'; a seeded random subset if m < n"},
      {"feature_matrix",
       "M_t = AGOP^feature_matrix_power, then normalised; blocks: 0 between columns of different variables"},
      {"centering", "per output, minus the mean gradient over those points"},
      {"coincident_points", "radial gradient 0; distances on the diagonal exactly 0"},
      {"rfm_iterations", "T feature updates and T+1 solves; iteration 0 is the plain kernel, M_0 = I"},
      {"network_loss", "mean over batch and outputs of squared error"},
      {"reported",
       "network: best validation epoch (ties: later); RFM: best validation iteration (ties: later); last without "
       "validation"},
      {"diagonal_pearson", "Pearson r of the diagonals"},
      {"matrix_pearson", "Pearson r over all d*d entries; off_diagonal_*: over the d*d-d others"},
      {"top_eigenvector_pearson", "|Pearson r| of the i-th eigenvectors"},
      {"principal_angles_deg", "between the spans of the top-k eigenvectors"},
      {"r2", "1 - sum of squared errors / sum of squared deviations from the column means, over all outputs"}};
  for (const rfm::KernelInfo& kernel : rfm::kernel_table()) json[kernel.name] = kernel.text();
  return json;
}

}  // namespace ansatz::experiments
