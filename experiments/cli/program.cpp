#include "experiments/cli/program.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include "core/base/error.h"
#include "core/base/fold.h"
#include "core/base/printable_text.h"
#include "core/machine/interrupt.h"
#include "core/machine/terminal.h"
#include "experiments/cli/commands.h"
#include "experiments/cli/failure.h"
#include "experiments/cli/standard_streams.h"
#include "experiments/cli/usage/examples.h"
#include "experiments/cli/usage/usage_hint.h"
#include "experiments/options/option_names.h"
#include "viz/canvas/runtime.h"

namespace {

using namespace ansatz::experiments;

/// "%*": the message, harmless to a terminal, and in lines that fit it.
class PrintableMessage : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    constexpr std::size_t kLevel = 10;  // "critical: "
    const std::string text = ansatz::printable({message.payload.data(), message.payload.size()});
    const std::size_t columns = ansatz::terminal_columns(STDERR_FILENO);
    const std::size_t width = columns > 2 * kLevel ? columns - kLevel : text.size();
    std::string between;
    for (const std::string& line : ansatz::folded(text, width, 2)) {
      out.append(between.data(), between.data() + between.size());
      out.append(line.data(), line.data() + line.size());
      between = "\n";
    }
  }
  std::unique_ptr<spdlog::custom_flag_formatter> clone() const override { return std::make_unique<PrintableMessage>(); }
};

void set_up_log() {
  auto logger = spdlog::stderr_color_st("ansatz");
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  const bool terminal = ansatz::terminal_columns(STDERR_FILENO) > 0;  // where a line of progress may be open
  formatter->add_flag<PrintableMessage>('*').set_pattern(std::string(terminal ? ansatz::kFreshLine : "") +
                                                         "%^%l%$: %*");
  logger->set_formatter(std::move(formatter));
  spdlog::set_default_logger(logger);
}

/// The one place where errors are printed: on one line, so that a command in it can be copied; without the "^C" that a
/// terminal shows.
void complain(const std::string& message) {
  const char* const fresh = ansatz::terminal_columns(STDERR_FILENO) > 0 ? ansatz::kFreshLine : "";
  std::fprintf(stderr, "%sansatz: %s\n", fresh, ansatz::printable(message).c_str());
}

void add_run_options(CLI::App& command, RunArguments& run, std::string& threads, std::string& device) {
  command.add_option("config", run.config, "YAML file")->required();
  command.add_option("--set", run.overrides, "override a key: key.path=value (repeatable)")
      ->take_all()
      ->allow_extra_args(false)
      ->default_str("");
  command.add_option("--threads", threads, "threads; 0: all cores (default: as the config says)");
  command.add_option("--device", device, "cpu or cuda, for networks (default: as the config says)");
}

void add_sweep_options(CLI::App& command, SweepArguments& sweep, std::string& threads, std::string& device) {
  command.add_option("config", sweep.target, "YAML file with a section sweep, or the folder of a sweep")->required();
  command.add_option("--set", sweep.overrides, "override a key: key.path=value (repeatable)")
      ->take_all()
      ->allow_extra_args(false)
      ->default_str("");
  command.add_option("--threads", threads, "threads of each cell; 0: its share of all (default: as the config says)");
  command.add_option("--device", device, "cpu or cuda, for networks (default: as the config says)");
  command.add_option("--jobs", sweep.jobs, "cells at a time; 0: as many as processors and memory allow")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--out", sweep.out, "folder of the sweep (default: runs/<name>)");
  command.add_flag("--resume", sweep.resume, "go on with a sweep that was cut off; cells that are done stay");
  command.add_flag("--slurm", sweep.slurm, "run nothing, but write an array job for sbatch");
  command.add_flag("--collect", sweep.collect, "run nothing, but gather what is done");
  command.add_flag("--quiet", sweep.quiet, "errors only");
}

void add_overrides(std::vector<std::string>& overrides, const std::string& threads, const std::string& device) {
  if (!threads.empty()) overrides.push_back("threads=" + threads);
  if (!device.empty()) overrides.push_back("device=" + device);
}

/// A value that is empty, as a variable that is not set leaves it, is no choice.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      for (const std::string& value : option->results())
        if (value.empty()) throw ansatz::ConfigError(option->get_name() + " is given an empty value");
}

int command_line(int argc, char** argv) {
  CLI::App app("ansatz: do neural networks and kernel machines learn the same features?");
  app.set_version_flag("--version", ANSATZ_VERSION);
  app.require_subcommand(1);
  app.option_defaults()->always_capture_default();
  RunArguments run;
  std::string threads, device, topic;
  DataArguments data;
  CompareArguments compare;
  RenderArguments render;
  ExportArguments exported;
  PredictArguments predict;
  SweepArguments sweep;
  std::vector<std::filesystem::path> runs, documents;
  std::filesystem::path report_out;

  CLI::App* run_app = app.add_subcommand("run", "run an experiment from a config");
  add_run_options(*run_app, run, threads, device);
  run_app->add_option("--each", run.each, "key.path=value, a run of its own in <out>/<value> (repeatable)")
      ->take_all()
      ->allow_extra_args(false)
      ->default_str("");
  run_app->add_option("--out", run.out, "run directory (default: runs/<name>)");
  run_app->add_flag("--resume", run.resume, "go on with a run that was cut off");
  run_app->add_flag("--quiet", run.quiet, "errors only");
  CLI::App* resume_app = app.add_subcommand("resume", "go on with a run that was cut off, by the config in its folder");
  resume_app->add_option("run", run.out, "run directory")->required();
  resume_app->add_flag("--quiet", run.quiet, "errors only");
  CLI::App* plan_app =
      app.add_subcommand("plan", "resolved config, algorithms, bytes and flops; refuses what cannot fit");
  add_run_options(*plan_app, run, threads, device);
  CLI::App* sweep_app =
      app.add_subcommand("sweep", "every cell of the config's section sweep, in parallel or by SLURM");
  add_sweep_options(*sweep_app, sweep, threads, device);
  CLI::App* list_app = app.add_subcommand("list", "what there is");
  list_app->add_option("topic", topic)
      ->check(CLI::IsMember({"experiments", "datasets", "kernels", "solvers", "methods"}));
  CLI::App* compare_app = app.add_subcommand("compare", "compare runs, or two feature matrices");
  compare_app->add_option("inputs", compare.inputs, "run directories, or two .npy files")->required()->expected(2, -1);
  compare_app->add_option("--shape", compare.shape, "inputs as images: CxHxW or HxW");
  compare_app->add_option("--top", compare.top, "eigenvectors to compare");
  compare_app->add_option(
      "--out", compare.out,
      "figure: .png, .svg or .pdf; without an ending .png and .svg; of runs a folder (default: none)");
  compare_app->add_flag("--json", compare.json, "print JSON");
  CLI::App* render_app = app.add_subcommand("render", "draw a feature matrix");
  render_app->add_option("matrix", render.matrix, ".npy file")->required();
  render_app->add_option("--shape", render.shape, "CxHxW or HxW");
  render_app->add_option("--what", render.what)->check(CLI::IsMember({"diagonal", "eigenvectors", "matrix"}));
  render_app->add_option("--top", render.top, "eigenvectors to draw");
  render_app->add_option("--out", render.out, "figure: .png, .svg or .pdf; without an ending .png and .svg")
      ->required();
  CLI::App* predict_app = app.add_subcommand("predict", "a finished run's model on new rows");
  predict_app->add_option("run", predict.run, "run directory")->required();
  predict_app->add_option("--model", predict.model, "rfm, network, or a kernel machine's label")->required();
  predict_app->add_option("--inputs", predict.inputs, "rows as in the training data: .npy or CSV")->required();
  predict_app->add_option("--out", predict.out, ".npy: outputs; .csv: classes by name, too")->required();
  predict_app->add_option("--threads", predict.threads, "threads; 0: all cores")->check(CLI::NonNegativeNumber);
  CLI::App* report_app = app.add_subcommand("report", "(re)build the HTML report; several runs side by side");
  report_app->add_option("runs", runs, "run directories")->required();
  report_app->add_option("--out", report_out, "HTML file (default: report.html in the run; needed for several)");
  CLI::App* export_app =
      app.add_subcommand("export", "the tables of runs as CSV or LaTeX: models, features, findings, benchmark");
  export_app->add_option("runs", exported.runs, "run directories")->required();
  export_app->add_flag("--csv", exported.csv, "for other programs; accuracy is a share");
  export_app->add_flag("--latex", exported.latex, "for papers (booktabs); test rows only");
  export_app->add_option("--table", exported.table, "one table alone")
      ->check(CLI::IsMember({"models", "features", "findings", "benchmark"}));
  export_app->add_option("--out", exported.out, "file (default: standard output)");
  CLI::App* data_app = app.add_subcommand("data", "where a data set is looked for, what is there, how to get it");
  data_app->add_option("name", data.name)->required();
  data_app->add_flag("--download", data.download, "fetch the official files; goes on where an earlier try was cut off");
  data_app->add_option("--from", data.from, "URL of the folder they are in (default: the publisher's)");
  data_app->add_option("--into", data.into, "folder for them (default: $ANSATZ_DATA/<name>)");
  CLI::App* docs_app = app.add_subcommand("update-docs", "write the tables of docs/ anew")->group("");  // hidden
  docs_app->add_option("documents", documents, "Markdown files")->required();
  CLI::App* judge_app = app.add_subcommand("judge-again", "a run's findings by another config")->group("");  // hidden
  judge_app->add_option("config", run.config, "YAML file")->required();
  judge_app->add_option("run", run.out, "run directory")->required();
  for (CLI::App* command : app.get_subcommands({})) command->footer(examples_text(command->get_name()));

  const std::vector<std::string> arguments(argv + std::min(1, argc), argv + argc);
  require_known_command(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      complain(std::string(error.what()) + "; " + usage_hint(app, arguments));
      return 2;
    }
    std::ostringstream text;  // of --help and --version
    app.exit(error, text);
    std::fputs(text.str().c_str(), stdout);
    return 0;
  }
  refuse_empty_values(app);
  add_overrides(*sweep_app ? sweep.overrides : run.overrides, threads, device);
  if (*run_app) run_command(run);
  if (*resume_app) resume_command(run.out, run.quiet);
  if (*plan_app) plan_command(run);
  if (*sweep_app) sweep_command(sweep);
  if (*list_app) list_command(topic);
  if (*docs_app) update_docs_command(documents);
  with_option_named("top_eigenvectors", "--top", [&] {
    if (*compare_app) compare_command(compare);
    if (*render_app) render_command(render);
  });
  if (*predict_app) predict_command(predict);
  if (*report_app) report_command(runs, report_out);
  if (*export_app) export_command(exported);
  if (*judge_app) judge_again_command(run.config, run.out);
  if (*data_app) data_command(data);
  return 0;
}

/// The exit code for what the command wrote to standard output, if some of it is lost.
int lost_output(int error) {
  constexpr int kReaderGone = 128 + SIGPIPE;  // what the shell says of other programs then
  if (error == EPIPE) return kReaderGone;
  complain(std::string("standard output cannot be written: ") + std::strerror(error));
  return 2;
}

}  // namespace

namespace ansatz::experiments {

int run_program(int argc, char** argv) {
  end_when_interrupted();
  open_standard_streams();
  set_up_log();
  viz::silence_libraries();
  int exit_code = 0;
  try {
    exit_code = command_line(argc, argv);
  } catch (...) {
    const Failure failure = current_failure();
    complain(failure.message);
    exit_code = failure.exit_code;
  }
  const int error = close_standard_output();
  return exit_code == 0 && error != 0 ? lost_output(error) : exit_code;
}

}  // namespace ansatz::experiments
