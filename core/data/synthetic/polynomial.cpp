#include "core/data/synthetic/polynomial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ansatz {
namespace {

double integer_power(double x, Index power) {
  double result = 1;
  for (Index i = 0; i < power; ++i) result *= x;
  return result;
}

/// C(n, k) for all k.
std::vector<double> binomials(std::size_t n) {
  std::vector<double> row(n + 1, 1);
  for (std::size_t k = 1; k <= n; ++k) row[k] = row[k - 1] * static_cast<double>(n - k + 1) / static_cast<double>(k);
  return row;
}

}  // namespace

Polynomial::Polynomial(const std::vector<PolynomialTerm>& terms) {
  for (const PolynomialTerm& term : terms) {
    Powers powers;
    for (const auto& [variable, power] : term.powers) {
      if (power > 0) powers[variable] = power;
    }
    terms_[powers] += term.coefficient;
  }
  for (auto term = terms_.begin(); term != terms_.end();)
    term = term->second == 0 ? terms_.erase(term) : std::next(term);
}

double Polynomial::value(const double* x) const {
  double sum = 0;
  for (const auto& [powers, coefficient] : terms_) {
    double product = coefficient;
    for (const auto& [variable, power] : powers) product *= integer_power(x[variable], power);
    sum += product;
  }
  return sum;
}

Polynomial Polynomial::derivative(Index variable) const {
  Polynomial result;
  for (const auto& [powers, coefficient] : terms_) {
    const auto found = powers.find(variable);
    if (found == powers.end()) continue;
    Powers lower = powers;
    if (--lower[variable] == 0) lower.erase(variable);
    result.terms_[lower] += coefficient * static_cast<double>(found->second);
  }
  return result;
}

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial result;
  for (const auto& [left, a] : terms_) {
    for (const auto& [right, b] : other.terms_) {
      Powers powers = left;
      for (const auto& [variable, power] : right) powers[variable] += power;
      result.terms_[powers] += a * b;
    }
  }
  return result;
}

std::vector<Index> Polynomial::variables() const {
  std::set<Index> variables;
  for (const auto& term : terms_) {
    for (const auto& variable : term.first) variables.insert(variable.first);
  }
  return {variables.begin(), variables.end()};
}

Index Polynomial::degree() const {
  Index degree = 0;
  for (const auto& term : terms_) {
    for (const auto& variable : term.first) degree = std::max(degree, variable.second);
  }
  return degree;
}

double Polynomial::expectation(const std::vector<double>& moments) const {
  double sum = 0;
  for (const auto& [powers, coefficient] : terms_) {
    double product = coefficient;
    for (const auto& variable : powers) product *= moments.at(static_cast<std::size_t>(variable.second));
    sum += product;
  }
  return sum;
}

std::string Polynomial::text() const {
  std::string text;
  for (const auto& [powers, coefficient] : terms_) {
    const double size = std::abs(coefficient);
    text += text.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
    std::string term = size != 1 || powers.empty() ? fmt::format("{}", size) : "";
    for (const auto& [variable, power] : powers) {
      term += fmt::format("{}x{}", term.empty() ? "" : " ", variable + 1);
      if (power > 1) term += fmt::format("^{}", power);
    }
    text += term;
  }
  return text.empty() ? "0" : text;
}

std::vector<double> gaussian_moments(double variance, std::size_t count) {
  std::vector<double> moments(count, 0.0);
  moments.at(0) = 1;
  for (std::size_t k = 2; k < count; k += 2) moments[k] = static_cast<double>(k - 1) * variance * moments[k - 2];
  return moments;
}

std::vector<double> rademacher_moments(double variance, std::size_t count) {
  std::vector<double> moments(count, 0.0);
  moments.at(0) = 1;
  for (std::size_t k = 2; k < count; k += 2) moments[k] = variance * moments[k - 2];
  return moments;
}

std::vector<double> moments_of_sum(const std::vector<double>& moments, const Vector<double>& weights) {
  std::vector<double> kappa(moments.size(), 0.0), sum = {1};
  for (std::size_t k = 1; k < moments.size(); ++k) {
    const std::vector<double> choose = binomials(k - 1);
    double mixed = 0;  // m_k(x) without the term kappa_k
    for (std::size_t j = 1; j < k; ++j) mixed += choose[j - 1] * kappa[j] * moments[k - j];
    kappa[k] = moments[k] - mixed;
    double moment = 0;
    for (std::size_t j = 1; j <= k; ++j) {
      moment += choose[j - 1] * kappa[j] * weights.array().pow(static_cast<double>(j)).sum() * sum[k - j];
    }
    sum.push_back(moment);
  }
  return sum;
}

}  // namespace ansatz
