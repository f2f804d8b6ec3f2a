// How far a score on finitely many test rows may be from that on all rows there could be.
#pragma once

#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Of an accuracy (a share, 0 to 1) on n independent rows: that of a binomial share, with one hit and one miss added
/// (Agresti and Coull), since all rows right do not make an accuracy certain. NaN for n < 1.
double accuracy_standard_error(double accuracy, Index n);

/// Of the difference of two accuracies on the same rows: `right` says of each row whether the model was right. With b
/// rows that only the one and c that only the other has right, the difference (b - c)/n has variance
/// (b + c - (b - c)^2/n)/n^2; one is added to b and c each, as above. Throws DataError if the sizes differ.
double paired_standard_error(const std::vector<bool>& right, const std::vector<bool>& other_right);

/// Of the mean of `differences` (n x t): row i is a test row, column j one of several drawn changes of all rows (such
/// as the template pasted into them), an entry what the change costs there (-1, 0, 1). Both rows and changes are a
/// sample, so that the variances of the mean over either add up: var(row means)/n, with a row of 1 and one of -1 added
/// as above, and var(column means)/t. NaN for a single column: it does not tell what another would give.
double crossed_standard_error(const Matrix<double>& differences);

}  // namespace ansatz
