// Signals that ask the program to end. At first they end it at once; later they set a flag, which long loops look at so
// that they can save their state.
#pragma once

namespace ansatz {

/// From now on such a signal (interrupt.cpp lists them) ends the process with one line on stderr and exit code 130. May
/// be called at the very start of a program, before constructors of global objects have run.
void end_when_interrupted();

/// From now on such a signal sets the flag instead; a second SIGINT ends the process at once with exit code 130.
void catch_interrupts();

bool interrupted();

/// Throws Interrupted ("interrupted; go on with `resume`") if a signal has come. Call after saving state.
void throw_if_interrupted();

/// As long as an object of this class exists, a signal that would end the process waits for its destructor. For code
/// that has temporary files to remove.
class InterruptsWait {
 public:
  InterruptsWait();
  ~InterruptsWait();
  InterruptsWait(const InterruptsWait&) = delete;
  InterruptsWait& operator=(const InterruptsWait&) = delete;
};

}  // namespace ansatz
