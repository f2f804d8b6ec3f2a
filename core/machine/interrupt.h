// Signals to end: at first they end the process, later they are a flag that long loops look at, so that state is saved.
#pragma once

namespace ansatz {

/// From now on a signal to end (interrupt.cpp) ends the process with one line on stderr and exit code 130. For the very
/// start of a program: needs nothing that a constructor makes.
void end_when_interrupted();

/// From now on it sets the flag instead; a second SIGINT ends the process at once, exit code 130.
void catch_interrupts();

bool interrupted();

/// Throws Interrupted ("interrupted; go on with `resume`") if a signal has come. Call after saving state.
void throw_if_interrupted();

/// While one lives, a signal that would end the process waits for its destructor: for what has temporary files.
class InterruptsWait {
 public:
  InterruptsWait();
  ~InterruptsWait();
  InterruptsWait(const InterruptsWait&) = delete;
  InterruptsWait& operator=(const InterruptsWait&) = delete;
};

}  // namespace ansatz
