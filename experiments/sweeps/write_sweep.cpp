#include "experiments/sweeps/write_sweep.h"

#include <nlohmann/json.hpp>

#include "core/files/files.h"
#include "core/record/sweep/sweep_json.h"
#include "experiments/sweeps/pictures/sweep_pictures.h"
#include "experiments/sweeps/sweep_csv.h"

namespace ansatz::experiments {

void write_sweep(SweepRecord& sweep, const std::filesystem::path& folder) {
  write_file_atomically(folder / "sweep.csv", sweep_csv(sweep));
  sweep.figures = draw_sweep(sweep, folder / "images");
  write_file_atomically(folder / "metrics.json",
                        to_json(sweep).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace ansatz::experiments
