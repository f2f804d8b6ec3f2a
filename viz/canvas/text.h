// How wide text is, where it breaks, and how numbers are written. Internal to viz/.
#pragma once

#include <string>
#include <vector>

namespace ansatz::viz {

/// Estimated width of UTF-8 text in units of the font size: DejaVu Sans advances for ASCII, class means beyond. Wide
/// enough for the fonts that browsers put in its place (Verdana has the same widths, Arial and Helvetica smaller ones).
double text_width(const std::string& text, double font_size, bool bold = false);

double widest_word(const std::string& text, double font_size);

/// Breaks at newlines and at spaces into lines no wider than `width`; words that are too long are broken anywhere; what
/// exceeds `max_lines` ends in "…". Other control characters become spaces. No text gives no lines.
std::vector<std::string> wrap(const std::string& text, double width, double font_size, bool bold,
                              std::size_t max_lines);

/// The same number of lines, of about equal length: for centred titles.
std::vector<std::string> wrap_evenly(const std::string& text, double width, double font_size, bool bold,
                                     std::size_t max_lines);

/// A number for people: `digits` significant ones, "−" for minus, powers of ten as 2.5×10⁻⁷ below 1e-3 and from 1e5 on.
std::string format_number(double value, int digits);

/// "10⁻³".
std::string power_of_ten(int exponent);

}  // namespace ansatz::viz
