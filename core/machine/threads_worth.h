// How many threads a short piece of work is worth.
#pragma once

namespace ansatz {

/// Of `available` threads, for a step of that many operations that is done again and again (a batch of a network's
/// training, or of EigenPro's). With less than some 8 million operations each, a thread has done its share before the
/// others have joined, and on a machine that others use too, waiting for them takes many times as long as the work.
int threads_worth(double operations, int available);

}  // namespace ansatz
