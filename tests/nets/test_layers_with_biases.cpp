#include "core/base/error.h"
#include "nets/mlp.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using nets::LinearLayer;
using nets::Mlp;

namespace {

Matrix<double> random(Index rows, Index cols, std::string_view name) {
  return RandomStream(7).named(name).normal_matrix<double>(rows, cols);
}

}  // namespace

TEST_CASE("a network may have biases in some layers only") {
  const std::vector<LinearLayer<double>> layers = {
      {random(6, 4, "W1"), random(6, 1, "b1")}, {random(5, 6, "W2"), {}}, {random(3, 5, "W3"), random(3, 1, "b3")}};
  const Mlp<double> net(layers);
  CHECK(net.options().bias);
  CHECK(net.bias(1) == layers[0].bias);
  CHECK(net.bias(2).size() == 0);
  CHECK(net.bias(3) == layers[2].bias);
  const Matrix<double> x = random(9, 4, "x");
  Matrix<double> h = x * layers[0].weight.transpose();
  h.rowwise() += layers[0].bias.transpose();
  h = (h.cwiseMax(0) * layers[1].weight.transpose()).cwiseMax(0).eval();
  Matrix<double> f = h * layers[2].weight.transpose();
  f.rowwise() += layers[2].bias.transpose();
  CHECK((net.predict(x) - f).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((Mlp<double>(net).predict(x) - f).cwiseAbs().maxCoeff() < 1e-12);
  CHECK_FALSE(Mlp<double>({layers[1]}).options().bias);
}

TEST_CASE("layers whose biases do not fit are refused") {
  const Matrix<double> w = random(3, 4, "W");
  const auto error = [&](const Vector<double>& bias) {
    return message_of<DataError>([&] { Mlp<double>(std::vector<LinearLayer<double>>{{w, bias}}); });
  };
  CHECK_THAT(error(Vector<double>::Ones(4)), Catch::Contains("W1 (3 x 4) has 4 biases"));
  CHECK_THAT(error(Vector<double>::Ones(3) / 0.0), Catch::Contains("not finite"));
}
