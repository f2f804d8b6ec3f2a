#include <cmath>

#include "experiments/pictures/curve_pictures.h"
#include "experiments/pictures/feature_cells.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

RunRecord trained(Index reported) {
  RunRecord record;
  record.data.emplace();
  record.network.emplace();
  for (Index epoch = 0; epoch < 5; ++epoch) {
    EpochRecord row;
    row.epoch = epoch;
    row.train_loss = 1.0 / static_cast<double>(epoch + 1);
    row.train = row.validation = Metrics{std::nullopt, row.train_loss, 1 - row.train_loss};
    record.network->epochs.push_back(row);
  }
  record.network->reported_epoch = reported;
  record.rfm.emplace();
  record.rfm->iterations.resize(3);
  for (Index t = 0; t < 3; ++t) {
    record.rfm->iterations[static_cast<std::size_t>(t)].iteration = t;
    record.rfm->iterations[static_cast<std::size_t>(t)].train.r2 = 0.1 * static_cast<double>(t);
  }
  record.rfm->reported = 1;
  return record;
}

}  // namespace

TEST_CASE("training curves mark the epoch and the iteration that are reported") {
  const TemporaryFolder scratch;
  RunRecord record = trained(3);
  draw_training(record, scratch / "training");
  const std::string svg = read_bytes(scratch / "training.svg");
  CHECK(contains(svg, "<title>reported\nepoch: 3\nmean squared error: 0.2</title>"));
  CHECK(contains(svg, "<title>reported\nepoch: 3\nR²: 0.8</title>"));
  CHECK(contains(svg, "<title>reported\niteration (0: plain kernel): 1\nR²: 0.2</title>"));
  record.network->reported_epoch.reset();  // as of an imported network
  record.rfm.reset();
  draw_training(record, scratch / "imported");
  CHECK_FALSE(contains(read_bytes(scratch / "imported.svg"), "reported"));
}

TEST_CASE("captions write a negative correlation with a minus sign") {
  CHECK(correlation_text(-0.009) == "−0.009");
  CHECK(correlation_text(0.5) == "0.500");
  CHECK(correlation_text(std::nan("")) == "–");
}
