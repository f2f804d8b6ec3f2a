// Standard input, output and error of the program: open from its beginning, looked after to its end.
#pragma once

namespace ansatz::experiments {

/// Opens what the caller has closed (`>&-`), so that no file of ours is taken for standard output, and from now on
/// keeps the cause of the first write to standard output that fails. A reader that has gone (`| head -1`) is such a
/// failure and ends nothing. A terminal gets control characters escaped. Call first.
void open_standard_streams();

/// Writes out and closes standard output. Returns 0, or the errno of the first failure since open_standard_streams:
/// EPIPE if the reader has gone, EBADF if it was closed from the beginning.
int close_standard_output();

}  // namespace ansatz::experiments
