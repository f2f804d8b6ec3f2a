#include "core/base/error.h"
#include "nets/checkpoints/script/forward_chain.h"
#include "nets/checkpoints/script/script_text.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using ansatz::DataError;
using namespace ansatz::nets;

namespace {

using Kind = ForwardStep::Kind;

std::string indented(const std::string& lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    text += "    " + lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

/// A module with two layers, whose forward() has these lines.
std::string code_of(const std::string& forward) {
  return "class Net(Module):\n"
         "  __parameters__ = [\"w\", ]\n"
         "  training : bool\n"
         "  w : Tensor\n"
         "  v : Tensor\n"
         "  no_bias : NoneType\n"
         "  scale : Final[float] = 2.\n"
         "  flag : bool\n"
         "  __annotations__[\"0\"] = __torch__.Layer\n"
         "  fc : __torch__.Layer\n"
         "  def forward(self: __torch__.Net,\n"
         "    x: Tensor) -> Tensor:\n" +
         indented(forward) +
         "class Layer(Module):\n"
         "  weight : Tensor\n"
         "  bias : Tensor\n"
         "  def forward(self: __torch__.Layer,\n"
         "    input: Tensor) -> Tensor:\n"
         "    return torch.linear(input, self.weight, self.bias)\n"
         "def twice(x: Tensor,\n"
         "    act: bool=True) -> Tensor:\n"
         "  if act:\n"
         "    y = torch.relu(x)\n"
         "  else:\n"
         "    y = x\n"
         "  return y\n";
}

std::vector<ForwardStep> follow(const std::string& forward) {
  ScriptSource source;
  source.code = [&](const std::string& module) { return module == "__torch__" ? code_of(forward) : std::string(); };
  Pickle::Value flag;
  flag.kind = Pickle::Kind::boolean;
  flag.integer = 1;
  source.settings["flag"] = flag;
  return forward_chain("__torch__.Net", source, "net.pt");
}

/// "linear(fc.weight, fc.bias) relu ...".
std::string steps(const std::string& forward) {
  std::string text;
  for (const ForwardStep& step : follow(forward)) {
    if (!text.empty()) text += " ";
    if (!step.magnitude.empty()) text += "normed by " + step.magnitude + " ";
    if (step.kind == Kind::linear)
      text += std::string(step.transposed ? "product(" : "linear(") + step.weight + ", " + step.bias + ")";
    if (step.kind == Kind::batch_norm)
      text += "norm(" + step.mean + ", " + step.variance + ", " + step.weight + ", " + step.bias + ")";
    if (step.kind == Kind::other) text += "other:";
    text += step.what;
  }
  return text;
}

std::string refusal(const std::string& forward) {
  return message_of<DataError>([&] { follow(forward); });
}

}  // namespace

TEST_CASE("forward chain: layers, in whichever way they are written") {
  CHECK(steps("return (self.fc).forward(x, )") == "linear(fc.weight, fc.bias)");
  CHECK(steps("_0 = getattr(self, \"0\")\nreturn (_0).forward(x, )") == "linear(0.weight, 0.bias)");
  CHECK(steps("return torch.linear(x, self.w)") == "linear(w, )");
  CHECK(steps("return torch.linear(x, self.w, self.no_bias)") == "linear(w, )");
  CHECK(steps("return torch.linear(x, self.w, None)") == "linear(w, )");
  CHECK(steps("return torch.add(torch.matmul(x, torch.t(self.w)), self.v)") == "linear(w, v)");
  CHECK(steps("return torch.add(self.v, torch.mm(x, self.w), alpha=1)") == "product(w, v)");
  CHECK(steps("return torch.addmm(self.v, x, torch.transpose(self.w, 0, 1), beta=1, alpha=1)") == "linear(w, v)");
  CHECK(steps("return torch.linear(x, torch._weight_norm(self.v, self.w, 0))") == "normed by w linear(v, )");
  CHECK(steps("return torch.matmul(x, torch.t(torch._weight_norm(self.v, self.w)))") == "normed by w linear(v, )");
  CHECK(steps("return torch.linear(x, torch._weight_norm(torch.relu(self.v), self.w))") == "other:linear");
  CHECK(steps("return torch.linear(x, CONSTANTS.c0, CONSTANTS.c1)") == "linear(CONSTANTS.c0, CONSTANTS.c1)");
  CHECK(steps("return torch.batch_norm(x, self.w, None, self.v, self.w, False, 0.1, 1e-05, True)") ==
        "norm(v, w, w, )");
  CHECK(steps("_0 = __torch__.torch.nn.functional.batch_norm\n"
              "return _0(x, self.v, self.w, None, None, False, 0.1, 1e-05, )") == "norm(v, w, , )");
}

TEST_CASE("forward chain: activations, and what changes no number") {
  const std::string fc = "y = (self.fc).forward(torch.flatten(torch.to(x, 6), 1, -1), )\n";
  const std::string before = "linear(fc.weight, fc.bias) ";
  for (const auto& [written, read] : std::vector<std::pair<std::string, std::string>>{
           {"torch.relu_(y)", "relu"},
           {"__torch__.torch.nn.functional.relu(y, False, )", "relu"},
           {"torch.tanh(torch.dropout(y, 0.1, False))", "tanh"},
           {"torch.gelu(y)", "gelu"},
           {"torch.gelu(y, approximate=\"none\")", "gelu"},
           {"torch.gelu(y, approximate=\"tanh\")", "other:gelu with approximate='tanh'"},
           {"torch.leaky_relu(y, 0.01)", "leaky_relu"},
           {"torch.leaky_relu(y, 0.2)", "other:leaky_relu with a slope other than 0.01"},
           {"torch.silu(y)", "silu"},
           {"torch.square(y)", "quadratic"},
           {"torch.pow(y, 2)", "quadratic"},
           {"torch.mul(y, y)", "quadratic"},
           {"torch.pow(y, 3)", "other:pow"},
           {"torch.mul(y, 2)", "other:mul"},
           {"torch.mul(y, self.v)", "other:mul"},
           {"torch.neg(y)", "other:neg"},
           {"torch.view(y, [2, -1])", "other:view"},
           {"torch.add(y, self.v)", "other:add"},
           {"torch.add(y, x)", "other:add of several results"},
           {"torch.add(y, torch.relu(y))", "other:add of several results"},
           {"torch.linear(y, torch.relu(self.w))", "other:linear"},
           {"torch.log_softmax(y, 1)", "log_softmax"},
           {"__torch__.mystery(y)", "other:__torch__.mystery"},
           {"__torch__.twice(y, )", "relu"},
           {"__torch__.twice(y, act=True)", "relu"},
           {"unchecked_cast(Tensor, torch.relu(y))", "relu"}}) {
    CAPTURE(written);
    CHECK(steps(fc + "return " + written) == before + read);
  }
  CHECK(steps(fc + "return __torch__.twice(y, False, )") + " " == before);
  CHECK(steps(fc + "z = y\n_0 = torch.size(z)\nreturn torch.relu(z)") == before + "relu");
}

TEST_CASE("forward chain: branches are followed where they are decided, and refused where the result depends on them") {
  const auto branch = [](const std::string& condition) {
    return "if " + condition + ":\n  y = torch.relu(x)\nelse:\n  y = torch.tanh(x)\nreturn y";
  };
  CHECK(steps(branch("self.training")) == "tanh");
  CHECK(steps(branch("self.flag")) == "relu");
  CHECK(steps(branch("torch.__not__(self.flag)")) == "tanh");
  CHECK(steps(branch("torch.__is__(self.no_bias, None)")) == "relu");
  CHECK(steps(branch("torch.__isnot__(self.no_bias, None)")) == "tanh");
  CHECK(steps(branch("torch.__isnot__(self.w, None)")) == "relu");
  CHECK_THAT(refusal(branch("torch.gt(torch.sum(x), 0)")), Catch::Contains("net.pt: its code has a branch"));
  CHECK(
      steps("if torch.ne(torch.dim(x), 2):\n  ops.prim.RaiseException(\"no\", \"builtins.ValueError\")\nelse:\n  pass\n"
            "return torch.relu(x)") == "relu");
  CHECK_THAT(refusal("if torch.gt(torch.sum(x), 0):\n  return torch.relu(x)\nelse:\n  pass\nreturn x"),
             Catch::Contains("depend on more than its weights"));
}

TEST_CASE("forward chain: code that cannot be followed is refused") {
  CHECK_THAT(refusal("for i in range(3):\n  x = torch.relu(x)\nreturn x"), Catch::Contains("'for ...'"));
  CHECK_THAT(refusal("while True:\n  x = torch.relu(x)\nreturn x"), Catch::Contains("'while ...'"));
  CHECK_THAT(refusal("return (x, x)"), Catch::Contains("something else than one tensor"));
  CHECK_THAT(refusal("return self.w"), Catch::Contains("something else than one tensor"));
  CHECK_THAT(refusal("return 3"), Catch::Contains("something else"));
  CHECK_THAT(refusal("return (self).forward(x, )"), Catch::Contains("nested too deeply"));
  CHECK_THAT(refusal("return (self.fc).backward(x, )"), Catch::Contains("no backward of __torch__.Layer"));
  std::string deep = "return ";
  for (int i = 0; i < 200; ++i) deep += "torch.relu(";
  CHECK_THAT(refusal(deep), Catch::Contains("nested too deeply"));
  std::string chain = "return x";
  for (int i = 0; i < 200; ++i) chain += ".a";
  CHECK_THAT(refusal(chain), Catch::Contains("nested too deeply"));
  CHECK_THAT(refusal("return \"open"), Catch::Contains("does not end"));
  ScriptSource none;
  none.code = [](const std::string&) { return std::string(); };
  CHECK_THAT(message_of<DataError>([&] { forward_chain("__torch__.Net", none, "net.pt"); }),
             Catch::Contains("net.pt: its code has no class __torch__.Net"));
}

TEST_CASE("forward chain: no text makes the parser fail in another way") {
  const std::string whole =
      code_of("if self.training:\n  y = torch.relu(x)\nelse:\n  y = -1.5e-3\nreturn [y, {1: 2}, (3,)]");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    try {
      parse_script(whole.substr(0, size), "net.pt");
    } catch (const DataError&) {
    }
    std::string damaged = whole;
    damaged.insert(size, 1, "([{)]}\",.:=-\n #"[size % 15]);
    try {
      parse_script(damaged, "net.pt");
    } catch (const DataError&) {
    }
  }
}
