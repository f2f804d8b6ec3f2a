#include <cmath>
#include <tuple>

#include "core/base/error.h"
#include "core/features/agop.h"
#include "nets/mlp.h"
#include "tests/nets/detail/torch_reference.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::nets;

namespace {

const RandomStream kStream(20240607);

Matrix<double> points(Index rows, Index cols, std::string_view name = "points") {
  RandomStream stream = kStream.named(name);
  return stream.normal_matrix<double>(rows, cols);
}

MlpOptions options_of(std::vector<Index> hidden, Activation activation = Activation::relu, bool bias = false,
                      Initialization initialization = Initialization::pytorch_default) {
  MlpOptions options;
  options.hidden_layers = std::move(hidden);
  options.activation = activation;
  options.bias = bias;
  options.initialization = initialization;
  return options;
}

double activated(Activation activation, double z) {
  switch (activation) {
    case Activation::relu:
      return z > 0 ? z : 0;
    case Activation::tanh:
      return std::tanh(z);
    case Activation::quadratic:
      return z * z;
    case Activation::leaky_relu:
      return z > 0 ? z : 0.01 * z;
    case Activation::gelu:
      return z * std::erfc(-z / std::sqrt(2.0)) / 2;
    case Activation::silu:
      return z / (1 + std::exp(-z));
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-z));
    case Activation::linear:
      break;
  }
  return z;
}

// h_0 = x, h_1, ..., f(x), from the weights and biases that the network gives.
std::vector<Matrix<double>> layer_values(const Mlp<double>& net, const Matrix<double>& x) {
  std::vector<Matrix<double>> values{x};
  for (Index l = 1; l <= net.layers(); ++l) {
    Matrix<double> z = values.back() * net.weight(l).transpose();
    if (net.options().bias) z.rowwise() += net.bias(l).transpose();
    if (l < net.layers()) z = z.unaryExpr([&](double v) { return activated(net.options().activation, v); }).eval();
    values.push_back(z);
  }
  return values;
}

// The layers of `net` above the first `count`, as a network of their own (bias-free).
Mlp<double> upper_part(const Mlp<double>& net, Index count) {
  std::vector<Matrix<double>> weights;
  for (Index l = count + 1; l <= net.layers(); ++l) weights.push_back(net.weight(l));
  return Mlp<double>(weights, net.options().activation);
}

double relative_difference(const Matrix<double>& a, const Matrix<double>& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

const auto kActivations = {Activation::relu,       Activation::tanh, Activation::quadratic, Activation::linear,
                           Activation::leaky_relu, Activation::gelu, Activation::silu,      Activation::sigmoid};
const auto kInitializations = {Initialization::pytorch_default, Initialization::ntk, Initialization::mup};
const std::vector<std::vector<Index>> kDepths{{}, {7}, {7, 5}, {6, 5, 4}};

/// check(options) for every activation, depth, bias and initialisation.
template <class Check>
void for_each_architecture(Check&& check) {
  for (const auto& hidden : kDepths)
    for (const Activation activation : kActivations)
      for (const bool bias : {false, true})
        for (const Initialization initialization : kInitializations) {
          CAPTURE(hidden.size(), static_cast<int>(activation), bias, static_cast<int>(initialization));
          check(options_of(hidden, activation, bias, initialization));
        }
}

}  // namespace

TEST_CASE("predictions are the formula of the weights and biases that the network gives") {
  const Matrix<double> x = points(9, 4);
  for_each_architecture([&](const MlpOptions& options) {
    const Mlp<double> net(4, 3, options, kStream);
    // 1e-13: a few roundings of sums of at most 7 terms.
    CHECK(relative_difference(net.predict(x), layer_values(net, x).back()) < 1e-13);
    CHECK((net.bias(1).size() > 0) == options.bias);
  });
}

TEST_CASE("an output scale multiplies the outputs, through the last layer alone") {
  const Matrix<double> x = points(9, 4);
  for_each_architecture([&](MlpOptions options) {
    const Mlp<double> plain(4, 3, options, kStream);
    options.output_scale = 8;  // a power of two, so that nothing is rounded
    const Mlp<double> scaled(4, 3, options, kStream);
    CHECK(relative_difference(scaled.predict(x), 8 * plain.predict(x)) < 1e-13);
    CHECK(relative_difference(scaled.predict(x), layer_values(scaled, x).back()) < 1e-13);
    CHECK(scaled.weight(plain.layers()) == 8 * plain.weight(plain.layers()));
    if (plain.layers() > 1) CHECK(scaled.weight(1) == plain.weight(1));
    CHECK(input_jacobian_error<double>(scaled, x) < 1e-8);
  });
  for (const double wrong : {0.0, -1.0, std::nan("")}) {
    MlpOptions options;
    options.output_scale = wrong;
    CHECK_THROWS_AS(Mlp<double>(4, 3, options, kStream), ConfigError);
  }
}

TEST_CASE("input Jacobians agree with central differences for every activation, depth, bias and initialisation") {
  const Matrix<double> x = points(6, 4);
  for_each_architecture([&](const MlpOptions& options) {
    // Central differences with step 1e-5 leave about 1e-10 (step^2, and rounding 1e-16 / step).
    CHECK(input_jacobian_error<double>(Mlp<double>(4, 3, options, kStream), x) < 1e-8);
  });
}

TEST_CASE("input Jacobians equal those of autograd, and in float32 up to rounding") {
  const Matrix<double> x = points(6, 4);
  for_each_architecture([&](const MlpOptions& options) {
    const Mlp<double> net(4, 3, options, kStream);
    const Matrix<double> expected = tests::jacobian_with_autograd(tests::reference_of(net), x);
    CHECK(relative_difference(net.input_jacobian(x), expected) < 1e-12);
    const Mlp<float> single(4, 3, options, kStream);
    CHECK(relative_difference(single.input_jacobian(x.cast<float>()).cast<double>(), expected) < 1e-5);
  });
}

TEST_CASE("a bias-free ReLU network is positively homogeneous, its derivative at 0 is 0") {
  const Mlp<double> net(5, 3, options_of({20, 10}), kStream);
  const Matrix<double> x = points(8, 5);
  for (const double a : {1e-3, 0.5, 7.0, 1e4})
    CHECK(relative_difference(net.predict(a * x), a * net.predict(x)) < 1e-13);
  CHECK(net.input_jacobian(Matrix<double>::Zero(2, 5)).isZero(0));
}

TEST_CASE("results do not depend on tiles, on strides, or on the precision beyond rounding") {
  const Mlp<double> net(3, 2, options_of({1024}), kStream);  // tiles of 1024 rows, of 512 for Jacobians
  const Matrix<double> wide = points(1100, 5);
  const MatrixView<double> x = wide.middleCols(1, 3);  // rows 5 apart
  const Matrix<double> f = net.predict(x), jacobian = net.input_jacobian(x);
  REQUIRE(f.rows() == 1100);
  REQUIRE(jacobian.rows() == 2200);
  for (const Index i : {0, 511, 512, 1023, 1024, 1099}) {
    const Matrix<double> row = x.row(i);
    CHECK(relative_difference(net.predict(row), f.row(i)) < 1e-12);
    CHECK(relative_difference(net.input_jacobian(row), jacobian.middleRows(2 * i, 2)) < 1e-12);
  }
  const Mlp<float> single({net.weight(1).cast<float>(), net.weight(2).cast<float>()});
  const Matrix<float> x_single = x.cast<float>();
  // 1e-5: sums of 1024 terms in float32.
  CHECK(relative_difference(single.predict(x_single).cast<double>(), f) < 1e-5);
  CHECK(net.predict(wide.topRows(0).leftCols(3)).rows() == 0);
}

TEST_CASE("the network's gradient outer product as a sandwich equals the definition") {
  // (hidden layers, rows): the second goes over several tiles.
  const std::vector<std::pair<std::vector<Index>, Index>> cases{{{30, 20}, 40}, {{400, 300}, 2000}};
  for (const auto& [hidden, rows] : cases)
    for (const Activation activation : kActivations) {
      const Mlp<double> net(6, 3, options_of(hidden, activation, true), kStream);
      const Matrix<double> x = points(rows, 6);
      for (const bool center : {false, true}) {
        if (center && activation == Activation::linear) continue;  // zero: see below
        AgopOptions definition;
        definition.center = center;
        const FeatureMatrix<double> fast = net.agop(x, center);
        CHECK(fast.form() == FeatureMatrix<double>::Form::sandwich);
        CHECK(relative_difference(fast.to_dense(), agop<double>(net, x, definition).to_dense()) < 1e-12);
      }
    }
}

TEST_CASE("the gradient outer product of a deeper layer is that of the network above it") {
  const Mlp<double> net(6, 3, options_of({30, 20}), kStream);
  const Matrix<double> x = points(50, 6);
  const std::vector<Matrix<double>> values = layer_values(net, x);
  for (const Index layer : {2, 3}) {
    const Mlp<double> above = upper_part(net, layer - 1);
    for (const bool center : {false, true}) {
      if (center && layer == 3) continue;  // zero: the last layer is linear
      AgopOptions definition;
      definition.center = center;
      const Matrix<double> expected =
          agop<double>(above, values[static_cast<std::size_t>(layer - 1)], definition).to_dense();
      CHECK(relative_difference(net.agop(x, center, layer).to_dense(), expected) < 1e-12);
    }
  }
}

TEST_CASE("the gradient outer product of every layer agrees with finite differences from that layer's input on") {
  constexpr double kStep = 1e-5;
  for (const Activation activation : {Activation::tanh, Activation::relu, Activation::gelu, Activation::silu}) {
    const Mlp<double> net(5, 3, options_of({12, 9, 7}, activation), kStream);
    const Matrix<double> x = points(20, 5);
    const std::vector<Matrix<double>> values = layer_values(net, x);
    for (Index layer = 1; layer <= net.layers(); ++layer) {
      const Mlp<double> above = layer == 1 ? net : upper_part(net, layer - 1);
      const Matrix<double>& h = layer == 1 ? x : values[static_cast<std::size_t>(layer - 1)];
      Matrix<double> expected = Matrix<double>::Zero(h.cols(), h.cols());
      for (Index i = 0; i < h.rows(); ++i) {
        Matrix<double> jacobian(3, h.cols());
        for (Index j = 0; j < h.cols(); ++j) {
          Matrix<double> up = h.row(i), down = h.row(i);
          up(0, j) += kStep, down(0, j) -= kStep;
          jacobian.col(j) = (above.predict(up) - above.predict(down)).transpose() / (2 * kStep);
        }
        expected += jacobian.transpose() * jacobian / static_cast<double>(h.rows());
      }
      INFO("layer " << layer);
      // Central differences: step^2 and epsilon / step, both below 1e-9; no pre-activation is that near a kink.
      CHECK(relative_difference(net.agop(x, false, layer).to_dense(), expected) < 1e-7);
    }
  }
}

TEST_CASE("centred gradient outer product of a linear network vanishes, also in float32") {
  const Mlp<float> net(6, 3, options_of({300, 200}, Activation::linear), kStream);
  const Matrix<float> x = points(4000, 6).cast<float>();
  const double scale = net.agop(x, false).trace();
  CHECK(scale > 0);
  // Gradients are equal up to float32 rounding (1e-7) and enter squared.
  CHECK(std::abs(net.agop(x, true).trace()) < 1e-12 * scale);
}

TEST_CASE("feature matrices are W^T W of each layer") {
  const Mlp<double> net(6, 3, options_of({30, 20}), kStream);
  for (Index layer = 1; layer <= 3; ++layer) {
    const Matrix<double> w = net.weight(layer);
    CHECK(relative_difference(net.feature_matrix(layer).to_dense(), w.transpose() * w) < 1e-13);
  }
}

namespace {

// Sum over layers of |parameter gradients' inner product| between rows 0 and 1 of x: with effective weights W = a P,
// layer l contributes a^2 <s_l(x), s_l(z)> <h_{l-1}(x), h_{l-1}(z)>, s_l the gradient at its pre-activation.
double empirical_ntk(const Mlp<double>& net, const Matrix<double>& x) {
  const std::vector<Matrix<double>> h = layer_values(net, x);
  double sum = 0;
  for (Index l = 1; l <= net.layers(); ++l) {
    const auto& input = h[static_cast<std::size_t>(l - 1)];
    const auto& value = h[static_cast<std::size_t>(l)];
    Matrix<double> s = Matrix<double>::Ones(2, 1);
    if (l < net.layers())
      s = upper_part(net, l).input_jacobian(value).cwiseProduct((value.array() > 0).cast<double>().matrix());
    const double multiplier = l == 1 ? 1 : 2.0 / static_cast<double>(input.cols());
    sum += multiplier * s.row(0).dot(s.row(1)) * input.row(0).dot(input.row(1));
  }
  return sum;
}

}  // namespace

TEST_CASE("wide networks in NTK parameterisation approach the closed forms of NNGP and NTK") {
  Matrix<double> x(2, 3);
  x << 1, 2, 3, 1, 0, -1;
  // Depth, NNGP and NTK between the two rows.
  const std::vector<std::tuple<Index, double, double>> values{
      {1, 0.806145316896, 0.052897031325}, {2, 2.106994772577, 2.136018483710}, {3, 2.873216314323, 4.219676178559}};
  const Index width = 512, outputs = 512;
  const int draws = 16;
  for (const auto& [depth, nngp, ntk] : values) {
    double mean_nngp = 0, mean_ntk = 0;
    const std::vector<Index> hidden(static_cast<std::size_t>(depth), width);
    const MlpOptions options = options_of(hidden, Activation::relu, false, Initialization::ntk);
    for (int draw = 0; draw < draws; ++draw) {
      const RandomStream stream = kStream.named("draw" + std::to_string(draw));
      const Matrix<double> f = Mlp<double>(3, outputs, options, stream).predict(x);
      mean_nngp += f.row(0).dot(f.row(1)) / static_cast<double>(outputs) / draws;
      mean_ntk += empirical_ntk(Mlp<double>(3, 1, options, stream.named("ntk")), x) / draws;
    }
    // The scale is sqrt(Theta(x,x) Theta(z,z)) = (depth+1) |x||z| = (depth+1) sqrt(28). One draw of width 512 scatters
    // by some 5 % of that, the mean of 16 by 1.3 %; three times that is allowed.
    const double scale = std::sqrt(28.0);
    CHECK(mean_nngp == Approx(nngp).margin(0.04 * scale));
    CHECK(mean_ntk == Approx(ntk).margin(0.04 * scale * static_cast<double>(depth + 1)));
  }
}

TEST_CASE("initial parameters: bounds, deviation, and one stream a layer") {
  MlpOptions options = options_of({300, 200}, Activation::relu, true);
  const Mlp<double> net(100, 10, options, kStream);
  const double bound = 0.1;  // 1/sqrt(100)
  CHECK(net.weight(1).cwiseAbs().maxCoeff() <= bound);
  CHECK(net.weight(1).cwiseAbs().maxCoeff() > 0.99 * bound);
  CHECK(net.bias(1).cwiseAbs().maxCoeff() <= bound);
  CHECK(net.bias(1).cwiseAbs().maxCoeff() > 0.9 * bound);
  CHECK(net.weight(2).cwiseAbs().maxCoeff() <= 1 / std::sqrt(300.0));

  options.first_layer_std = 0.003;
  const Mlp<double> small(100, 10, options, kStream);
  // 30,000 entries: the deviation is known to 0.4 %.
  CHECK(std::sqrt(small.weight(1).squaredNorm() / 30000) == Approx(0.003).epsilon(0.02));
  CHECK(small.weight(2) == net.weight(2));
  CHECK(Mlp<double>(100, 10, options, kStream).weight(3) == net.weight(3));
  CHECK(Mlp<double>(100, 10, options, kStream.named("other")).weight(3) != net.weight(3));
}

TEST_CASE("networks are values") {
  const Mlp<double> net(4, 2, options_of({5}, Activation::tanh, true, Initialization::ntk), kStream);
  const Matrix<double> x = points(3, 4);
  const Matrix<double> f = net.predict(x);
  Mlp<double> copy(net);
  CHECK(copy.predict(x) == f);
  copy = Mlp<double>({Matrix<double>::Ones(1, 4)}, Activation::linear);
  CHECK(net.predict(x) == f);
  copy = net;
  CHECK(copy.predict(x) == f);
  const Mlp<double> moved(std::move(copy));
  CHECK(moved.predict(x) == f);
  CHECK(moved.options().activation == Activation::tanh);
  CHECK(net.on(Device::cpu).predict(x) == f);
  CHECK(net.device() == Device::cpu);
}

TEST_CASE("networks refuse what does not fit") {
  const auto make = [](Index d, Index c, const MlpOptions& options) { return Mlp<double>(d, c, options, kStream); };
  CHECK_THROWS_AS(make(4, 2, options_of({3, 0})), ConfigError);
  CHECK_THROWS_AS(make(0, 2, options_of({3})), ConfigError);
  CHECK_THROWS_AS(make(4, 0, options_of({3})), ConfigError);
  for (const double deviation : {0.0, -1.0, std::nan("")}) {
    MlpOptions options = options_of({3});
    options.first_layer_std = deviation;
    CHECK_THROWS_AS(make(4, 2, options), ConfigError);
  }
  using Weights = std::vector<Matrix<double>>;
  CHECK_THROWS_AS(Mlp<double>(Weights{}), DataError);
  CHECK_THROWS_AS(Mlp<double>(Weights{Matrix<double>(0, 3)}), DataError);
  CHECK_THROWS_AS(Mlp<double>(Weights{Matrix<double>::Ones(3, 4), Matrix<double>::Ones(2, 4)}), DataError);
  CHECK_THROWS_AS(Mlp<double>(Weights{Matrix<double>::Constant(3, 4, std::nan(""))}), DataError);

  const Mlp<double> net = make(4, 2, options_of({3}));
  CHECK_THROWS_AS(net.predict(points(2, 5)), DataError);
  CHECK_THROWS_AS(net.input_jacobian(points(2, 3)), DataError);
  CHECK_THROWS_AS(net.agop(points(2, 3), false), DataError);
  CHECK_THROWS_AS(net.agop(Matrix<double>(0, 4), false), DataError);
  CHECK_THROWS_AS(net.weight(0), ConfigError);
  CHECK_THROWS_AS(net.feature_matrix(3), ConfigError);
  if (!cuda_available()) CHECK_THROWS_AS(net.on(Device::cuda), ConfigError);
}

TEST_CASE("a network on CUDA gives the CPU's results", "[cuda]") {
  if (!cuda_available()) {
    WARN("skipped: no CUDA device");
    return;
  }
  const Mlp<double> net(6, 3, options_of({30, 20}, Activation::relu, true), kStream);
  const Mlp<double> there = net.on(Device::cuda);
  const Matrix<double> x = points(700, 6);
  CHECK(there.device() == Device::cuda);
  CHECK(relative_difference(there.predict(x), net.predict(x)) < 1e-12);
  CHECK(relative_difference(there.input_jacobian(x), net.input_jacobian(x)) < 1e-12);
  CHECK(relative_difference(there.agop(x, true).to_dense(), net.agop(x, true).to_dense()) < 1e-12);
}

TEST_CASE("LibTorch describes itself") { CHECK(torch_description().find("LibTorch ") == 0); }
