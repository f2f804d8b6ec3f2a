#include <algorithm>
#include <fstream>
#include <map>
#include <stdexcept>

#include "core/base/stopwatch.h"
#include "experiments/jobs/job_pool.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

Job shell(const std::string& script, double bytes = 0) { return {script, {"sh", "-c", script}, bytes, 1}; }

std::map<std::size_t, JobEnd> ends_of(const std::vector<Job>& jobs, const JobBudget& budget) {
  std::map<std::size_t, JobEnd> ends;
  run_jobs(jobs, budget, {"jobs", "jobs", /*quiet=*/true},
           [&](const JobEnd& end) { CHECK(ends.emplace(end.job, end).second); });
  return ends;
}

/// How many of the jobs that note their begin ("+") and end ("-") in a file ran at the same time, at most.
int most_at_once(const std::filesystem::path& log) {
  std::ifstream in(log);
  int now = 0, most = 0;
  for (std::string line; std::getline(in, line);) most = std::max(most, now += line == "+" ? 1 : -1);
  return most;
}

std::string noting(const std::filesystem::path& log) {
  return "echo + >> '" + log.string() + "'; sleep 0.2; echo - >> '" + log.string() + "'";
}

}  // namespace

TEST_CASE("a pool runs every job and tells how each ended", "[jobs]") {
  const auto ends = ends_of({shell("exit 0"),
                             shell("echo noise >&2; echo 'ansatz: no such set' >&2; exit 3"),
                             shell("echo 'warning: odd' >&2; echo out"),
                             shell("kill -9 $$"),
                             {"absent", {"/no/such/program"}, 0, 1}},
                            {2});
  REQUIRE(ends.size() == 5);
  CHECK(ends.at(0).exit_code == 0);
  CHECK(ends.at(0).error.empty());
  CHECK(ends.at(1).exit_code == 3);
  CHECK(ends.at(1).error == "no such set");
  CHECK(ends.at(2).exit_code == 0);
  CHECK(ends.at(2).error.empty());
  CHECK(ends.at(2).warnings == std::vector<std::string>{"odd"});
  CHECK(ends.at(3).exit_code == 137);
  CHECK(ends.at(3).error.find("signal 9") != std::string::npos);
  CHECK(ends.at(4).exit_code == 127);
  CHECK(ends.at(4).error == "/no/such/program: cannot be started");
}

TEST_CASE("a job has the variables that it is given, in the place of ours", "[jobs]") {
  Job job = shell("test \"$HOME\" = elsewhere && test \"$ANSATZ_TEST\" = 'a b' && test -n \"$PATH\"");
  job.environment = {"HOME=elsewhere", "ANSATZ_TEST=a b"};
  CHECK(ends_of({job}, {1}).at(0).exit_code == 0);
}

TEST_CASE("a pool keeps to its number of processes, and uses it", "[jobs]") {
  const TemporaryFolder folder;
  const auto log = folder.path() / "log";
  const std::vector<Job> jobs(6, shell(noting(log)));
  ends_of(jobs, {3});
  CHECK(most_at_once(log) == 3);
}

TEST_CASE("a pool keeps to its memory, and runs alone what is too large for it", "[jobs]") {
  const TemporaryFolder folder;
  const auto log = folder.path() / "log";
  const auto ends = ends_of({shell(noting(log), 6), shell(noting(log), 20), shell(noting(log), 6)}, {3, 10});
  CHECK(ends.size() == 3);
  CHECK(most_at_once(log) == 1);
}

TEST_CASE("a smaller job begins before a larger one that has to wait", "[jobs]") {
  const TemporaryFolder folder;
  const auto log = folder.path() / "log";
  ends_of({shell(noting(log), 6), shell(noting(log), 6), shell(noting(log), 3)}, {3, 10});
  CHECK(most_at_once(log) == 2);
}

TEST_CASE("jobs are ended where the end of one throws", "[jobs]") {
  const Stopwatch watch;
  CHECK_THROWS_AS(run_jobs({shell("exit 0"), shell("exec sleep 60")}, {2}, {"jobs", "jobs", true},
                           [](const JobEnd&) { throw std::runtime_error("no"); }),
                  std::runtime_error);
  CHECK(watch.seconds() < 30);
}
