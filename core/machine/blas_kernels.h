// Which of OpenBLAS's kernels products run with.
#pragma once

namespace ansatz {

/// OpenBLAS chooses its kernels by the processor's model number when it is loaded, and takes those of a Prescott of
/// 2004 for a processor that is newer than itself: products are then four times slower than need be. In that case this
/// has it choose again by what the processor can do, as it does for the models it knows. OPENBLAS_CORETYPE, where it is
/// set, stands. To be called before the first product, while there is one thread.
void choose_blas_kernels();

}  // namespace ansatz
