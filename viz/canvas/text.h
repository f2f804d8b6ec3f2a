// How wide text is, where it breaks, and how numbers are written. Internal to viz/.
#pragma once

#include <string>
#include <vector>

namespace ansatz::viz {

/// The estimated width of UTF-8 text: DejaVu Sans's advance widths for ASCII, an average for each class of other
/// characters. It is wide enough for the fonts that browsers use instead (Verdana has the same widths, Arial and
/// Helvetica smaller ones).
double text_width(const std::string& text, double font_size, bool bold = false);

double widest_word(const std::string& text, double font_size);

/// One line no wider than `width`: text that is too long loses its middle to "…", since names that begin alike often
/// differ at their ends.
std::string shorten(const std::string& text, double width, double font_size);

/// Breaks text at newlines and spaces into lines no wider than `width`. Words that are too long are broken anywhere;
/// text that exceeds `max_lines` is cut off with "…". Other control characters become spaces. Empty text gives no
/// lines.
std::vector<std::string> wrap(const std::string& text, double width, double font_size, bool bold,
                              std::size_t max_lines);

/// The same number of lines, but of about equal length. For centred titles.
std::vector<std::string> wrap_evenly(const std::string& text, double width, double font_size, bool bold,
                                     std::size_t max_lines);

/// A number for people: with `digits` significant digits, "−" for minus, and as 2.5×10⁻⁷ below 1e-3 and from 1e5 on.
std::string format_number(double value, int digits);

/// "10⁻³".
std::string power_of_ten(int exponent);

}  // namespace ansatz::viz
