// The UCI classification sets of Fernandez-Delgado et al. (JMLR 2014), in the layout of that study.
#pragma once

#include <filesystem>

#include "core/data/collections/collection.h"

namespace ansatz {

/// Opens a folder with a sub-folder NAME for each set. Every file may be packed (FILE.gz), under the name without .gz.
/// - NAME/NAME.txt: lines "key= value". n_entradas (features), n_clases, n_arquivos (1 or 2), fich1 and fich2 (the
///   names of the data files), n_patrons1 and n_patrons2 (their rows), n_patrons_entrena and n_patrons_valida (the
///   tuning halves).
/// - data files: a header line, then tab-separated an index, the features (numbers already) and the class, 0 to k - 1.
/// - NAME/conxuntos.dat: two lines of 0-based rows of the first file, the tuning halves.
/// - NAME/conxuntos_kfold.dat: eight lines, training and test rows of the first file for each of the four folds. The
///   test rows of different folds are draws of their own and overlap. A set of two files has one fold in its place:
///   fit on the first file, test on the second.
/// - results/results.txt, if there: published results. The folder `results` is no set.
/// A sub-folder without a NAME.txt is no set. A set whose NAME.txt is damaged, or of which a file is missing, goes to
/// `damaged`. Reading a set checks: rows and columns against NAME.txt, finite values, classes and rows in range, no row
/// twice in a list or in both lists of a pair, all rows of a fold in one of them, sizes of the tuning halves. It notes
/// classes that are missing among training rows. Throws DataError if `folder` cannot be listed or has no set at all.
Collection open_uci_collection(const std::filesystem::path& folder);

}  // namespace ansatz
