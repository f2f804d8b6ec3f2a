// The program: parses the command line, calls one command, turns errors into one line and an exit code.
#pragma once

namespace ansatz::experiments {

/// What main() does once the libraries are set up. Once a process: it takes over signals, the log and standard output.
int run_program(int argc, char** argv);

}  // namespace ansatz::experiments
