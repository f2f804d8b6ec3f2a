// How time and memory of one RFM iteration (fit, AGOP) grow with n and with d: a table, and two figures.
//   bench_growth FOLDER      writes FOLDER/growth_n.png and .svg, growth_d.png and .svg
#include <cstdio>
#include <filesystem>
#include <vector>

#include "core/machine/parallel.h"
#include "rfm/rfm.h"
#include "tests/bench/measure.h"
#include "viz/plots/figures.h"

namespace {

using namespace ansatz;
using namespace ansatz::bench;

struct Point {
  double fit = 0, agop = 0, megabytes = 0;
};

Point iteration(Index n, Index d) {
  const Problem p = make_problem(n, d, 2);
  rfm::KernelSpec kernel;
  kernel.bandwidth = 1;
  reset_peak();
  const double start = now();
  const auto fit = rfm::fit_kernel_machine<float>(kernel, FeatureMatrix<float>::identity(d), p.x, p.y,
                                                  rfm::SolverOptions{}, RandomStream(3));
  const double fitted = now();
  const auto agop = rfm::gradient_outer_product(fit.machine, rfm::GradientOptions{}, RandomStream(3));
  const Point point{fitted - start, now() - fitted, peak_megabytes()};
  std::printf("%8ld %8ld %8.2f %8.2f %8.0f   %s, %s\n", long(n), long(d), point.fit, point.agop, point.megabytes,
              fit.summary.method.c_str(), agop.summary.form.c_str());
  std::fflush(stdout);
  return point;
}

void draw(const char* title, const char* x_label, const std::vector<double>& x, const std::vector<Point>& points,
          const std::filesystem::path& file) {
  viz::LinePlot time{title, x_label, "seconds", true, true, {}, {}, {}};
  viz::LinePlot memory{title, x_label, "peak memory (MB)", true, true, {}, {}, {}};
  viz::Series fit{"fit", x, {}, true}, agop{"AGOP", x, {}, true}, megabytes{"fit and AGOP", x, {}, true};
  for (const Point& point : points) {
    fit.y.push_back(point.fit);
    agop.y.push_back(point.agop);
    megabytes.y.push_back(point.megabytes);
  }
  time.series = {fit, agop};
  memory.series = {megabytes};
  viz::draw_lines({time, memory}, file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_growth FOLDER\n");
    return 2;
  }
  set_threads(0);
  std::printf("%8s %8s %8s %8s %8s\n", "n", "d", "fit s", "AGOP s", "MB");
  std::vector<Point> by_n, by_d;
  const std::vector<double> sizes = {1000, 2000, 4000, 8000, 16000, 32000};
  for (const double n : sizes) by_n.push_back(iteration(Index(n), 100));
  const std::vector<double> widths = {50, 200, 800, 3200, 12800, 51200};
  for (const double d : widths) by_d.push_back(iteration(2000, Index(d)));
  draw("d = 100, c = 2, float32", "n", sizes, by_n, std::filesystem::path(argv[1]) / "growth_n");
  draw("n = 2000, c = 2, float32", "d", widths, by_d, std::filesystem::path(argv[1]) / "growth_d");
  return 0;
}
