#include "core/data/synthetic/synthetic.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/data/synthetic/polynomial.h"

namespace ansatz {
namespace {

/// A target function with what is known exactly about it, all in double.
struct Problem {
  std::function<double(const double*)> target;  ///< of one row
  Matrix<double> directions;                    ///< r x d, orthonormal
  Matrix<double> agop;                          ///< r x r, in the basis `directions`
  double variance = 0;
  std::string text;
};

using Moments = std::function<std::vector<double>(std::size_t count)>;

/// The moments E x^k of a coordinate.
Moments coordinate_moments(const LowRankOptions& options) {
  const double variance = options.input_variance;
  if (options.input_distribution == "gaussian")
    return [variance](std::size_t n) { return gaussian_moments(variance, n); };
  if (options.input_distribution == "rademacher")
    return [variance](std::size_t n) { return rademacher_moments(variance, n); };
  throw ConfigError("`input_distribution`: \"" + options.input_distribution + "\" is neither gaussian nor rademacher");
}

void need_dimension(const LowRankOptions& options, Index least) {
  if (options.dimension >= least) return;
  throw ConfigError(
      fmt::format("`dimension` is {} but target {} needs at least {}", options.dimension, options.target, least));
}

Matrix<double> unit_rows(const std::vector<Index>& coordinates, Index dimension) {
  Matrix<double> rows = Matrix<double>::Zero(static_cast<Index>(coordinates.size()), dimension);
  for (std::size_t i = 0; i < coordinates.size(); ++i) rows(static_cast<Index>(i), coordinates[i]) = 1;
  return rows;
}

Problem polynomial_problem(const LowRankOptions& options, const std::vector<PolynomialTerm>& terms) {
  const Polynomial f(terms);
  const std::vector<Index> variables = f.variables();
  if (variables.empty())
    throw ConfigError("`terms`: the polynomial " + f.text() + " is constant; there is nothing to learn");
  need_dimension(options, variables.back() + 1);
  const std::vector<double> moments = coordinate_moments(options)(static_cast<std::size_t>(2 * f.degree() + 1));
  const auto r = static_cast<Index>(variables.size());
  Problem problem;
  problem.target = [f](const double* x) { return f.value(x); };
  problem.directions = unit_rows(variables, options.dimension);
  problem.agop.resize(r, r);
  std::vector<Polynomial> gradient;
  for (const Index variable : variables) gradient.push_back(f.derivative(variable));
  for (Index i = 0; i < r; ++i) {
    for (Index j = 0; j < r; ++j) {
      problem.agop(i, j) =
          (gradient[static_cast<std::size_t>(i)] * gradient[static_cast<std::size_t>(j)]).expectation(moments);
    }
  }
  const double square = (f * f).expectation(moments);
  problem.variance = square - std::pow(f.expectation(moments), 2);
  if (problem.variance <= 1e-12 * square)
    throw ConfigError("`target`: " + f.text() + " is the same for all inputs that " + options.input_distribution +
                      " draws; there is nothing to learn");
  problem.text = f.text();
  return problem;
}

Problem x1x2(const LowRankOptions& options, const RandomStream&) {
  return polynomial_problem(options, {PolynomialTerm{1, {{0, 1}, {1, 1}}}});
}

Problem custom(const LowRankOptions& options, const RandomStream&) {
  if (options.terms.empty()) throw ConfigError("`terms`: target custom needs at least one term");
  return polynomial_problem(options, options.terms);
}

Problem he2_he4(const LowRankOptions& options, const RandomStream& stream) {
  need_dimension(options, least_dimension(options.target));
  Vector<double> u = stream.named("data/direction").normal_matrix<double>(options.dimension, 1);
  u.normalize();
  // As a polynomial in the one variable z = u.x: He2 + He4 = (z^2 - 1) + (z^4 - 6 z^2 + 3).
  const Polynomial g({{1, {{0, 4}}}, {-5, {{0, 2}}}, {2, {}}});
  const Polynomial slope = g.derivative(0);
  const std::vector<double> moments = moments_of_sum(coordinate_moments(options)(9), u);
  Problem problem;
  problem.target = [g, u](const double* x) {
    const double z = u.dot(Eigen::Map<const Vector<double>>(x, u.size()));
    return g.value(&z);
  };
  problem.directions = u.transpose();
  problem.agop = Matrix<double>::Constant(1, 1, (slope * slope).expectation(moments));
  problem.variance = (g * g).expectation(moments) - std::pow(g.expectation(moments), 2);
  problem.text = "He2(u.x) + He4(u.x), u a random unit vector";
  return problem;
}

/// The coefficients of He_p, by He_(k+1) = x He_k - k He_(k-1).
std::vector<double> hermite_coefficients(Index degree) {
  std::vector<double> before = {1}, now = {0, 1};
  for (Index k = 1; k < degree; ++k) {
    std::vector<double> next(now.size() + 1, 0.0);
    for (std::size_t i = 0; i < now.size(); ++i) next[i + 1] += now[i];
    for (std::size_t i = 0; i < before.size(); ++i) next[i] -= static_cast<double>(k) * before[i];
    before = std::exchange(now, std::move(next));
  }
  return now;
}

Problem hermite(const LowRankOptions& options, const RandomStream&) {
  if (options.degree < kLeastHermiteDegree || options.degree > kMostHermiteDegree)
    throw ConfigError(fmt::format("`degree` is {}, but must be from {} to {}", options.degree, kLeastHermiteDegree,
                                  kMostHermiteDegree));
  if (options.directions < 1) throw ConfigError("`directions` must be at least 1");
  need_dimension(options, options.directions);
  const std::vector<double> coefficients = hermite_coefficients(options.degree);
  const double scale =
      1 / std::sqrt(static_cast<double>(options.directions) * std::tgamma(static_cast<double>(options.degree + 1)));
  std::vector<PolynomialTerm> terms;
  for (Index variable = 0; variable < options.directions; ++variable)
    for (std::size_t power = 0; power < coefficients.size(); ++power) {
      if (coefficients[power] == 0) continue;
      PolynomialTerm term{scale * coefficients[power], {}};
      if (power > 0) term.powers[variable] = static_cast<Index>(power);
      terms.push_back(std::move(term));
    }
  Problem problem = polynomial_problem(options, terms);
  problem.text =
      fmt::format("the sum over {} directions of He{}(x_i), scaled to variance 1", options.directions, options.degree);
  return problem;
}

Problem piecewise(const LowRankOptions& options, const RandomStream&) {
  need_dimension(options, least_dimension(options.target));
  const double s2 = coordinate_moments(options)(3)[2];
  Problem problem;
  problem.target = [](const double* x) { return x[3] > 0 ? x[0] * x[1] : x[3] < 0 ? x[2] : 0.0; };
  problem.directions = unit_rows({0, 1, 2, 3}, options.dimension);
  problem.agop = Vector<double>(Eigen::Vector4d(s2 / 2, s2 / 2, 0.5, 0)).asDiagonal();
  problem.variance = s2 * s2 / 2 + s2 / 2;
  problem.text = "x1 x2 if x4 > 0, x3 if x4 < 0";
  return problem;
}

Problem make_problem(const LowRankOptions& options, const RandomStream& stream) {
  struct Target {
    const char* name;
    Problem (*make)(const LowRankOptions&, const RandomStream&);
  };
  constexpr Target kTargets[] = {
      {"x1x2", x1x2}, {"he2_he4", he2_he4}, {"piecewise", piecewise}, {"hermite", hermite}, {"custom", custom}};
  for (const Target& target : kTargets) {
    if (options.target == target.name) return target.make(options, stream);
  }
  throw ConfigError("`target`: \"" + options.target + "\" is none of x1x2, he2_he4, piecewise, hermite, custom");
}

std::string describe(const LowRankOptions& options, const Problem& problem) {
  const bool signs = options.input_distribution == "rademacher";
  std::string text = fmt::format("f(x) = {}; x in {} dimensions, ", problem.text, options.dimension);
  text += signs ? fmt::format("each coordinate +-{:.6g} with equal chance", std::sqrt(options.input_variance))
                : fmt::format("N(0, {:.6g} I)", options.input_variance);
  if (options.input_noise_variance > 0)
    text +=
        fmt::format("; Gaussian noise of variance {:.6g} added to the inputs afterwards", options.input_noise_variance);
  if (options.label_noise_variance > 0) {
    text +=
        fmt::format("; Gaussian noise of variance {:.6g} added to the targets, so that R^2 is at most {:.4g}",
                    options.label_noise_variance, problem.variance / (problem.variance + options.label_noise_variance));
  }
  return text;
}

/// Draws one coordinate at a time, so that float and double runs draw the same and no n x d array is held in double.
template <class Scalar>
Dataset<Scalar> draw_part(const LowRankOptions& options, const Problem& problem, Index n, const RandomStream& stream) {
  RandomStream values(stream), input_noise = stream.named("input_noise"), label_noise = stream.named("label_noise");
  const double scale = std::sqrt(options.input_variance);
  const double input_deviation = std::sqrt(options.input_noise_variance),
               label_deviation = std::sqrt(options.label_noise_variance);
  const bool signs = options.input_distribution == "rademacher";
  Dataset<Scalar> data;
  data.inputs.resize(n, options.dimension);
  data.targets.resize(n, 1);
  std::vector<double> x(static_cast<std::size_t>(options.dimension));
  for (Index i = 0; i < n; ++i) {
    for (double& value : x) value = scale * (signs ? (values.bits() >> 63 ? 1.0 : -1.0) : values.normal());
    double y = problem.target(x.data());
    if (label_deviation > 0) y += label_deviation * label_noise.normal();
    data.targets(i, 0) = static_cast<Scalar>(y);
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (input_deviation > 0) x[j] += input_deviation * input_noise.normal();
      data.inputs(i, static_cast<Index>(j)) = static_cast<Scalar>(x[j]);
    }
  }
  return data;
}

}  // namespace

Index least_dimension(const std::string& target) { return target == "piecewise" ? 4 : target == "x1x2" ? 2 : 1; }

template <class Scalar>
Split<Scalar> make_low_rank(const LowRankOptions& options, Index train, Index validation, Index test,
                            const RandomStream& stream) {
  const Problem problem = make_problem(options, stream);
  Split<Scalar> split;
  split.train = draw_part<Scalar>(options, problem, train, stream.named("data/train"));
  if (validation > 0)
    split.validation = draw_part<Scalar>(options, problem, validation, stream.named("data/validation"));
  if (test > 0) split.test = draw_part<Scalar>(options, problem, test, stream.named("data/test"));
  GroundTruth<Scalar> truth;
  truth.subspace = problem.directions.template cast<Scalar>();
  truth.expected_agop = FeatureMatrix<Scalar>::sandwich(std::make_shared<const Matrix<Scalar>>(truth.subspace),
                                                        problem.agop.template cast<Scalar>());
  truth.target_variance = problem.variance;
  truth.description = describe(options, problem);
  split.notes.push_back(truth.description);
  split.truth = std::move(truth);
  return split;
}

template <class Scalar>
Matrix<Scalar> low_rank_target(const LowRankOptions& options, const MatrixView<Scalar>& x, const RandomStream& stream) {
  if (x.cols() != options.dimension) {
    throw DataError(fmt::format("low_rank_target: x has d = {} but `dimension` is {}", x.cols(), options.dimension));
  }
  const Problem problem = make_problem(options, stream);
  Matrix<Scalar> values(x.rows(), 1);
  for (Index i = 0; i < x.rows(); ++i) {
    const Vector<double> row = x.row(i).transpose().template cast<double>();
    values(i, 0) = static_cast<Scalar>(problem.target(row.data()));
  }
  return values;
}

template Split<float> make_low_rank(const LowRankOptions&, Index, Index, Index, const RandomStream&);
template Split<double> make_low_rank(const LowRankOptions&, Index, Index, Index, const RandomStream&);
template Matrix<float> low_rank_target(const LowRankOptions&, const MatrixView<float>&, const RandomStream&);
template Matrix<double> low_rank_target(const LowRankOptions&, const MatrixView<double>&, const RandomStream&);

}  // namespace ansatz
