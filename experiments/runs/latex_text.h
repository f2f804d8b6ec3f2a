// What goes into a LaTeX table: text that is set as it is, and numbers.
#pragma once

#include <string>

#include "core/record/score_tables.h"

namespace ansatz::experiments {

/// Text of any kind, in text mode: characters that mean something to LaTeX are escaped (also a [ or * that a row may
/// begin with, behind \\\\, and - - that would become a dash), the signs in this program's own names (W₁ᵀW₁, R²) become
/// mathematics; control characters and bytes that are not UTF-8 as `printable` writes them.
std::string latex_text(const std::string& text);

/// Whether `latex_text` has left a character to LaTeX that pdfLaTeX does not set with its standard fonts: one that is
/// not of the Latin alphabets.
bool needs_unicode_latex(const std::string& latex);

/// "network $W_1^\top W_1$"
std::string latex_label(const FeatureId& id);

/// "$0.953$", "$-0.10 \pm 0.02$", "$(1.25 \pm 0.10) \times 10^{-5}$"; "--" without a value. `digits`: behind the point.
std::string latex_number(const Spread& spread, int digits);

}  // namespace ansatz::experiments
