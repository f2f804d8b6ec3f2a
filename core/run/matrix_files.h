// In which form feature matrices are written to files.
#pragma once

namespace ansatz {

/// Up to here a d x d array is no burden, and other programs read it at once. Above, it is written as its factors if
/// these take less.
inline constexpr double kSmallMatrixFile = 8e6;  // bytes

/// Of a sandwich. smaller: as factors where the d x d array takes more than kSmallMatrixFile and more than they do;
/// dense: as factors above kDenseLimit only.
enum class MatrixFiles { smaller, dense };

}  // namespace ansatz
