#include "experiments/runs/latex_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/printable_text.h"

namespace ansatz::experiments {
namespace {

/// What stands for a character; null: itself.
const char* escaped(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '"':
      return "{\\char34}";  // some languages of babel's make it a command
    case '[':
      return "{[}";  // at the beginning of a row it would be an option of \\ or \midrule
    case '*':
      return "{*}";  // so too
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    case '$':
      return "\\$";
    case '&':
      return "\\&";
    case '#':
      return "\\#";
    case '%':
      return "\\%";
    case '_':
      return "\\_";
    default:
      return nullptr;
  }
}

/// The characters beyond ASCII in names of this program, as mathematics: pdfLaTeX knows only letters and the like.
std::string with_mathematics(std::string text) {
  static const std::pair<const char*, const char*> table[] = {{"₀", "$_0$"},     {"₁", "$_1$"}, {"ᵀ", "$^\\top$"},
                                                              {"²", "$^2$"},     {"−", "$-$"},  {"±", "$\\pm$"},
                                                              {"∇", "$\\nabla$"}};
  for (const auto& [character, mathematics] : table)
    for (std::size_t at = 0; (at = text.find(character, at)) != std::string::npos; at += std::strlen(mathematics))
      text.replace(at, std::strlen(character), mathematics);
  return text;
}

/// Whether fonts make one sign of the two: dashes, quotation marks, ¿ and ¡.
bool is_ligature(char a, char b) {
  return (a == b && std::strchr("-'`,", a) != nullptr) || (b == '`' && (a == '?' || a == '!'));
}

}  // namespace

std::string latex_text(const std::string& text) {
  std::string out;
  char before = ' ';
  for (const char c : printable(text)) {
    if (is_ligature(before, c)) out += "{}";
    before = c;
    const char* const replacement = escaped(c);
    out += replacement == nullptr ? std::string(1, c) : replacement;
  }
  return with_mathematics(std::move(out));
}

bool needs_unicode_latex(const std::string& latex) {
  constexpr unsigned char kBeyondLatin = 0xca;  // the first byte of U+0280 and all behind it
  return std::any_of(latex.begin(), latex.end(), [](char c) { return static_cast<unsigned char>(c) >= kBeyondLatin; });
}

std::string latex_label(const FeatureId& id) {
  switch (id.kind) {
    case FeatureId::Kind::nfm:
      return "network $W_1^\\top W_1$";
    case FeatureId::Kind::initial_nfm:
      return "initial $W_0^\\top W_0$";
    case FeatureId::Kind::rfm:
      return fmt::format("RFM $M_{{{}}}$", id.iteration);
    case FeatureId::Kind::agop:
    case FeatureId::Kind::centered_agop:
    case FeatureId::Kind::truth:
      break;
  }
  return latex_text(id.label());
}

std::string latex_number(const Spread& spread, int digits) {
  if (spread.values.empty()) return "--";
  const bool several = spread.values.size() > 1;
  const double size = std::fabs(spread.mean);
  if (size == 0 || (size >= 1e-3 && size < 1e5))
    return several ? fmt::format("${:.{}f} \\pm {:.{}f}$", spread.mean, digits, spread.sd, digits)
                   : fmt::format("${:.{}f}$", spread.mean, digits);
  int exponent = static_cast<int>(std::floor(std::log10(size)));
  if (fmt::format("{:.2f}", size / std::pow(10.0, exponent)) == "10.00") ++exponent;
  const double mean = spread.mean / std::pow(10.0, exponent), sd = spread.sd / std::pow(10.0, exponent);
  return several ? fmt::format("$({:.2f} \\pm {:.2f}) \\times 10^{{{}}}$", mean, sd, exponent)
                 : fmt::format("${:.2f} \\times 10^{{{}}}$", mean, exponent);
}

}  // namespace ansatz::experiments
