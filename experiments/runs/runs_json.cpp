#include "experiments/runs/runs_json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/record/score_tables.h"

namespace ansatz::experiments {
namespace {

Json models_json(const ScoreTables& tables) {
  Json models = Json::object();
  for (const ScoreRow& row : tables.scores)
    for (const auto& [name, spread] : {std::pair("accuracy", &row.accuracy), std::pair("mse", &row.mse),
                                       std::pair("r2", &row.r2), std::pair("cross_entropy", &row.cross_entropy)})
      if (!spread->values.empty()) models[row.model][row.split][name] = {{"mean", spread->mean}, {"sd", spread->sd}};
  return models;
}

}  // namespace

Json runs_json(const std::vector<FinishedRun>& runs) {
  const std::vector<SettingByRun> differing = differing_settings(runs);
  Json list = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Json settings = Json::object();
    for (const SettingByRun& setting : differing)
      if (!setting.values[i].empty()) settings[setting.key] = setting.values[i];
    list.push_back({{"name", runs[i].name},
                    {"folder", runs[i].folder.string()},
                    {"seeds", runs[i].seeds.size()},
                    {"settings", std::move(settings)},
                    {"models", models_json(score_tables(runs[i].seeds))}});
  }
  return list;
}

}  // namespace ansatz::experiments
