#include "viz/page/typeset.h"

#include <cctype>
#include <optional>
#include <regex>
#include <utility>

#include "viz/page/html.h"

namespace ansatz::viz {
namespace {

constexpr std::pair<const char*, const char*> kSymbols[] = {
    {"alpha", "α"}, {"gamma", "γ"}, {"lambda", "λ"}, {"pi", "π"}, {"Sigma", "Σ"}, {"Theta", "Θ"}, {"grad", "∇"}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Reads a sentence from left to right. Each function takes one thing, if it begins here.
class Typesetter {
 public:
  explicit Typesetter(const std::string& text) : text_(text) {}

  std::string html() {
    while (at_ < text_.size()) {
      if (number() || word() || norm() || bracket() || script() || sign()) continue;
      out_ += escape_html(std::string(1, text_[at_++]));
      can_have_scripts_ = out_.back() == ')';
    }
    return out_;
  }

 private:
  bool matches(const std::regex& pattern, std::smatch& found) const {
    return std::regex_search(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), found, pattern,
                             std::regex_constants::match_continuous);
  }
  void take(const std::smatch& found, const std::string& html, bool can_have_scripts) {
    at_ += static_cast<std::size_t>(found.length());
    out_ += html;
    can_have_scripts_ = can_have_scripts;
  }
  char before() const { return at_ == 0 ? ' ' : text_[at_ - 1]; }
  char after(std::size_t i = 1) const { return at_ + i < text_.size() ? text_[at_ + i] : ' '; }

  /// 1e-05
  bool number() {
    static const std::regex pattern(R"((\d+(?:\.\d+)?)e([+-]?)0*(\d+))"), plain(R"(\d+(?:\.\d+)?)");
    std::smatch found;
    if (is_letter(before()) || !is_digit(text_[at_])) return false;
    if (matches(pattern, found)) {
      const std::string mantissa = found[1] == "1" ? "" : found[1].str() + "×";
      take(found, mantissa + "10<sup>" + (found[2] == "-" ? "−" : "") + found[3].str() + "</sup>", false);
    } else if (matches(plain, found)) {
      take(found, found.str(), true);
    }
    return true;
  }

  /// Names with underscores stay whole; single letters and Greek ones may have subscripts.
  bool word() {
    static const std::regex root(R"(sqrt ?(\((\d+)\)|(?=[\d(])))"), name(R"([A-Za-z]{2,}(?:_[A-Za-z0-9_]*)?|[A-Za-z])");
    std::smatch found;
    if (!is_letter(text_[at_])) return false;
    if (matches(root, found)) {
      take(found, "√" + found[2].str(), false);
      return true;
    }
    if (text_[at_] == 'k' && is_digit(after()) && after(2) == '(') {  // κ₀, κ₁ of arc-cosine kernels
      out_ += std::string("κ<sub>") + after() + "</sub>";
      at_ += 2;
      return true;
    }
    if (!matches(name, found)) return false;
    if (found.str() == "x" && at_ > 0 && at_ + 1 < text_.size() && before() == ' ' && after() == ' ') {
      take(found, "×", false);
      return true;
    }
    greek_or_plain(found);
    return true;
  }

  void greek_or_plain(const std::smatch& found) {
    const std::string whole = found.str(), letters = whole.substr(0, whole.find('_'));
    for (const auto& [name, symbol] : kSymbols) {
      if (letters != name || (whole.size() > letters.size() + 1 && letters == "grad")) continue;
      at_ += letters.size();
      out_ += symbol;
      if (letters == "grad" && at_ < text_.size() && text_[at_] == ' ') ++at_;
      can_have_scripts_ = true;
      return;
    }
    take(found, escape_html(whole), whole.size() == 1);
  }

  /// |x-z|_M, and |x| |z| of single letters; other bars are absolute values.
  bool norm() {
    static const std::regex pattern(R"(\|([^|]+)\|(?=_)|\|([xz])\|)");
    std::smatch found;
    if (text_[at_] != '|' || !matches(pattern, found)) return false;
    const std::string inside = found[1].matched ? found[1].str() : found[2].str();
    take(found, "‖" + Typesetter(inside).html() + "‖", true);
    return true;
  }

  bool bracket() {
    static const std::regex product(R"(<([a-z]), ?([a-z])>)");
    std::smatch found;
    if (matches(product, found)) {
      take(found, "⟨" + found[1].str() + ", " + found[2].str() + "⟩", true);
      return true;
    }
    for (const auto& [plain, symbol] : {std::pair("<-", "←"), std::pair("<=", "≤"), std::pair(">=", "≥")}) {
      if (text_.compare(at_, 2, plain) != 0) continue;
      at_ += 2;
      out_ += symbol;
      return true;
    }
    return false;
  }

  /// _M, ^2, ^-alpha, and ' for a transpose.
  bool script() {
    static const std::regex pattern(R"((?:(_)([A-Za-z0-9]+)|\^(-?)(1/2|\w+)))");
    std::smatch found;
    if (text_[at_] == '\'' && can_have_scripts_ && !is_letter(after())) {
      out_ += "ᵀ";
      ++at_;
      return true;
    }
    if (!can_have_scripts_ && text_[at_] != '^') return false;
    if (!matches(pattern, found)) return false;
    const bool below = found[2].matched;
    const std::string tag = below ? "sub" : "sup", content = found[below ? 2 : 4].str();
    take(found, "<" + tag + ">" + (found[3] == "-" ? "−" : "") + Typesetter(content).html() + "</" + tag + ">", true);
    return true;
  }

  /// A minus, and a product sign.
  bool sign() {
    if (text_[at_] == '*' && is_letter(before()) && is_letter(after())) {
      out_ += "·";
      ++at_;
      return true;
    }
    if (text_[at_] != '-') return false;
    const bool between = before() == ' ' && after() == ' ';
    const bool leading = before() == '(' || (before() == ' ' && is_digit(after()));
    const bool of_letters = is_letter(before()) && is_letter(after()) && !is_letter(after(2)) &&
                            (at_ < 2 || !is_letter(text_[at_ - 2]));  // x-z
    if (!between && !leading && !of_letters) return false;
    out_ += of_letters ? " − " : "−";
    ++at_;
    can_have_scripts_ = false;
    return true;
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::string out_;
  bool can_have_scripts_ = false;  ///< what came last is a letter, a norm or a bracket
};

}  // namespace

std::string typeset(const std::string& plain) { return Typesetter(plain).html(); }

}  // namespace ansatz::viz
