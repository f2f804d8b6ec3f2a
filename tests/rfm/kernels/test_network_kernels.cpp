// The kernels of wide networks with other activations, scales and biases: closed forms, values made elsewhere, and the
// expectations of their recursion by quadrature.
#include <functional>

#include "core/base/error.h"
#include "core/features/agop.h"
#include "rfm/gradient_outer_product.h"
#include "rfm/kernels/biased_relu.h"
#include "rfm/pairs/kernel_matrix.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

constexpr KernelFamily kBoth[] = {KernelFamily::nngp, KernelFamily::ntk};
constexpr Activation kActivations[] = {Activation::relu, Activation::erf, Activation::linear};

double value(const KernelSpec& spec, const Vector<double>& x, const Vector<double>& z) {
  return kernel_matrix<double>(Kernel::make(spec), FeatureMatrix<double>::identity(x.size()),
                               Matrix<double>(x.transpose()), Matrix<double>(z.transpose()))(0, 0);
}

/// Libraries that put w^2/d and b^2 before the first layer too see the inputs so.
Vector<double> with_input_layer(const Vector<double>& x, double w, double b) {
  Vector<double> result(x.size() + 1);
  result << x * (w / std::sqrt(double(x.size()))), b;
  return result;
}

Vector<double> vector3(double a, double b, double c) { return Eigen::Vector3d(a, b, c); }

double apply(Activation f, double u) {
  if (f == Activation::relu) return std::max(0.0, u);
  return f == Activation::erf ? std::erf(u) : u;
}
double slope(Activation f, double u) {
  if (f == Activation::relu) return u > 0 ? 1 : 0;
  return f == Activation::erf ? 2 / std::sqrt(kPi) * std::exp(-u * u) : 1;
}

/// E g(u) g(v) for normal u, v of variances q, p and covariance s: u = sqrt(q) r cos t and v = sqrt(p) r cos(t - a),
/// where r has the density r exp(-r^2/2), t is uniform and cos a is the correlation. Midpoints in t, which kinks at
/// fixed angles leave an accuracy of 1/count^2 (jumps: 1/count), and Simpson's rule in r.
double quadrature(const std::function<double(double)>& g, double s, double q, double p) {
  constexpr int kAngles = 6000, kRadii = 160;
  const double a = std::acos(std::min(1.0, std::max(-1.0, s / std::sqrt(q * p)))), step = 9.0 / kRadii;
  double sum = 0;
  for (int i = 0; i <= kRadii; ++i) {
    const double r = i * step, weight = step / 3 * (i == 0 || i == kRadii ? 1 : (i % 2 == 1 ? 4 : 2));
    double mean = 0;
    for (int k = 0; k < kAngles; ++k) {
      const double t = 2 * kPi * (k + 0.5) / kAngles;
      mean += g(std::sqrt(q) * r * std::cos(t)) * g(std::sqrt(p) * r * std::cos(t - a)) / kAngles;
    }
    sum += weight * r * std::exp(-r * r / 2) * mean;
  }
  return sum;
}

/// The recursion with its expectations by quadrature.
double by_quadrature(const KernelSpec& spec, const Vector<double>& x, const Vector<double>& z) {
  const double gain = spec.weight_std * spec.weight_std, offset = spec.bias_std * spec.bias_std;
  const auto f = [&](double u) { return apply(spec.activation, u); };
  const auto derivative = [&](double u) { return slope(spec.activation, u); };
  double s = x.dot(z), theta = s, q = x.dot(x), p = z.dot(z);
  for (Index layer = 0; layer < spec.depth; ++layer) {
    const double slopes = quadrature(derivative, s, q, p);
    s = gain * quadrature(f, s, q, p) + offset;
    q = gain * quadrature(f, q, q, q) + offset;
    p = gain * quadrature(f, p, p, p) + offset;
    theta = s + gain * theta * slopes;
  }
  return spec.family == KernelFamily::ntk ? theta : s;
}

}  // namespace

TEST_CASE("wide networks: values with weight and bias scales, a layer before the first included") {
  struct Row {
    double w, b;
    Index depth;
    double nngp, ntk;
  };
  const Row rows[] = {{1, 0, 1, .134357552816, .008816171888},
                      {1, 0, 2, .175582897715, .178001540309},
                      {std::sqrt(2.0), 0, 1, .537430211264, .035264687550},
                      {std::sqrt(2.0), 0, 2, 1.404663181718, 1.424012322473},
                      {1.5, .05, 1, .684997866478, .049931233774},
                      {1.5, .05, 2, 2.008311376834, 2.039146879149},
                      {std::sqrt(2.0), .1, 1, .555658479598, .055243929558}};
  const Vector<double> x = vector3(1, 2, 3), z = vector3(1, 0, -1);
  for (const Row& row : rows) {
    CAPTURE(row.w, row.b, row.depth);
    const Vector<double> a = with_input_layer(x, row.w, row.b), c = with_input_layer(z, row.w, row.b);
    CHECK(value(network(KernelFamily::nngp, Activation::relu, row.w, row.b, row.depth), a, c) ==
          Approx(row.nngp).epsilon(1e-11));
    CHECK(value(network(KernelFamily::ntk, Activation::relu, row.w, row.b, row.depth), a, c) ==
          Approx(row.ntk).epsilon(2e-10));
  }
  CHECK(value(network(KernelFamily::nngp, Activation::erf, 1.5, .05, 1), with_input_layer(x, 1.5, .05),
              with_input_layer(z, 1.5, .05)) == Approx(-.462610564796).epsilon(1e-11));
}

TEST_CASE("wide networks: the recursion's expectations are those of normal variables") {
  const Vector<double> x = vector3(0.9, -0.4, 0.6), z = vector3(0.2, 0.8, 1.1);
  for (const Activation activation : kActivations)
    for (const KernelFamily family : kBoth)
      for (const double b : {0.0, 0.6}) {
        const KernelSpec spec = network(family, activation, 1.2, b, 2);
        CAPTURE(name_of(family), info_of(activation).name, b);
        const bool jumps = activation == Activation::relu && family == KernelFamily::ntk;
        CHECK(value(spec, x, z) == Approx(by_quadrature(spec, x, z)).epsilon(jumps ? 5e-4 : 5e-6));
      }
}

TEST_CASE("wide networks: without biases, the scale of a ReLU's weights multiplies both kernels") {
  const Matrix<double> x = normal(9, 4, 301);
  const FeatureMatrix<double> identity = FeatureMatrix<double>::identity(4);
  for (const KernelFamily family : kBoth)
    for (const Index depth : {1, 3}) {
      const auto k = [&](double w) {
        return kernel_matrix<double>(Kernel::make(network(family, Activation::relu, w, 0, depth)), identity, x);
      };
      CHECK(relative_error(k(1.1), std::pow(1.21 / 2, depth) * k(std::sqrt(2.0))) < 1e-14);
      CHECK(k(std::sqrt(2.0)) == kernel_matrix<double>(Kernel::make(spec_of(family, 1, 1, depth)), identity, x));
    }
}

TEST_CASE("wide networks: biases that vanish change nothing in the limit") {
  const Matrix<double> x = normal(9, 4, 302);
  const FeatureMatrix<double> identity = FeatureMatrix<double>::identity(4);
  for (const KernelFamily family : kBoth) {
    const auto k = [&](double b) {
      return kernel_matrix<double>(Kernel::make(network(family, Activation::relu, 1.3, b, 3)), identity, x);
    };
    CHECK(relative_error(k(1e-8), k(0)) < 1e-12);
    CHECK(relative_error(k(1e-1), k(0)) > 1e-4);
  }
}

TEST_CASE("wide networks: a linear one's kernels are affine in the inner product") {
  const Vector<double> x = vector3(0.9, -0.4, 0.6), z = vector3(0.2, 0.8, 1.1);
  const double s = x.dot(z), g = 1.3 * 1.3, o = 0.4 * 0.4;
  CHECK(value(network(KernelFamily::nngp, Activation::linear, 1.3, 0.4, 2), x, z) == Approx(g * g * s + g * o + o));
  // Theta_2 = Sigma_2 + g Sigma_1 + g^2 Sigma_0
  CHECK(value(network(KernelFamily::ntk, Activation::linear, 1.3, 0.4, 2), x, z) ==
        Approx(3 * g * g * s + 2 * g * o + o));
  CHECK(value(network(KernelFamily::ntk, Activation::linear, 1, 0, 4), x, z) == Approx(5 * s));
}

TEST_CASE("wide networks: the values of neural-tangents") {
  // Made with neural-tangents 0.6.5 (jax 0.4.20, float64): stax.serial(Dense(512, W_std=w, b_std=b), Relu() or Erf(),
  // ..., Dense(1, W_std=w, b_std=b)), whose kernel_fn(x, z, ("nngp", "ntk")) this is; depth counts the activations.
  struct Row {
    Activation activation;
    double w, b;
    Index depth;
    double nngp, ntk;
  };
  const Row rows[] = {{Activation::relu, 1.3, 0.4, 1, 0.64552110034795, 0.56250488167644},
                      {Activation::relu, 1.3, 0.4, 2, 0.98776346136057, 1.276306916641},
                      {Activation::relu, 1.3, 0.4, 3, 1.1395001227921, 1.876440937304},
                      {Activation::relu, 0.8, 1.1, 1, 1.6111912525463, 1.8454235595191},
                      {Activation::relu, 0.8, 1.1, 2, 1.733227948817, 2.2295936860513},
                      {Activation::relu, 0.8, 1.1, 3, 1.7658123140035, 2.4181958380419},
                      {Activation::erf, 1.3, 0.4, 1, 0.074038662151695, -0.012106061200476},
                      {Activation::erf, 1.3, 0.4, 2, 0.20760372204502, 0.1998149543641},
                      {Activation::erf, 1.3, 0.4, 3, 0.30977656374157, 0.45487242197528},
                      {Activation::erf, 0.8, 1.1, 1, 1.3935065242111, 1.5905182729276},
                      {Activation::erf, 0.8, 1.1, 2, 1.5081626180949, 1.9258454070551},
                      {Activation::erf, 0.8, 1.1, 3, 1.5442764355106, 2.1023524248918}};
  Vector<double> x(4), z(4);
  x << 0.5, -1, 2, 0.25;
  z << 1, 0.75, -0.5, 1.5;
  for (const Row& row : rows) {
    CAPTURE(info_of(row.activation).name, row.w, row.b, row.depth);
    const Vector<double> a = with_input_layer(x, row.w, row.b), c = with_input_layer(z, row.w, row.b);
    CHECK(value(network(KernelFamily::nngp, row.activation, row.w, row.b, row.depth), a, c) ==
          Approx(row.nngp).epsilon(1e-12));
    CHECK(value(network(KernelFamily::ntk, row.activation, row.w, row.b, row.depth), a, c) ==
          Approx(row.ntk).epsilon(1e-12).margin(1e-13));
  }
}

TEST_CASE("wide networks: gradients and outer products of every activation, with every form of M") {
  const Index n = 12, d = 4;
  const Matrix<double> x = normal(n, d, 303), alpha = normal(n, 2, 304), points = normal(7, d, 305);
  for (const NamedMetric& m : all_metrics(d))
    for (const Activation activation : kActivations)
      for (const KernelFamily family : kBoth)
        for (const double b : {0.0, 0.7}) {
          CAPTURE(m.name, name_of(family), info_of(activation).name, b);
          const KernelSpec spec = network(family, activation, 0.9, b, 2);
          const KernelMachine<double> f(Kernel::make(spec), m.metric, share(x), alpha);
          CHECK(input_jacobian_error<double>(f, points) < 1e-6);
          const Matrix<double> want = agop<double>(f, x, AgopOptions{}).to_dense();
          for (const GradientForm form : {GradientForm::direct, GradientForm::gram, GradientForm::sample_space}) {
            GradientOptions options;
            options.form = form;
            CHECK(relative_error(gradient_outer_product(f, options, RandomStream(1)).matrix.to_dense(), want) < 1e-11);
          }
        }
}

TEST_CASE("wide networks: gradients at and towards a point of norm zero") {
  const Index d = 3;
  Matrix<double> centers = normal(4, d, 306);
  centers.row(1).setZero();
  Matrix<double> alpha = Matrix<double>::Zero(4, 1);
  alpha(1, 0) = 1;  // the kernel of the zero row alone
  for (const Activation activation : {Activation::relu, Activation::erf})
    for (const KernelFamily family : kBoth) {
      CAPTURE(name_of(family), info_of(activation).name);
      const KernelSpec spec = network(family, activation, 1.2, 0.5, 2);
      const KernelMachine<double> f(Kernel::make(spec), FeatureMatrix<double>::identity(d), share(centers), alpha);
      const Matrix<double> x = normal(5, d, 307);
      CHECK(f.input_jacobian(x).rowwise().norm().minCoeff() > 1e-3);  // it depends on |x|
      CHECK(input_jacobian_error<double>(f, x) < 1e-6);
      const KernelMachine<double> all = random_machine(spec, FeatureMatrix<double>::identity(d), centers, 2, 308);
      const Matrix<double> at_zero = all.input_jacobian(Matrix<double>::Zero(1, d));
      CHECK(at_zero.allFinite());
      if (activation == Activation::erf)  // smooth there
        CHECK(input_jacobian_error<double>(all, Matrix<double>::Zero(1, d)) < 1e-6);
    }
}

TEST_CASE("wide networks: float32 agrees with float64, next to coincident points too") {
  const Index n = 60, d = 12;
  Matrix<double> x = normal(n, d, 309);
  for (Index i = 0; i < 20; ++i) x.row(n - 1 - i) = x.row(i) + std::pow(10.0, -1 - 0.3 * double(i)) * normal(1, d, 310);
  const Matrix<float> single = x.cast<float>();
  const Matrix<double> rounded = single.cast<double>();
  for (const Activation activation : kActivations)
    for (const KernelFamily family : kBoth)
      for (const double b : {0.0, 0.7})
        for (const Index depth : {1, 4}) {
          CAPTURE(name_of(family), info_of(activation).name, b, depth);
          const Kernel kernel = Kernel::make(network(family, activation, 1.2, b, depth));
          const Matrix<float> k = kernel_matrix<float>(kernel, FeatureMatrix<float>::identity(d), single);
          const Matrix<double> want = kernel_matrix<double>(kernel, FeatureMatrix<double>::identity(d), rounded);
          CHECK((k - k.transpose()).cwiseAbs().maxCoeff() == 0);
          // Rounding of the inputs' cosines, 1e-7, over the smallest angle that is not taken from a difference, 1e-2.
          CHECK(relative_error(k.cast<double>(), want) < 2e-5);
        }
}

TEST_CASE("wide networks: with biases, the recursion keeps its digits next to cosine 1 in float32") {
  const long double gain = 0.8L, offset = 0.09L, pi = std::acos(-1.0L);
  for (const float ratio : {1.0f, 1.001f, 3.0f})
    for (const double angle : {1e-6, 1e-4, 1e-2, 1.0}) {
      const long double half_sine = std::sin((long double)(angle) / 2), a = 1.5L, b = 1.5f * ratio;
      DotProducts<float> in;
      const float other = 1.5f * ratio;
      in.count = 1;
      in.cosine[0] = float(std::cos(angle));
      in.complement[0] = float(half_sine * half_sine);
      in.norm = 1.5f;
      in.norms = &other;
      BiasedReluState<float> state;
      start_recursion(in, state);
      advance_layer(state, float(gain), float(offset), 1, false);
      // 1 - u' = (a' b' - gain a b kappa_1 - offset) / (a' b'), where 1 - kappa_1 is 2 h^2 less a term of third order.
      const long double next_a = std::sqrt(gain * a * a + offset), next_b = std::sqrt(gain * b * b + offset);
      const long double rest =
          2 * half_sine * half_sine - (std::sin((long double)(angle)) - angle * std::cos((long double)(angle))) / pi;
      const long double stretch = next_a * next_b - gain * a * b - offset;  // long double has the digits for this
      CAPTURE(ratio, angle);
      CHECK(state.complement[0] ==
            Approx(double((stretch + gain * a * b * rest) / (2 * next_a * next_b))).epsilon(5e-4));
      CHECK(state.difference[0] == Approx(double(next_a - next_b)).epsilon(1e-6).margin(1e-12));
    }
}

TEST_CASE("wide networks: erf saturates at inputs as long as doubles go") {
  for (const double length : {1e4, 1e8, 1e60, 1e150}) {
    CAPTURE(length);
    const Vector<double> x = vector3(length, 0, 0), across = vector3(0, length, 0);
    const KernelSpec spec = network(KernelFamily::nngp, Activation::erf, 1, 0, 1);
    CHECK(value(spec, x, x) == Approx(1).epsilon(1 / length));
    CHECK(value(spec, x, -x) == Approx(-1).epsilon(1 / length));
    CHECK(value(spec, x, across) == Approx(0).margin(1e-15));
    const KernelSpec deep = network(KernelFamily::ntk, Activation::erf, 1.3, 0.2, 3);
    const KernelMachine<double> f(Kernel::make(deep), FeatureMatrix<double>::identity(3),
                                  share(Matrix<double>(x.transpose())), Matrix<double>::Ones(1, 1));
    CHECK(f.input_jacobian(Matrix<double>(across.transpose())).allFinite());
    CHECK(f.input_jacobian(Matrix<double>(x.transpose())).allFinite());
  }
}

TEST_CASE("wide networks: kernels that vanish in the precision at hand are refused") {
  const Matrix<float> x = normal<float>(3, 2, 311);
  const Kernel faint = Kernel::make(network(KernelFamily::ntk, Activation::relu, 0.5, 0, 1000));
  const std::string message =
      message_of<NumericalError>([&] { kernel_matrix<float>(faint, FeatureMatrix<float>::identity(2), x); });
  CHECK_THAT(message, Catch::Contains("vanish") && Catch::Contains("weight_std"));
  CHECK_THROWS_AS(Kernel::make(network(KernelFamily::ntk, Activation::relu, 0, 0, 1)), ConfigError);
  CHECK_THROWS_AS(Kernel::make(network(KernelFamily::ntk, Activation::relu, 1, -1, 1)), ConfigError);
}

TEST_CASE("wide networks: a description names activation and scales") {
  CHECK_THAT(Kernel::make(network(KernelFamily::ntk, Activation::erf, 1.5, 0.05, 2)).describe(),
             Catch::StartsWith("ntk, depth = 2, f = erf, w = 1.5, b = 0.05: Theta_depth"));
}
