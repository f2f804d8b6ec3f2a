// Signals to end as a flag that long loops look at, so that state is saved before the process ends.
#pragma once

namespace ansatz {

/// From now on a signal to end (interrupt.cpp) sets the flag; a second SIGINT ends the process at once, exit code 130.
void catch_interrupts();

bool interrupted();

/// Throws Interrupted ("interrupted; go on with --resume") if a signal has come. Call after saving state.
void throw_if_interrupted();

}  // namespace ansatz
